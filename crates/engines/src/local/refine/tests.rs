//! Candidates of random networks, reachable or not, against the oracle.

use testkit::Rng;
use testkit::networks::{Oracle, random};

use super::*;

const LIMIT: usize = 4000;

/// Some state for each component.
fn somewhere(network: &Network, rng: &mut Rng) -> Candidate {
    let state = |c: &model::views::Component| StateId::new(rng.below(c.states().len()));
    let states: Vec<StateId> = network.components().iter().map(state).collect();
    Candidate { goal: Goal::Deadlock, states }
}

/// Whether no reachable state has all members where a lemma confines them.
fn is_true(lemma: &Lemma, oracle: &Oracle<'_>) -> bool {
    let confined = |state: &Vec<StateId>| {
        let mut members = lemma.group.members.iter().zip(&lemma.confined);
        members.all(|(c, states)| states.binary_search(&state[c.index()]).is_ok())
    };
    !oracle.states().iter().any(confined)
}

fn excludes(lemma: &Lemma, candidate: &Candidate) -> bool {
    let mut members = lemma.group.members.iter().zip(&lemma.confined);
    members.all(|(c, states)| states.binary_search(&candidate.states[c.index()]).is_ok())
}

#[test]
fn what_is_refuted_is_not_reachable() {
    let (mut refuted, mut survive, mut larger) = (0, 0, 0);
    for seed in 0..600 {
        let network = random(seed);
        let Some(oracle) = Oracle::new(&network, LIMIT) else { continue };
        let (mut rng, mut refiner) = (Rng::new(seed), Refiner::new(&network, 6));
        for _ in 0..4 {
            let candidate = somewhere(&network, &mut rng);
            match refiner.refute(&candidate, &Budget::unlimited()).expect("there is no limit") {
                Some(lemma) => {
                    assert!(is_true(&lemma, &oracle) && excludes(&lemma, &candidate), "seed {seed}");
                    refuted += 1;
                    larger += usize::from(lemma.group.members.len() > 2);
                }
                None => survive += 1,
            }
        }
        // With room for all components, exactly the reachable states survive, unless they fall into parts.
        for state in oracle.states().iter().take(20) {
            let candidate = Candidate { goal: Goal::Deadlock, states: state.clone() };
            let lemma = refiner.refute(&candidate, &Budget::unlimited()).expect("there is no limit");
            assert!(lemma.is_none(), "seed {seed}: a reachable state is refuted");
        }
    }
    assert!(refuted > 200 && survive > 200 && larger > 20, "{refuted} refuted, {survive} survive, {larger} larger");
}

#[test]
fn runs_lead_to_deadlocks_and_faults() {
    let (mut reached, mut exhausted) = (0, 0);
    for seed in 0..600 {
        let network = random(seed);
        let Some(oracle) = Oracle::new(&network, LIMIT) else { continue };
        let (mut rng, mut refiner) = (Rng::new(seed), Refiner::new(&network, 6));
        let candidate = somewhere(&network, &mut rng);
        match refiner.hunt(&candidate, true, &Budget::unlimited()).expect("there is no limit") {
            Hunt::Reached(run) => {
                let mut state = network.initial_state();
                for (rule, next) in &run {
                    assert!(network.successors(*rule, &state).contains(next), "seed {seed}");
                    state.clone_from(next);
                }
                let fault = run.last().is_some_and(|(rule, _)| network.rule(*rule).fault);
                assert!(fault || oracle.deadlocks().any(|d| *d == state), "seed {seed}");
                reached += 1;
            }
            Hunt::Exhausted => {
                assert!(oracle.is_sound(), "seed {seed}");
                exhausted += 1;
            }
            Hunt::TooMany => panic!("seed {seed}: there is no limit"),
        }
    }
    assert!(reached > 100 && exhausted > 100, "{reached} reached, {exhausted} exhausted");
}
