//! Synchronisation vectors: which components make which moves together, and what the environment sees of it.
//!
//! Computed bottom-up over the static operators: the supercombinator of Roscoe and Goldsmith. Vectors are sparse, lists
//! of the components that take part; a node costs as much as the vectors that its operator changes, not as many as it has.

use std::collections::HashMap;
use std::rc::Rc;

use super::event::{DONE, Event, EventSet, Relation, TAU, TICK};
use super::store::Store;
use super::structure::{Node, Structure};
use super::term::Sync;

/// Who takes part, by component, each with an event of its own.
pub(super) type Vector = Rc<[(u32, Event)]>;

/// The vectors of a part of the structure.
#[derive(Debug, Default)]
pub(super) struct Vectors {
    /// By the event that is seen.
    visible: HashMap<Event, Vec<Vector>>,
    /// Those that nobody sees, each with the event that was hidden, if any.
    silent: Vec<(Event, Vector)>,
}

/// A vector with its label and, if that is silent, the event that it hides.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Joint {
    pub(super) label: Event,
    pub(super) hidden: Event,
    pub(super) vector: Vector,
}

/// There are too many.
#[derive(Debug)]
pub(super) struct TooMany;

/// All vectors of a structure, in order. `events` gives the events of each component.
pub(super) fn vectors(
    store: &Store,
    structure: &Structure,
    events: &[Rc<[Event]>],
    most: usize,
) -> Result<Vec<Joint>, TooMany> {
    let mut builder = Builder { store, events, composed: structure.composed, left: most };
    let Vectors { visible, silent } = builder.node(&structure.root)?;
    let seen = visible
        .into_iter()
        .flat_map(|(label, list)| list.into_iter().map(move |vector| Joint { label, hidden: label, vector }));
    let unseen = silent.into_iter().map(|(hidden, vector)| Joint { label: TAU, hidden, vector });
    let mut all: Vec<Joint> = seen.chain(unseen).chain(builder.termination()).collect();
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

struct Builder<'a> {
    store: &'a Store,
    events: &'a [Rc<[Event]>],
    composed: bool,
    /// Participants that may still be made.
    left: usize,
}

impl Builder<'_> {
    fn node(&mut self, node: &Node) -> Result<Vectors, TooMany> {
        match node {
            Node::Leaf(leaf) => Ok(self.leaf(*leaf)),
            Node::Parallel(children, Sync::Interface(set)) => {
                let children = children.iter().map(|c| self.node(c)).collect::<Result<Vec<_>, _>>()?;
                self.interface(children, self.store.events(*set))
            }
            Node::Parallel(children, Sync::Alphabets(sets)) => {
                let children = children.iter().map(|c| self.node(c)).collect::<Result<Vec<_>, _>>()?;
                let alphabets: Vec<&EventSet> = sets.iter().map(|s| self.store.events(*s)).collect();
                self.alphabetised(children, &alphabets)
            }
            Node::Hide(child, set) => Ok(hidden(self.node(child)?, self.store.events(*set))),
            Node::Rename(child, relation) => Ok(renamed(self.node(child)?, self.store.pairs(*relation))),
        }
    }

    fn leaf(&self, leaf: u32) -> Vectors {
        let mut vectors = Vectors::default();
        for &event in self.events[leaf as usize].iter() {
            let vector: Vector = Rc::new([(leaf, event)]);
            match event {
                TAU => vectors.silent.push((TAU, vector)),
                TICK if self.composed => vectors.silent.push((TICK, vector)),
                TICK | DONE => {}
                _ => drop(vectors.visible.insert(event, vec![vector])),
            }
        }
        vectors
    }

    /// The whole terminates: a component alone, or all together once each has.
    fn termination(&self) -> Option<Joint> {
        let all_can = self.events.iter().all(|events| events.contains(&TICK));
        let event = if self.composed { DONE } else { TICK };
        let vector = (0..self.events.len() as u32).map(|leaf| (leaf, event)).collect();
        all_can.then_some(Joint { label: TICK, hidden: TICK, vector })
    }

    fn interface(&mut self, mut children: Vec<Vectors>, set: &EventSet) -> Result<Vectors, TooMany> {
        let mut shared: HashMap<Event, Vec<Vec<Vector>>> = HashMap::new();
        let parts = children.len();
        for child in &mut children {
            for (event, list) in extract(&mut child.visible, set) {
                shared.entry(event).or_default().push(list);
            }
        }
        let mut result = merge(children);
        for (event, lists) in shared.into_iter().filter(|(_, lists)| lists.len() == parts) {
            result.visible.insert(event, self.join(lists)?);
        }
        Ok(result)
    }

    fn alphabetised(&mut self, children: Vec<Vectors>, alphabets: &[&EventSet]) -> Result<Vectors, TooMany> {
        let mut needed: HashMap<Event, usize> = HashMap::new();
        for event in alphabets.iter().flat_map(|a| a.events()) {
            *needed.entry(*event).or_default() += 1;
        }
        let mut shared: HashMap<Event, Vec<Vec<Vector>>> = HashMap::new();
        let mut silent = vec![];
        for (mut child, alphabet) in children.into_iter().zip(alphabets) {
            for (event, list) in extract(&mut child.visible, alphabet) {
                shared.entry(event).or_default().push(list);
            }
            silent.append(&mut child.silent);
        }
        let mut result = Vectors { visible: HashMap::new(), silent };
        for (event, lists) in shared.into_iter().filter(|(event, lists)| lists.len() == needed[event]) {
            result.visible.insert(event, self.join(lists)?);
        }
        Ok(result)
    }

    /// One vector of each list, joined in every way.
    fn join(&mut self, lists: Vec<Vec<Vector>>) -> Result<Vec<Vector>, TooMany> {
        if lists.iter().all(|list| list.len() == 1) {
            let all: Vector = lists.iter().flat_map(|list| list[0].iter().copied()).collect();
            return Ok(vec![self.paid(all)?]);
        }
        let mut joined: Vec<Vector> = vec![Rc::new([])];
        for list in lists {
            let mut next = Vec::new();
            for left in &joined {
                for right in &list {
                    next.push(self.paid(left.iter().chain(right.iter()).copied().collect())?);
                }
            }
            joined = next;
        }
        Ok(joined)
    }

    fn paid(&mut self, vector: Vector) -> Result<Vector, TooMany> {
        self.left = self.left.checked_sub(vector.len()).ok_or(TooMany)?;
        Ok(vector)
    }
}

/// Takes the entries of a set out of a map.
fn extract(map: &mut HashMap<Event, Vec<Vector>>, set: &EventSet) -> Vec<(Event, Vec<Vector>)> {
    if set.events().len() < map.len() {
        return set.events().iter().filter_map(|e| map.remove_entry(e)).collect();
    }
    map.extract_if(|event, _| set.contains(*event)).collect()
}

/// The vectors of all children, each still on its own; the smaller go into the largest.
fn merge(mut children: Vec<Vectors>) -> Vectors {
    let largest = (0..children.len()).max_by_key(|i| children[*i].visible.len() + children[*i].silent.len());
    let Some(largest) = largest else { return Vectors::default() };
    let mut result = children.swap_remove(largest);
    for child in children {
        for (event, list) in child.visible {
            result.visible.entry(event).or_default().extend(list);
        }
        result.silent.extend(child.silent);
    }
    result
}

fn hidden(mut vectors: Vectors, set: &EventSet) -> Vectors {
    for (event, list) in extract(&mut vectors.visible, set) {
        vectors.silent.extend(list.into_iter().map(|vector| (event, vector)));
    }
    vectors
}

fn renamed(mut vectors: Vectors, relation: &Relation) -> Vectors {
    let sources = EventSet::new(relation.pairs().iter().map(|p| p.0).collect());
    let mut taken = vec![];
    for (event, list) in extract(&mut vectors.visible, &sources) {
        for image in relation.images(event) {
            taken.push((image, list.clone()));
        }
    }
    for (image, list) in taken {
        vectors.visible.entry(image).or_default().extend(list);
    }
    vectors
}
