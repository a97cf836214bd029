//! A naive search with runs.

use std::collections::HashMap;

use model::views::{Marking, Net, NetTransitionId};

/// Some reachable markings, nearest first, with how each was found.
pub(super) struct Search<'a> {
    pub(super) net: &'a Net,
    pub(super) markings: Vec<Marking>,
    parents: Vec<Option<(usize, NetTransitionId)>>,
    /// Whether these are all.
    pub(super) complete: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(net: &'a Net, limit: usize) -> Self {
        let initial = net.initial_marking();
        let mut numbers = HashMap::from([(initial.clone(), 0)]);
        let mut all = Self { net, markings: vec![initial], parents: vec![None], complete: true };
        let mut i = 0;
        while i < all.markings.len() {
            for t in net.transition_ids().filter(|&t| net.is_enabled(t, &all.markings[i])).collect::<Vec<_>>() {
                let next = net.fire(t, &all.markings[i]);
                if numbers.contains_key(&next) {
                    continue;
                }
                if all.markings.len() == limit {
                    all.complete = false;
                    return all;
                }
                numbers.insert(next.clone(), all.markings.len());
                all.markings.push(next);
                all.parents.push(Some((i, t)));
            }
            i += 1;
        }
        all
    }

    pub(super) fn is_dead(&self, i: usize) -> bool {
        !self.net.transition_ids().any(|t| self.net.is_enabled(t, &self.markings[i]))
    }

    pub(super) fn run_to(&self, mut i: usize) -> Vec<NetTransitionId> {
        let mut run = Vec::new();
        while let Some((parent, t)) = self.parents[i] {
            run.push(t);
            i = parent;
        }
        run.reverse();
        run
    }
}

/// The marking that a run leads to, if it is one.
pub(super) fn replay(net: &Net, run: &[NetTransitionId]) -> Option<Marking> {
    run.iter().try_fold(net.initial_marking(), |m, &t| net.is_enabled(t, &m).then(|| net.fire(t, &m)))
}
