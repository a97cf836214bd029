//! The whole state graph, level by level.

use std::collections::HashMap;

use model::{Fault, TransitionId};

use super::Semantics;

/// All reachable states and all steps between them.
#[derive(Clone, Debug)]
pub struct Graph<S> {
    /// The states, in breadth-first order, the initial one first.
    pub states: Vec<S>,
    /// Of each state, what can happen there: a transition to another state, or a fault.
    pub edges: Vec<Vec<(TransitionId, Result<usize, Fault>)>>,
    /// Of each state, the least number of steps from the initial one.
    pub distances: Vec<usize>,
    /// Of each state but the initial one, a state before it on a shortest path, and the transition from there.
    pub parents: Vec<Option<(usize, TransitionId)>>,
}

impl<S> Graph<S> {
    /// The number of steps from state to state; faults are none.
    pub fn transitions(&self) -> usize {
        self.edges.iter().flatten().filter(|(_, to)| to.is_ok()).count()
    }

    /// A shortest run to a state.
    pub fn path(&self, mut state: usize) -> Vec<TransitionId> {
        let mut path = Vec::new();
        while let Some((before, transition)) = self.parents[state] {
            path.push(transition);
            state = before;
        }
        path.reverse();
        path
    }
}

/// Visits everything that is reachable; `None` if there are more than `limit` states.
pub fn explore<M: Semantics>(model: &M, limit: usize) -> Option<Graph<M::State>> {
    let initial = model.initial();
    let mut numbers = HashMap::from([(initial.clone(), 0)]);
    let mut graph = Graph { states: vec![initial], edges: Vec::new(), distances: vec![0], parents: vec![None] };
    while graph.edges.len() < graph.states.len() {
        let from = graph.edges.len();
        let mut edges = Vec::new();
        for (transition, result) in model.steps(&graph.states[from]) {
            let to = result.map(|next| {
                *numbers.entry(next).or_insert_with_key(|next| {
                    graph.states.push(next.clone());
                    graph.distances.push(graph.distances[from] + 1);
                    graph.parents.push(Some((from, transition)));
                    graph.states.len() - 1
                })
            });
            edges.push((transition, to));
        }
        graph.edges.push(edges);
        if graph.states.len() > limit {
            return None;
        }
    }
    Some(graph)
}
