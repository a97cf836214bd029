//! Systems with control, seen as networks: the same graph, state by state, and the same answers as the oracle has.

use std::collections::{BTreeMap, BTreeSet};

use model::views::{AskedNetwork, Network, StateId};
use model::{Hold, Limits, Property, System, TransitionId};
use testkit::compare::Oracle;
use testkit::describe;
use testkit::naive::{Naive, Semantics, explore};
use testkit::random::{Profile, sample};

const LIMIT: usize = 400;

/// What can happen in a state: transitions, and whether they are model errors.
type Steps = BTreeSet<(TransitionId, bool)>;

/// How often which steps are possible, and whether it is a place to stop.
type Graph = BTreeMap<(Steps, bool), usize>;

fn states(network: &Network) -> Vec<Vec<StateId>> {
    let mut found = BTreeSet::from([network.initial_state()]);
    let mut open: Vec<Vec<StateId>> = found.iter().cloned().collect();
    while let Some(state) = open.pop() {
        for r in network.rule_ids().filter(|&r| !network.rule(r).fault) {
            open.extend(network.successors(r, &state).into_iter().filter(|next| found.insert(next.clone())));
        }
    }
    found.into_iter().collect()
}

fn graph_of_network(network: &Network) -> Graph {
    let mut graph = Graph::new();
    for state in states(network) {
        let possible = network.rule_ids().filter(|&r| network.successors(r, &state).into_iter().next().is_some());
        let step = |r| (network.rule(r).transition.expect("made of a system"), network.rule(r).fault);
        *graph.entry((possible.map(step).collect(), network.at_end(&state))).or_default() += 1;
    }
    graph
}

fn graph_of_system(system: &System) -> Option<Graph> {
    let naive = Naive::new(system);
    let explored = explore(&naive, LIMIT)?;
    let mut graph = Graph::new();
    for (state, edges) in explored.states.iter().zip(&explored.edges) {
        let steps = edges.iter().map(|(t, to)| (*t, to.is_err())).collect();
        *graph.entry((steps, naive.at_end(state))).or_default() += 1;
    }
    Some(graph)
}

/// The states of a system, as they are stored.
fn packed(system: &System) -> BTreeSet<Vec<u64>> {
    let mut found = BTreeSet::from([system.initial_state()]);
    let mut open: Vec<Vec<u64>> = found.iter().cloned().collect();
    let mut next = system.initial_state();
    while let Some(state) = open.pop() {
        for t in system.enabled(&state).flatten() {
            if system.fire(t, &state, &mut next).is_ok() && found.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    found
}

fn state_of(network: &Network, system: &System, state: &[u64]) -> Vec<StateId> {
    network.state_of(system, state).expect("the network has every state that is reached")
}

/// Random systems in which processes go on alone.
fn systems() -> impl Iterator<Item = (u64, testkit::random::Sample)> {
    let profiles = [Profile::control(), Profile::meeting()];
    (0..500).flat_map(move |seed| profiles.clone().map(|profile| (seed, sample(seed, &profile))))
}

#[test]
fn the_graph_is_the_same() {
    let (mut same, mut refused, mut caught) = (0, 0, 0);
    for (seed, sample) in systems().filter(|(_, sample)| sample.system.has_holds()) {
        let system = &sample.system;
        let Some(expected) = graph_of_system(system) else { continue };
        let Ok(asked) = AskedNetwork::new(system, &Property::DeadlockFree, &Limits::default()) else {
            refused += 1;
            continue;
        };
        assert_eq!(graph_of_network(&asked.network), expected, "seed {seed}\n{}", describe(system));
        let there: BTreeSet<Vec<StateId>> =
            packed(system).iter().map(|s| state_of(&asked.network, system, s)).collect();
        assert_eq!(there.into_iter().collect::<Vec<_>>(), states(&asked.network), "seed {seed}\n{}", describe(system));
        same += 1;
        // The same processes without control do more, mostly: who forgets control is caught.
        let mut other = sample.blueprint.clone();
        other.processes.iter_mut().flat_map(|p| &mut p.locations).for_each(|l| l.hold = Hold::No);
        let free = other.build().ok().and_then(|free| free.network(&Limits::default()).ok());
        caught += usize::from(free.is_some_and(|free| graph_of_network(&free) != expected));
    }
    assert!(same > 100 && refused > 20 && caught > 50, "{same} {refused} {caught}");
}

#[test]
fn questions_have_the_same_answers() {
    let (mut yes, mut no) = (0, 0);
    for (seed, sample) in systems().filter(|(_, sample)| sample.system.has_holds()) {
        for property in &sample.properties {
            let Some(oracle) = Oracle::new(&sample.system, property, LIMIT) else { continue };
            let Ok(asked) = AskedNetwork::new(&sample.system, property, &Limits::default()) else { continue };
            let answer = oracle.answer();
            let network = &asked.network;
            let real: Vec<_> = network.rule_ids().filter(|r| !asked.tests.contains(r)).collect();
            let is_possible =
                |r: &model::views::RuleId, s: &Vec<StateId>| network.successors(*r, s).into_iter().next().is_some();
            let all = states(network);
            let shown = all.iter().any(|state| {
                let stuck = asked.deadlock && !network.at_end(state) && !real.iter().any(|r| is_possible(r, state));
                stuck || asked.tests.iter().any(|r| is_possible(r, state))
            });
            let fault = all.iter().any(|state| asked.errors.iter().any(|r| is_possible(r, state)));
            let place = || format!("seed {seed}: {property:?}\n{}", describe(&sample.system));
            assert_eq!((shown, fault), (answer.shown.is_some(), answer.fault.is_some()), "{}", place());
            *(if shown { &mut yes } else { &mut no }) += 1;
        }
    }
    assert!(yes > 50 && no > 50, "{yes} {no}");
}
