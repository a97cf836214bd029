//! Partial deadlocks: the search meets the naive oracle on all tiny systems and on random ones, reduced and not, and every
//! run is confirmed by the checker.

use std::collections::HashSet;

use check::{Finding, ReplayError, replay, replay_within};
use engines::explore::{Explore, Order, Persistent, Proviso, Wish};
use engines::persistent::{Algorithm, Interference};
use engines::{Engine, Problem};
use evidence::{Budget, Evidence, Outcome, Reason, Silent, Trace, Verdict};
use model::{Builder, Command, Edge, Kind, ProcessId, Property, System, TransitionId};
use testkit::compare::{Demand, Oracle};
use testkit::naive::{Graph, Naive, Semantics, Shown, State, explore, movers};
use testkit::random::{Profile, chains, held, sample};
use testkit::{describe, tiny};

const LIMIT: usize = 300;
const ASKED: Property = Property::PartialDeadlockFree;

fn answer(engine: Explore, system: &System) -> Outcome {
    engine.run(&Problem { system, property: &ASKED }, &Budget::unlimited(), &Silent)
}

/// The full search in both orders, and the reduced ones.
fn engines() -> Vec<Explore> {
    let plain = |order, finish| Explore { order, finish, ..Explore::default() };
    let mut all = vec![Explore::default(), plain(Order::Depth, 0), plain(Order::Depth, u64::MAX)];
    for algorithm in [Algorithm::Conflict, Algorithm::Overman, Algorithm::Stubborn] {
        for interference in [Interference::CanBeDependent, Interference::DoNotAccord, Interference::First] {
            let persistent = Some(Persistent { algorithm, interference });
            let reduce = Wish { persistent, sleep: false, proviso: Proviso::None };
            all.push(Explore { reduce, merge: true, live: true, ..plain(Order::Depth, 0) });
        }
    }
    all
}

/// What the engines found.
#[derive(Default, Debug)]
struct Tally {
    holds: usize,
    reduced: usize,
    partial: usize,
    deadlocks: usize,
    faults: usize,
}

impl Tally {
    /// Asks some engines, unless the state space is too large for the oracle.
    fn ask(&mut self, system: &System, engines: &[Explore]) -> Result<(), String> {
        let Some(oracle) = Oracle::new(system, &ASKED, LIMIT) else { return Ok(()) };
        for &engine in engines {
            if engine.supports(&Problem { system, property: &ASKED }).is_err() {
                assert!(!engine.reduce.is_none() || system.processes().is_empty(), "{engine:?}");
                continue;
            }
            let outcome = answer(engine, system);
            let demand = Demand { shortest: false, complete: engine.finish == u64::MAX };
            let agreement = oracle.check(&outcome, demand).and_then(|()| self.note(system, &oracle, &engine, &outcome));
            agreement.map_err(|e| format!("{engine:?}: {e}\n{}", describe(system)))?;
        }
        Ok(())
    }

    fn note(
        &mut self,
        system: &System,
        oracle: &Oracle<'_>,
        engine: &Explore,
        outcome: &Outcome,
    ) -> Result<(), String> {
        let Some(trace) = outcome.verdict.trace() else {
            *(if outcome.statistics.reduced.is_some() { &mut self.reduced } else { &mut self.holds }) += 1;
            return Ok(());
        };
        let checked = replay(system, &ASKED, trace).map_err(|e| e.to_string())?;
        match (checked.finding(), oracle.witness(trace)) {
            (Finding::PartialDeadlock, Some(Shown::PartialDeadlock)) => {
                self.partial += 1;
                let moving: HashSet<ProcessId> = checked.movers().iter().copied().collect();
                let end = testkit::packed::unpack(system, checked.last());
                if movers(&Naive::new(system), &end) != Some(moving) {
                    return Err(format!("{:?} can still move", checked.movers()));
                }
            }
            (Finding::Deadlock, Some(Shown::Deadlock)) => self.deadlocks += 1,
            (Finding::Fault(f), Some(Shown::Fault(g))) if f == g => {
                self.faults += 1;
                return Ok(());
            }
            other => return Err(format!("the run shows {other:?}")),
        }
        match (engine.order, oracle.answer().shown) {
            (Order::Breadth, Some(length)) if length != trace.stem.len() => Err(format!("{length} steps suffice")),
            _ => Ok(()),
        }
    }
}

#[test]
fn agrees_with_the_oracle_on_all_tiny_systems() {
    let mut tally = Tally::default();
    let (all, few) = (engines(), [Explore::default(), reduced()]);
    for (number, system) in tiny::all(3).enumerate() {
        let engines = if number % 5 == 0 { &all[..] } else { &few };
        tally.ask(&system, engines).unwrap_or_else(|e| panic!("{e}"));
    }
    let Tally { holds, reduced, partial, deadlocks, faults } = tally;
    assert!(holds.min(reduced).min(partial).min(deadlocks).min(faults) > 1000, "{tally:?}");
}

#[test]
fn agrees_with_the_oracle_on_random_systems() {
    let mut tally = Tally::default();
    for (name, profile) in Profile::all().into_iter().chain([("control".to_owned(), Profile::control())]) {
        for seed in 0..60 {
            let system = sample(seed, &profile).system;
            tally.ask(&system, &engines()).unwrap_or_else(|e| panic!("profile {name}, seed {seed}: {e}"));
        }
    }
    for seed in 0..300 {
        tally.ask(&chains(seed), &engines()).unwrap_or_else(|e| panic!("chains {seed}: {e}"));
        tally.ask(&held(seed), &engines()).unwrap_or_else(|e| panic!("held {seed}: {e}"));
    }
    let Tally { holds, reduced, partial, deadlocks, faults } = tally;
    assert!(holds.min(reduced).min(deadlocks).min(faults) > 100 && partial > 1000, "{tally:?}");
}

/// Who is stuck, misunderstood in the ways that come to mind; whether somebody is said to be.
#[derive(Clone, Copy, Debug)]
enum Mistake {
    /// Who cannot move now is stuck.
    OnlyNow,
    /// Who may stop is stuck, too.
    IgnoresEnds,
    /// Who need not move any more is stuck: others can go round for ever without it.
    NeedNot,
    /// Only those are stuck who cannot move where nothing can.
    OnlyDeadlocks,
    /// Only who begins a step moves.
    OnlyFirst,
}

fn mistaken(mistake: Mistake, naive: &Naive<'_>, graph: &Graph<State>) -> bool {
    let moved = |t| match mistake {
        Mistake::OnlyFirst => naive.moved(t).into_iter().take(1).collect(),
        _ => naive.moved(t),
    };
    let all = |s: usize| match mistake {
        Mistake::IgnoresEnds => naive.system.process_ids().collect(),
        _ => naive.unfinished(&graph.states[s]),
    };
    // The states that can follow a state, without a step of a process if one is named.
    let follow = |from: usize, without: Option<ProcessId>| {
        let (mut seen, mut stack) = (HashSet::new(), vec![from]);
        while let Some(s) = stack.pop() {
            for (t, to) in &graph.edges[s] {
                let barred = without.is_some_and(|p| moved(*t).contains(&p));
                if let Ok(to) = to
                    && !barred
                    && seen.insert(*to)
                {
                    stack.push(*to);
                }
            }
        }
        seen
    };
    let moves = |s: usize, p: &ProcessId| graph.edges[s].iter().any(|(t, _)| moved(*t).contains(p));
    (0..graph.states.len()).any(|s| {
        let stuck = |p: &ProcessId| match mistake {
            Mistake::OnlyNow => !moves(s, p),
            Mistake::NeedNot => follow(s, Some(*p)).contains(&s) || graph.edges[s].is_empty(),
            Mistake::OnlyDeadlocks => graph.edges[s].is_empty(),
            _ => !moves(s, p) && !follow(s, None).iter().any(|to| moves(*to, p)),
        };
        all(s).iter().any(stuck)
    })
}

#[test]
fn the_oracle_notices_what_is_misunderstood() {
    use Mistake::{IgnoresEnds, NeedNot, OnlyDeadlocks, OnlyFirst, OnlyNow};
    for mistake in [OnlyNow, IgnoresEnds, NeedNot, OnlyDeadlocks, OnlyFirst] {
        let noticed = (0..400).filter(|&seed| {
            let profile = if seed % 2 == 0 { Profile::lawful() } else { Profile::meeting() };
            let system = sample(seed, &profile).system;
            let naive = Naive::new(&system);
            let (Some(graph), Some(oracle)) = (explore(&naive, LIMIT), Oracle::new(&system, &ASKED, LIMIT)) else {
                return false;
            };
            oracle.answer().shown.is_some() != mistaken(mistake, &naive, &graph)
        });
        assert!(noticed.count() > 5, "{mistake:?}");
    }
}

/// Two processes take two locks crosswise, a third runs on and on, and so many others work once and stop.
fn crossed(workers: usize) -> System {
    system(workers, [1, 0])
}

fn system(workers: usize, second: [usize; 2]) -> System {
    let mut b = Builder::new("crossed");
    let locks = ["x", "y"].map(|name| b.object(name, Kind::Lock));
    for (name, order) in [("A", [0, 1]), ("B", second)] {
        let p = b.process(name);
        let [at, one, two] = ["idle", "one", "two"].map(|name| b.location(p, name));
        b.edge(Edge::new(p, at, one).run(Command::Acquire(locks[order[0]].into(), p)));
        b.edge(Edge::new(p, one, two).run(Command::Acquire(locks[order[1]].into(), p)));
        let release = order.map(|i| Command::Release(locks[i].into(), p));
        b.edge(release.into_iter().fold(Edge::new(p, two, at), Edge::run));
    }
    for i in 0..=workers {
        let p = b.process(if i == 0 { "Log".to_owned() } else { format!("Worker[{i}]") });
        let [idle, busy] = ["idle", "busy"].map(|name| b.location(p, name));
        b.edge(Edge::new(p, idle, busy));
        match i {
            0 => b.edge(Edge::new(p, busy, idle)),
            _ => b.end(p, busy),
        };
    }
    b.build().expect("a model")
}

fn reduced() -> Explore {
    let stubborn = Persistent { algorithm: Algorithm::Stubborn, interference: Interference::DoNotAccord };
    let reduce = Wish { persistent: Some(stubborn), sleep: false, proviso: Proviso::Component };
    Explore { order: Order::Depth, finish: 0, reduce, ..Explore::default() }
}

#[test]
fn the_reduced_search_leaves_out_what_others_do() {
    let system = crossed(30);
    let outcome = answer(reduced(), &system);
    assert!(matches!(&outcome.verdict, Verdict::Violated(Evidence::Run(_))), "{outcome:?}");
    assert!(outcome.statistics.states < Some(1000), "{:?}", outcome.statistics);
    let run = outcome.verdict.trace().expect("a run");
    let budget = Budget::unlimited().with_memory(1 << 20);
    let shown = |run: &Trace| replay_within(&system, &ASKED, run, &budget).map(|run| run.finding());
    assert_eq!(shown(run), Ok(Finding::PartialDeadlock));
    // After the locks alone 2^31 states can follow: the checker cannot see them within its budget, and says so.
    let locks = |t: &TransitionId| system.transition(*t).moves.iter().all(|m| m.process.0 < 2);
    let early = Trace::finite(run.stem.iter().copied().filter(locks).collect());
    assert_eq!(shown(&early), Err(ReplayError::Unfinished(Reason::Memory)));
}

#[test]
fn a_search_that_is_cut_says_nothing() {
    let system = system(30, [0, 1]);
    let budget = Budget::unlimited().with_memory(1 << 20);
    let outcome = Explore::default().run(&Problem { system: &system, property: &ASKED }, &budget, &Silent);
    assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Memory));
}

#[test]
fn what_keeps_nobody_stuck_is_refused() {
    let system = crossed(1);
    let why = |engine: Explore| engine.supports(&Problem { system: &system, property: &ASKED }).expect_err("refused");
    let wish = reduced().reduce;
    let with = |wish: Wish| Explore { reduce: wish, ..reduced() };
    assert!(why(with(Wish { proviso: Proviso::Stack, ..wish })).contains("proviso=component"));
    assert!(why(with(Wish { sleep: true, ..wish })).contains("sleep sets"));
    assert!(why(Explore { cache: Some(10), ..with(Wish::default()) }).contains("no cache"));
    assert!(why(Explore { order: Order::Breadth, ..reduced() }).contains("depth-first"));
    let net = Builder::new("nobody").build().expect("a model");
    assert!(Explore::default().supports(&Problem { system: &net, property: &ASKED }).is_err());
}
