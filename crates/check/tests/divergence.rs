//! Runs that go round silent cycles for ever: replay accepts exactly those that the oracle calls witnesses.

use std::collections::HashSet;

use check::{Finding, ReplayError, replay};
use evidence::Trace;
use model::{Builder, Edge, Property, System, TransitionId};
use testkit::naive::{Naive, Shown, explore, round, witness};
use testkit::random::{Profile, SILENT, silenced};
use testkit::{Rng, describe};

const LIMIT: usize = 150;

fn asked() -> Property {
    Property::DivergenceFree(SILENT.into())
}

/// A visible step from `off` to `on`, then two silent steps round `on` and `more`; a visible one leads round as well.
fn beacon() -> System {
    let mut b = Builder::new("beacon");
    let p = b.process("P");
    let (off, on, more) = (b.location(p, "off"), b.location(p, "on"), b.location(p, "more"));
    b.edge(Edge::new(p, off, on).label("switch"));
    b.edge(Edge::new(p, on, more).label(SILENT));
    b.edge(Edge::new(p, more, on).label(SILENT));
    b.edge(Edge::new(p, more, on).label("flash"));
    b.build().expect("a model")
}

fn trace(stem: &[u32], cycle: &[u32]) -> Trace {
    let ids = |numbers: &[u32]| numbers.iter().map(|t| TransitionId(*t)).collect();
    Trace { stem: ids(stem), cycle: ids(cycle) }
}

#[test]
fn a_silent_cycle_is_gone_round() {
    let system = beacon();
    let checked = replay(&system, &asked(), &trace(&[0], &[1, 2])).expect("it diverges");
    assert_eq!((checked.finding(), checked.fired()), (Finding::Divergence, 3));
    let states: Vec<Vec<u64>> = checked.states().collect();
    assert_eq!(states.len(), 4);
    assert!(states[1] == states[3] && states[1] == checked.last() && states[1] != states[2]);
    assert!(replay(&system, &asked(), &trace(&[0, 1], &[2, 1])).is_ok(), "it may begin anywhere");
}

/// Why a run is refused.
fn told(replayed: Result<check::CheckedTrace<'_>, ReplayError>) -> String {
    replayed.expect_err("it is refused").to_string()
}

#[test]
fn what_is_no_silent_cycle_is_refused() {
    let system = beacon();
    let refused = |stem: &[u32], cycle: &[u32]| told(replay(&system, &asked(), &trace(stem, cycle)));
    let at = |step, t| (step, TransitionId(t));
    let not_enabled = |(step, transition)| ReplayError::NotEnabled { step, transition }.to_string();
    assert_eq!(refused(&[0], &[]), "the run does not show what it should");
    assert_eq!(refused(&[0], &[1]), "the steps that should repeat do not lead back to where they began");
    assert_eq!(refused(&[], &[0]), "step 1, t0, should be silent, and is not");
    assert_eq!(refused(&[0], &[1, 3]), "step 3, t3, should be silent, and is not");
    assert_eq!(refused(&[], &[1, 2]), not_enabled(at(0, 1)));
    assert_eq!(refused(&[0], &[1, 1]), not_enabled(at(2, 1)));
    assert_eq!(refused(&[0], &[1, 9]), not_enabled(at(2, 9)));
    assert_eq!(
        told(replay(&system, &Property::DeadlockFree, &trace(&[0], &[1, 2]))),
        "an infinite run shows nothing about such a property",
        "no other property is about such runs"
    );
}

/// The run with one mistake.
fn spoiled(rng: &mut Rng, run: &Trace, transitions: usize) -> Trace {
    let mut run = run.clone();
    let any = TransitionId::new(rng.below(transitions + 1));
    let part = if rng.chance(70) { &mut run.cycle } else { &mut run.stem };
    match (rng.below(5), part.len()) {
        (0, 1..) => drop(part.pop()),
        (1, n @ 1..) => part[rng.below(n)] = any,
        (2, n) => part.insert(rng.below(n + 1), any),
        (3, n @ 2..) => part.swap(rng.below(n), rng.below(n)),
        _ => {
            let first = run.cycle.first().copied();
            run.stem.extend(first);
        }
    }
    run
}

#[test]
fn replay_and_the_oracle_agree_on_runs_and_on_spoiled_ones() {
    let mut rng = Rng::new(3);
    let (mut accepted, mut refused) = (0, HashSet::new());
    for (name, profile) in Profile::all() {
        for seed in 0..60 {
            let (system, property) = (silenced(seed, &profile), asked());
            let naive = Naive::new(&system);
            let Some(graph) = explore(&naive, LIMIT) else { continue };
            let traces = (0..graph.states.len())
                .filter_map(|s| Some(Trace { stem: graph.path(s), cycle: round(&naive, &graph, SILENT, s)? }));
            for right in traces.take(8) {
                assert_eq!(witness(&naive, &property, &right), Some(Shown::Divergence));
                let mutants = (0..6).map(|_| spoiled(&mut rng, &right, system.transitions().len()));
                for run in [right.clone()].into_iter().chain(mutants.collect::<Vec<_>>()) {
                    let expected = witness(&naive, &property, &run);
                    let found = replay(&system, &property, &run);
                    let same = match (&found, expected) {
                        (Ok(checked), Some(Shown::Divergence)) => checked.finding() == Finding::Divergence,
                        (Ok(checked), Some(Shown::Fault(f))) => checked.finding() == Finding::Fault(f),
                        (Err(_), None) => true,
                        _ => false,
                    };
                    let place = format!("profile {name}, seed {seed}");
                    assert!(same, "{place}: {run:?}: {:?} {expected:?}\n{}", found.err(), describe(&system));
                    match found {
                        Ok(_) => accepted += 1,
                        Err(e) => drop(refused.insert(kind(&e))),
                    }
                }
            }
        }
    }
    assert!(accepted > 1_000, "only {accepted} accepted");
    assert_eq!(refused.len(), 4, "every way to be wrong was met: {refused:?}");
}

/// Why a run is refused, without numbers and names.
fn kind(error: &ReplayError) -> String {
    error.to_string().split('`').next().unwrap_or_default().chars().filter(|c| !c.is_numeric()).collect()
}
