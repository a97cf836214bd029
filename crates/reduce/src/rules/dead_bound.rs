//! Dead transitions, by a bound on one place.
//!
//! Condition: no transition puts more on `p` than it takes from it. Then `p` never has more than its initial tokens, and
//! a transition that needs more is dead. Dead transitions do nothing, so everything is preserved.

use model::views::PlaceId;

use crate::arcs::within;
use crate::class::{Deadlocks, Observations, Preserves, Runs};
use crate::scheduler::{Local, Rule};
use crate::work::Work;

/// Removes transitions that need more tokens of a place than it ever has.
#[derive(Clone, Copy, Debug)]
pub struct DeadByBound;

impl Preserves<Deadlocks> for DeadByBound {}
impl Preserves<Observations> for DeadByBound {}
impl Preserves<Runs> for DeadByBound {}

impl Rule for DeadByBound {
    fn name(&self) -> &'static str {
        "dead by bound"
    }
}

impl Local for DeadByBound {
    fn at(&self, work: &mut Work, p: PlaceId) -> bool {
        if !within(work.producers(p), work.consumers(p)) {
            return false;
        }
        let tokens = work.initial(p);
        let dead: Vec<_> = work.consumers(p).iter().filter(|&&(_, w)| w > tokens).map(|&(t, _)| t).collect();
        work.remove_transitions(&dead);
        !dead.is_empty()
    }
}
