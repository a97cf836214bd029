//! All reachable states of a network, by the definitions: nothing is shared with the network's own step function.

use std::collections::{HashSet, VecDeque};

use model::views::{Network, Rule, RuleId, StateId};

/// The reachable states of a network.
#[derive(Clone, Debug)]
pub struct Oracle<'a> {
    network: &'a Network,
    states: Vec<Vec<StateId>>,
    known: HashSet<Vec<StateId>>,
    steps: usize,
}

impl<'a> Oracle<'a> {
    /// Visits everything; `None` if there are more than `limit` states.
    pub fn new(network: &'a Network, limit: usize) -> Option<Self> {
        let initial: Vec<StateId> = network.components().iter().map(|c| c.initial()).collect();
        let mut known = HashSet::from([initial.clone()]);
        let mut waiting = VecDeque::from([initial]);
        let (mut states, mut steps) = (Vec::new(), 0);
        while let Some(state) = waiting.pop_front() {
            for next in network.rules().iter().flat_map(|rule| successors(network, rule, &state)) {
                steps += 1;
                if known.insert(next.clone()) {
                    waiting.push_back(next);
                }
            }
            states.push(state);
            if known.len() > limit {
                return None;
            }
        }
        Some(Self { network, states, known, steps })
    }

    /// The reachable states, nearest first.
    pub fn states(&self) -> &[Vec<StateId>] {
        &self.states
    }

    /// Whether a state is reachable.
    pub fn reaches(&self, state: &[StateId]) -> bool {
        self.known.contains(state)
    }

    /// The number of steps out of reachable states: one for each rule and each choice of moves.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The reachable states in which no rule is enabled and some component is not where it may stop for good.
    pub fn deadlocks(&self) -> impl Iterator<Item = &Vec<StateId>> {
        let stopped = |state: &&Vec<StateId>| {
            let mut places = self.network.components().iter().zip(state.iter());
            !state.is_empty() && places.all(|(component, s)| component.states()[s.index()].end)
        };
        let moves = |state: &&Vec<StateId>| self.network.rules().iter().any(|rule| enabled(self.network, rule, state));
        self.states.iter().filter(move |state| !moves(state) && !stopped(state))
    }

    /// Whether a rule is enabled in some reachable state.
    pub fn enables(&self, rule: RuleId) -> bool {
        self.states.iter().any(|state| enabled(self.network, self.network.rule(rule), state))
    }

    /// Whether there is neither a deadlock nor a model error.
    pub fn is_sound(&self) -> bool {
        let faults = |r: &RuleId| self.network.rule(*r).fault;
        self.deadlocks().next().is_none() && !self.network.rule_ids().filter(faults).any(|r| self.enables(r))
    }
}

fn enabled(network: &Network, rule: &Rule, state: &[StateId]) -> bool {
    !successors(network, rule, state).is_empty()
}

/// One state for each choice of moves of the participants.
fn successors(network: &Network, rule: &Rule, state: &[StateId]) -> Vec<Vec<StateId>> {
    let mut out = vec![state.to_vec()];
    for &(c, event) in &rule.participants {
        let moves = network.component(c).moves(state[c.index()]);
        let targets: Vec<StateId> = moves.iter().filter(|m| m.event == event).map(|m| m.to).collect();
        let moved = |next: Vec<StateId>, to: StateId| {
            let mut next = next;
            next[c.index()] = to;
            next
        };
        out = out.into_iter().flat_map(|next| targets.iter().map(move |&to| moved(next.clone(), to))).collect();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::{Sketch, SketchedRule, network, random};

    #[test]
    fn the_step_function_of_networks_agrees() {
        for seed in 0..400 {
            let network = random(seed);
            let Some(oracle) = Oracle::new(&network, 2000) else { continue };
            for state in oracle.states() {
                for r in network.rule_ids() {
                    let (mut naive, mut own) =
                        (successors(&network, network.rule(r), state), network.successors(r, state));
                    naive.sort_unstable();
                    own.sort_unstable();
                    assert_eq!(naive, own, "seed {seed}");
                    assert_eq!(network.is_enabled(r, state), !own.is_empty(), "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn stops_are_told_from_deadlocks() {
        let once = |end: Vec<usize>| Sketch { states: 2, end, moves: vec![(0, 0, 1), (0, 0, 0)] };
        let rule = SketchedRule::from(&[(0, 0), (1, 0)][..]);
        let stops = network(&[once(vec![1]), once(vec![0, 1])], std::slice::from_ref(&rule));
        let oracle = Oracle::new(&stops, 10).expect("four states");
        assert_eq!((oracle.states().len(), oracle.steps(), oracle.deadlocks().count()), (4, 4, 1));
        let stuck = oracle.deadlocks().next().expect("the first one stays behind");
        assert_eq!(stuck, &[StateId(0), StateId(1)]);
        let nothing = network(&[], &[]);
        assert!(!Oracle::new(&nothing, 10).expect("one state").is_sound(), "no components: nothing is at its end");
    }
}
