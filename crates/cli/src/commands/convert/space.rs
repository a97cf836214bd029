//! A small state space as a graph, breadth-first, for formats that list it.

use std::collections::HashMap;
use std::fmt::Write as _;

use frontend::write;
use model::{System, Transition, TransitionId};

use formats::drawing::quote;

/// The reachable states, numbered in breadth-first order from 0, and the transitions between them.
#[derive(Debug)]
pub(super) struct Space {
    pub(super) states: Vec<Vec<u64>>,
    /// In the order of the states that they begin at.
    pub(super) edges: Vec<(usize, TransitionId, usize)>,
}

/// Why there is no such graph.
#[derive(Debug)]
pub(super) enum Refusal {
    /// It would have more states than this.
    Large(usize),
    /// The model has an error.
    Fault(String),
}

impl Space {
    /// Explores a system, unless it has more states than `limit` or an error.
    pub(super) fn explore(system: &System, limit: usize) -> Result<Self, Refusal> {
        let first = system.initial_state();
        let mut numbers = HashMap::from([(first.clone(), 0)]);
        let mut space = Space { states: vec![first], edges: Vec::new() };
        let mut at = 0;
        while at < space.states.len() {
            let state = space.states[at].clone();
            for enabled in system.enabled(&state) {
                let t = enabled.map_err(|(_, f)| Refusal::Fault(f.show(system)))?;
                let mut next = vec![0; system.words()];
                system.fire(t, &state, &mut next).map_err(|f| Refusal::Fault(f.show(system)))?;
                let fresh = space.states.len();
                let to = *numbers.entry(next.clone()).or_insert(fresh);
                if to == fresh {
                    space.states.push(next);
                }
                space.edges.push((at, t, to));
            }
            if space.states.len() > limit {
                return Err(Refusal::Large(limit));
            }
            at += 1;
        }
        Ok(space)
    }

    /// In the Aldebaran format: `des (initial, transitions, states)`, then a line for each transition.
    pub(super) fn aldebaran(&self, system: &System, label: impl Fn(&Transition) -> String) -> String {
        let labels: Vec<String> = system.transitions().iter().map(label).collect();
        let moves: Vec<_> = self.edges.iter().map(|(from, t, to)| (*from, labels[t.index()].as_str(), *to)).collect();
        write::aut(0, self.states.len(), &moves)
    }

    /// For Graphviz: each state with what differs from the initial one; deadlocks drawn double.
    pub(super) fn dot(&self, system: &System) -> String {
        let stuck = self.stuck();
        let mut out = format!("digraph {} {{\n  node [shape=box];\n", quote(system.name()));
        for (i, state) in self.states.iter().enumerate() {
            let border = if stuck[i] && !system.at_end(state) { ", peripheries=2" } else { "" };
            writeln!(out, "  s{i} [label={}{border}];", quote(&self.label(system, state)))
                .expect("writing to a string cannot fail");
        }
        for (from, t, to) in &self.edges {
            let label = quote(&system.transition(*t).name);
            writeln!(out, "  s{from} -> s{to} [label={label}];").expect("writing to a string cannot fail");
        }
        out.push_str("}\n");
        out
    }

    /// The states from which no transition leads.
    pub(super) fn stuck(&self) -> Vec<bool> {
        let mut stuck = vec![true; self.states.len()];
        self.edges.iter().for_each(|(from, ..)| stuck[*from] = false);
        stuck
    }

    /// How far each state is from the initial one.
    pub(super) fn depths(&self) -> Vec<usize> {
        let mut depths = vec![usize::MAX; self.states.len()];
        depths[0] = 0;
        self.edges.iter().for_each(|(from, _, to)| depths[*to] = depths[*to].min(depths[*from].saturating_add(1)));
        depths
    }

    fn label(&self, system: &System, state: &[u64]) -> String {
        let changed: Vec<String> = explain::changes(system, &self.states[0], state)
            .iter()
            .map(|c| format!("{}: {}", c.subject, c.after))
            .collect();
        if changed.is_empty() { "initial".to_owned() } else { changed.join("\n") }
    }
}
