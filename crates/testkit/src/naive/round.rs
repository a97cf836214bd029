//! Silent cycles in the state graph.

use std::collections::{HashMap, VecDeque};

use model::TransitionId;

use super::{Graph, Semantics};

/// The steps of a shortest way from a state back to itself that has at least one step and none without this label.
pub fn round<M: Semantics>(model: &M, graph: &Graph<M::State>, label: &str, start: usize) -> Option<Vec<TransitionId>> {
    let mut before: HashMap<usize, (usize, TransitionId)> = HashMap::new();
    let mut waiting = VecDeque::from([start]);
    while let Some(from) = waiting.pop_front() {
        for (transition, to) in graph.edges[from].iter().filter(|(t, _)| model.label(*t) == label) {
            let Ok(to) = *to else { continue };
            if before.contains_key(&to) {
                continue;
            }
            before.insert(to, (from, *transition));
            if to == start {
                return Some(back(&before, start));
            }
            waiting.push_back(to);
        }
    }
    None
}

fn back(before: &HashMap<usize, (usize, TransitionId)>, start: usize) -> Vec<TransitionId> {
    let mut steps = Vec::new();
    let mut state = start;
    while steps.is_empty() || state != start {
        let (from, transition) = before[&state];
        steps.push(transition);
        state = from;
    }
    steps.reverse();
    steps
}
