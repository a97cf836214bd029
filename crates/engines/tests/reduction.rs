//! Reduced searches meet the naive oracle: for every sound combination of switches, on all tiny systems and on random
//! ones, verdicts, deadlocks and the transitions that can be fired (and so the local states that can be reached) are those
//! of the full state space, and every run is replayed.

use std::collections::HashSet;

use check::replay;
use engines::explore::{Explore, Keep, Order, Persistent, Proviso, Wish};
use engines::persistent::{Algorithm, Interference};
use engines::{Engine, Problem};
use evidence::{Budget, Firing, Outcome, Silent, Trace};
use model::{Binary, Builder, Class, Command, Expr, Joining, Kind, ObjectId, Property, System, Transition, Value};
use testkit::compare::{Demand, Oracle};
use testkit::naive::{self, Naive};
use testkit::random::{Profile, chains, held, questions, sample};
use testkit::{describe, tiny};

const LIMIT: usize = 1500;
/// The most states for searches with a cache.
const CACHED: usize = 60;
const SEEDS: u64 = 12;
const PROGRAMS: u64 = 500;

fn persistent() -> Vec<Option<Persistent>> {
    let mut all = vec![None];
    for algorithm in [Algorithm::Conflict, Algorithm::Overman, Algorithm::Stubborn, Algorithm::Weak] {
        for interference in [Interference::CanBeDependent, Interference::DoNotAccord, Interference::First] {
            all.push(Some(Persistent { algorithm, interference }));
        }
    }
    all
}

/// Every combination of switches that reduces anything, or keeps few states.
fn engines() -> Vec<Explore> {
    let mut all = Vec::new();
    for persistent in persistent() {
        for sleep in [false, true] {
            for proviso in [Proviso::None, Proviso::Stack, Proviso::Queue, Proviso::Component, Proviso::Goal] {
                for (order, cache) in [(Order::Depth, None), (Order::Breadth, None), (Order::Depth, Some(7))] {
                    let reduce = Wish { persistent, sleep, proviso };
                    for merge in [false, true] {
                        // With every third combination; deadlocks that differ in what is forgotten are not told apart.
                        let live = all.len() % 3 == 0;
                        let threads = 1 + all.len() % 4;
                        let plain = order == Order::Breadth && all.len() % 5 == 0;
                        let keep = if plain { Keep::Plain } else { Keep::Tree };
                        let (finish, all_deadlocks, narrow) = (u64::MAX, !live, 1);
                        let switches =
                            Explore { order, finish, reduce, all: all_deadlocks, cache, ..Explore::default() };
                        all.push(Explore { merge, live, keep, threads, narrow, ..switches });
                    }
                }
            }
        }
    }
    all.retain(|e| !e.reduce.is_none() || e.cache.is_some() || e.merge || e.live);
    all
}

/// The truth about one question.
struct Truth<'a> {
    system: &'a System,
    property: &'a Property,
    oracle: Oracle<'a>,
    /// By transition, whether some run takes it.
    fired: Vec<Firing>,
}

impl<'a> Truth<'a> {
    /// Nothing if the state space is too large.
    fn new(system: &'a System, property: &'a Property) -> Option<Self> {
        let oracle = Oracle::new(system, property, LIMIT)?;
        let graph = naive::explore(&Naive::of(system, property), LIMIT)?;
        let mut fired = vec![Firing::Never; system.transitions().len()];
        for (t, to) in graph.edges.iter().flatten() {
            let firing = if to.is_ok() { Firing::Taken } else { Firing::OnlyErrors };
            fired[t.index()] = fired[t.index()].max(firing);
        }
        Some(Self { system, property, oracle, fired })
    }

    fn check(&self, engine: &Explore, outcome: &Outcome) -> Result<(), String> {
        // Who takes several steps at once does not count them.
        let steps = !engine.merge && !self.system.has_holds();
        // With a proviso, what is reached at all need not be reached in the shortest way; deadlocks are.
        let kept =
            engine.reduce.persistent.is_none() || (self.property.class() == Class::Deadlock && self.system.is_lawful());
        let shortest = engine.order == Order::Breadth && engine.reduce.proviso != Proviso::Goal && steps && kept;
        let demand = Demand { shortest, complete: false };
        self.oracle.check(outcome, demand)?;
        let known = engine.reduce.persistent.is_none()
            || matches!(engine.reduce.proviso, Proviso::Stack | Proviso::Queue | Proviso::Component);
        if known != outcome.fired.is_some() && engine.reduce.proviso != Proviso::None {
            return Err("what can be fired should be known with a proviso, and only then".to_owned());
        }
        if outcome.fired.as_ref().is_some_and(|fired| *fired != self.fired) {
            return Err(format!("fired are {:?} instead of {:?}", outcome.fired, self.fired));
        }
        let replayed = outcome.verdict.trace().map(|t| replay(self.system, self.property, t));
        replayed.transpose().map_err(|e| e.to_string())?;
        // With a goal in sight only, deadlocks that come after it may be left out.
        if engine.reduce.proviso != Proviso::Goal && engine.all { self.check_deadlocks(outcome) } else { Ok(()) }
    }

    /// There are as many deadlocks as there are, and each has a run of its own.
    fn check_deadlocks(&self, outcome: &Outcome) -> Result<(), String> {
        let (expected, found) =
            (self.oracle.answer().deadlocks as u64, outcome.statistics.deadlocks.unwrap_or_default());
        if found != expected {
            return Err(format!("{found} deadlocks instead of {expected}"));
        }
        if self.property.class() != Class::Deadlock {
            return Ok(());
        }
        let end = |run: &Trace| replay(self.system, self.property, run).map(|c| c.last().to_vec());
        let ends: Result<HashSet<Vec<u64>>, _> = outcome.deadlocks.iter().map(end).collect();
        let ends = ends.map_err(|e| format!("a run to a deadlock: {e}"))?;
        match ends.len() as u64 == expected && outcome.deadlocks.len() as u64 == expected {
            true => Ok(()),
            false => Err(format!("{} runs to {} deadlocks instead of {expected}", outcome.deadlocks.len(), ends.len())),
        }
    }
}

/// What became of the questions.
#[derive(Default)]
struct Tally {
    asked: u64,
    declined: u64,
    /// States left out, over all questions.
    saved: u64,
}

/// Asks engines one question; nothing if the state space is too large for the oracle.
fn ask<'e>(
    system: &System,
    property: &Property,
    engines: impl Iterator<Item = &'e Explore>,
    tally: &mut Tally,
) -> Result<(), String> {
    let Some(truth) = Truth::new(system, property) else { return Ok(()) };
    let answer = truth.oracle.answer();
    if system.is_lawful() && property.class() == Class::Deadlock && answer.fault.is_some() {
        return Err(format!("a lawful system has a fault\n{}", describe(system)));
    }
    for engine in engines {
        let problem = Problem { system, property };
        if engine.supports(&problem).is_err() {
            tally.declined += 1;
            continue;
        }
        // States are explored again and again if the cache is much too small.
        if engine.cache.is_some() && answer.states > CACHED {
            continue;
        }
        tally.asked += 1;
        let outcome = engine.run(&problem, &Budget::unlimited(), &Silent);
        tally.saved += (answer.states as u64).saturating_sub(outcome.statistics.states.unwrap_or_default());
        let hasty = Explore { finish: 0, all: false, ..*engine }.run(&problem, &Budget::unlimited(), &Silent);
        truth
            .check(engine, &outcome)
            .and_then(|()| truth.oracle.check(&hasty, Demand::default()))
            .map_err(|e| format!("{engine:?}: {e}\n{property:?}\n{}", describe(system)))?;
    }
    Ok(())
}

/// Asks all questions of the engines that can answer them together.
fn ask_together(system: &System, properties: &[Property], engine: &Explore) -> Result<(), String> {
    if engine.cache.is_some() {
        return Ok(());
    }
    let properties: Vec<&Property> =
        properties.iter().filter(|property| engine.supports(&Problem { system, property }).is_ok()).collect();
    // The state space may be too large for the oracle, and for any search.
    let truths: Option<Vec<Truth<'_>>> = properties.iter().map(|property| Truth::new(system, property)).collect();
    let Some(truths) = truths else { return Ok(()) };
    let outcomes = engine.run_all(system, &properties, &Budget::unlimited(), &Silent);
    for (truth, outcome) in truths.iter().zip(&outcomes) {
        truth.check(engine, outcome).map_err(|e| {
            let property = truth.property;
            format!("together, {engine:?}: {e}\n{property:?} among {properties:?}\n{}", describe(system))
        })?;
    }
    Ok(())
}

/// Every `step`-th engine, from another one for each number.
fn some(engines: &[Explore], number: u64, step: usize) -> impl Iterator<Item = &Explore> {
    engines.iter().skip(number as usize % step).step_by(step)
}

#[test]
fn reduced_searches_agree_with_the_oracle_on_all_tiny_systems() {
    let (engines, mut tally) = (engines(), Tally::default());
    // To start threads takes longer than to search what is tiny.
    let alone: Vec<Explore> = engines.iter().map(|engine| Explore { threads: 1, ..*engine }).collect();
    for (i, system) in tiny::all(tiny::EDGES).enumerate().step_by(3) {
        let engines = if (i / 3).is_multiple_of(32) { &engines } else { &alone };
        for (k, property) in tiny::properties(&system).iter().enumerate() {
            let step = if property.class() == Class::Deadlock { 8 } else { 22 };
            ask(&system, property, some(engines, (i / 3 + k) as u64, step), &mut tally)
                .unwrap_or_else(|e| panic!("tiny system {i}: {e}"));
        }
    }
    assert!(tally.saved > 0 && tally.asked > 500_000, "{} asked, {} declined", tally.asked, tally.declined);
}

fn random(seeds: std::ops::Range<u64>, step: usize) {
    let engines = engines();
    let control = [("control", Profile::control()), ("meeting", Profile::meeting())];
    let profiles = Profile::all().into_iter().chain(control.map(|(name, p)| (name.to_owned(), p)));
    for (name, profile) in profiles {
        let mut tally = Tally::default();
        for seed in seeds.clone() {
            let sample = sample(seed, &profile);
            for (property, k) in sample.properties.iter().zip(0..) {
                ask(&sample.system, property, some(&engines, seed + k, step), &mut tally)
                    .unwrap_or_else(|e| panic!("profile {name}, seed {seed}: {e}"));
            }
            some(&engines, seed, 10 * step)
                .try_for_each(|engine| ask_together(&sample.system, &sample.properties, engine))
                .unwrap_or_else(|e| panic!("profile {name}, seed {seed}: {e}"));
        }
        assert!(tally.asked > 0, "profile {name}: nothing was asked");
    }
}

#[test]
fn reduced_searches_agree_with_the_oracle_on_random_systems() {
    random(0..SEEDS, 10);
}

fn programs(program: fn(u64) -> System, seeds: std::ops::Range<u64>, step: usize) -> Tally {
    let (engines, mut tally) = (engines(), Tally::default());
    for seed in seeds {
        let system = program(seed);
        let properties = questions(&system, seed);
        for (property, k) in properties.iter().zip(0..) {
            ask(&system, property, some(&engines, seed + k, step), &mut tally)
                .unwrap_or_else(|e| panic!("program {seed}: {e}"));
        }
        some(&engines, seed, 10 * step)
            .try_for_each(|engine| ask_together(&system, &properties, engine))
            .unwrap_or_else(|e| panic!("program {seed}: {e}"));
    }
    tally
}

#[test]
fn reduced_searches_agree_with_the_oracle_on_random_programs() {
    let tally = programs(chains, 0..PROGRAMS, 12);
    assert!(tally.saved > 50 * PROGRAMS, "only {} states were saved", tally.saved);
}

/// Programs in which processes go on alone: to everybody else that is one step.
#[test]
fn reduced_searches_agree_with_the_oracle_where_processes_go_on_alone() {
    let tally = programs(held, 0..PROGRAMS, 12);
    assert!(tally.saved > 50 * PROGRAMS, "only {} states were saved", tally.saved);
}

/// A guard whose second conjunct is always a fault, hidden by the first one, before an operation that is not defined. What
/// makes the operation defined is no way to the fault.
#[test]
fn a_hidden_fault_is_found() {
    let mut b = Builder::new("hidden");
    let counter =
        |b: &mut Builder, name: &str, value| b.object_with(name, Kind::Counter { max: 2 }, Value::Int(value), None);
    let (x, y) = (counter(&mut b, "x", 1), counter(&mut b, "y", 0));
    let zero = |o: ObjectId| Expr::read(o).op(Binary::Eq, 0);
    let fault = Expr::from(1).op(Binary::Div, 0);
    let mut step = |name: &str, guard: Vec<Expr>, command: Vec<Command>| {
        let (moves, joining, last_resort, yields, spans) = (Vec::new(), Joining::Plain, false, false, Vec::new());
        let (name, label) = (name.into(), name.into());
        b.transition(Transition { name, label, moves, guard, command, joining, last_resort, yields, spans });
    };
    step("stay", vec![], vec![]);
    step("take", vec![], vec![Command::Take(x.into(), 1)]);
    step("give", vec![zero(y)], vec![Command::Gain(y.into(), 1)]);
    step("fail", vec![zero(x).op(Binary::And, zero(y)), fault], vec![Command::Take(y.into(), 2)]);
    let system = b.build().expect("a model");
    let mut tally = Tally::default();
    for property in [Property::DeadlockFree, Property::Invariant(Expr::TRUE)] {
        ask(&system, &property, engines().iter(), &mut tally).unwrap_or_else(|e| panic!("{e}"));
    }
    assert!(tally.asked > 50, "{} asked", tally.asked);
}

#[test]
#[ignore = "a campaign of many minutes: see CONTRIBUTING.md"]
fn campaign() {
    programs(chains, 1_000_000..1_010_000, 4);
    programs(held, 1_000_000..1_010_000, 4);
    random(1_000_000..1_000_700, 4);
}
