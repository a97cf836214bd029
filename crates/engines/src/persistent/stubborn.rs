//! Algorithms 3 and 4 (Figures 4.4 and 4.5): a set of enabled and disabled transitions is closed under interference with
//! the enabled ones and under one necessary enabling set of each disabled one; its enabled transitions are persistent.
//!
//! *Which* enabling set is taken decides everything: the first one found is hardly better than Algorithm 2. Taken is the
//! one that adds the fewest enabled transitions to the set so far, then the fewest transitions, then the first. On the
//! dining philosophers that makes the reduced state space quadratic instead of exponential.

use model::TransitionId;

use super::Situation;
use super::structure::{Marks, Structure};

/// Memory that is used again for every set.
#[derive(Debug)]
pub(super) struct Scratch {
    members: Marks,
    open: Vec<TransitionId>,
    /// Whether an earlier start is a member.
    meets_earlier: bool,
    set: Vec<TransitionId>,
    best: Vec<TransitionId>,
    seen: Marks,
}

impl Scratch {
    pub(super) fn new(transitions: usize) -> Self {
        let (open, set, best) = (Vec::new(), Vec::new(), Vec::new());
        let (members, seen) = (Marks::new(transitions), Marks::new(transitions));
        Self { members, open, meets_earlier: false, set, best, seen }
    }

    /// Adds a transition; an enabled one is part of the result.
    #[inline]
    fn add(&mut self, t: TransitionId, situation: Situation<'_>, result: &mut Vec<TransitionId>) {
        if self.members.insert(t.index()) {
            self.open.push(t);
            if situation.is_enabled.contains(t.index()) {
                self.meets_earlier |= situation.tried.contains(t.index());
                result.push(t);
            }
        }
    }

    /// How many enabled, and how many, transitions a set would add.
    fn cost(&mut self, set: &[TransitionId], situation: Situation<'_>) -> (usize, usize) {
        self.seen.clear();
        let (mut enabled, mut all) = (0, 0);
        for t in set {
            if !self.members.contains(t.index()) && self.seen.insert(t.index()) {
                all += 1;
                enabled += usize::from(situation.is_enabled.contains(t.index()));
            }
        }
        (enabled, all)
    }
}

/// The enabled part of the set from a start; whether it is smaller than `limit` and includes no earlier start.
pub(super) fn from(
    structure: &Structure<'_>,
    situation: Situation<'_>,
    start: TransitionId,
    limit: usize,
    scratch: &mut Scratch,
    result: &mut Vec<TransitionId>,
) -> bool {
    scratch.members.clear();
    scratch.open.clear();
    scratch.meets_earlier = false;
    scratch.add(start, situation, result);
    while let Some(t) = scratch.open.pop() {
        if result.len() >= limit || scratch.meets_earlier || structure.is_spent() {
            return false;
        }
        if situation.is_enabled.contains(t.index()) {
            structure.interfering(t, situation.state, situation.interference, |u| scratch.add(u, situation, result));
        } else {
            enable(structure, situation, t, scratch);
            let best = std::mem::take(&mut scratch.best);
            best.iter().for_each(|&u| scratch.add(u, situation, result));
            scratch.best = best;
        }
    }
    result.len() < limit && !scratch.meets_earlier
}

/// Writes the cheapest necessary enabling set of a disabled transition to `scratch.best`.
fn enable(structure: &Structure<'_>, situation: Situation<'_>, t: TransitionId, scratch: &mut Scratch) {
    let mut least = (usize::MAX, usize::MAX);
    let (mut set, mut best) = (std::mem::take(&mut scratch.set), std::mem::take(&mut scratch.best));
    best.clear();
    structure.enabling_sets(t, situation.state, situation.interference, &mut set, |candidate| {
        let cost = scratch.cost(candidate, situation);
        if cost < least {
            least = cost;
            best.clear();
            best.extend_from_slice(candidate);
        }
        least != (0, 0)
    });
    (scratch.set, scratch.best) = (set, best);
}
