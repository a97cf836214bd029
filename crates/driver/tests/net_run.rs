//! Random runs of random systems are runs of the nets that the systems are seen as.

use driver::net_run;
use model::views::Net;
use model::{Limits, System, TransitionId};
use testkit::Rng;
use testkit::random::{Profile, sample};

/// A random run, and the state before its last step if that is a model error, or else after it.
fn random_run(system: &System, seed: u64, steps: usize) -> (Vec<TransitionId>, Vec<u64>, bool) {
    let (mut rng, mut run, mut state) = (Rng::new(seed), Vec::new(), system.initial_state());
    for _ in 0..steps {
        let mut next = vec![0; system.words()];
        let possible: Vec<TransitionId> = system.enabled(&state).map(|t| t.unwrap_or_else(|(t, _)| t)).collect();
        if possible.is_empty() {
            break;
        }
        let t = possible[rng.below(possible.len())];
        run.push(t);
        if system.is_enabled(t, &state).is_err() || system.fire(t, &state, &mut next).is_err() {
            return (run, state, true);
        }
        state = next;
    }
    (run, state, false)
}

/// Systems of every sort, with names for messages.
fn systems() -> impl Iterator<Item = (String, System)> {
    let profiles = Profile::all().into_iter();
    profiles.flat_map(|(name, profile)| (0..30).map(move |s| (format!("{name} {s}"), sample(s, &profile).system)))
}

/// Small enough for a test.
const LIMITS: Limits<'static> = Limits { values: 200, valuations: 2000, rules: 2000, states: 2000, stop: &|| false };

fn nets(system: &System) -> Vec<Net> {
    let values = system.network(&LIMITS).and_then(|network| network.net(&LIMITS));
    [system.net(&LIMITS), values].into_iter().flatten().collect()
}

#[test]
fn runs_of_systems_are_runs_of_their_nets() {
    let (mut compared, mut faults) = (0, 0);
    for (name, system) in systems() {
        for net in nets(&system) {
            for seed in 0..5 {
                let (run, state, fault) = random_run(&system, seed, 30);
                let steps = net_run(&net, &system, &run).unwrap_or_else(|step| panic!("{name}: step {step}"));
                let marking = steps.iter().fold(net.initial_marking(), |m, &t| {
                    assert!(net.is_enabled(t, &m), "{name}");
                    net.fire(t, &m)
                });
                assert_eq!(Some(marking), net.marking_of(&system, &state), "{name}");
                let back: Vec<_> = steps.iter().filter_map(|&t| net.transition(t).transition).collect();
                assert_eq!(back, run, "{name}");
                assert_eq!(steps.last().is_some_and(|&t| net.transition(t).fault), fault, "{name}");
                compared += 1;
                faults += usize::from(fault);
            }
        }
    }
    assert!(compared > 200 && faults > 0, "{compared} {faults}");
}

#[test]
fn a_step_that_cannot_happen_is_named() {
    let mut refused = 0;
    for (name, system) in systems() {
        let Some(net) = nets(&system).pop() else { continue };
        let (mut run, state, fault) = random_run(&system, 1, 5);
        let Some(disabled) = system.transition_ids().find(|&t| system.is_enabled(t, &state) == Ok(false)) else {
            continue;
        };
        if !fault {
            run.push(disabled);
            assert_eq!(net_run(&net, &system, &run), Err(run.len() - 1), "{name}");
            refused += 1;
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn a_system_made_of_a_net_has_the_runs_of_the_net() {
    for seed in 0..200 {
        let net = testkit::nets::random(seed);
        let system = net.to_system(|_| 1000).expect("a system");
        let (run, marking) = testkit::nets::random_run(&net, seed, 20);
        let steps: Vec<TransitionId> = run.iter().map(|t| TransitionId(t.0)).collect();
        assert_eq!(net_run(&net, &system, &steps), Ok(run), "seed {seed}");
        let dead = net.transition_ids().find(|&t| !net.is_enabled(t, &marking));
        if let Some(t) = dead {
            let longer: Vec<TransitionId> = steps.iter().copied().chain([TransitionId(t.0)]).collect();
            assert_eq!(net_run(&net, &system, &longer), Err(steps.len()), "seed {seed}");
        }
    }
}
