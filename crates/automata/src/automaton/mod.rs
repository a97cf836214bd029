//! Transition-based generalised Büchi automata: a run is accepting if it takes edges of every acceptance set for ever.

mod components;
mod label;
mod product;
mod prune;
mod strength;
mod witness;
mod word;

pub use components::Components;
pub use label::{Cube, Label};
pub use product::intersection;
pub(crate) use product::product;
pub use strength::Strength;
pub use word::Word;

use crate::bdd::{Bdd, Manager, Metered};

/// A state of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(pub u32);

impl State {
    /// Its place in a table of states.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of acceptance sets: those that an edge belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Marks(pub u64);

impl Marks {
    /// The most acceptance sets that an automaton may have.
    pub const MOST: u32 = 64;

    /// The first `count` sets.
    pub fn first(count: u32) -> Marks {
        Marks(1u64.checked_shl(count).map_or(u64::MAX, |bit| bit - 1))
    }

    /// Whether the set is among them.
    pub fn has(self, set: u32) -> bool {
        self.0 >> set & 1 == 1
    }

    /// These and that one.
    #[must_use]
    pub fn with(self, set: u32) -> Marks {
        Marks(self.0 | 1 << set)
    }

    /// These and those.
    #[must_use]
    pub fn union(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// Whether all of those are among these.
    pub fn contains(self, other: Marks) -> bool {
        self.0 & other.0 == other.0
    }
}

/// An edge: to where, on which valuations of the atoms, in which acceptance sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge<L = Label> {
    /// The valuations on which it can be taken.
    pub label: L,
    /// The acceptance sets that it belongs to.
    pub marks: Marks,
    /// The state that it leads to.
    pub target: State,
}

/// An automaton. There is always an initial state, even if nothing is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton<L = Label> {
    /// How many atoms labels may speak of: those numbered below this.
    pub atoms: usize,
    /// The number of acceptance sets; without any, every infinite run is accepting.
    pub sets: u32,
    /// Where runs begin.
    pub initial: State,
    /// The edges that leave each state.
    pub edges: Vec<Vec<Edge<L>>>,
}

/// An automaton during construction: labels are canonical functions.
pub(crate) type Symbolic = Automaton<Bdd>;

impl<L> Automaton<L> {
    /// The number of states.
    pub fn size(&self) -> usize {
        self.edges.len()
    }

    /// The states.
    pub fn states(&self) -> impl Iterator<Item = State> + use<L> {
        (0..self.edges.len() as u32).map(State)
    }

    /// The edges that leave a state.
    pub fn from(&self, state: State) -> &[Edge<L>] {
        &self.edges[state.index()]
    }

    /// The marks that an accepting cycle must have.
    pub fn all_marks(&self) -> Marks {
        Marks::first(self.sets)
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// Whether the automaton accepts no word.
    pub fn is_empty(&self) -> bool {
        let components = Components::of(self);
        !self.reachable().iter().zip(self.states()).any(|(reached, s)| *reached && components.is_accepting_at(s))
    }

    /// Which states a run can visit.
    pub fn reachable(&self) -> Vec<bool> {
        let mut reached = vec![false; self.size()];
        reached[self.initial.index()] = true;
        let mut open = vec![self.initial];
        while let Some(state) = open.pop() {
            for edge in self.from(state) {
                if !std::mem::replace(&mut reached[edge.target.index()], true) {
                    open.push(edge.target);
                }
            }
        }
        reached
    }
}

impl Automaton {
    /// Whether no state has two edges for one valuation.
    pub fn is_deterministic(&self) -> bool {
        self.edges
            .iter()
            .all(|edges| edges.iter().enumerate().all(|(i, e)| edges[..i].iter().all(|f| e.label.excludes(&f.label))))
    }

    /// With labels as canonical functions.
    pub(crate) fn symbolic(&self, m: &mut Manager) -> Metered<Symbolic> {
        self.relabelled(|label| label.function(m))
    }
}

impl<L> Automaton<L> {
    /// The same graph with other labels.
    pub(crate) fn relabelled<K, E>(&self, mut label: impl FnMut(&L) -> Result<K, E>) -> Result<Automaton<K>, E> {
        let mut edges = Vec::with_capacity(self.size());
        for from in &self.edges {
            let mut row = Vec::with_capacity(from.len());
            for e in from {
                row.push(Edge { label: label(&e.label)?, marks: e.marks, target: e.target });
            }
            edges.push(row);
        }
        Ok(Automaton { atoms: self.atoms, sets: self.sets, initial: self.initial, edges })
    }
}

impl Symbolic {
    /// With labels as sums of products.
    pub(crate) fn explicit(&self, m: &mut Manager) -> Metered<Automaton> {
        self.relabelled(|label| Label::from_function(m, *label))
    }
}
