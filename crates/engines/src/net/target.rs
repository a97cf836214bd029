//! Goals as predicates of markings, and runs to them.

use model::nets::{Goal, Predicate};
use model::views::{Net, NetTransitionId, PlaceId};

use super::structural::Needs;

/// The predicate that a goal searches for.
pub(super) fn predicate(net: &Net, goal: &Goal, stop: &mut dyn FnMut() -> bool) -> Option<Predicate> {
    let lacks = |&(p, weight): &(PlaceId, u32)| Predicate::at_most(p, weight - 1);
    match goal {
        Goal::Dead => {
            let needs = Needs::new(net, stop);
            Some(Predicate::all(needs.iter().map(|pre| Predicate::any(pre.iter().map(lacks)))))
        }
        Goal::Satisfies(predicate) => Some(predicate.clone()),
        Goal::Maximum(_) => None,
    }
}

/// The run up to the first marking that satisfies the goal, if it can be taken and there is one. Clauses
/// that say less than there is to say may have made believe in it.
pub(super) fn replay(net: &Net, goal: &Predicate, mut run: Vec<NetTransitionId>) -> Option<Vec<NetTransitionId>> {
    let mut marking = net.initial_marking();
    for i in 0..run.len() {
        if goal.holds(&marking) {
            run.truncate(i);
            return Some(run);
        }
        if !net.is_enabled(run[i], &marking) {
            return None;
        }
        marking = net.fire(run[i], &marking);
    }
    goal.holds(&marking).then_some(run)
}
