//! Explicit search meets the naive oracle: on all tiny systems and on random ones, for every kind of property, in both
//! orders, on one thread or several, with every exact store, whether it stops at a violation or goes on. Every run that
//! it gives is replayed. A store that may confuse states answers right, or not at all.

use check::{Finding, replay};
use engines::explore::{Explore, Keep, Order};
use engines::{Engine, Problem};
use evidence::{Budget, Reason, Silent, Verdict};
use model::{Property, System};
use testkit::compare::{Demand, Oracle};
use testkit::naive::Shown;
use testkit::random::{Profile, sample};
use testkit::{describe, tiny};

const LIMIT: usize = 600;
const SEEDS: u64 = 120;

/// Both orders; and one more store and number of threads, by turns.
fn engines(turn: usize) -> Vec<(Explore, Demand)> {
    let demand = |order, finish| Demand { shortest: order == Order::Breadth, complete: finish == u64::MAX };
    let stores = [(2, Keep::Tree), (3, Keep::Plain), (4, Keep::Tree), (1, Keep::Plain), (2, Keep::Plain)];
    let mut all = Vec::new();
    for finish in [u64::MAX, 0] {
        let depth = Explore { order: Order::Depth, finish, ..Explore::default() };
        all.push((depth, demand(Order::Depth, finish)));
        for (threads, keep) in
            [(1, Keep::Tree), if turn.is_multiple_of(4) { stores[turn / 4 % stores.len()] } else { (1, Keep::Plain) }]
        {
            let breadth = Explore { finish, threads, keep, narrow: 1, ..Explore::default() };
            all.push((breadth, demand(Order::Breadth, finish)));
        }
    }
    all
}

/// What may confuse states says what is true, if anything. By turns, with a store so small that nearly everything is left
/// out, too.
fn ask_lossy(oracle: &Oracle<'_>, system: &System, property: &Property, turn: usize) -> Result<(), String> {
    let keep = [Keep::Hashes(48), Keep::Hashes(8), Keep::Bits(1 << 12), Keep::Bits(64)][turn % 4];
    let engine =
        Explore { finish: 0, keep, threads: 1 + usize::from(turn.is_multiple_of(8)), narrow: 1, ..Explore::default() };
    if engine.supports(&Problem { system, property }).is_err() {
        return Ok(());
    }
    let outcome = engine.run(&Problem { system, property }, &Budget::unlimited(), &Silent);
    match &outcome.verdict {
        Verdict::Unknown(Reason::Omissions(_)) if outcome.statistics.omission.is_some() => Ok(()),
        verdict if verdict.trace().is_some() => oracle.check(&outcome, Demand::default()),
        other => Err(format!("{engine:?} says {other:?}")),
    }
}

/// Asks all engines; `false` if the state space is too large for the oracle.
fn ask(system: &System, property: &Property, turn: usize) -> Result<bool, String> {
    let Some(oracle) = Oracle::new(system, property, LIMIT) else { return Ok(false) };
    for (engine, mut demand) in engines(turn) {
        // Steps under control are not counted on the way.
        demand.shortest &= !system.has_holds();
        let outcome = engine.run(&Problem { system, property }, &Budget::unlimited(), &Silent);
        let agreement = oracle.check(&outcome, demand).and_then(|()| match outcome.verdict.trace() {
            None => Ok(()),
            Some(trace) => match replay(system, property, trace) {
                Ok(checked) if same(checked.finding(), oracle.witness(trace)) => Ok(()),
                other => Err(format!("replay gives {:?}", other.map(|c| c.finding()))),
            },
        });
        agreement.map_err(|e| format!("{engine:?}: {e}\n{property:?}\n{}", describe(system)))?;
    }
    ask_lossy(&oracle, system, property, turn).map_err(|e| format!("{e}\n{property:?}\n{}", describe(system)))?;
    Ok(true)
}

fn same(finding: Finding, shown: Option<Shown>) -> bool {
    match finding {
        Finding::Deadlock => shown == Some(Shown::Deadlock),
        Finding::PartialDeadlock => shown == Some(Shown::PartialDeadlock),
        Finding::InvariantBroken => shown == Some(Shown::InvariantBroken),
        Finding::Reached => shown == Some(Shown::Reached),
        Finding::ErrorLocation(l) => shown == Some(Shown::ErrorLocation(l)),
        Finding::PartialDeadlock => shown == Some(Shown::PartialDeadlock),
        Finding::Divergence => shown == Some(Shown::Divergence),
        Finding::FormulaFalse | Finding::Accepted | Finding::Ended => false,
        Finding::Fault(f) => shown == Some(Shown::Fault(f)),
    }
}

#[test]
fn agrees_with_the_oracle_on_all_tiny_systems() {
    for (i, system) in tiny::all(tiny::EDGES).enumerate() {
        for (k, property) in tiny::properties(&system).into_iter().enumerate() {
            let small = ask(&system, &property, i + k).unwrap_or_else(|e| panic!("tiny system {i}: {e}"));
            assert!(small, "tiny systems are small");
        }
    }
}

#[test]
fn agrees_with_the_oracle_on_random_systems() {
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
        assert!(asked > 2 * SEEDS, "profile {name}: only {asked} questions were small enough");
    }
}

/// A level with more states than are expanded at once: a fault two steps away is met before a deadlock one step away,
/// and must not be reported instead.
#[test]
fn the_nearest_violation_wins_on_wide_levels() {
    let mut b = model::Builder::new("wide");
    let x = b.object("x", model::Kind::Variable(model::Domain::Bool));
    let p = b.process("P");
    let start = b.location(p, "start");
    let out_of_range = model::Command::Assign(x.into(), 2.into());
    for i in 0..100 {
        let place = b.location(p, format!("s{i}"));
        b.edge(model::Edge::new(p, start, place));
        match i {
            0 => b.edge(model::Edge::new(p, place, start).run(out_of_range.clone())),
            99 => {}
            _ => b.edge(model::Edge::new(p, place, start)),
        }
    }
    let system = b.build().expect("the model is right");
    for (finish, threads) in [(0, 1), (u64::MAX, 1), (0, 3), (u64::MAX, 2)] {
        let engine = Explore { order: Order::Breadth, finish, threads, narrow: 1, ..Explore::default() };
        let problem = Problem { system: &system, property: &Property::DeadlockFree };
        let outcome = engine.run(&problem, &Budget::unlimited(), &Silent);
        assert_eq!(outcome.verdict.trace().map(|t| t.stem.len()), Some(1), "finish={finish}, threads={threads}");
    }
}

/// Time and memory are kept although every state has thousands of successors, each of them large.
#[test]
fn limits_hold_with_a_large_fan_out() {
    let mut b = model::Builder::new("fan");
    for i in 0..3000 {
        let p = b.process(format!("P{i}"));
        let (from, to) = (b.location(p, "from"), b.location(p, "to"));
        b.edge(model::Edge::new(p, from, to));
        b.edge(model::Edge::new(p, to, from));
    }
    let system = b.build().expect("the model is right");
    let problem = Problem { system: &system, property: &Property::DeadlockFree };
    for (order, threads) in [(Order::Breadth, 1), (Order::Breadth, 2), (Order::Depth, 1)] {
        let engine = Explore { order, threads, narrow: 1, ..Explore::default() };
        let memory = engine.run(&problem, &Budget::unlimited().with_memory(32 << 20), &Silent);
        assert!(memory.verdict == evidence::Verdict::Unknown(evidence::Reason::Memory), "{order:?}");
        assert!(memory.statistics.peak_bytes <= 32 << 20, "{order:?}: {}", memory.statistics.peak_bytes);
        let start = std::time::Instant::now();
        let limited = Budget::unlimited().with_timeout(std::time::Duration::from_millis(300)).with_memory(4 << 30);
        let time = engine.run(&problem, &limited, &Silent);
        assert!(time.verdict == evidence::Verdict::Unknown(evidence::Reason::Timeout), "{order:?}");
        assert!(start.elapsed().as_secs_f64() < 1.5, "{order:?}: {:?}", start.elapsed());
    }
}

/// Figures are the same on any number of threads, with any exact store, and with levels that are no waypoints.
#[test]
fn figures_do_not_depend_on_threads() {
    let path = format!("{}/../../crates/bench/models/philosophers.imp", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the model is there");
    let system = frontend::native::load("philosophers", &text, &[("n".into(), 12)]).expect("the model is right").system;
    let problem = Problem { system: &system, property: &Property::DeadlockFree };
    let mut all = Vec::new();
    for threads in [1, 2, 3, 4] {
        for keep in [Keep::Tree, Keep::Plain] {
            for finish in [0, u64::MAX] {
                let engine = Explore { threads, keep, finish, ..Explore::default() };
                let outcome = engine.run(&problem, &Budget::unlimited(), &Silent);
                let run = outcome.verdict.trace().expect("they can all take their left forks");
                assert_eq!(run.stem.len(), 12);
                replay(&system, problem.property, run).expect("it is a run");
                let s = outcome.statistics;
                all.push((finish, s.states, s.transitions, s.deadlocks, s.depth, s.complete));
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 2, "{all:?}");
}

/// Whenever a search is stopped it says so, or is done.
#[test]
fn stops_when_asked_to() {
    let mut b = model::Builder::new("counters");
    for i in 0..6 {
        let x = b.object(format!("x{i}"), model::Kind::Variable(model::Domain::Range { lo: 0, hi: 9 }));
        let p = b.process(format!("P{i}"));
        let at = b.location(p, "at");
        for value in 0..10 {
            b.edge(model::Edge::new(p, at, at).run(model::Command::Assign(x.into(), value.into())));
        }
    }
    let system = b.build().expect("the model is right");
    let problem = Problem { system: &system, property: &Property::DeadlockFree };
    for milliseconds in [0, 3, 30, 90, 200] {
        for threads in [1, 3] {
            let budget = Budget::unlimited();
            let (flag, start) = (budget.cancel_flag(), std::time::Instant::now());
            let outcome = std::thread::scope(|scope| {
                scope.spawn(move || {
                    std::thread::sleep(std::time::Duration::from_millis(milliseconds));
                    flag.store(true, std::sync::atomic::Ordering::Relaxed);
                });
                Explore { threads, ..Explore::default() }.run(&problem, &budget, &Silent)
            });
            match outcome.verdict {
                Verdict::Unknown(Reason::Cancelled) => {}
                Verdict::Holds(_) => assert_eq!(outcome.statistics.states, Some(1_000_000)),
                other => panic!("{other:?}"),
            }
            assert!(
                start.elapsed().as_secs_f64() < 1.5 + milliseconds as f64 / 1e3
                    || outcome.statistics.complete == Some(true)
            );
        }
    }
}
