//! Thousands of random networks: candidates are those of the definitions, and nothing that is reachable is ruled out.

use engines::local::sdd::{self, Cycles};
use engines::local::{Local, LocalVerdict};
use evidence::{Budget, Goal, Silent};
use model::views::{Network, StateId};
use testkit::networks::{Oracle, random, tiny};

use crate::literature::pairs;
use crate::naive;

/// The goals of the analysis of a network.
fn goals(network: &Network) -> Vec<Goal> {
    let faults = network.rule_ids().filter(|&r| network.rule(r).fault).map(|r| Goal::Enabled(r.index()));
    std::iter::once(Goal::Deadlock).chain(faults).collect()
}

fn candidates(local: &Local, network: &Network, goal: Goal) -> Vec<Vec<StateId>> {
    let found = local.candidates(network, &[goal], usize::MAX, &Budget::unlimited()).expect("no limit");
    let mut states: Vec<Vec<StateId>> = found.into_iter().map(|c| c.states).collect();
    states.sort_unstable();
    states
}

/// How many combinations of local states there are.
fn combinations(network: &Network) -> usize {
    network.components().iter().map(|c| c.states().len()).product()
}

#[test]
fn pair_candidates_are_those_of_the_definition() {
    let mut some = 0;
    for seed in 0..1500 {
        let network = random(seed);
        if combinations(&network) > 1000 {
            continue;
        }
        for goal in goals(&network) {
            let expected = naive::candidates(&network, goal);
            some += usize::from(!expected.is_empty() && expected.len() < combinations(&network));
            assert_eq!(candidates(&pairs(), &network, goal), expected, "seed {seed}, {goal:?}");
        }
    }
    assert!(some > 300, "{some}");
}

/// With every method: candidates are fewer, and none of those that are left out is reachable.
#[test]
fn nothing_reachable_is_ruled_out() {
    let all = Local { groups: 0, confirm: false, ..Local::default() };
    let (mut proved, mut fewer) = (0, 0);
    for seed in 0..3000 {
        let network = random(seed);
        let Some(oracle) = Oracle::new(&network, 5000) else { continue };
        let verdict = all.analyse(&network, &Budget::unlimited(), &Silent).verdict;
        match &verdict {
            LocalVerdict::Proved(proof) => {
                assert!(oracle.is_sound(), "seed {seed}");
                let proof = proof.as_ref().expect("it is small");
                check::check_local_proof(&network, proof).unwrap_or_else(|e| panic!("seed {seed}: {e:?}"));
                proved += 1;
            }
            LocalVerdict::Open(_) => {}
            other => panic!("seed {seed}: {other:?}"),
        }
        if combinations(&network) > 300 {
            continue;
        }
        for goal in goals(&network) {
            let left = candidates(&all, &network, goal);
            let by_pairs = candidates(&pairs(), &network, goal);
            assert!(left.iter().all(|s| by_pairs.contains(s)), "seed {seed}");
            let gone = by_pairs.iter().filter(|s| !left.contains(s));
            assert!(gone.clone().all(|s| !oracle.reaches(s)), "seed {seed}");
            fewer += usize::from(gone.count() > 0);
        }
    }
    assert!(proved > 500 && fewer > 100, "{proved} {fewer}");
}

#[test]
fn no_cycle_of_requests_means_no_pair_candidate() {
    let (mut acyclic, mut cyclic) = (0, 0);
    for seed in 0..3000 {
        let network = random(seed);
        match sdd::cycle(&network, 1, &Budget::unlimited()).expect("no limit") {
            Cycles::Acyclic => {
                assert!(candidates(&pairs(), &network, Goal::Deadlock).is_empty(), "seed {seed}");
                acyclic += 1;
            }
            Cycles::Cycle(_) => cyclic += 1,
            Cycles::Inapplicable(_) => {}
        }
    }
    assert!(acyclic > 100 && cyclic > 100, "{acyclic} {cyclic}");
}

#[test]
fn the_tiny_world_is_answered_soundly() {
    let all = Local { groups: 0, confirm: false, ..Local::default() };
    let (mut proved, mut sound) = (0, 0);
    for network in tiny().step_by(7) {
        let oracle = Oracle::new(&network, 1000).expect("tiny");
        sound += usize::from(oracle.is_sound());
        if let LocalVerdict::Proved(proof) = all.analyse(&network, &Budget::unlimited(), &Silent).verdict {
            assert!(oracle.is_sound(), "{network:?}");
            check::check_local_proof(&network, &proof.expect("tiny")).expect("the proof is one");
            proved += 1;
        }
    }
    assert!(proved > 0 && proved <= sound, "{proved} of {sound}");
}
