//! Planted bugs: reductions that are not granted and steps that are wrongly called silent give wrong answers, and the
//! oracle notices.

use evidence::{Budget, Outcome, Silent};
use model::{Class, Property, System};
use testkit::compare::{Demand, Oracle};
use testkit::describe;
use testkit::random::{Profile, SILENT, chains, held, questions, sample, silenced, unheld};

use super::reduction::Reduction;
use super::search::{Extent, Search, Task};
use super::silent::Silent as SilentSteps;
use super::{Explore, Files, Persistent, Proviso, Wish, WithFiles, breadth, component, divergence, selective};
use crate::persistent::{Algorithm, Interference, PersistentSets};
use crate::shared::{Disk, SLIPS, Tree};
use crate::{Engine, Problem};

const LIMIT: usize = 600;
const STUBBORN: Persistent = Persistent { algorithm: Algorithm::Stubborn, interference: Interference::First };

/// What is done wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bug {
    /// Nothing.
    None,
    /// There is no proviso.
    NoProviso,
    /// Nobody watches the predicate.
    NoWatchers,
}

fn search(system: &System, property: &Property, bug: Bug, proviso: Proviso) -> Outcome {
    let watched = match property {
        Property::Invariant(e) => system.watching([(e, false)], false),
        Property::Reachable(e) => system.watching([(e, true)], false),
        _ => unreachable!("only predicates are asked for"),
    };
    let known = if bug == Bug::NoWatchers { system } else { &watched };
    let proviso = if bug == Bug::NoProviso { Proviso::None } else { proviso };
    reduced(system, property, known, proviso)
}

/// A reduced search of a system, with the relations of the same or another one.
fn reduced(system: &System, property: &Property, known: &System, proviso: Proviso) -> Outcome {
    let reduction = Reduction::ungranted(Wish { persistent: Some(STUBBORN), sleep: false, proviso });
    let sets = PersistentSets::new(known, STUBBORN.algorithm, STUBBORN.interference, false);
    let (budget, progress, properties) = (&Budget::unlimited(), &Silent, &[property]);
    let (finish, all, forgets) = (u64::MAX, false, false);
    let mut search = Search::new(Task { system, properties, finish, all, forgets, budget, progress });
    search.extent = Extent::EveryTransition;
    let ended = match proviso {
        Proviso::Component => component::run(&mut search, sets),
        _ => selective::run(&mut search, sets, reduction, None),
    };
    search.outcomes(&ended, 0.0).remove(0)
}

/// In how many programs the oracle finds something wrong.
fn caught(bug: Bug, proviso: Proviso) -> usize {
    let wrong = |seed: u64| {
        let system = chains(seed);
        let predicate = |p: &Property| p.class() == Class::Safety && !matches!(p, Property::Safety(_));
        questions(&system, seed).iter().filter(|p| predicate(p)).any(|property| {
            let oracle = Oracle::new(&system, property, LIMIT);
            oracle.is_some_and(|o| o.check(&search(&system, property, bug, proviso), Demand::default()).is_err())
        })
    };
    (0..150).filter(|&seed| wrong(seed)).count()
}

#[test]
fn planted_bugs_are_caught() {
    for proviso in [Proviso::Stack, Proviso::Component] {
        assert_eq!(caught(Bug::None, proviso), 0, "{proviso:?}");
        assert!(caught(Bug::NoWatchers, proviso) > 0, "{proviso:?}");
    }
    assert!(caught(Bug::NoProviso, Proviso::Stack) > 0);
}

/// In how many programs the oracle finds that who is stuck for good is not told right.
fn stuck_wrongly(persistent: Persistent, proviso: Proviso) -> usize {
    let property = Property::PartialDeadlockFree;
    let wrong = |seed: u64| {
        let system = &chains(seed);
        let Some(oracle) = Oracle::new(system, &property, LIMIT) else { return false };
        let sets = PersistentSets::new(system, persistent.algorithm, persistent.interference, false);
        let (budget, progress, properties) = (&Budget::unlimited(), &Silent, &[&property]);
        let (finish, all, forgets) = (0, false, false);
        let mut search = Search::new(Task { system, properties, finish, all, forgets, budget, progress });
        search.extent = Extent::EveryTransition;
        let ended = component::run_for_stuck(&mut search, Some(sets), proviso, false);
        oracle.check(&search.outcomes(&ended, 0.0).remove(0), Demand::default()).is_err()
    };
    (0..300).filter(|&seed| wrong(seed)).count()
}

#[test]
fn without_the_proviso_somebody_only_seems_stuck() {
    assert_eq!(stuck_wrongly(STUBBORN, Proviso::Component), 0);
    assert!(stuck_wrongly(STUBBORN, Proviso::None) > 0);
    let weak = Persistent { algorithm: Algorithm::Weak, interference: Interference::DoNotAccord };
    assert!(stuck_wrongly(weak, Proviso::None) > 0);
}

/// A reduced breadth-first search, on several threads, with what the queue proviso asks, right or wrong.
fn by_levels(system: &System, property: &Property, open: Option<fn() -> breadth::Open>, threads: usize) -> Outcome {
    let known = match property {
        Property::Invariant(e) => system.watching([(e, false)], false),
        Property::Reachable(e) => system.watching([(e, true)], false),
        _ => unreachable!("only predicates are asked for"),
    };
    let sets = || PersistentSets::new(&known, STUBBORN.algorithm, STUBBORN.interference, false);
    let (budget, progress, properties) = (&Budget::unlimited(), &Silent, &[property]);
    let (finish, all, forgets) = (u64::MAX, false, false);
    let mut search = Search::new(Task { system, properties, finish, all, forgets, budget, progress });
    search.extent = Extent::EveryTransition;
    let plan = breadth::Plan { threads, narrow: 1, reduce: Some(&sets), open };
    let ended = breadth::run(&mut search, &plan, Tree::new(system.used_bits()));
    search.outcomes(&ended, 0.0).remove(0)
}

/// In how many programs the oracle finds something wrong with a breadth-first search.
fn caught_by_levels(open: Option<fn() -> breadth::Open>, threads: usize) -> usize {
    let wrong = |seed: u64| {
        let system = chains(seed);
        let predicate = |p: &Property| p.class() == Class::Safety && !matches!(p, Property::Safety(_));
        questions(&system, seed).iter().filter(|p| predicate(p)).any(|property| {
            let oracle = Oracle::new(&system, property, LIMIT);
            oracle.is_some_and(|o| o.check(&by_levels(&system, property, open, threads), Demand::default()).is_err())
        })
    };
    (0..150).filter(|&seed| wrong(seed)).count()
}

/// A process that goes to and fro for ever, by itself, from two places that are equally far: each leads to the other, which
/// waits in the queue while both are expanded. Somebody else could do harm meanwhile, in so many ways that the set of P's steps
/// is the smaller one.
const TO_AND_FRO: &str = "var x : bool
    process P { states start, a, b  start -> a  start -> b  a -> b  b -> a }
    process Q { states calm, one, two, three
                calm -> one do x := true  calm -> two do x := true  calm -> three do x := true }
    property reachable x";

#[test]
fn wrong_provisos_by_levels_are_caught() {
    let right: fn() -> breadth::Open = breadth::Open::new;
    let loaded = frontend::native::load("to-and-fro", TO_AND_FRO, &[]).expect("the model is right");
    let (system, property) = (&loaded.system, &loaded.properties[0].property);
    let oracle = Oracle::new(system, property, LIMIT).expect("it is small");
    let is_right = |open, threads| oracle.check(&by_levels(system, property, open, threads), Demand::default()).is_ok();
    for threads in 1..=4 {
        assert_eq!(caught_by_levels(Some(right), threads), 0, "{threads} threads");
        assert!(caught_by_levels(None, threads) > 0, "no proviso, {threads} threads");
        assert!(is_right(Some(right), threads) && !is_right(None, threads), "{threads} threads");
        assert!(
            !is_right(Some(breadth::Open::flawed), threads),
            "the level that is expanded counts, {threads} threads"
        );
    }
}

/// In how many programs the oracle finds something wrong that is reduced with the relations of another program, or of
/// which another one is searched; both are made of the program as the question needs it.
fn caught_of_held(searched: impl Fn(&System, &Property) -> System, known: impl Fn(u64, &System) -> System) -> usize {
    let wrong = |seed: u64| {
        let system = held(seed);
        questions(&system, seed).iter().filter(|p| !matches!(p, Property::Safety(_))).any(|property| {
            let Some(oracle) = Oracle::new(&system, property, LIMIT) else { return false };
            let searched = searched(&system, property);
            let known = match property {
                Property::Invariant(e) => known(seed, &searched).watching([(e, false)], false),
                Property::Reachable(e) => known(seed, &searched).watching([(e, true)], false),
                _ => known(seed, &searched),
            };
            let outcome = reduced(&searched, property, &known, Proviso::Stack);
            oracle.check(&outcome, Demand::default()).is_err()
        })
    };
    (0..150).filter(|&seed| wrong(seed)).count()
}

/// What is left out of blocks, and what is merged though it is seen, makes a difference.
#[test]
fn planted_bugs_about_control_are_caught() {
    let same = |system: &System, _: &Property| system.clone();
    let merged = |system: &System, property: &Property| {
        let seen = match property {
            Property::Invariant(e) | Property::Reachable(e) => Some(e),
            _ => None,
        };
        system.merging(seen).unwrap_or_else(|| system.clone())
    };
    let blindly = |system: &System, _: &Property| system.merging(None).unwrap_or_else(|| system.clone());
    let own = |_: u64, system: &System| system.clone();
    assert_eq!(caught_of_held(same, own), 0);
    assert_eq!(caught_of_held(merged, own), 0);
    assert!(caught_of_held(same, |seed, _| unheld(seed)) > 0, "blocks are left out");
    assert!(caught_of_held(blindly, own) > 0, "what is seen is merged");
}

/// In how many systems the oracle finds that the search for silent cycles went wrong.
fn wrongly_silent(steps: impl Fn(&System) -> SilentSteps<'static>) -> usize {
    let property = Property::DivergenceFree(SILENT.into());
    let wrong = |seed: u64| {
        let system = &silenced(seed, &Profile::lawful());
        let Some(oracle) = Oracle::new(system, &property, LIMIT) else { return false };
        let (budget, progress, properties) = (&Budget::unlimited(), &Silent, &[&property]);
        let (finish, all, forgets) = (0, false, false);
        let mut search = Search::new(Task { system, properties, finish, all, forgets, budget, progress });
        let ended = divergence::run(&mut search, &steps(system), true);
        oracle.check(&search.outcomes(&ended, 0.0).remove(0), Demand::default()).is_err()
    };
    (0..150).filter(|&seed| wrong(seed)).count()
}

#[test]
fn wrongly_silent_steps_are_caught() {
    let right = |system: &System| SilentSteps::new(system, SILENT);
    let first = |system: &System| system.transition_ids().find(|t| right(system).contains(*t));
    assert_eq!(wrongly_silent(right), 0);
    assert!(wrongly_silent(SilentSteps::all) > 10);
    assert!(wrongly_silent(|system| first(system).map_or_else(|| right(system), |t| right(system).without(t))) > 0);
}

/// A search with states in files and next to no memory.
fn on_disk(system: &System, property: &Property, threads: usize, (all, reduced): (bool, bool)) -> Outcome {
    let folder = std::env::temp_dir().join(format!("impasse-disk-{}", std::process::id()));
    let (budget, progress, properties) = (&Budget::unlimited(), &Silent, &[property]);
    let observed = match property {
        Property::Safety(observer) => Some(system.observed_by(observer)),
        _ => None,
    };
    let system = observed.as_ref().unwrap_or(system);
    let (finish, forgets) = (u64::MAX, false);
    let mut search = Search::new(Task { system, properties, finish, all, forgets, budget, progress });
    let sets = || PersistentSets::new(system, STUBBORN.algorithm, STUBBORN.interference, false);
    let reduce = if reduced { Some(&sets as _) } else { None };
    search.extent = if reduced { Extent::EveryDeadlock } else { Extent::Full };
    let plan = breadth::Plan { threads, narrow: 1, reduce, open: None };
    let store = Disk::new(&folder, system.words(), threads, 0).expect("there is a place for temporary files");
    let ended = breadth::run(&mut search, &plan, store);
    search.outcomes(&ended, 0.0).remove(0)
}

/// In how many random systems the oracle finds something wrong with a search on disk.
fn wrong_on_disk(seeds: std::ops::Range<u64>) -> usize {
    let mut wrong = 0;
    for (name, profile) in Profile::all().into_iter().chain([("control".to_owned(), Profile::control())]) {
        for seed in seeds.clone() {
            let sample = sample(seed, &profile);
            for (property, k) in sample.properties.iter().zip(0..) {
                let Some(oracle) = Oracle::new(&sample.system, property, LIMIT) else { continue };
                let threads = 1 + (seed as usize + k) % 3;
                // A way back that is lost ends the search with a panic.
                let is_deadlock = matches!(property, Property::DeadlockFree);
                let reduced = is_deadlock && sample.system.is_lawful() && seed % 2 == 0;
                let wishes = (k % 2 == 0, reduced);
                let searched = std::panic::catch_unwind(|| on_disk(&sample.system, property, threads, wishes));
                let Ok(outcome) = searched else {
                    assert!(SLIPS.get(), "profile {name}, seed {seed}");
                    wrong += 1;
                    continue;
                };
                let demand = Demand { shortest: !sample.system.has_holds(), complete: !reduced };
                if let Err(e) = oracle.check(&outcome, demand) {
                    wrong += 1;
                    assert!(
                        SLIPS.get(),
                        "profile {name}, seed {seed}: {e}\n{property:?}\n{}",
                        describe(&sample.system)
                    );
                }
            }
        }
    }
    wrong
}

#[test]
fn searches_on_disk_agree_with_the_oracle() {
    assert_eq!(wrong_on_disk(0..20), 0);
}

/// Large enough that buffers overflow, runs are joined, and levels come from files in several blocks.
#[test]
fn searches_on_disk_count_what_others_count() {
    let path = format!("{}/../../crates/bench/models/philosophers.imp", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the model is there");
    let system = frontend::native::load("philosophers", &text, &[("n".into(), 9)]).expect("the model is right").system;
    let problem = Problem { system: &system, property: &Property::DeadlockFree };
    let expected = Explore { finish: u64::MAX, ..Explore::default() }.run(&problem, &Budget::unlimited(), &Silent);
    let figures = |o: &Outcome| {
        let s = o.statistics;
        (s.states, s.transitions, s.deadlocks, s.depth, s.complete, s.matched, o.verdict.trace().map(|t| t.stem.len()))
    };
    for threads in 1..=3 {
        let outcome = on_disk(&system, problem.property, threads, (false, false));
        assert_eq!(figures(&outcome), figures(&expected), "{threads} threads");
        let run = outcome.verdict.trace().expect("there is a deadlock");
        check::replay(&system, problem.property, run).expect("it is a run");
    }
}

#[test]
fn rows_that_slip_are_caught() {
    SLIPS.set(true);
    let wrong = wrong_on_disk(0..6);
    SLIPS.set(false);
    assert!(wrong > 0);
}

/// Memory is short: the search begins anew on disk, and keeps the limit.
#[test]
fn a_search_spills_when_memory_is_short() {
    let folder = std::env::temp_dir().join(format!("impasse-spill-{}", std::process::id()));
    let path = format!("{}/../../crates/bench/models/philosophers.imp", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the model is there");
    let system = frontend::native::load("philosophers", &text, &[("n".into(), 10)]).expect("the model is right").system;
    let (none, property) = (Property::Invariant(model::Expr::TRUE), Property::DeadlockFree);
    let explore = Explore { finish: u64::MAX, threads: 2, ..Explore::default() };
    let files = Files { checkpoints: None, spill: Some(folder.clone()) };
    let budget = Budget::unlimited().with_memory(100_000);
    for property in [&none, &property] {
        let problem = Problem { system: &system, property };
        let plain = explore.run(&problem, &budget, &Silent);
        assert_eq!(plain.statistics.complete, Some(false), "memory is short");
        let outcome = WithFiles { explore, files: files.clone() }.run(&problem, &budget, &Silent);
        assert!(outcome.statistics.peak_bytes <= 100_000, "{}", outcome.statistics.peak_bytes);
        match property {
            // What is decided already is not searched again.
            Property::DeadlockFree => assert!(outcome.verdict.trace().is_some()),
            _ => {
                assert_eq!(outcome.statistics.complete, Some(true));
                assert!(outcome.warnings.iter().any(|w| w.contains("memory was short")), "{:?}", outcome.warnings);
            }
        }
    }
    assert_eq!(std::fs::read_dir(&folder).map_or(0, Iterator::count), 0, "nothing stays behind");
    let _ = std::fs::remove_dir(folder);
}

/// Somebody who presses Ctrl-C as soon as anything is told.
struct Impatient(std::sync::Arc<std::sync::atomic::AtomicBool>);

impl evidence::Progress for Impatient {
    fn update(&self, _: &evidence::Snapshot) {
        self.0.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

#[test]
fn what_was_found_before_an_interruption_is_told() {
    let mut b = model::Builder::new("counters");
    for i in 0..7 {
        let p = b.process(format!("P{i}"));
        let places: Vec<_> = (0..8).map(|k| b.location(p, format!("at{k}"))).collect();
        (0..8).for_each(|k| b.edge(model::Edge::new(p, places[k], places[(k + 1) % 8])));
    }
    let system = b.build().expect("the model is well formed");
    let stays = Property::Invariant(model::Expr::At(model::ProcessId(0), model::LocationId(0)));
    let budget = Budget::unlimited();
    let impatient = Impatient(budget.cancel_flag());
    let explore = Explore { finish: u64::MAX, ..Explore::default() };
    let outcome = explore.run(&Problem { system: &system, property: &stays }, &budget, &impatient);
    assert_eq!(outcome.statistics.complete, Some(false), "it was interrupted");
    assert_eq!(outcome.verdict.trace().map(|trace| trace.stem.len()), Some(1), "{:?}", outcome.verdict);
}
