//! The locations of an atom: the markings that its places can have, whatever the data.
//!
//! Where they are too many, the atom has one location, and each of its places is a part of the state by itself.

use std::collections::HashMap;

use super::limits;
use crate::bip::ast::{AtomType, Name};

/// The places that hold a token, by their numbers in increasing order.
type Marking = Vec<u32>;

/// The locations of an atom and how its transitions lead from one to another.
pub(super) struct Control {
    /// Their names: `A`, or `A+B` if several places hold a token. It starts at the first.
    pub(super) locations: Vec<String>,
    /// The places of each.
    markings: Vec<Marking>,
    /// Where each transition leads, by location: nowhere if a place would get a second token.
    pub(super) steps: Vec<Step>,
    /// Whether the places are parts of the state by themselves.
    pub(super) spread: bool,
}

/// A transition from a location.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) from: usize,
    pub(super) transition: usize,
    pub(super) to: Option<usize>,
}

struct Explorer<'m> {
    ty: &'m AtomType,
    index: HashMap<Marking, usize>,
    markings: Vec<Marking>,
}

impl Control {
    /// Explores the markings with those transitions that can happen at all.
    pub(super) fn new(ty: &AtomType, can_happen: impl Fn(usize) -> bool) -> Self {
        let mut explorer = Explorer { ty, index: HashMap::new(), markings: Vec::new() };
        let steps = match explorer.explore(&can_happen) {
            Some(steps) => steps,
            None => return Self::spread(ty, can_happen),
        };
        let locations = explorer.markings.iter().map(|m| explorer.name(m)).collect();
        Self { locations, markings: explorer.markings, steps, spread: false }
    }

    fn spread(ty: &AtomType, can_happen: impl Fn(usize) -> bool) -> Self {
        let possible = (0..ty.transitions.len()).filter(|t| can_happen(*t));
        let steps = possible.map(|transition| Step { from: 0, transition, to: Some(0) }).collect();
        Self { locations: vec!["(places)".to_owned()], markings: vec![Marking::new()], steps, spread: true }
    }

    /// The locations where all of these places hold a token.
    pub(super) fn where_marked(&self, ty: &AtomType, places: &[Name]) -> Vec<usize> {
        let wanted = places_of(ty, places);
        let holds = |m: &Marking| wanted.iter().all(|p| m.binary_search(p).is_ok());
        self.markings.iter().enumerate().filter(|(_, m)| holds(m)).map(|(at, _)| at).collect()
    }
}

impl Explorer<'_> {
    fn explore(&mut self, can_happen: &impl Fn(usize) -> bool) -> Option<Vec<Step>> {
        let ty = self.ty;
        let arcs: Vec<(Marking, Marking)> =
            ty.transitions.iter().map(|t| (places_of(ty, &t.from), places_of(ty, &t.to))).collect();
        self.number(places_of(ty, &ty.initial.to))?;
        let mut steps = Vec::new();
        let mut from = 0;
        while from < self.markings.len() {
            for (transition, (pre, post)) in arcs.iter().enumerate().filter(|(t, _)| can_happen(*t)) {
                let marking = &self.markings[from];
                if !pre.iter().all(|p| marking.binary_search(p).is_ok()) {
                    continue;
                }
                let mut next: Marking = marking.iter().copied().filter(|p| pre.binary_search(p).is_err()).collect();
                let safe = !post.iter().any(|p| next.binary_search(p).is_ok());
                next.extend(post);
                next.sort_unstable();
                let to = if safe { Some(self.number(next)?) } else { None };
                steps.push(Step { from, transition, to });
            }
            from += 1;
        }
        Some(steps)
    }

    /// The number of a marking; nothing if there are too many.
    fn number(&mut self, marking: Marking) -> Option<usize> {
        if let Some(&at) = self.index.get(&marking) {
            return Some(at);
        }
        if self.markings.len() >= limits::MARKINGS.max(self.ty.places.len()) {
            return None;
        }
        self.index.insert(marking.clone(), self.markings.len());
        self.markings.push(marking);
        Some(self.markings.len() - 1)
    }

    fn name(&self, marking: &Marking) -> String {
        let names: Vec<&str> = marking.iter().map(|&p| &*self.ty.places[p as usize].text).collect();
        if names.is_empty() { "(nowhere)".to_owned() } else { names.join("+") }
    }
}

/// The numbers of places, in increasing order.
pub(super) fn places_of(ty: &AtomType, names: &[Name]) -> Marking {
    let number = |name: &Name| ty.places.iter().position(|p| p.text == name.text);
    let mut places: Marking = names.iter().map(|n| number(n).expect("the parser resolved the places") as u32).collect();
    places.sort_unstable();
    places.dedup();
    places
}
