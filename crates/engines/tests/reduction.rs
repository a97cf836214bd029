//! Reduced searches meet the naive oracle: for every sound combination of switches, on all tiny systems and on random
//! ones, the verdict and the number of deadlocks are those of the full state space, and every run is replayed. Since
//! every state visited is reachable, the same number means the same deadlocks.

use check::replay;
use engines::explore::{Explore, Order, Persistent, Proviso, Wish};
use engines::persistent::{Algorithm, Interference};
use engines::{Engine, Problem};
use evidence::{Budget, Silent};
use model::{Property, System};
use testkit::compare::{Demand, Oracle};
use testkit::random::{Profile, chains, sample};
use testkit::{describe, tiny};

const LIMIT: usize = 1500;
const SEEDS: u64 = 12;
const PROGRAMS: u64 = 500;

fn persistent() -> Vec<Option<Persistent>> {
    let mut all = vec![None];
    for algorithm in [Algorithm::Conflict, Algorithm::Overman, Algorithm::Stubborn] {
        for interference in [Interference::CanBeDependent, Interference::DoNotAccord, Interference::First] {
            all.push(Some(Persistent { algorithm, interference }));
        }
    }
    all
}

/// Every combination of switches that reduces anything.
fn engines() -> Vec<Explore> {
    let mut all = Vec::new();
    for persistent in persistent() {
        for sleep in [false, true] {
            for proviso in [Proviso::None, Proviso::Stack] {
                for order in [Order::Depth, Order::Breadth] {
                    let reduce = Wish { persistent, sleep, proviso };
                    all.push(Explore { order, finish: u64::MAX, reduce, ..Explore::default() });
                }
            }
        }
    }
    all.retain(|e| !e.reduce.is_none());
    all
}

/// What became of the questions.
#[derive(Default)]
struct Tally {
    asked: u64,
    declined: u64,
    /// States left out, over all questions.
    saved: u64,
}

/// Asks all engines about deadlocks; nothing if the state space is too large for the oracle.
fn ask(system: &System, engines: &[Explore], tally: &mut Tally) -> Result<(), String> {
    let property = Property::DeadlockFree;
    let Some(oracle) = Oracle::new(system, &property, LIMIT) else { return Ok(()) };
    let answer = oracle.answer();
    if system.is_lawful() && answer.fault.is_some() {
        return Err(format!("a lawful system has a fault\n{}", describe(system)));
    }
    for engine in engines {
        let problem = Problem { system, property: &property };
        if engine.supports(&problem).is_err() {
            tally.declined += 1;
            continue;
        }
        tally.asked += 1;
        let outcome = engine.run(&problem, &Budget::unlimited(), &Silent);
        let demand = Demand { shortest: engine.order == Order::Breadth, complete: false };
        let states = outcome.statistics.states.unwrap_or_default();
        tally.saved += (answer.states as u64).saturating_sub(states);
        let deadlocks = outcome.statistics.deadlocks.unwrap_or_default();
        let agreement = oracle.check(&outcome, demand).and_then(|()| {
            if deadlocks != answer.deadlocks as u64 {
                return Err(format!("{deadlocks} deadlocks instead of {}", answer.deadlocks));
            }
            let replayed = outcome.verdict.trace().map(|t| replay(system, &property, t));
            replayed.map_or(Ok(()), |r| r.map(|_| ()).map_err(|e| e.to_string()))
        });
        agreement.map_err(|e| format!("{engine:?}: {e}\n{}", describe(system)))?;
    }
    Ok(())
}

#[test]
fn finds_exactly_the_deadlocks_of_all_tiny_systems() {
    let (engines, mut tally) = (engines(), Tally::default());
    for (i, system) in tiny::all(tiny::EDGES).enumerate().step_by(3) {
        ask(&system, &engines, &mut tally).unwrap_or_else(|e| panic!("tiny system {i}: {e}"));
    }
    assert!(tally.saved > 0 && tally.asked > tally.declined, "{} asked, {} declined", tally.asked, tally.declined);
}

fn random(seeds: std::ops::Range<u64>) {
    let engines = engines();
    for (name, profile) in Profile::all() {
        let mut tally = Tally::default();
        for seed in seeds.clone() {
            let sample = sample(seed, &profile);
            ask(&sample.system, &engines, &mut tally).unwrap_or_else(|e| panic!("profile {name}, seed {seed}: {e}"));
        }
        assert!(tally.asked > 0, "profile {name}: nothing was asked");
    }
}

#[test]
fn finds_exactly_the_deadlocks_of_random_systems() {
    random(0..SEEDS);
}

fn programs(seeds: std::ops::Range<u64>) -> Tally {
    let (engines, mut tally) = (engines(), Tally::default());
    for seed in seeds {
        ask(&chains(seed), &engines, &mut tally).unwrap_or_else(|e| panic!("program {seed}: {e}"));
    }
    tally
}

#[test]
fn finds_exactly_the_deadlocks_of_random_programs() {
    let tally = programs(0..PROGRAMS);
    assert!(tally.saved > 100 * PROGRAMS, "only {} states were saved", tally.saved);
}

#[test]
#[ignore = "a campaign of many minutes: see CONTRIBUTING.md"]
fn campaign() {
    programs(1_000_000..1_010_000);
    random(1_000_000..1_000_700);
}
