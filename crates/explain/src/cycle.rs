//! The wait-for graph and a shortest cycle in it.
//!
//! A process waits for everybody who could supply one of its needs, whether it needs all of them or any one. Edges to
//! one without whom the process can never move are tried first, then those to a definite culprit (a holder, a partner,
//! whoever made a condition false), then all that lead to somebody who might help. Nobody waits for himself.

use std::collections::VecDeque;

use model::ProcessId;
use serde::Serialize;

/// One edge of a wait-for cycle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// Who waits.
    pub process: String,
    /// For whom.
    pub waits_for: String,
    /// The sentence.
    pub text: String,
}

/// How much an edge says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// The other one has what is needed, and never gives it back: an embrace all the same, if there is no other cycle.
    Vain,
    /// The other one might help.
    Possible,
    /// The other one is to blame, though others might help.
    Definite,
    /// Only the other one can help, whatever step is to be taken.
    Necessary,
}

/// An edge of the graph.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) from: ProcessId,
    pub(crate) to: ProcessId,
    pub(crate) strength: Strength,
    pub(crate) text: String,
}

/// A shortest cycle, among the strongest edges that have one; the first one in the order of processes.
pub(crate) fn shortest(processes: usize, edges: &[Edge]) -> Option<Vec<&Edge>> {
    [Strength::Necessary, Strength::Definite, Strength::Possible, Strength::Vain].into_iter().find_map(|least| {
        let strong: Vec<&Edge> = edges.iter().filter(|e| e.strength >= least).collect();
        shortest_among(processes, &strong)
    })
}

fn shortest_among<'a>(processes: usize, edges: &[&'a Edge]) -> Option<Vec<&'a Edge>> {
    let mut out: Vec<Vec<&Edge>> = vec![Vec::new(); processes];
    edges.iter().for_each(|e| out[e.from.index()].push(e));
    let mut best: Option<Vec<&Edge>> = None;
    for start in (0..processes).map(ProcessId::new) {
        if let Some(cycle) = through(start, &out)
            && best.as_ref().is_none_or(|b| cycle.len() < b.len())
        {
            best = Some(cycle);
        }
    }
    best
}

/// A shortest cycle through a process, by breadth-first search.
fn through<'a>(start: ProcessId, out: &[Vec<&'a Edge>]) -> Option<Vec<&'a Edge>> {
    let mut came: Vec<Option<&Edge>> = vec![None; out.len()];
    let mut queue = VecDeque::from([start]);
    while let Some(p) = queue.pop_front() {
        for edge in &out[p.index()] {
            if edge.to == start {
                return Some(path(start, edge, &came));
            }
            if came[edge.to.index()].is_none() {
                came[edge.to.index()] = Some(edge);
                queue.push_back(edge.to);
            }
        }
    }
    None
}

fn path<'a>(start: ProcessId, last: &'a Edge, came: &[Option<&'a Edge>]) -> Vec<&'a Edge> {
    let mut path = vec![last];
    while let Some(first) = path.last().filter(|e| e.from != start) {
        path.push(came[first.from.index()].expect("every process on the way was reached by an edge"));
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    use Strength::{Definite, Necessary, Possible};

    fn edge(from: u32, to: u32, strength: Strength) -> Edge {
        Edge { from: ProcessId(from), to: ProcessId(to), strength, text: format!("{from}-{to}") }
    }

    fn cycle(edges: &[Edge]) -> Option<Vec<&str>> {
        shortest(5, edges).map(|c| c.into_iter().map(|e| e.text.as_str()).collect())
    }

    #[test]
    fn strong_edges_come_first_and_then_the_shortest() {
        let long = [edge(0, 1, Definite), edge(1, 2, Necessary), edge(2, 0, Definite), edge(1, 0, Possible)];
        assert_eq!(cycle(&long), Some(vec!["0-1", "1-2", "2-0"]));
        let needed = [edge(0, 1, Necessary), edge(1, 2, Necessary), edge(2, 0, Necessary), edge(1, 0, Definite)];
        assert_eq!(cycle(&needed), Some(vec!["0-1", "1-2", "2-0"]));
        let two = [edge(0, 1, Definite), edge(1, 2, Definite), edge(2, 0, Definite), edge(2, 1, Definite)];
        assert_eq!(cycle(&two), Some(vec!["1-2", "2-1"]));
        assert_eq!(cycle(&[edge(3, 4, Possible), edge(4, 3, Definite)]), Some(vec!["3-4", "4-3"]));
        assert_eq!(cycle(&[edge(0, 1, Definite), edge(0, 2, Definite), edge(1, 2, Definite)]), None);
    }
}
