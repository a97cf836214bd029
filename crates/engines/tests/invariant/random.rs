//! Random networks: invariants hold in every reachable state and are inductive; traps are all traps.

use std::collections::HashSet;

use engines::diagrams::{Setting, Space};
use engines::invariant::{Strength, Traps, invariant, show};
use engines::question::satisfies;
use evidence::{Budget, Goal};
use model::views::{Network, Rule, StateId};
use solve::bdd::Bdd;
use testkit::Rng;
use testkit::networks::{Oracle, Sketch, SketchedRule, network, random, tiny};

use crate::naive::{State, everything, marking_all, reachable};

const NOTHING: Strength = Strength { components: false, traps: Traps::None, linear: false };
const STRENGTHS: [Strength; 6] = [
    Strength { components: true, ..NOTHING },
    Strength { linear: true, ..NOTHING },
    Strength { traps: Traps::Symbolic, ..NOTHING },
    Strength { traps: Traps::Lazy, ..NOTHING },
    Strength { components: true, traps: Traps::Symbolic, linear: true },
    Strength { components: true, traps: Traps::Lazy, linear: true },
];

fn single(network: &Network) -> Vec<Vec<StateId>> {
    network.initial_state().into_iter().map(|s| vec![s]).collect()
}

/// Each component may start in its initial state or, seldom, in another one.
fn several(network: &Network, rng: &mut Rng) -> Vec<Vec<StateId>> {
    let mut starts = single(network);
    for (c, states) in network.components().iter().zip(&mut starts) {
        let other = StateId::new(rng.below(c.states().len()));
        if rng.chance(30) && !states.contains(&other) {
            states.push(other);
        }
    }
    starts
}

fn with_space<T>(network: &Network, starts: &[Vec<StateId>], then: impl FnOnce(&Space<'_>) -> T) -> T {
    let budget = Budget::unlimited();
    let order = network.component_ids().collect();
    let space = Space::new(network, Setting { order, budget: &budget }).expect("small");
    then(&space.starting(starts.to_vec()))
}

fn goals(network: &Network) -> Vec<Goal> {
    let faults = network.rule_ids().filter(|r| network.rule(*r).fault).map(|r| Goal::Enabled(r.index()));
    std::iter::once(Goal::Deadlock).chain(faults).collect()
}

fn listed(space: &Space<'_>, set: &Bdd) -> HashSet<State> {
    let inside = |state: &State| space.state(state).is_ok_and(|s| s.within(set) == Ok(true));
    everything(space.network()).into_iter().filter(inside).collect()
}

/// What is wrong with an invariant.
fn flaw(space: &Space<'_>, set: &Bdd, reachable: &HashSet<State>) -> Option<&'static str> {
    let inside = |state: &State| space.state(state).expect("room").within(set) == Ok(true);
    if !reachable.iter().all(inside) {
        return Some("a reachable state is outside");
    }
    let next = space.post(set, &space.manager().all()).expect("room");
    (next.within(set) != Ok(true)).then_some("a rule leaves it")
}

fn small(network: &Network) -> bool {
    network.components().iter().map(|c| c.states().len()).product::<usize>() <= 3000
}

/// Few enough local states to look at all sets of them.
fn few_places(network: &Network) -> bool {
    network.components().iter().map(|c| c.states().len()).sum::<usize>() <= 11
}

fn check(network: &Network, starts: &[Vec<StateId>], what: &str) {
    let reached = reachable(network, starts);
    let goals = goals(network);
    with_space(network, starts, |space| {
        let mut suspected = Vec::new();
        for strength in &STRENGTHS {
            let (found, suspects) = invariant(space, &goals, strength).expect("small");
            assert_eq!(flaw(space, &found.set, &reached), None, "{what} {strength:?}");
            assert_eq!(space.initial().expect("room").within(&found.set), Ok(true), "{what} {strength:?}");
            let wanted = |s: &&State| goals.iter().any(|g| satisfies(network, *g, s));
            let inside: HashSet<State> = listed(space, &found.set).iter().filter(wanted).cloned().collect();
            assert_eq!(listed(space, &suspects), inside, "{what} {strength:?}");
            assert_eq!(space.count(&suspects).to_string(), inside.len().to_string(), "{what} {strength:?}");
            suspected.push(suspects);
        }
        assert!(suspected[2] == suspected[3], "{what}: traps found one by one leave the same suspects as all traps");
        assert!(suspected[4] == suspected[5], "{what}: together with other invariants, too");
    });
}

#[test]
fn invariants_of_random_networks_hold_and_are_inductive() {
    let mut rng = Rng::new(7);
    for seed in 0..400 {
        let network = random(seed);
        if small(&network) {
            check(&network, &single(&network), &format!("seed {seed}"));
            check(&network, &several(&network, &mut rng), &format!("seed {seed}, several initial states"));
        }
    }
}

#[test]
fn invariants_of_tiny_networks_hold_and_are_inductive() {
    for (number, network) in tiny().enumerate().step_by(211) {
        check(&network, &single(&network), &format!("tiny network {number}"));
    }
}

#[test]
fn all_traps_are_all_traps() {
    let (mut rng, mut looked, mut strong) = (Rng::new(11), 0, 0);
    for seed in 0..800 {
        let network = random(seed);
        if !few_places(&network) {
            continue;
        }
        for starts in [single(&network), several(&network, &mut rng)] {
            let naive = marking_all(&network, &starts, true);
            with_space(&network, &starts, |space| {
                let strength = Strength { traps: Traps::Symbolic, ..NOTHING };
                let (found, _) = invariant(space, &[Goal::Deadlock], &strength).expect("small");
                assert_eq!(listed(space, &found.set), naive, "seed {seed}");
                assert!(found.used.subsystems > 0, "seed {seed}");
            });
            looked += 1;
            strong += usize::from(naive.len() < everything(&network).len());
        }
    }
    assert!(looked > 150 && strong > 100, "{looked} {strong}");
}

#[test]
fn a_trap_that_is_not_marked_in_the_beginning_says_nothing() {
    let mut caught = 0;
    for seed in 0..200 {
        let network = random(seed);
        if few_places(&network) {
            let starts = single(&network);
            let wrong = marking_all(&network, &starts, false);
            caught += usize::from(!reachable(&network, &starts).is_subset(&wrong));
        }
    }
    assert!(caught > 20, "{caught}");
}

/// The network without the rules that need someone besides the given components, and with fewer participants otherwise.
fn closed(network: &Network, members: &[usize]) -> Network {
    let inside = |rule: &&Rule| rule.participants.iter().all(|p| members.contains(&p.0.index()));
    let rules = network.rules().iter().filter(inside).map(|rule| {
        let participants = rule.participants.iter().map(|p| (p.0.index(), p.1.index())).collect();
        SketchedRule { participants, fault: rule.fault }
    });
    let components = network.components().iter().map(|c| {
        let states = 0..c.states().len();
        let moves =
            states.flat_map(|s| c.moves(StateId::new(s)).iter().map(move |m| (s, m.event.index(), m.to.index())));
        Sketch { states: c.states().len(), end: Vec::new(), moves: moves.collect() }
    });
    testkit::networks::network(&components.collect::<Vec<_>>(), &rules.collect::<Vec<_>>())
}

#[test]
fn rules_with_others_cannot_be_left_out_of_what_a_component_reaches() {
    let mut caught = 0;
    for seed in 0..100 {
        let network = random(seed);
        let oracle = Oracle::new(&network, 20_000).expect("small");
        let starts = single(&network);
        let wrong = |c: usize| reachable(&closed(&network, &[c]), &starts).iter().map(|s| s[c]).collect::<HashSet<_>>();
        let alone: Vec<HashSet<StateId>> = (0..starts.len()).map(wrong).collect();
        let outside = |state: &State| state.iter().zip(&alone).any(|(s, alone)| !alone.contains(s));
        caught += usize::from(oracle.states().iter().any(outside));
    }
    assert!(caught > 30, "{caught}");
}

/// A process that counts to two in a variable of its own and stops, and one that waits for it.
fn counting() -> Network {
    let process = Sketch { states: 2, end: vec![1], moves: vec![(0, 0, 0), (0, 1, 1)] };
    let variable = Sketch { states: 3, end: vec![0, 1, 2], moves: vec![(0, 0, 1), (1, 0, 2), (2, 1, 2)] };
    let other = Sketch { states: 2, end: vec![1], moves: vec![(0, 0, 1)] };
    let rules = [&[(0, 0), (1, 0)][..], &[(0, 1), (1, 1), (2, 0)]].map(SketchedRule::from);
    network(&[process, variable, other], &rules)
}

#[test]
fn companions_are_taken_together() {
    let network = counting();
    with_space(&network, &single(&network), |space| {
        let strength = Strength { components: true, ..NOTHING };
        let (found, suspects) = invariant(space, &[Goal::Deadlock], &strength).expect("small");
        // The other one takes part in one rule only, and that needs the process: all three are together.
        assert_eq!((found.used.clusters, found.used.largest_cluster), (1, 3));
        assert_eq!(space.count(&found.set).to_string(), "4");
        assert!(suspects.is_none());
        assert_eq!(found.used.words(), ["1 component invariant"]);
        let everything = show(space, &found.set, 2).expect("room");
        assert_eq!(everything, ["C0 at s0, C1 at s0, C2 at s0", "C0 at s0, C1 at s1, C2 at s0"]);
    });
}

#[test]
fn what_is_no_invariant_is_seen() {
    let network = testkit::networks::philosophers(3, false);
    let starts = single(&network);
    let states: HashSet<State> = Oracle::new(&network, 1000).expect("small").states().iter().cloned().collect();
    with_space(&network, &starts, |space| {
        let (initial, valid) = (space.initial().expect("room"), space.valid().expect("room"));
        assert_eq!(flaw(space, &valid, &states), None);
        assert_eq!(flaw(space, &initial, &states), Some("a reachable state is outside"));
        // All that is reachable, and one state from which a step leads elsewhere.
        let all = space.reachable(&initial).expect("room");
        let others = valid.minus(&all).expect("room");
        let leaking = everything(&network).into_iter().find(|state| {
            let alone = space.state(state).expect("room");
            let next = space.post(&alone, &others.minus(&alone).expect("room")).expect("room");
            alone.within(&others) == Ok(true) && !next.is_none()
        });
        let leaking = space.state(&leaking.expect("some step leads from one to another")).expect("room");
        assert_eq!(flaw(space, &all.or(&leaking).expect("room"), &states), Some("a rule leaves it"));
    });
}
