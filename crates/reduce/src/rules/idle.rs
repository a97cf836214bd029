//! Idle transitions: they only lose tokens that no goal looks at.
//!
//! Condition: the transition leaves the observed places as they are and increases no place. More tokens never disable
//! anything, so a run without its firings is a run too, and the observed places are the same all along: observations are preserved, and
//! what runs begin with.
//! Deadlocks are not, for what such a transition loses may be what kept the net alive.

use model::views::NetTransitionId;

use crate::class::{Observations, Prefixes, Preserves};
use crate::scheduler::{Global, Rule, Stop};
use crate::work::Work;

/// Removes transitions that are of no use.
#[derive(Clone, Copy, Debug)]
pub struct IdleTransition;

impl Preserves<Observations> for IdleTransition {}
impl Preserves<Prefixes> for IdleTransition {}

impl Rule for IdleTransition {
    fn name(&self) -> &'static str {
        "idle transition"
    }
}

impl Global for IdleTransition {
    fn everywhere(&self, work: &mut Work, _: Stop<'_>) -> usize {
        let idle = |t: &NetTransitionId| work.effect(*t).all(|(p, change)| change < 0 && !work.is_observed(p));
        let all: Vec<NetTransitionId> = work.transitions().filter(idle).collect();
        work.remove_transitions(&all);
        all.len()
    }
}
