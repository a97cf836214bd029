//! Workers that share nothing meet the naive oracle: on tiny and on random systems, by ones, twos and threes, whether they
//! stop at a violation or go on. Every run that they give is replayed; they count what one thread counts.
#![cfg(feature = "cluster")]

use std::time::Duration;

use check::replay;
use engines::explore::{Explore, Team};
use engines::{Engine, Problem};
use evidence::{Budget, Outcome, Reason, Silent, Verdict};
use model::{Class, Property, System};
use testkit::compare::{Demand, Oracle};
use testkit::random::{Profile, sample};
use testkit::{describe, tiny};

const LIMIT: usize = 600;
const SEEDS: u64 = 25;

fn workers(workers: usize, finish: u64) -> Explore {
    Explore { finish, team: Some(Team { workers, process: 0, hosts: &[] }), ..Explore::default() }
}

fn run(engine: &Explore, system: &System, property: &Property) -> Outcome {
    engine.run(&Problem { system, property }, &Budget::unlimited(), &Silent)
}

/// Asks so many workers; whether the state space is small enough for the oracle.
fn ask(system: &System, property: &Property, turn: usize) -> Result<bool, String> {
    if property.class() == Class::Liveness {
        return Ok(false);
    }
    let Some(oracle) = Oracle::new(system, property, LIMIT) else { return Ok(false) };
    let (count, finish) = (1 + turn % 3, if turn.is_multiple_of(2) { u64::MAX } else { 0 });
    let outcome = run(&workers(count, finish), system, property);
    let demand = Demand { shortest: !system.has_holds(), complete: finish == u64::MAX };
    let replayed = |trace| replay(system, property, trace).map_err(|e| format!("the run is none: {e:?}"));
    let agreement = oracle.check(&outcome, demand).and_then(|()| match outcome.verdict.trace() {
        Some(trace) => replayed(trace).map(drop),
        None => Ok(()),
    });
    agreement.map_err(|e| format!("{count} workers: {e}\n{property:?}\n{}", describe(system)))?;
    Ok(true)
}

#[test]
fn agree_with_the_oracle_on_tiny_systems() {
    for (i, system) in tiny::all(tiny::EDGES).enumerate().step_by(37) {
        for (k, property) in tiny::properties(&system).into_iter().enumerate() {
            ask(&system, &property, i / 37 + k).unwrap_or_else(|e| panic!("tiny system {i}: {e}"));
        }
    }
}

#[test]
fn agree_with_the_oracle_on_random_systems() {
    let control = [("control", Profile::control()), ("meeting", Profile::meeting())];
    let profiles = Profile::all().into_iter().chain(control.map(|(name, p)| (name.to_owned(), p)));
    for (name, profile) in profiles {
        let mut asked = 0;
        for seed in 0..SEEDS {
            let sample = sample(seed, &profile);
            for (k, property) in sample.properties.iter().enumerate() {
                let small = ask(&sample.system, property, seed as usize + k);
                asked += u64::from(small.unwrap_or_else(|e| panic!("profile {name}, seed {seed}: {e}")));
            }
        }
        assert!(asked > SEEDS, "profile {name}: only {asked} questions were small enough");
    }
}

/// Counters that go round, all independent: 8^n states on levels that are wide.
fn counters(n: usize) -> System {
    let mut b = model::Builder::new("counters");
    for i in 0..n {
        let p = b.process(format!("P{i}"));
        let places: Vec<_> = (0..8).map(|k| b.location(p, format!("at{k}"))).collect();
        for (k, place) in places.iter().enumerate() {
            b.edge(model::Edge::new(p, *place, places[(k + 1) % 8]));
        }
    }
    b.build().expect("the model is well formed")
}

#[test]
fn count_the_same_however_many_there_are() {
    let system = counters(5);
    for n in 1..=3 {
        let outcome = run(&workers(n, u64::MAX), &system, &Property::DeadlockFree);
        assert!(matches!(outcome.verdict, Verdict::Holds(_)), "{:?}", outcome.verdict);
        let figures = &outcome.statistics;
        let counted = [figures.states, figures.transitions, figures.depth];
        assert_eq!(counted, [1 << 15, 5 << 15, 35].map(Some), "{n} workers");
    }
}

#[test]
fn who_is_out_of_budget_knows_nothing() {
    let system = counters(9);
    let problem = Problem { system: &system, property: &Property::DeadlockFree };
    let short = Budget::unlimited().with_timeout(Duration::from_millis(50));
    let outcome = workers(2, u64::MAX).run(&problem, &short, &Silent);
    assert!(matches!(outcome.verdict, Verdict::Unknown(Reason::Timeout)), "{:?}", outcome.verdict);
    let small = Budget::unlimited().with_memory(1 << 20);
    let outcome = workers(2, u64::MAX).run(&problem, &small, &Silent);
    assert!(matches!(outcome.verdict, Verdict::Unknown(Reason::Memory)), "{:?}", outcome.verdict);
}
