//! Slicing: what cannot influence the observed places goes.
//!
//! A place is relevant if a goal looks at it or a relevant transition takes tokens from it. A transition is relevant if
//! it changes an observed place or increases a relevant one. The others go. A run without their firings is a run too, for
//! relevant transitions find at least as many tokens, and the observed places are the same all along: observations are preserved, and what runs begin with. Whole
//! runs are not: one may go on for ever unseen, or end because tokens are gone, where the rest goes on.

use model::views::{NetTransitionId, PlaceId};

use crate::class::{Observations, Prefixes, Preserves};
use crate::scheduler::{Global, Rule, Stop};
use crate::work::Work;

/// Removes the part of the net that no goal depends on.
#[derive(Clone, Copy, Debug)]
pub struct IrrelevantPart;

impl Preserves<Observations> for IrrelevantPart {}
impl Preserves<Prefixes> for IrrelevantPart {}

impl Rule for IrrelevantPart {
    fn name(&self) -> &'static str {
        "irrelevant part"
    }
}

impl Global for IrrelevantPart {
    fn everywhere(&self, work: &mut Work, _: Stop<'_>) -> usize {
        let relevant = Relevant::of(work);
        let useless: Vec<NetTransitionId> = work.transitions().filter(|t| !relevant.transitions[t.index()]).collect();
        work.remove_transitions(&useless);
        let useless_places: Vec<PlaceId> = work.places().filter(|p| !relevant.places[p.index()]).collect();
        useless_places.iter().for_each(|&p| work.remove_place(p));
        useless.len() + useless_places.len()
    }
}

/// What the goals depend on.
struct Relevant {
    places: Vec<bool>,
    transitions: Vec<bool>,
    queue: Vec<PlaceId>,
}

impl Relevant {
    fn of(work: &Work) -> Self {
        let (places, transitions) = work.numbers();
        let mut all = Self { places: vec![false; places], transitions: vec![false; transitions], queue: Vec::new() };
        work.places().filter(|&p| work.is_observed(p)).for_each(|p| all.place(p));
        while let Some(p) = all.queue.pop() {
            for &(t, _) in work.producers(p) {
                if work.change(t, p) > 0 || work.is_observed(p) && work.change(t, p) != 0 {
                    all.transition(work, t);
                }
            }
            if work.is_observed(p) {
                let takers = work.consumers(p).iter().filter(|&&(t, _)| work.change(t, p) != 0);
                takers.for_each(|&(t, _)| all.transition(work, t));
            }
        }
        all
    }

    fn place(&mut self, p: PlaceId) {
        if !std::mem::replace(&mut self.places[p.index()], true) {
            self.queue.push(p);
        }
    }

    fn transition(&mut self, work: &Work, t: NetTransitionId) {
        if !std::mem::replace(&mut self.transitions[t.index()], true) {
            work.pre(t).iter().for_each(|&(p, _)| self.place(p));
        }
    }
}
