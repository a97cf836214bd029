//! Neutral transitions that no dead marking depends on.
//!
//! Condition: the transition changes nothing, and another one is enabled wherever it is. Without it the same markings are
//! reachable, and the same of them are dead: both are preserved, and what runs begin
//! with. Runs are not: this may be the only step that can be taken for ever.

use model::views::NetTransitionId;

use crate::arcs::within;
use crate::class::{Deadlocks, Observations, Prefixes, Preserves};
use crate::scheduler::{Global, Rule, Stop};
use crate::work::Work;

/// At most so many others are compared.
const CANDIDATES: usize = 64;

/// Removes transitions that change nothing and are never enabled alone.
#[derive(Clone, Copy, Debug)]
pub struct NeutralTransition;

impl Preserves<Deadlocks> for NeutralTransition {}
impl Preserves<Observations> for NeutralTransition {}
impl Preserves<Prefixes> for NeutralTransition {}

impl Rule for NeutralTransition {
    fn name(&self) -> &'static str {
        "neutral transition"
    }
}

impl Global for NeutralTransition {
    fn everywhere(&self, work: &mut Work, _: Stop<'_>) -> usize {
        let neutral = |t: &NetTransitionId| work.pre(*t) == work.post(*t);
        let candidates: Vec<NetTransitionId> = work.transitions().filter(neutral).collect();
        let mut removed = 0;
        for t in candidates {
            if is_never_alone(work, t) {
                work.remove_transition(t);
                removed += 1;
            }
        }
        removed
    }
}

fn is_never_alone(work: &Work, t: NetTransitionId) -> bool {
    let rivals = work.pre(t).iter().flat_map(|&(p, _)| work.consumers(p)).map(|&(u, _)| u);
    rivals.filter(|&u| u != t).take(CANDIDATES).any(|u| within(work.pre(u), work.pre(t)))
}
