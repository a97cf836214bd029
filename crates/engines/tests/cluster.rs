//! Workers that share nothing meet the naive oracle: on tiny and on random systems, by ones, twos and threes, whether they
//! stop at a violation or go on. Every run that they give is replayed; they count what one thread counts. Of their checkpoints
//! they use what is whole and fits together.
#![cfg(feature = "cluster")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use check::replay;
use engines::explore::{Checkpoints, Explore, Files, Team, WithFiles};
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

/// A folder for checkpoints.
struct Folder(PathBuf);

/// Files and what was in them.
type Contents = Vec<(PathBuf, Vec<u8>)>;

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("impasse-cluster-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Self(folder)
    }

    /// A search that leaves checkpoints here at every level.
    fn search(&self, explore: Explore) -> WithFiles {
        let checkpoints = Some(Checkpoints { folder: self.0.clone(), every: Duration::ZERO });
        WithFiles { explore, files: Files { checkpoints, spill: None } }
    }

    fn contents(&self) -> Contents {
        let files = fs::read_dir(&self.0).into_iter().flatten().flatten().map(|entry| entry.path());
        files.map(|path| (path.clone(), fs::read(path).expect("it can be read"))).collect()
    }

    fn put(&self, contents: &Contents) {
        self.contents().iter().for_each(|(path, _)| fs::remove_file(path).expect("it is there"));
        contents.iter().for_each(|(path, bytes)| fs::write(path, bytes).expect("there is room"));
    }

    /// The file of a worker for a level.
    fn file(&self, worker: usize, level: u64) -> PathBuf {
        let end = format!("-worker-{worker}-of-{WORKERS}-level-{level}.checkpoint");
        let found = self.contents().into_iter().find(|(path, _)| path.to_string_lossy().ends_with(&end));
        found.unwrap_or_else(|| panic!("there is no {end}")).0
    }

    /// The levels of which all workers have files, the last first.
    fn levels(&self) -> Vec<u64> {
        let of = |worker: usize| -> Vec<u64> {
            let part = format!("-worker-{worker}-of-{WORKERS}-level-");
            let level = |(path, _): &(PathBuf, _)| path.file_stem()?.to_str()?.split_once(&part)?.1.parse().ok();
            self.contents().iter().filter_map(level).collect()
        };
        let mut levels = of(0);
        levels.retain(|level| (1..WORKERS).all(|worker| of(worker).contains(level)));
        levels.sort_unstable_by(|a, b| b.cmp(a));
        levels
    }

    /// Begins a search, and interrupts it when there are two levels that all workers have.
    fn begun(&self, problem: &Problem<'_>) -> Contents {
        for _ in 0..1000 {
            let soon = Budget::unlimited().with_timeout(Duration::from_millis(40));
            let outcome = self.search(workers(WORKERS, u64::MAX)).run(problem, &soon, &Silent);
            if matches!(outcome.verdict, Verdict::Unknown(Reason::Timeout)) && self.levels().len() == 2 {
                return self.contents();
            }
        }
        panic!("it is always done before")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const WORKERS: usize = 3;

/// What is done to a checkpoint.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Cut,
    Flip,
    Gone,
}

impl Fault {
    fn happens_to(self, path: &Path) {
        let mut bytes = fs::read(path).expect("it is there");
        let middle = bytes.len() / 2;
        match self {
            Fault::Cut => bytes.truncate(middle),
            Fault::Flip => bytes[middle] ^= 4,
            Fault::Gone => return fs::remove_file(path).expect("it is there"),
        }
        fs::write(path, bytes).expect("there is room");
    }
}

/// Where the newest level is not whole, at one worker or all, the one before is taken; never some of both, and never nothing
/// if something was there.
#[test]
fn damaged_checkpoints_are_passed_over() {
    let (system, folder) = (counters(6), Folder::new("damaged"));
    let problem = Problem { system: &system, property: &Property::DeadlockFree };
    let run = || folder.search(workers(WORKERS, u64::MAX)).run(&problem, &Budget::unlimited(), &Silent);
    let contents = folder.begun(&problem);
    let levels = folder.levels();
    for fault in [Fault::Cut, Fault::Flip, Fault::Gone] {
        for hit in [vec![0], vec![WORKERS - 1], (0..WORKERS).collect()] {
            folder.put(&contents);
            hit.iter().for_each(|worker| fault.happens_to(&folder.file(*worker, levels[0])));
            let outcome = run();
            assert!(matches!(outcome.verdict, Verdict::Holds(_)), "{fault:?} {hit:?}: {:?}", outcome.verdict);
            let figures = &outcome.statistics;
            assert_eq!([figures.states, figures.depth], [1 << 18, 42].map(Some), "{fault:?} {hit:?}");
            let told = |what: &str| outcome.warnings.iter().filter(|w| w.contains(what)).count();
            assert_eq!(told(&format!("went on from checkpoints of level {}", levels[1])), 1, "{:?}", outcome.warnings);
            let expected = if matches!(fault, Fault::Gone) { 0 } else { hit.len() };
            let instead = told(&format!("): level {} was taken instead", levels[1]));
            assert_eq!(instead, expected, "{fault:?} {hit:?}: {:?}", outcome.warnings);
            assert_eq!(folder.contents().len(), 0, "who is done takes all away");
        }
    }
    // An older one that is damaged makes no difference.
    folder.put(&contents);
    Fault::Flip.happens_to(&folder.file(1, levels[1]));
    let outcome = run();
    assert_eq!(outcome.warnings, [format!("the search went on from checkpoints of level {}", levels[0])]);
    // No level is whole: one worker has the one, another the other.
    folder.put(&contents);
    Fault::Cut.happens_to(&folder.file(0, levels[0]));
    Fault::Flip.happens_to(&folder.file(1, levels[1]));
    let before = folder.contents().len();
    let refused = |what: &str| {
        let outcome = run();
        assert!(matches!(&outcome.verdict, Verdict::Unknown(Reason::Files(why)) if why.contains(what)), "{outcome:?}");
    };
    refused("there is no older level that all workers have");
    assert_eq!(folder.contents().len(), before, "nothing is removed unasked");
}

#[test]
fn checkpoints_of_two_searches_are_not_mixed() {
    let (system, folder) = (counters(6), Folder::new("mixed"));
    let problem = Problem { system: &system, property: &Property::DeadlockFree };
    let first = folder.begun(&problem);
    folder.put(&Vec::new());
    let second = folder.begun(&problem);
    let is_first = |path: &Path| path.to_string_lossy().contains("-worker-0-of-");
    let of = |contents: &Contents, wanted: bool| -> Contents {
        contents.iter().filter(|(path, _)| is_first(path) == wanted).cloned().collect()
    };
    let run = || folder.search(workers(WORKERS, u64::MAX)).run(&problem, &Budget::unlimited(), &Silent);
    for mixed in [[of(&first, true), of(&second, false)].concat(), [of(&second, true), of(&first, false)].concat()] {
        folder.put(&mixed);
        let outcome = run();
        let is_told = |why: &str| why.contains("are of different searches");
        assert!(matches!(&outcome.verdict, Verdict::Unknown(Reason::Files(why)) if is_told(why)), "{outcome:?}");
        assert_eq!(folder.contents().len(), mixed.len(), "nothing is removed unasked");
    }
    folder.put(&first);
    assert!(matches!(run().verdict, Verdict::Holds(_)), "this test can fail");
}

/// Also by one process, and by threads.
#[test]
fn two_searches_do_not_use_the_same_files() {
    let system = counters(9);
    let problem = Problem { system: &system, property: &Property::DeadlockFree };
    for (name, explore) in [("team", workers(2, u64::MAX)), ("alone", Explore { threads: 2, ..Explore::default() })] {
        let folder = Folder::new(name);
        let long = Budget::unlimited().with_timeout(Duration::from_secs(60));
        let stop = long.cancel_flag();
        std::thread::scope(|scope| {
            let one = scope.spawn(|| folder.search(explore).run(&problem, &long, &Silent));
            let is_locked = || {
                let names = fs::read_dir(&folder.0).into_iter().flatten().flatten();
                names.filter(|file| file.path().extension().is_some_and(|e| e == "lock")).count() > 0
            };
            while !is_locked() {
                std::thread::sleep(Duration::from_millis(1));
            }
            let soon = Budget::unlimited().with_timeout(Duration::from_millis(200));
            let two = folder.search(explore).run(&problem, &soon, &Silent);
            let is_told = |why: &str| why.contains("another search for the same uses the checkpoints");
            assert!(matches!(&two.verdict, Verdict::Unknown(Reason::Files(why)) if is_told(why)), "{two:?}");
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            assert_eq!(one.join().expect("it does not panic").verdict, Verdict::Unknown(Reason::Cancelled));
            let soon = Budget::unlimited().with_timeout(Duration::from_millis(200));
            let three = folder.search(explore).run(&problem, &soon, &Silent);
            assert_eq!(three.verdict, Verdict::Unknown(Reason::Timeout), "whoever comes later may");
        });
    }
}

/// Interrupted again and again, each time a little later, workers count what they count when nobody interrupts them.
#[test]
fn workers_that_are_interrupted_go_on() {
    let (system, mut times) = (counters(5), 0);
    let problem = Problem { system: &system, property: &Property::DeadlockFree };
    for count in 1..=3 {
        let folder = Folder::new("interrupted");
        let mut patience = Duration::from_millis(1);
        let outcome = loop {
            let soon = Budget::unlimited().with_timeout(patience);
            let outcome = folder.search(workers(count, u64::MAX)).run(&problem, &soon, &Silent);
            if !matches!(outcome.verdict, Verdict::Unknown(Reason::Timeout)) {
                break outcome;
            }
            times += 1;
            patience = patience * 4 / 3;
        };
        assert!(matches!(outcome.verdict, Verdict::Holds(_)), "{outcome:?}");
        let figures = &outcome.statistics;
        let counted = [figures.states, figures.transitions, figures.depth];
        assert_eq!(counted, [1 << 15, 5 << 15, 35].map(Some), "{count} workers");
        assert_eq!(folder.contents().len(), 0, "who is done takes all away");
    }
    assert!(times > 3, "only {times} interruptions");
}
