//! Explicit search meets the naive oracle: on all tiny systems and on random ones, for every kind of property, in both
//! orders, whether it stops at a violation or goes on. Every run that it gives is replayed.

use check::{Finding, replay};
use engines::explore::{Explore, Order};
use engines::{Engine, Problem};
use evidence::{Budget, Silent};
use model::{Property, System};
use testkit::compare::{Demand, Oracle};
use testkit::naive::Shown;
use testkit::random::{Profile, sample};
use testkit::{describe, tiny};

const LIMIT: usize = 600;
const SEEDS: u64 = 120;

fn engines() -> [(Explore, Demand); 4] {
    let engine = |order, finish| {
        let demand = Demand { shortest: order == Order::Breadth, complete: finish == u64::MAX };
        (Explore { order, finish, ..Explore::default() }, demand)
    };
    [
        engine(Order::Breadth, u64::MAX),
        engine(Order::Depth, u64::MAX),
        engine(Order::Breadth, 0),
        engine(Order::Depth, 0),
    ]
}

/// Asks all engines; `false` if the state space is too large for the oracle.
fn ask(system: &System, property: &Property) -> Result<bool, String> {
    let Some(oracle) = Oracle::new(system, property, LIMIT) else { return Ok(false) };
    for (engine, mut demand) in engines() {
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
    Ok(true)
}

fn same(finding: Finding, shown: Option<Shown>) -> bool {
    match finding {
        Finding::Deadlock => shown == Some(Shown::Deadlock),
        Finding::InvariantBroken => shown == Some(Shown::InvariantBroken),
        Finding::Reached => shown == Some(Shown::Reached),
        Finding::ErrorLocation(l) => shown == Some(Shown::ErrorLocation(l)),
        Finding::Divergence => shown == Some(Shown::Divergence),
        Finding::FormulaFalse | Finding::Accepted | Finding::Ended => false,
        Finding::Fault(f) => shown == Some(Shown::Fault(f)),
    }
}

#[test]
fn agrees_with_the_oracle_on_all_tiny_systems() {
    for (i, system) in tiny::all(tiny::EDGES).enumerate() {
        for property in tiny::properties(&system) {
            let small = ask(&system, &property).unwrap_or_else(|e| panic!("tiny system {i}: {e}"));
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
            for property in &sample.properties {
                let small = ask(&sample.system, property);
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
    for finish in [0, u64::MAX] {
        let engine = Explore { order: Order::Breadth, finish, ..Explore::default() };
        let problem = Problem { system: &system, property: &Property::DeadlockFree };
        let outcome = engine.run(&problem, &Budget::unlimited(), &Silent);
        assert_eq!(outcome.verdict.trace().map(|t| t.stem.len()), Some(1), "finish={finish}");
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
    for order in [Order::Breadth, Order::Depth] {
        let engine = Explore { order, ..Explore::default() };
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
