//! Shorter runs through the states that a search has stored, level by level, as far as the budget allows.

use std::collections::HashSet;

use evidence::Trace;
use model::TransitionId;

use super::search::Search;
use super::silent::Silent;
use crate::store::{StateIndex, hash};

/// A shortest run from the initial state to one of a kind, and that state.
pub(super) fn run(
    search: &Search<'_>,
    is_goal: impl Fn(StateIndex) -> bool,
) -> Option<(Vec<TransitionId>, StateIndex)> {
    if is_goal(0) {
        return Some((Vec::new(), 0));
    }
    way(search, 0, |_| true, is_goal)
}

/// A shortest run to one of the states of a silent cycle, and from there a shortest silent cycle.
pub(super) fn round(search: &Search<'_>, silent: &Silent<'_>, states: &HashSet<StateIndex>) -> Option<Trace> {
    let (stem, start) = run(search, |s| states.contains(&s))?;
    let (cycle, _) = way(search, start, |t| silent.contains(t), |s| s == start)?;
    Some(Trace { stem, cycle })
}

/// How many states are expanded between two looks at the budget.
const PATIENCE: usize = 256;

/// A shortest way of one step or more between stored states; `None` if there is no budget to find it.
fn way(
    search: &Search<'_>,
    start: StateIndex,
    takes: impl Fn(TransitionId) -> bool,
    is_goal: impl Fn(StateIndex) -> bool,
) -> Option<(Vec<TransitionId>, StateIndex)> {
    const UNKNOWN: (StateIndex, TransitionId) = (0, TransitionId(u32::MAX));
    let (system, store) = (search.system, &search.store);
    let bytes = 12 * store.len() as u64;
    if !search.can_afford(bytes) {
        return None;
    }
    let mut before = vec![UNKNOWN; store.len()];
    let mut queue = vec![start];
    let mut next = vec![0; system.words()];
    let mut expanded = 0;
    while let Some(&from) = queue.get(expanded) {
        expanded += 1;
        if expanded.is_multiple_of(PATIENCE) && !search.can_afford(bytes) {
            return None;
        }
        let state = store.get(from);
        for t in system.enabled(state).filter_map(Result::ok).filter(|t| takes(*t)) {
            if system.fire(t, state, &mut next).is_err() {
                continue;
            }
            let Some(to) = store.find(&next, hash(&next)).filter(|to| before[*to as usize] == UNKNOWN) else {
                continue;
            };
            before[to as usize] = (from, t);
            if is_goal(to) {
                return Some((told(&before, start, to), to));
            }
            queue.push(to);
        }
    }
    None
}

fn told(before: &[(StateIndex, TransitionId)], start: StateIndex, goal: StateIndex) -> Vec<TransitionId> {
    let mut steps = Vec::new();
    let mut state = goal;
    while steps.is_empty() || state != start {
        let (from, t) = before[state as usize];
        steps.push(t);
        state = from;
    }
    steps.reverse();
    steps
}
