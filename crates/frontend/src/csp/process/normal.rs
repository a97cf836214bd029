//! The traces of a process as a deterministic automaton: what trace refinement compares with.

use std::collections::HashMap;

use super::event::{Event, TAU};
use super::explore::{Explored, Subject};
use super::{Checked, Limits, Store};
use crate::Diagnostic;
use crate::bisimulation::strong;

/// A deterministic automaton without internal steps: every path is a trace, and every trace is one path. Minimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    /// The labels of its moves; `tick` is termination.
    pub labels: Vec<String>,
    /// The moves of each state: labels in increasing order, each with the state entered. The first state is the initial
    /// one.
    pub states: Vec<Vec<(usize, usize)>>,
}

/// Determinises the behaviour of a process, over what can be seen of it.
pub(crate) fn normal(store: &Store, explored: &Explored, subject: &Subject, limits: &Limits) -> Checked<Specification> {
    let graph = Graph::new(explored);
    let mut numbers = HashMap::new();
    let mut subsets = vec![graph.closed(vec![0])];
    numbers.insert(subsets[0].clone(), 0u32);
    let mut moves: Vec<(u32, Event, u32)> = vec![];
    let mut next = 0;
    while next < subsets.len() {
        limits.check_time(subject.span)?;
        for (event, targets) in graph.after(&subsets[next]) {
            let number = *numbers.entry(targets.clone()).or_insert(subsets.len() as u32);
            if number as usize == subsets.len() {
                subsets.push(targets);
            }
            moves.push((next as u32, event, number));
        }
        if subsets.len() > limits.states || moves.len() > limits.moves {
            let message = format!("the traces of `{}` need more than {} states", subject.name, limits.states);
            return Err(Box::new(Diagnostic::error(subject.span, message)));
        }
        next += 1;
    }
    Ok(minimal(store, subsets.len(), &moves))
}

/// The moves by state.
struct Graph {
    starts: Vec<usize>,
    moves: Vec<(Event, u32)>,
}

impl Graph {
    fn new(explored: &Explored) -> Self {
        let mut sorted = explored.moves.clone();
        sorted.sort_unstable();
        let starts = (0..=explored.states.len()).map(|s| sorted.partition_point(|m| (m.0 as usize) < s)).collect();
        Self { starts, moves: sorted.into_iter().map(|m| (m.1, m.2)).collect() }
    }

    fn of(&self, state: u32) -> &[(Event, u32)] {
        &self.moves[self.starts[state as usize]..self.starts[state as usize + 1]]
    }

    /// The states with all that internal steps reach from them, in order.
    fn closed(&self, mut states: Vec<u32>) -> Vec<u32> {
        let mut seen: std::collections::BTreeSet<u32> = states.iter().copied().collect();
        while let Some(state) = states.pop() {
            for &(_, to) in self.of(state).iter().take_while(|m| m.0 == TAU) {
                if seen.insert(to) {
                    states.push(to);
                }
            }
        }
        seen.into_iter().collect()
    }

    /// The states after each event that is possible.
    fn after(&self, states: &[u32]) -> Vec<(Event, Vec<u32>)> {
        let mut moves: Vec<(Event, u32)> =
            states.iter().flat_map(|s| self.of(*s)).filter(|m| m.0 != TAU).copied().collect();
        moves.sort_unstable();
        moves.dedup();
        let groups = moves.chunk_by(|a, b| a.0 == b.0);
        groups.map(|group| (group[0].0, self.closed(group.iter().map(|m| m.1).collect()))).collect()
    }
}

fn minimal(store: &Store, states: usize, moves: &[(u32, Event, u32)]) -> Specification {
    let mut events: Vec<Event> = moves.iter().map(|m| m.1).collect();
    events.sort_unstable();
    events.dedup();
    let number = |event: Event| events.binary_search(&event).expect("the event was collected") as u32;
    let arrows: Vec<_> = moves.iter().map(|&(from, event, to)| (from, number(event), to)).collect();
    let classes = strong(&vec![0; states], &arrows);
    let mut rows = vec![vec![]; classes.count];
    for (from, label, to) in arrows {
        rows[classes.of[from as usize] as usize].push((label as usize, classes.of[to as usize] as usize));
    }
    for row in &mut rows {
        row.sort_unstable();
        row.dedup();
    }
    Specification { labels: events.iter().map(|e| store.text(*e).to_string()).collect(), states: rows }
}
