//! Claims about whole runs: every engine that decides them meets the naive oracle on random systems and random claims,
//! and every run that it gives is replayed.

use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use check::{Finding, replay};
use engines::explore::Persistent;
use engines::liveness::{CycleProviso, Emptiness, Liveness};
use engines::persistent::{Algorithm, Interference};
use engines::{Engine, Problem};
use evidence::{Budget, Evidence, Outcome, Silent, Verdict};
use model::{Builder, Edge, Expr, Hold, Ltl, Property, Proposition, System, Temporal, TransitionId};
use testkit::compare::{Demand, Oracle};
use testkit::corpus::{Case, Size, cases};
use testkit::naive::{Naive, Shown};
use testkit::random::{Profile, RunProfile, sample, temporal};
use testkit::{Rng, describe, search};

const LIMIT: usize = 120;
const SEEDS: u64 = 16;

/// The ways to search that are compared with the oracle: all that are sound.
fn variants() -> Vec<Liveness> {
    use Algorithm::{Conflict, Overman, Stubborn};
    use Interference::{CanBeDependent, DoNotAccord, First};
    let sets = [(Conflict, CanBeDependent), (Overman, DoNotAccord), (Stubborn, DoNotAccord), (Stubborn, First)];
    let persistent = sets.map(|(algorithm, interference)| Persistent { algorithm, interference });
    let provisos = [CycleProviso::Peled, CycleProviso::Valmari];
    let reduced: Vec<Liveness> = persistent
        .into_iter()
        .flat_map(|p| provisos.map(|proviso| Liveness { persistent: Some(p), proviso, ..Liveness::default() }))
        .collect();
    let whole = Liveness { persistent: None, ..Liveness::default() };
    let nested = |threads, engine| Liveness { emptiness: Emptiness::Nested, threads, ..engine };
    let on_threads = (1..=3).zip(reduced.iter().rev()).map(|(threads, engine)| nested(threads, *engine));
    let on_threads: Vec<Liveness> = on_threads.chain([1, 2, 4].map(|threads| nested(threads, whole))).collect();
    let alone = reduced.iter().map(|engine| nested(1, *engine)).collect();
    [reduced, vec![whole], alone, on_threads].concat()
}

fn answer(engine: Liveness, system: &System, property: &Property) -> Outcome {
    engine.run(&Problem { system, property }, &Budget::unlimited(), &Silent)
}

fn whole_graph(system: &System, property: &Property) -> Outcome {
    search(&Naive::new(system), property, LIMIT).expect("only what is small enough is asked")
}

/// What was found, so that no kind of answer goes untested.
#[derive(Debug, Default)]
struct Tally {
    holds: usize,
    rounds: usize,
    ends: usize,
    faults: usize,
}

impl Tally {
    fn ask(&mut self, system: &System, property: &Property) -> Result<(), String> {
        let Some(oracle) = Oracle::new(system, property, LIMIT) else { return Ok(()) };
        for engine in variants() {
            if engine.supports(&Problem { system, property }).is_err() {
                continue;
            }
            let outcome = answer(engine, system, property);
            let agreement = oracle.check(&outcome, Demand::default());
            let agreement = agreement.and_then(|()| self.note(system, property, &oracle, &outcome));
            agreement.map_err(|e| format!("{engine:?}: {e}\n{property:?}\n{}", describe(system)))?;
        }
        Ok(())
    }

    fn note(
        &mut self,
        system: &System,
        property: &Property,
        oracle: &Oracle<'_>,
        outcome: &Outcome,
    ) -> Result<(), String> {
        let Some(trace) = outcome.verdict.trace() else {
            self.holds += 1;
            return Ok(());
        };
        let finding = replay(system, property, trace).map_err(|e| e.to_string())?.finding();
        match (finding, oracle.witness(trace)) {
            (Finding::FormulaFalse | Finding::Accepted | Finding::Ended, Some(Shown::Broken)) => {
                *(if trace.cycle.is_empty() { &mut self.ends } else { &mut self.rounds }) += 1;
            }
            (Finding::Fault(f), Some(Shown::Fault(g))) if f == g => self.faults += 1,
            other => return Err(format!("the run shows {other:?}")),
        }
        Ok(())
    }
}

fn agree(seeds: Range<u64>) -> Tally {
    let mut profiles = Profile::all();
    profiles.extend([("control", Profile::control()), ("meeting", Profile::meeting())].map(|(n, p)| (n.to_owned(), p)));
    let mut tally = Tally::default();
    for (name, profile) in &profiles {
        for seed in seeds.clone() {
            let system = sample(seed, profile).system;
            for (i, (kind, claims)) in RunProfile::all().into_iter().enumerate() {
                let mut rng = Rng::new(seed * 1000 + i as u64);
                let property = Property::Temporal(temporal(&mut rng, &system, &claims));
                let asked = tally.ask(&system, &property);
                asked.unwrap_or_else(|e| panic!("profile {name}, seed {seed}, {kind}: {e}"));
            }
        }
    }
    tally
}

#[test]
fn agrees_with_the_oracle_on_random_systems_and_claims() {
    let tally = agree(0..SEEDS);
    let Tally { holds, rounds, ends, faults } = tally;
    assert!(holds > 2_000 && rounds > 2_000 && ends > 200 && faults > 500, "{tally:?}");
}

#[test]
#[ignore = "the same on many more: takes minutes"]
fn agrees_with_the_oracle_on_many_random_systems_and_claims() {
    agree(1_000..1_300);
}

/// The comparison can fail: an engine that never finds anything is not believed.
#[test]
fn an_engine_that_finds_nothing_is_noticed() {
    let (system, mut rng) = (sample(0, &Profile::lawful()).system, Rng::new(0));
    let noticed = (0..50).filter(|_| {
        let property = Property::Temporal(temporal(&mut rng, &system, &RunProfile::default()));
        let Some(oracle) = Oracle::new(&system, &property, LIMIT) else { return false };
        let mut outcome = whole_graph(&system, &property);
        outcome.verdict = Verdict::Holds(Evidence::Structure("nothing was found".to_owned()));
        oracle.check(&outcome, Demand::default()).is_err()
    });
    assert!(noticed.count() > 5);
}

/// Who keeps control for ever hides the others: what they do must not be put off for it. What was seen before counts.
#[test]
fn a_process_that_keeps_control_hides_no_run() {
    let mut b = Builder::new("hidden");
    let (p, q) = (b.process("P"), b.process("Q"));
    let (free, held, only) = (b.location(p, "free"), b.location(p, "held"), b.location(q, "only"));
    b.hold(p, held, Hold::Atomic);
    b.edge(Edge::new(p, free, held));
    b.edge(Edge::new(p, held, held));
    b.edge(Edge::new(q, only, only));
    let system = b.build().expect("a model");
    let taken = || Ltl::Atom(Proposition::Taken([TransitionId(2)].into()));
    let again = |a: Ltl| Ltl::Always(Box::new(Ltl::Eventually(Box::new(a))));
    let first = Temporal::formula(Ltl::state(Expr::At(p, held)));
    let claims = [
        (first.clone(), true, "Q alone goes on for ever"),
        (Temporal { finite: false, ..first }, true, "Q alone goes on for ever"),
        (Temporal::formula(again(taken())), true, "P keeps control"),
        (Temporal { finite: false, ..Temporal::formula(again(taken())) }, false, "what P then does is not looked at"),
        (Temporal::formula(again(Ltl::state(Expr::At(p, free)))), false, "this is all that anybody sees"),
    ];
    for (claim, broken, why) in claims {
        let property = Property::Temporal(claim);
        let oracle = Oracle::new(&system, &property, LIMIT).expect("it is small");
        assert_eq!(oracle.answer().shown.is_some(), broken, "{why}");
        for engine in variants() {
            let outcome = answer(engine, &system, &property);
            assert_eq!(oracle.check(&outcome, Demand::default()), Ok(()), "{engine:?}: {why}");
        }
    }
}

/// The formulas of the corpus have the same answers in every search; a claim that holds has the same states on any number of
/// threads.
#[test]
fn parallel_search_agrees_on_the_corpus() {
    let load = |path: &Path| {
        let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
        let name = path.display().to_string();
        let loaded = frontend::native::load(&name, &text, &[]).map_err(|e| format!("{e:?}"))?;
        Ok(Case { name, system: loaded.system, properties: loaded.properties, size: Size::default() })
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let budget = || Budget::unlimited().with_timeout(Duration::from_secs(2));
    let (mut asked, mut smaller) = (0, 0);
    for case in cases(&folder, "imp", load).expect("the corpus is right") {
        for named in case.properties.iter().filter(|p| matches!(p.property, Property::Temporal(_))) {
            let problem = Problem { system: &case.system, property: &named.property };
            let ask = |engine: Liveness| engine.run(&problem, &budget(), &Silent);
            let nested = |threads| Liveness { emptiness: Emptiness::Nested, threads, ..Liveness::default() };
            let alone = ask(Liveness::default());
            if nested(1).supports(&problem).is_err() || matches!(alone.verdict, Verdict::Unknown(_)) {
                continue;
            }
            let whole = ask(Liveness { persistent: None, ..nested(1) }).statistics.states;
            let reduced = [1, 2, 3].map(|threads| ask(nested(threads)));
            let holds = matches!(alone.verdict, Verdict::Holds(_));
            for outcome in &reduced {
                let (one, other) = (alone.verdict.word(), outcome.verdict.word());
                assert!(one == other || other == "unknown", "{}: {one}, {other}", case.name);
                if let Some(trace) = outcome.verdict.trace() {
                    replay(&case.system, &named.property, trace).expect("it is a run that breaks the claim");
                }
                let same = outcome.statistics.states == reduced[0].statistics.states;
                assert!(same || !holds || other == "unknown", "{}", case.name);
            }
            let (states, own) = (reduced[0].statistics.states, alone.statistics.states);
            println!("{} {}: components {own:?}, nested {states:?}, whole {whole:?}", case.name, alone.verdict.word());
            asked += 1;
            smaller += usize::from(holds && states < whole);
        }
    }
    assert!(asked > 20 && smaller > 3, "{asked} {smaller}");
}
