//! Source transitions, where dead markings are searched for: there are none.
//!
//! Condition: a transition takes nothing. It is always enabled, so no marking is dead, and that does not change when all else
//! goes: deadlocks are preserved.

use model::views::{NetTransitionId, PlaceId};

use crate::class::{Deadlocks, Preserves};
use crate::scheduler::{Global, Rule, Stop};
use crate::work::Work;

/// Removes everything beside a source transition.
#[derive(Clone, Copy, Debug)]
pub struct NeverDead;

impl Preserves<Deadlocks> for NeverDead {}

impl Rule for NeverDead {
    fn name(&self) -> &'static str {
        "never dead"
    }
}

impl Global for NeverDead {
    fn everywhere(&self, work: &mut Work, _: Stop<'_>) -> usize {
        let Some(source) = work.transitions().find(|&t| work.pre(t).is_empty()) else { return 0 };
        leave(work, source)
    }
}

/// Leaves nothing but a transition; how much that removed.
pub(crate) fn leave(work: &mut Work, alone: NetTransitionId) -> usize {
    let others: Vec<NetTransitionId> = work.transitions().filter(|&t| t != alone).collect();
    let places: Vec<PlaceId> = work.places().collect();
    work.remove_transitions(&others);
    places.iter().for_each(|&p| work.remove_place(p));
    others.len() + places.len()
}
