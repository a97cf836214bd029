//! How a text refers to the nodes of its net: an id stands for one node, or for all that it was unfolded to.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use model::views::{NetTransitionId, PlaceId};

/// The ids of nodes in the text. In PNML these are not the names: formulas of other files refer to ids. A node of a
/// coloured net stands for its instances, and may have none.
#[derive(Clone, Debug, Default)]
pub struct NodeIds {
    pub(crate) places: Groups<PlaceId>,
    pub(crate) transitions: Groups<NetTransitionId>,
}

impl NodeIds {
    /// The places that an id stands for; `None` if there is no place with this id.
    pub fn places(&self, id: &str) -> Option<&[PlaceId]> {
        self.places.find(id)
    }

    /// The transitions that an id stands for; `None` if there is no transition with this id.
    pub fn transitions(&self, id: &str) -> Option<&[NetTransitionId]> {
        self.transitions.find(id)
    }

    /// All ids of transitions with what they stand for, in the order of the text.
    pub fn each_transition(&self) -> impl Iterator<Item = (&str, &[NetTransitionId])> {
        self.transitions.in_order()
    }

    /// All ids of places with what they stand for, in the order of the text.
    pub fn each_place(&self) -> impl Iterator<Item = (&str, &[PlaceId])> {
        self.places.in_order()
    }
}

/// Ids of one kind of nodes. Those of one id are adjacent in `nodes`.
#[derive(Clone, Debug)]
pub(crate) struct Groups<T> {
    ranges: HashMap<Box<str>, Range<u32>>,
    nodes: Vec<T>,
}

impl<T> Default for Groups<T> {
    fn default() -> Self {
        Self { ranges: HashMap::new(), nodes: Vec::new() }
    }
}

impl<T: Copy> Groups<T> {
    pub(crate) fn find(&self, id: &str) -> Option<&[T]> {
        let range = self.ranges.get(id)?;
        Some(&self.nodes[range.start as usize..range.end as usize])
    }

    pub(crate) fn single(&self, id: &str) -> Option<T> {
        self.find(id)?.first().copied()
    }

    /// Gives a new id the nodes that `make` makes; `None` if the id is taken.
    pub(crate) fn insert<N: IntoIterator<Item = T>>(&mut self, id: &str, make: impl FnOnce() -> N) -> Option<&[T]> {
        let Entry::Vacant(entry) = self.ranges.entry(id.into()) else { return None };
        let start = self.nodes.len();
        self.nodes.extend(make());
        entry.insert(start as u32..self.nodes.len() as u32);
        Some(&self.nodes[start..])
    }

    fn in_order(&self) -> impl Iterator<Item = (&str, &[T])> {
        let mut all: Vec<(&str, &Range<u32>)> = self.ranges.iter().map(|(id, range)| (&**id, range)).collect();
        // Ids without nodes have no position of their own: among them the text of the id decides.
        all.sort_unstable_by_key(|(id, range)| (range.start, range.end, *id));
        all.into_iter().map(|(id, range)| (id, &self.nodes[range.start as usize..range.end as usize]))
    }
}
