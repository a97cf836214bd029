//! Infinite runs of silent steps: the search meets the naive oracle on random systems, and small examples by hand.

use check::{Finding, replay};
use engines::explore::{Explore, Order, Persistent, Proviso, Wish};
use engines::persistent::{Algorithm, Interference};
use engines::{Engine, Problem};
use evidence::{Budget, Evidence, Outcome, Reason, Silent, Trace, Verdict};
use model::{Builder, Command, Domain, Edge, Expr, Kind, Property, System};
use testkit::compare::{Demand, Oracle};
use testkit::describe;
use testkit::naive::{Graph, Naive, Semantics, Shown, State, explore};
use testkit::random::{Profile, SILENT, silenced};

const LIMIT: usize = 400;
const SEEDS: u64 = 100;

fn asked() -> Property {
    Property::DivergenceFree(SILENT.into())
}

fn answer(engine: Explore, system: &System) -> Outcome {
    engine.run(&Problem { system, property: &asked() }, &Budget::unlimited(), &Silent)
}

fn engines() -> [Explore; 4] {
    let engine = |order, finish| Explore { order, finish, ..Explore::default() };
    [Explore::default(), engine(Order::Breadth, 0), engine(Order::Depth, 0), engine(Order::Breadth, u64::MAX)]
}

/// What the engines found.
#[derive(Default)]
struct Tally {
    holds: usize,
    plain: usize,
    rounds: usize,
    faults: usize,
}

impl Tally {
    /// Asks all engines, unless the state space is too large for the oracle.
    fn ask(&mut self, system: &System) -> Result<(), String> {
        let property = asked();
        let Some(oracle) = Oracle::new(system, &property, LIMIT) else { return Ok(()) };
        for engine in engines() {
            let outcome = answer(engine, system);
            let demand = Demand { shortest: false, complete: engine.finish == u64::MAX };
            let agreement = oracle.check(&outcome, demand).and_then(|()| self.note(system, &oracle, &outcome));
            agreement.map_err(|e| format!("{engine:?}: {e}\n{}", describe(system)))?;
        }
        Ok(())
    }

    fn note(&mut self, system: &System, oracle: &Oracle<'_>, outcome: &Outcome) -> Result<(), String> {
        let Some(trace) = outcome.verdict.trace() else {
            let plain = matches!(outcome.verdict, Verdict::Holds(Evidence::Structure(_)));
            *(if plain { &mut self.plain } else { &mut self.holds }) += 1;
            return Ok(());
        };
        let finding = replay(system, &asked(), trace).map_err(|e| e.to_string())?.finding();
        match (finding, oracle.witness(trace)) {
            (Finding::Divergence, Some(Shown::Divergence)) => self.rounds += 1,
            (Finding::Fault(f), Some(Shown::Fault(g))) if f == g => self.faults += 1,
            other => return Err(format!("the run shows {other:?}")),
        }
        Ok(())
    }
}

#[test]
fn agrees_with_the_oracle_on_random_systems() {
    let mut tally = Tally::default();
    for (name, profile) in Profile::all() {
        for seed in 0..SEEDS {
            let system = silenced(seed, &profile);
            tally.ask(&system).unwrap_or_else(|e| panic!("profile {name}, seed {seed}: {e}"));
        }
    }
    let Tally { holds, plain, rounds, faults } = tally;
    assert!(holds > 200 && plain > 60 && rounds > 600 && faults > 60, "{holds} {plain} {rounds} {faults}");
}

/// Searches that are wrong in the ways that come to mind; whether they find a silent cycle.
#[derive(Clone, Copy, Debug)]
enum Mistake {
    /// A silent step to any state that was entered before counts as a cycle.
    NoColours,
    /// Only what silent steps lead to from the initial state is searched.
    OnlyFromStart,
    /// A cycle counts if one of its steps is silent.
    OneIsEnough,
}

fn mistaken(mistake: Mistake, naive: &Naive<'_>, graph: &Graph<State>) -> bool {
    let silent = |t| naive.label(t) == SILENT;
    let to = |s: usize, all: bool| {
        let steps = graph.edges[s].iter().filter(move |(t, _)| all || silent(*t));
        steps.filter_map(|(_, to)| to.ok()).collect::<Vec<usize>>()
    };
    let reached = |from: usize, all: bool| {
        let (mut seen, mut stack) = (vec![false; graph.states.len()], to(from, all));
        while let Some(s) = stack.pop() {
            if !std::mem::replace(&mut seen[s], true) {
                stack.extend(to(s, all));
            }
        }
        seen
    };
    let mut states = 0..graph.states.len();
    match mistake {
        Mistake::NoColours => {
            let (mut seen, mut stack, mut again) = (vec![false; graph.states.len()], vec![0], false);
            while let Some(s) = stack.pop() {
                if !std::mem::replace(&mut seen[s], true) {
                    again |= to(s, false).iter().any(|t| seen[*t]);
                    stack.extend(to(s, true));
                }
            }
            again
        }
        Mistake::OnlyFromStart => {
            let near = reached(0, false);
            states.any(|s| (s == 0 || near[s]) && reached(s, false)[s])
        }
        Mistake::OneIsEnough => states.any(|s| to(s, false).iter().any(|t| *t == s || reached(*t, true)[s])),
    }
}

#[test]
fn the_oracle_notices_mistaken_searches() {
    for mistake in [Mistake::NoColours, Mistake::OnlyFromStart, Mistake::OneIsEnough] {
        let noticed = (0..2 * SEEDS).filter(|&seed| {
            let (system, property) = (silenced(seed, &Profile::lawful()), asked());
            let naive = Naive::new(&system);
            let (Some(graph), Some(oracle)) = (explore(&naive, LIMIT), Oracle::new(&system, &property, LIMIT)) else {
                return false;
            };
            oracle.answer().shown.is_some() != mistaken(mistake, &naive, &graph)
        });
        assert!(noticed.count() > 5, "{mistake:?}");
    }
}

/// A process with these edges between its locations, of which there are so many; the first is where it starts.
fn process(b: &mut Builder, name: &str, locations: usize, edges: &[(usize, usize, &str)]) {
    let p = b.process(name);
    let places: Vec<_> = (0..locations).map(|i| b.location(p, format!("l{i}"))).collect();
    for &(from, to, label) in edges {
        b.edge(Edge::new(p, places[from], places[to]).label(label));
    }
}

fn alone(locations: usize, edges: &[(usize, usize, &str)]) -> System {
    let mut b = Builder::new("alone");
    process(&mut b, "P", locations, edges);
    b.build().expect("a model")
}

fn lengths(outcome: &Outcome) -> Option<(usize, usize)> {
    outcome.verdict.trace().map(|Trace { stem, cycle }| (stem.len(), cycle.len()))
}

#[test]
fn small_examples() {
    for engine in engines() {
        let at_once = answer(engine, &alone(1, &[(0, 0, "tau")]));
        assert_eq!(lengths(&at_once), Some((0, 1)), "{engine:?}");
        let later = answer(engine, &alone(3, &[(0, 1, "tau"), (1, 2, "a"), (2, 1, "tau"), (2, 2, "tau")]));
        assert_eq!(lengths(&later), Some((2, 1)), "{engine:?}");
        let met_again = alone(4, &[(0, 1, "tau"), (0, 2, "tau"), (1, 3, "tau"), (2, 3, "tau"), (3, 0, "a")]);
        assert!(matches!(answer(engine, &met_again).verdict, Verdict::Holds(_)), "{engine:?}");
        let visible = alone(2, &[(0, 1, "tau"), (1, 0, "a")]);
        assert!(matches!(answer(engine, &visible).verdict, Verdict::Holds(_)), "{engine:?}");
    }
}

/// The search goes along the chain first, but the run that is shown does not, unless any will do.
#[test]
fn the_run_is_made_shorter() {
    let chain = (0..40).map(|i| (i, i + 1, "tau"));
    let edges: Vec<_> = chain.chain([(0, 40, "a"), (40, 35, "tau"), (40, 0, "a"), (40, 40, "b")]).collect();
    let system = alone(41, &edges);
    assert_eq!(lengths(&answer(Explore::default(), &system)), Some((1, 6)));
    let first = Explore { order: Order::Depth, ..Explore::default() };
    assert_eq!(lengths(&answer(first, &system)), Some((35, 6)));
}

/// Whatever is called silent, a step that is a model error is a violation.
#[test]
fn model_errors_are_violations() {
    let mut b = Builder::new("error");
    let x = b.object("x", Kind::Variable(Domain::Bool));
    let p = b.process("P");
    let (here, there) = (b.location(p, "here"), b.location(p, "there"));
    b.edge(Edge::new(p, here, there).label("a"));
    b.edge(Edge::new(p, there, here).label("b").run(Command::Assign(x.into(), Expr::Const(2))));
    let system = b.build().expect("a model");
    for engine in engines() {
        let outcome = answer(engine, &system);
        let trace = outcome.verdict.trace().expect("a run to the error");
        let finding = replay(&system, &asked(), trace).map(|c| c.finding());
        assert!(matches!(finding, Ok(Finding::Fault(_))), "{engine:?}: {finding:?}");
        assert_eq!(lengths(&outcome), Some((2, 0)), "{engine:?}");
    }
}

/// Far more states than can be visited, but each process must do something visible again and again.
#[test]
fn a_glance_at_the_processes_can_be_enough() {
    let mut b = Builder::new("many");
    for i in 0..5_000 {
        process(&mut b, &format!("P{i}"), 3, &[(0, 1, "tau"), (1, 2, "tau"), (0, 2, "tau"), (2, 0, "a")]);
    }
    let outcome = answer(Explore::default(), &b.build().expect("a model"));
    assert!(matches!(outcome.verdict, Verdict::Holds(Evidence::Structure(_))), "{:?}", outcome.verdict);
    let never = answer(Explore::default(), &alone(2, &[(0, 1, "a"), (1, 0, "a")]));
    assert_eq!(never.verdict, Verdict::Holds(Evidence::Structure("no step is called `tau`".to_owned())));
}

/// One process goes round silently, but only together with one that does not.
#[test]
fn a_partner_that_cannot_go_on_is_enough() {
    let mut b = Builder::new("partners");
    let tau = b.action("tau");
    let (p, q) = (b.process("P"), b.process("Q"));
    let (here, start, end) = (b.location(p, "here"), b.location(q, "start"), b.location(q, "end"));
    b.edge(Edge::new(p, here, here).sync(tau));
    b.edge(Edge::new(q, start, end).sync(tau));
    b.edge(Edge::new(q, end, start).label("a"));
    let system = b.build().expect("a model");
    assert!(matches!(answer(Explore::default(), &system).verdict, Verdict::Holds(Evidence::Structure(_))));
}

#[test]
fn reductions_and_caches_are_declined() {
    let (system, property) = (alone(1, &[(0, 0, "tau")]), asked());
    let stubborn = Persistent { algorithm: Algorithm::Stubborn, interference: Interference::DoNotAccord };
    let depth = Explore { order: Order::Depth, ..Explore::default() };
    let persistent = Wish { persistent: Some(stubborn), sleep: false, proviso: Proviso::Stack };
    let sleep = Wish { sleep: true, ..Wish::default() };
    for engine in [
        Explore { reduce: persistent, ..depth },
        Explore { reduce: sleep, ..depth },
        Explore { cache: Some(10), ..depth },
    ] {
        assert!(engine.supports(&Problem { system: &system, property: &property }).is_err(), "{engine:?}");
        assert!(matches!(answer(engine, &system).verdict, Verdict::Unknown(Reason::Unsupported(_))));
    }
}

#[test]
fn questions_of_all_kinds_are_answered_in_order() {
    let system = alone(2, &[(0, 1, "a"), (1, 1, "tau")]);
    let (never, live) = (Property::DivergenceFree("b".into()), Property::DeadlockFree);
    let (reach, diverge) = (Property::Reachable(Expr::At(model::ProcessId(0), model::LocationId(1))), asked());
    let all = Explore { all: true, ..Explore::default() };
    for engine in [Explore::default(), all] {
        let outcomes = engine.run_all(&system, &[&diverge, &live, &never, &reach], &Budget::unlimited(), &Silent);
        let words: Vec<_> = outcomes.iter().map(|o| (o.verdict.word(), lengths(o))).collect();
        let expected = [("violated", Some((1, 1))), ("holds", None), ("holds", None), ("holds", Some((1, 0)))];
        assert_eq!(words, expected);
    }
}

/// Time and memory are kept although every state has thousands of successors, each of them large.
#[test]
fn limits_hold() {
    for label in ["tau", "a"] {
        let mut b = Builder::new("fan");
        for i in 0..3_000 {
            process(&mut b, &format!("P{i}"), 3, &[(0, 1, label), (1, 2, label)]);
        }
        // Nothing is plain where a silent step seems to repeat.
        process(&mut b, "Q", 3, &[(1, 2, "tau"), (2, 1, "tau")]);
        let system = b.build().expect("a model");
        let problem = Problem { system: &system, property: &asked() };
        let memory = Explore::default().run(&problem, &Budget::unlimited().with_memory(32 << 20), &Silent);
        assert_eq!(memory.verdict, Verdict::Unknown(Reason::Memory), "{label}");
        assert!(memory.statistics.peak_bytes <= 32 << 20, "{label}: {}", memory.statistics.peak_bytes);
        let start = std::time::Instant::now();
        let limited = Budget::unlimited().with_timeout(std::time::Duration::from_millis(300)).with_memory(4 << 30);
        let time = Explore::default().run(&problem, &limited, &Silent);
        assert_eq!(time.verdict, Verdict::Unknown(Reason::Timeout), "{label}");
        assert!(start.elapsed().as_secs_f64() < 1.5, "{label}: {:?}", start.elapsed());
    }
}
