//! Dominated transitions: another one does the same and needs no more.
//!
//! Condition: `t` and `u` change all places in the same way, and `u` takes no more than `t` from any place. Whenever `t` is
//! enabled `u` is, and leads to the same marking: without `t` the same markings are reachable, and the same of them are
//! dead. Everything is preserved, runs as sequences of markings too. This includes identical transitions. Candidates are found by a hash of the changes.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use model::views::NetTransitionId;

use crate::arcs::within;
use crate::class::{Deadlocks, Observations, Preserves, Runs};
use crate::scheduler::{Global, Rule, Stop};
use crate::work::Work;

/// At most so many transitions with the same changes are compared with each one.
const CANDIDATES: usize = 32;

/// Removes transitions that another one makes superfluous.
#[derive(Clone, Copy, Debug)]
pub struct DominatedTransition;

impl Preserves<Deadlocks> for DominatedTransition {}
impl Preserves<Observations> for DominatedTransition {}
impl Preserves<Runs> for DominatedTransition {}

impl Rule for DominatedTransition {
    fn name(&self) -> &'static str {
        "dominated transition"
    }
}

impl Global for DominatedTransition {
    fn everywhere(&self, work: &mut Work, _: Stop<'_>) -> usize {
        // Those that need little come first, so that each meets all that may dominate it.
        let mut all: Vec<(u64, NetTransitionId)> = work.transitions().map(|t| (need(work, t), t)).collect();
        all.sort_unstable();
        let mut kept: HashMap<u64, Vec<NetTransitionId>> = HashMap::new();
        let mut dominated = Vec::new();
        for (_, t) in all {
            let alike = kept.entry(signature(work, t)).or_default();
            if alike.iter().take(CANDIDATES).any(|&u| dominates(work, u, t)) {
                dominated.push(t);
            } else {
                alike.push(t);
            }
        }
        work.remove_transitions(&dominated);
        dominated.len()
    }
}

fn need(work: &Work, t: NetTransitionId) -> u64 {
    work.pre(t).iter().map(|&(_, weight)| u64::from(weight)).sum()
}

fn signature(work: &Work, t: NetTransitionId) -> u64 {
    let mut hasher = DefaultHasher::new();
    work.effect(t).for_each(|change| change.hash(&mut hasher));
    hasher.finish()
}

fn dominates(work: &Work, u: NetTransitionId, t: NetTransitionId) -> bool {
    within(work.pre(u), work.pre(t)) && work.effect(u).eq(work.effect(t))
}
