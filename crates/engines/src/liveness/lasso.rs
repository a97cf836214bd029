//! A run that breaks the claim, as short as the visited nodes allow at little cost: a shortest way to the component, and
//! then from mark to nearest mark and back.

use std::collections::{HashMap, HashSet};

use evidence::{Reason, Trace};
use model::TransitionId;

use super::product::{Marks, STAY};
use super::search::{Found, Search};
use super::streett::steps_between;
use crate::store::StateIndex;

/// A way through stored nodes: its steps, what they do, and where it leads.
struct Way {
    steps: Vec<TransitionId>,
    done: Marks,
    end: StateIndex,
}

impl Search<'_, '_> {
    /// The run that shows what was found.
    pub(super) fn told(&self, found: &Found) -> Result<Trace, Reason> {
        match found {
            Found::Error(run) => Ok(Trace::finite(run.clone())),
            Found::Whatever(node) => self.whatever(*node),
            Found::Component { nodes, marks } => self.round(nodes, *marks),
        }
    }

    fn round(&self, nodes: &[StateIndex], mut missing: Marks) -> Result<Trace, Reason> {
        let inside: HashSet<StateIndex> = nodes.iter().copied().collect();
        let stem = self.to(|n| inside.contains(&n))?;
        let mut cycle = Vec::new();
        let mut at = stem.end;
        while missing != 0 {
            let way = self.way(&[at], |n| inside.contains(&n), |_, marks| marks & missing != 0)?;
            let way = way.expect("a component has the marks that it was found for");
            missing &= !way.done;
            at = way.end;
            cycle.extend(way.steps);
        }
        if at != stem.end || cycle.is_empty() {
            let way = self.way(&[at], |n| inside.contains(&n), |n, _| n == stem.end)?;
            cycle.extend(way.expect("a component is connected").steps);
        }
        cycle.retain(|t| *t != STAY);
        Ok(Trace { stem: stem.steps, cycle })
    }

    /// A shortest way from the start to a node of a kind.
    fn to(&self, is_goal: impl Fn(StateIndex) -> bool) -> Result<Way, Reason> {
        let starts = self.starts();
        if let Some(&end) = starts.iter().find(|n| is_goal(**n)) {
            return Ok(Way { steps: Vec::new(), done: 0, end });
        }
        let mut way = self.way(&starts, |_| true, |n, _| is_goal(n))?.expect("it was reached");
        way.steps.retain(|t| *t != STAY);
        Ok(way)
    }

    /// The nodes of the initial state that are stored.
    fn starts(&self) -> Vec<StateIndex> {
        let state = self.product.system.initial_state();
        let mut node = state.clone();
        node.push(0);
        let Ok(reading) = self.product.read_first(&state) else { return Vec::new() };
        let (mut starts, mut edge) = (Vec::new(), 0);
        while let Some((after, _, place)) = self.product.edge(self.product.automaton.initial, reading, edge) {
            edge = after;
            self.product.set_place(&mut node, place);
            starts.extend(self.store.find(&node, crate::store::hash(&node)));
        }
        starts
    }

    /// A shortest way of a step or more through some nodes, up to a step of a kind, given by where it leads and what it
    /// does.
    fn way(
        &self,
        starts: &[StateIndex],
        takes: impl Fn(StateIndex) -> bool,
        is_last: impl Fn(StateIndex, Marks) -> bool,
    ) -> Result<Option<Way>, Reason> {
        let mut before: HashMap<StateIndex, (StateIndex, TransitionId, Marks)> = HashMap::new();
        let mut queue = starts.to_vec();
        let mut expanded = 0;
        while let Some(&from) = queue.get(expanded) {
            expanded += 1;
            if expanded % 256 == 0 {
                self.budget.check(self.store.bytes() + 48 * before.len() as u64)?;
            }
            let mut last = None;
            steps_between(self.product, &self.store, from, &mut |t, marks, to| {
                if last.is_some() || !takes(to) {
                    return;
                }
                if is_last(to, marks) {
                    last = Some((t, marks, to));
                } else if !before.contains_key(&to) && !starts.contains(&to) {
                    before.insert(to, (from, t, marks));
                    queue.push(to);
                }
            });
            if let Some((t, marks, end)) = last {
                let (mut steps, mut done, mut at) = (vec![t], marks, from);
                while let Some(&(from, t, marks)) = before.get(&at) {
                    steps.push(t);
                    done |= marks;
                    at = from;
                }
                steps.reverse();
                return Ok(Some(Way { steps, done, end }));
            }
        }
        Ok(None)
    }

    /// A run to a node and on, wherever it goes: until a state repeats or nothing is enabled.
    fn whatever(&self, node: StateIndex) -> Result<Trace, Reason> {
        let mut stem = self.to(|n| n == node)?.steps;
        let system = self.product.system;
        let mut state = self.product.state(self.store.get(node)).to_vec();
        let mut met = HashMap::from([(state.clone(), stem.len())]);
        loop {
            self.budget.check(self.store.bytes() + (met.len() * (8 * state.len() + 48)) as u64)?;
            let t = match system.enabled(&state).next() {
                None => return Ok(Trace::finite(stem)),
                Some(Ok(t)) => t,
                Some(Err((t, _))) => {
                    stem.push(t);
                    return Ok(Trace::finite(stem));
                }
            };
            stem.push(t);
            if system.fire_in_place(t, &mut state).is_err() {
                return Ok(Trace::finite(stem));
            }
            if let Some(&start) = met.get(&state) {
                let cycle = stem.split_off(start);
                return Ok(Trace { stem, cycle });
            }
            met.insert(state.clone(), stem.len());
        }
    }
}
