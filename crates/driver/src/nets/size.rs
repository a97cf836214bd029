//! What reductions leave of a net, for those who only want to know.

use evidence::Budget;
use model::nets::{Goal, Predicate};
use model::views::Net;

/// The size of a net that was reduced as far as the question for deadlocks allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReducedSize {
    /// Places that are left.
    pub places: usize,
    /// Transitions that are left.
    pub transitions: usize,
    /// Whether there is a deadlock, if the reduction decided it.
    pub deadlock: Option<bool>,
}

/// Reduces a net for the question whether it has a deadlock.
pub fn reduced_for_deadlock(net: &Net, budget: &Budget) -> ReducedSize {
    let reduced = reduce::reduce(net, &[Goal::Dead], &|| budget.check(0).is_err());
    let deadlock = match reduced.goals[0] {
        Goal::Satisfies(Predicate::Constant(value)) => Some(value),
        _ => None,
    };
    ReducedSize { places: reduced.net.places().len(), transitions: reduced.net.transitions().len(), deadlock }
}
