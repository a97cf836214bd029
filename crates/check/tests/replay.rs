//! Replay accepts exactly the runs that the naive oracle calls witnesses: right ones, and thousands of spoiled ones.

use check::{Finding, ReplayError, replay};
use evidence::Trace;
use model::{Property, System, TransitionId};
use testkit::naive::{Graph, Naive, Semantics, Shown, State, explore, witness};
use testkit::packed::unpack;
use testkit::random::{Profile, sample};
use testkit::{Rng, describe};

const LIMIT: usize = 300;
const SEEDS: u64 = 60;

fn shown(finding: Finding) -> Shown {
    match finding {
        Finding::Deadlock => Shown::Deadlock,
        Finding::InvariantBroken => Shown::InvariantBroken,
        Finding::Reached => Shown::Reached,
        Finding::ErrorLocation(l) => Shown::ErrorLocation(l),
        Finding::PartialDeadlock => Shown::PartialDeadlock,
        Finding::Divergence => Shown::Divergence,
        Finding::FormulaFalse | Finding::Accepted | Finding::Ended => panic!("no property of whole runs was asked"),
        Finding::Fault(f) => Shown::Fault(f),
    }
}

/// The states that a run goes through, and the number of its first step that cannot be taken.
fn states(naive: &Naive<'_>, run: &[TransitionId]) -> (Vec<State>, Option<usize>) {
    let mut states = vec![naive.initial()];
    for (i, transition) in run.iter().enumerate() {
        let step = naive.steps(&states[i]).into_iter().find(|(t, _)| t == transition);
        match step {
            Some((_, Ok(next))) => states.push(next),
            Some((_, Err(_))) if i + 1 == run.len() => {}
            _ => return (states, Some(i)),
        }
    }
    (states, None)
}

/// Replays a run; whether it was accepted, or how replay and the oracle differ.
fn judge(system: &System, property: &Property, run: &[TransitionId]) -> Result<bool, String> {
    let naive = Naive::of(system, property);
    let expected = witness(&naive, property, &Trace::finite(run.to_vec()));
    let (passed, stop) = states(&naive, run);
    match replay(system, property, &Trace::finite(run.to_vec())) {
        Ok(checked) => {
            let same_states = checked.states().map(|s| unpack(checked.system(), &s)).eq(passed);
            let same = Some(shown(checked.finding())) == expected && same_states;
            if same { Ok(true) } else { Err(format!("{:?} instead of {expected:?}", checked.finding())) }
        }
        Err(ReplayError::NotEnabled { step, .. }) if stop == Some(step) => Ok(false),
        Err(ReplayError::ShowsNothing(_)) if expected.is_none() && stop.is_none() => Ok(false),
        Err(error) => Err(format!("{error:?} instead of {expected:?}")),
    }
}

/// Runs to every state, and into every fault.
fn runs(graph: &Graph<State>) -> Vec<Vec<TransitionId>> {
    let mut runs: Vec<Vec<TransitionId>> = (0..graph.states.len()).map(|s| graph.path(s)).collect();
    for (s, edges) in graph.edges.iter().enumerate() {
        let faults = edges.iter().filter(|(_, to)| to.is_err());
        runs.extend(faults.map(|(t, _)| [graph.path(s), vec![*t]].concat()));
    }
    runs
}

/// The run with one mistake.
fn spoiled(rng: &mut Rng, mut run: Vec<TransitionId>, transitions: usize) -> Vec<TransitionId> {
    let any = TransitionId::new(rng.below(transitions + 2));
    if run.is_empty() {
        return vec![any];
    }
    let (i, j) = (rng.below(run.len()), rng.below(run.len()));
    match rng.below(6) {
        0 => run.swap(i, j),
        1 => drop(run.remove(i)),
        2 => run.insert(i, any),
        3 => run[i] = any,
        4 => run.push(any),
        _ => run.insert(i, run[i]),
    }
    run
}

/// Calls `f` on every question about a small random system, with its graph and a place for messages.
fn on_questions(mut f: impl FnMut(&System, &Property, &Graph<State>, &str)) {
    for (name, profile) in Profile::all() {
        for seed in 0..SEEDS {
            let sample = sample(seed, &profile);
            for property in sample.properties.iter().chain([&Property::PartialDeadlockFree]) {
                if let Some(graph) = explore(&Naive::of(&sample.system, property), LIMIT) {
                    f(
                        &sample.system,
                        property,
                        &graph,
                        &format!("profile {name}, seed {seed}, {}", property.keyword()),
                    );
                }
            }
        }
    }
}

#[test]
fn replay_and_the_oracle_agree_on_runs_of_the_system() {
    let (mut accepted, mut rejected) = (0, 0);
    on_questions(|system, property, graph, place| {
        for run in runs(graph).iter().take(40) {
            let verdict = judge(system, property, run);
            match verdict.unwrap_or_else(|e| panic!("{place}: {run:?}: {e}\n{}", describe(system))) {
                true => accepted += 1,
                false => rejected += 1,
            }
        }
    });
    assert!(accepted > 5_000 && rejected > 5_000, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn spoiled_runs_are_accepted_only_if_they_are_witnesses_themselves() {
    let mut rng = Rng::new(7);
    let (mut accepted, mut rejected) = (0, 0);
    on_questions(|system, property, graph, place| {
        for run in runs(graph).iter().rev().take(10) {
            let spoiled = spoiled(&mut rng, run.clone(), system.transitions().len());
            let verdict = judge(system, property, &spoiled);
            match verdict.unwrap_or_else(|e| panic!("{place}: {spoiled:?}: {e}\n{}", describe(system))) {
                true => accepted += 1,
                false => rejected += 1,
            }
        }
    });
    assert!(accepted > 500 && rejected > 5_000, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn a_run_that_goes_on_after_a_fault_is_rejected() {
    let mut tried = 0;
    on_questions(|system, property, graph, place| {
        for run in runs(graph).into_iter().skip(graph.states.len()) {
            let longer = [&run[..], &run[..1]].concat();
            let result = replay(system, property, &Trace::finite(longer));
            let expected = ReplayError::NotEnabled { step: run.len() - 1, transition: run[run.len() - 1] };
            assert_eq!(result.err(), Some(expected), "{place}");
            tried += 1;
        }
    });
    assert!(tried > 1_000, "only {tried} faults");
}

#[test]
fn infinite_runs_are_not_replayed() {
    let sample = sample(0, &Profile::default());
    let trace = Trace { stem: Vec::new(), cycle: vec![TransitionId(0)] };
    let result = replay(&sample.system, &Property::DeadlockFree, &trace);
    assert!(matches!(result.err(), Some(ReplayError::ShowsNothing(why)) if why.contains("infinite")));
}
