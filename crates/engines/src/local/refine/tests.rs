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

/// Whether a state is where a lemma says that none is.
fn is_inside(lemma: &Lemma, state: &[StateId]) -> bool {
    lemma.confined.iter().all(|(c, states)| states.binary_search(&state[c.index()]).is_ok())
}

/// All that a network must not do.
fn goals(network: &Network) -> Vec<Goal> {
    let faults = network.rule_ids().filter(|&r| network.rule(r).fault).map(|r| Goal::Enabled(r.index()));
    std::iter::once(Goal::Deadlock).chain(faults).collect()
}

#[test]
fn what_is_refuted_is_not_reachable() {
    let (mut refuted, mut survive, mut larger) = (0, 0, 0);
    for seed in 0..600 {
        let network = random(seed);
        let Some(oracle) = Oracle::new(&network, LIMIT) else { continue };
        let (mut rng, mut refiner) = (Rng::new(seed), Refiner::new(&network, 6, &goals(&network)));
        for _ in 0..4 {
            let candidate = somewhere(&network, &mut rng);
            match refiner.refute(&candidate, &Budget::unlimited()).expect("there is no limit") {
                Some(lemma) => {
                    assert!(is_inside(&lemma, &candidate.states), "seed {seed}");
                    assert!(!oracle.states().iter().any(|state| is_inside(&lemma, state)), "seed {seed}");
                    refuted += 1;
                    larger += usize::from(lemma.confined.len() > 2);
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
        let (mut rng, refiner) = (Rng::new(seed), Refiner::new(&network, 6, &goals(&network)));
        let candidate = somewhere(&network, &mut rng);
        match refiner.hunt_long(&candidate, &Budget::unlimited()).expect("there is no limit") {
            Hunt::Reached(run) => {
                let mut state = network.initial_state();
                for (rule, next) in &run {
                    assert!(network.successors(*rule, &state).contains(next), "seed {seed}");
                    state.clone_from(next);
                }
                let fault = network.rule_ids().any(|r| network.rule(r).fault && network.is_enabled(r, &state));
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
