//! The nodes whose surroundings changed since the rules last looked at them.
//!
//! Rules come in tiers, cheap ones first, and each tier has its own queue of places. A transition that lost an arc
//! concerns all of its places; it waits until the queues are empty, so that a transition with very many places is gone
//! through once for many changes.

use std::collections::VecDeque;

use model::views::{NetTransitionId, PlaceId};

use crate::arcs::Step;

/// How many tiers of rules there are.
pub(crate) const TIERS: usize = 5;

/// Places to be looked at, by tier, and transitions whose places are to be.
#[derive(Debug)]
pub(crate) struct Dirty {
    queues: [VecDeque<PlaceId>; TIERS],
    waiting: [Vec<bool>; TIERS],
    transitions: Vec<NetTransitionId>,
    changed: Vec<bool>,
}

impl Dirty {
    pub(crate) fn new(places: usize, transitions: usize) -> Self {
        Self {
            queues: Default::default(),
            waiting: std::array::from_fn(|_| vec![false; places]),
            transitions: Vec::new(),
            changed: vec![false; transitions],
        }
    }

    /// Makes room for one more transition.
    pub(crate) fn grow(&mut self) {
        self.changed.push(false);
    }

    pub(crate) fn place(&mut self, p: PlaceId) {
        for (queue, waiting) in self.queues.iter_mut().zip(&mut self.waiting) {
            if !std::mem::replace(&mut waiting[p.index()], true) {
                queue.push_back(p);
            }
        }
    }

    pub(crate) fn transition(&mut self, t: NetTransitionId) {
        if !std::mem::replace(&mut self.changed[t.index()], true) {
            self.transitions.push(t);
        }
    }

    /// The next place for the first tier that has one.
    pub(crate) fn next(&mut self) -> Option<(usize, PlaceId)> {
        let tier = (0..TIERS).find(|&tier| !self.queues[tier].is_empty())?;
        let p = self.queues[tier].pop_front()?;
        self.waiting[tier][p.index()] = false;
        Some((tier, p))
    }

    /// The transitions that changed; they are forgotten.
    pub(crate) fn take_transitions(&mut self) -> Vec<NetTransitionId> {
        for t in &self.transitions {
            self.changed[t.index()] = false;
        }
        std::mem::take(&mut self.transitions)
    }

    /// All places of a transition.
    pub(crate) fn around(&mut self, step: &Step) {
        for &(p, _) in step.pre.iter().chain(&step.post) {
            self.place(p);
        }
    }
}
