//! Networks with invariants that are not exact, and the answers by the definitions.

use std::collections::HashSet;

use engines::diagrams::rings::Decided;
use engines::diagrams::{Setting, Space, Stop};
use engines::question::satisfies;
use evidence::{Budget, Goal};
use model::views::{ComponentId, Network, StateId};
use solve::bdd::{Bdd, deep};
use testkit::Rng;
use testkit::networks::{philosophers, random, tiny};

pub(crate) type State = Vec<StateId>;

/// A network, where its components may start, what is asked for, and an invariant that is larger than need be.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) network: Network,
    pub(crate) starts: Vec<Vec<StateId>>,
    pub(crate) goals: Vec<Goal>,
    pub(crate) reachable: HashSet<State>,
    /// No step leaves it.
    pub(crate) invariant: HashSet<State>,
}

/// Small networks of all kinds.
pub(crate) fn cases() -> Vec<Case> {
    let networks = (0..150).map(random).chain(tiny().step_by(397).take(150));
    let networks = networks.chain((2..=4).map(|n| philosophers(n, false))).chain([philosophers(3, true)]);
    networks.enumerate().filter_map(|(k, network)| Case::new(network, &mut Rng::new(k as u64))).collect()
}

impl Case {
    /// Nothing if the network is too large to be looked at state by state.
    fn new(network: Network, rng: &mut Rng) -> Option<Self> {
        let any = |rng: &mut Rng| -> State {
            network.components().iter().map(|c| StateId::new(rng.below(c.states().len()))).collect()
        };
        let mut starts: Vec<Vec<StateId>> = network.initial_state().into_iter().map(|s| vec![s]).collect();
        if rng.chance(30) && !starts.is_empty() {
            let c = rng.below(starts.len());
            let states = network.components()[c].states().len();
            starts[c] = (0..states).filter(|&s| s == 0 || rng.chance(50)).map(StateId::new).collect();
        }
        let reachable = closure(&network, combinations(&starts))?;
        let extra: Vec<State> = (0..rng.below(12)).map(|_| any(rng)).collect();
        let invariant = closure(&network, reachable.iter().cloned().chain(extra))?;
        let faults = network.rule_ids().filter(|&r| network.rule(r).fault);
        let goals = std::iter::once(Goal::Deadlock).chain(faults.map(|r| Goal::Enabled(r.index()))).collect();
        Some(Self { network, starts, goals, reachable, invariant })
    }

    /// Whether a state is one that is asked for.
    pub(crate) fn suspicious(&self, state: &[StateId]) -> bool {
        self.goals.iter().any(|&goal| satisfies(&self.network, goal, state))
    }

    /// The suspects that are reachable.
    pub(crate) fn answer(&self) -> HashSet<State> {
        self.reachable.iter().filter(|s| self.suspicious(s)).cloned().collect()
    }

    /// Runs with the space, the invariant and the suspects in it.
    pub(crate) fn with<T: Send>(&self, f: impl FnOnce(&Space<'_>, &Bdd, &Bdd) -> Result<T, Stop> + Send) -> T {
        let budget = Budget::unlimited().with_memory(8 << 20);
        deep(Space::variables(&self.network), || {
            let order: Vec<ComponentId> = self.network.component_ids().collect();
            let space = Space::new(&self.network, Setting { order, budget: &budget })?.starting(self.starts.clone());
            let invariant = set(&space, &self.invariant)?;
            let suspects = space.wanted(&self.goals, &invariant)?;
            f(&space, &invariant, &suspects)
        })
        .expect("it is small")
    }

    /// Everything about a decision that must be so, whatever was asked for.
    pub(crate) fn check(&self, space: &Space<'_>, decided: &Decided) -> Result<(), String> {
        let reached = states(space, &decided.reached);
        if !reached.is_subset(&self.answer()) {
            return Err("a suspect that is out of reach is reached".to_owned());
        }
        let left = states(space, &decided.invariant);
        let leaves = |s: &State| successors(&self.network, s).any(|next| !left.contains(&next));
        if !self.reachable.is_subset(&left) || left.iter().any(leaves) {
            return Err("what is left of the invariant is none".to_owned());
        }
        if decided.refuted && left.iter().any(|s| self.suspicious(s) && !reached.contains(s)) {
            return Err("a refuted suspect is in what is left of the invariant".to_owned());
        }
        decided.runs.iter().try_for_each(|(start, run)| {
            let mut state = start.clone();
            if !start.iter().zip(&self.starts).all(|(s, starts)| starts.contains(s)) {
                return Err("a run does not begin in an initial state".to_owned());
            }
            for (rule, next) in run {
                if !self.network.successors(*rule, &state).contains(next) {
                    return Err("a step of a run is none".to_owned());
                }
                state.clone_from(next);
            }
            if reached.contains(&state) { Ok(()) } else { Err("a run does not end in a suspect".to_owned()) }
        })
    }
}

fn combinations(choices: &[Vec<StateId>]) -> Vec<State> {
    choices.iter().fold(vec![Vec::new()], |all, choice| {
        let with = |state: &State, s: &StateId| state.iter().chain([s]).copied().collect();
        all.iter().flat_map(|state| choice.iter().map(move |s| with(state, s))).collect()
    })
}

fn successors(network: &Network, state: &[StateId]) -> impl Iterator<Item = State> {
    network.rule_ids().flat_map(move |r| network.successors(r, state))
}

/// All that some states lead to, if it is not too much.
fn closure(network: &Network, from: impl IntoIterator<Item = State>) -> Option<HashSet<State>> {
    let mut waiting: Vec<State> = from.into_iter().collect();
    let mut known: HashSet<State> = waiting.iter().cloned().collect();
    while let Some(state) = waiting.pop() {
        waiting.extend(successors(network, &state).filter(|next| known.insert(next.clone())));
        if known.len() > 1000 {
            return None;
        }
    }
    Some(known)
}

fn set(space: &Space<'_>, states: &HashSet<State>) -> Result<Bdd, Stop> {
    states.iter().try_fold(space.manager().none(), |set, state| Ok(set.or(&space.state(state)?)?))
}

/// All states of a set.
pub(crate) fn states(space: &Space<'_>, set: &Bdd) -> HashSet<State> {
    let (mut left, mut all) = (set.clone(), HashSet::new());
    while let Some(state) = space.pick(&left) {
        left = left.minus(&space.state(&state).expect("room")).expect("room");
        all.insert(state);
    }
    all
}
