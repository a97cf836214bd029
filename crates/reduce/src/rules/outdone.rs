//! Outdone transitions: another one needs no more, and gives no less.
//!
//! Condition: `u` takes no more than `t` from any place, changes the observed places in the same way, and changes the others at
//! least as much. Put `u` where a run fires `t`: there are always at least as many tokens, so it is a run, and the observed
//! places are the same all along. So `t` can go: observations are preserved, and what runs begin with. Deadlocks are not: more tokens may be too many to be dead.

use model::views::NetTransitionId;

use crate::arcs::within;
use crate::class::{Observations, Prefixes, Preserves};
use crate::scheduler::{Global, Rule, Stop};
use crate::work::Work;

/// At most so many others are compared with each transition.
const CANDIDATES: usize = 64;

/// Removes transitions that another one outdoes.
#[derive(Clone, Copy, Debug)]
pub struct OutdoneTransition;

impl Preserves<Observations> for OutdoneTransition {}
impl Preserves<Prefixes> for OutdoneTransition {}

impl Rule for OutdoneTransition {
    fn name(&self) -> &'static str {
        "outdone transition"
    }
}

impl Global for OutdoneTransition {
    fn everywhere(&self, work: &mut Work, stop: Stop<'_>) -> usize {
        let all: Vec<NetTransitionId> = work.transitions().collect();
        let mut removed = 0;
        for chunk in all.chunks(1024) {
            if stop() {
                break;
            }
            for &t in chunk {
                if is_outdone(work, t) {
                    work.remove_transition(t);
                    removed += 1;
                }
            }
        }
        removed
    }
}

fn is_outdone(work: &Work, t: NetTransitionId) -> bool {
    let rivals = work.pre(t).iter().flat_map(|&(p, _)| work.consumers(p)).map(|&(u, _)| u);
    rivals.filter(|&u| u != t).take(CANDIDATES).any(|u| outdoes(work, u, t))
}

fn outdoes(work: &Work, u: NetTransitionId, t: NetTransitionId) -> bool {
    if !within(work.pre(u), work.pre(t)) {
        return false;
    }
    // The observed places are compared by their changes; so are the others, where only a loss matters.
    let places = work.step(u).places().chain(work.step(t).places());
    places
        .map(|p| (p, work.change(u, p) - work.change(t, p)))
        .all(|(p, gain)| if work.is_observed(p) { gain == 0 } else { gain >= 0 })
}
