//! Who is stuck for good: everything that can follow a state is looked at, for each state anew.

use std::collections::HashSet;

use model::ProcessId;

use super::Semantics;

/// The processes that take a step somewhere in what can follow a state; `None` if a model error can follow.
pub fn movers<M: Semantics>(model: &M, start: &M::State) -> Option<HashSet<ProcessId>> {
    let (mut seen, mut waiting) = (HashSet::from([start.clone()]), vec![start.clone()]);
    let mut movers = HashSet::new();
    while let Some(state) = waiting.pop() {
        for (transition, next) in model.steps(&state) {
            let next = next.ok()?;
            movers.extend(model.moved(transition));
            if seen.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    Some(movers)
}

/// The processes that are stuck for good in a state: not at an end, and never to move again, whatever happens.
pub fn stuck<M: Semantics>(model: &M, state: &M::State) -> Vec<ProcessId> {
    let Some(movers) = movers(model, state) else { return Vec::new() };
    model.unfinished(state).into_iter().filter(|p| !movers.contains(p)).collect()
}
