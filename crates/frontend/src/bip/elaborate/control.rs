//! The locations of an atom: the markings that its places can have, whatever the data.

use std::collections::HashMap;

use super::{Checked, limits};
use crate::Diagnostic;
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
    pub(super) fn new(ty: &AtomType, can_happen: impl Fn(usize) -> bool) -> Checked<Self> {
        let mut explorer = Explorer { ty, index: HashMap::new(), markings: Vec::new() };
        let arcs: Vec<(Marking, Marking)> =
            ty.transitions.iter().map(|t| (explorer.places(&t.from), explorer.places(&t.to))).collect();
        explorer.number(explorer.places(&ty.initial.to))?;
        let mut steps = Vec::new();
        let mut from = 0;
        while from < explorer.markings.len() {
            for (transition, (pre, post)) in arcs.iter().enumerate().filter(|(t, _)| can_happen(*t)) {
                let marking = &explorer.markings[from];
                if !pre.iter().all(|p| marking.binary_search(p).is_ok()) {
                    continue;
                }
                let mut next: Marking = marking.iter().copied().filter(|p| pre.binary_search(p).is_err()).collect();
                let safe = !post.iter().any(|p| next.binary_search(p).is_ok());
                next.extend(post);
                next.sort_unstable();
                let to = if safe { Some(explorer.number(next)?) } else { None };
                steps.push(Step { from, transition, to });
            }
            from += 1;
        }
        let locations = explorer.markings.iter().map(|m| explorer.name(m)).collect();
        Ok(Self { locations, markings: explorer.markings, steps })
    }

    /// The locations where all of these places hold a token.
    pub(super) fn where_marked(&self, ty: &AtomType, places: &[Name]) -> Vec<usize> {
        let wanted = places_of(ty, places);
        let holds = |m: &Marking| wanted.iter().all(|p| m.binary_search(p).is_ok());
        self.markings.iter().enumerate().filter(|(_, m)| holds(m)).map(|(at, _)| at).collect()
    }
}

impl Explorer<'_> {
    fn places(&self, names: &[Name]) -> Marking {
        places_of(self.ty, names)
    }

    fn number(&mut self, marking: Marking) -> Checked<usize> {
        if let Some(&at) = self.index.get(&marking) {
            return Ok(at);
        }
        if self.markings.len() == limits::MARKINGS {
            let message = format!("`{}` has more than {} markings", self.ty.name.text, limits::MARKINGS);
            return Err(Diagnostic::error(self.ty.name.span, message).help("use several smaller atoms"));
        }
        self.index.insert(marking.clone(), self.markings.len());
        self.markings.push(marking);
        Ok(self.markings.len() - 1)
    }

    fn name(&self, marking: &Marking) -> String {
        let names: Vec<&str> = marking.iter().map(|&p| &*self.ty.places[p as usize].text).collect();
        if names.is_empty() { "(nowhere)".to_owned() } else { names.join("+") }
    }
}

fn places_of(ty: &AtomType, names: &[Name]) -> Marking {
    let number = |name: &Name| ty.places.iter().position(|p| p.text == name.text);
    let mut places: Marking = names.iter().map(|n| number(n).expect("the parser resolved the places") as u32).collect();
    places.sort_unstable();
    places.dedup();
    places
}
