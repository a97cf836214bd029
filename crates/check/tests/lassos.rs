//! Replay and the oracle judge whole runs by different means: they agree on runs that break random claims, and on those
//! runs with a mistake.

use std::collections::HashMap;

use check::{Finding, ReplayError, replay};
use evidence::Trace;
use model::{Property, System, TransitionId};
use testkit::naive::temporal::refutation;
use testkit::naive::{Naive, Shown, explore, witness};
use testkit::random::{Profile, RunProfile, sample, temporal};
use testkit::{Rng, describe};

const LIMIT: usize = 100;

/// The run with one mistake, or with its cycle told otherwise.
fn spoiled(rng: &mut Rng, run: &Trace, transitions: usize) -> Trace {
    let mut run = run.clone();
    let any = TransitionId::new(rng.below(transitions + 1));
    let part = if rng.chance(70) { &mut run.cycle } else { &mut run.stem };
    match (rng.below(8), part.len()) {
        (0, 1..) => drop(part.pop()),
        (1, n @ 1..) => part[rng.below(n)] = any,
        (2, n) => part.insert(rng.below(n + 1), any),
        (3, n @ 2..) => part.swap(rng.below(n), rng.below(n)),
        (4, _) => run.cycle.clear(),
        (5, _) => run.cycle.extend(run.cycle.clone()),
        _ => {
            let first = run.cycle.first().copied();
            run.stem.extend(first);
            run.cycle.extend(first);
            run.cycle.drain(..usize::from(first.is_some()));
        }
    }
    run
}

/// The run with random steps behind it, until it stops or comes back to a state; nothing if a step is a model error.
fn continued(rng: &mut Rng, system: &System, run: &Trace) -> Option<Trace> {
    let mut state = system.initial_state();
    run.stem.iter().try_for_each(|t| system.fire_in_place(*t, &mut state)).ok()?;
    let (mut steps, mut seen) = (Vec::new(), vec![state.clone()]);
    loop {
        let enabled: Vec<TransitionId> = system.enabled(&state).collect::<Result<_, _>>().ok()?;
        if enabled.is_empty() {
            return Some(Trace::finite([&run.stem[..], &steps].concat()));
        }
        let taken = enabled[rng.below(enabled.len())];
        system.fire_in_place(taken, &mut state).ok()?;
        steps.push(taken);
        if let Some(back) = seen.iter().position(|s| *s == state) {
            let cycle = steps.split_off(back);
            return Some(Trace { stem: [&run.stem[..], &steps].concat(), cycle });
        }
        seen.push(state.clone());
    }
}

#[test]
fn replay_and_the_oracle_agree_on_whole_runs() {
    let mut profiles = Profile::all();
    profiles.push(("control".to_owned(), Profile::control()));
    let (mut rng, mut accepted, mut refused) = (Rng::new(5), 0, HashMap::new());
    for (name, profile) in profiles {
        for seed in 100..124 {
            let system = sample(seed, &profile).system;
            let naive = Naive::new(&system);
            let Some(graph) = explore(&naive, LIMIT) else { continue };
            for (kind, claims) in RunProfile::all() {
                let claim = temporal(&mut rng, &system, &claims);
                let Some(right) = refutation(&naive, &graph, &claim) else { continue };
                let unfair = !claim.fairness.is_empty();
                let property = Property::Temporal(claim);
                let mutants = (0..6).map(|_| spoiled(&mut rng, &right, system.transitions().len()));
                for run in [right.clone()].into_iter().chain(mutants.collect::<Vec<_>>()) {
                    let (found, expected) = (replay(&system, &property, &run), witness(&naive, &property, &run));
                    let same = match (found.as_ref().map(|c| c.finding()), expected) {
                        (Ok(Finding::FormulaFalse | Finding::Accepted | Finding::Ended), Some(Shown::Broken)) => true,
                        (Ok(Finding::Fault(f)), Some(Shown::Fault(g))) => f == g,
                        // The claim has seen enough of a run that goes on: however it does, the oracle says so.
                        (Ok(Finding::Ended), None) if unfair => true,
                        (Ok(Finding::Ended), None) => (0..8).all(|_| {
                            let whole = continued(&mut rng, &system, &run);
                            whole.is_none_or(|whole| witness(&naive, &property, &whole).is_some())
                        }),
                        (Err(_), None) => true,
                        _ => false,
                    };
                    let place = format!("profile {name}, seed {seed}, {kind}: {run:?}, {property:?}");
                    assert!(same, "{place}: {:?} {expected:?}\n{}", found.err(), describe(&system));
                    match found {
                        Ok(_) => accepted += 1,
                        Err(e) => *refused.entry(reason(&e)).or_insert(0) += 1,
                    }
                }
            }
        }
    }
    assert!(accepted > 1_000, "only {accepted} accepted");
    assert!(refused.len() >= 5, "hardly any way to be wrong was met: {refused:?}");
}

/// Why a run is refused, without numbers and names.
fn reason(error: &ReplayError) -> String {
    error.to_string().split('`').next().unwrap_or_default().chars().filter(|c| !c.is_numeric()).collect()
}
