//! Searches that are interrupted again and again answer as others do; files that are not their own are refused.

use std::cell::Cell;

use evidence::{Budget, Outcome, Silent, Verdict};
use testkit::compare::{Demand, Oracle};
use testkit::random::{Profile, sample};
use testkit::{Rng, describe};

use super::*;
use crate::explore::{Files, Keep, Persistent, Proviso, Wish, WithFiles};
use crate::persistent::{Algorithm, Interference};
use crate::{Engine, Problem};

thread_local! {
    /// A planted bug: what was found of the next level is lost on the way.
    pub(super) static FORGETS: Cell<bool> = const { Cell::new(false) };
    /// There is no time to tell any run.
    pub(in super::super) static TELLS_NOTHING: Cell<bool> = const { Cell::new(false) };
}

const LIMIT: usize = 600;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("impasse-checkpoints-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Self(folder)
    }

    /// The checkpoints that are there.
    fn files(&self) -> Vec<PathBuf> {
        fs::read_dir(&self.0).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    }

    /// A search that leaves checkpoints here as often as it can.
    fn search(&self, explore: Explore) -> WithFiles {
        let checkpoints = Some(Checkpoints { folder: self.0.clone(), every: Duration::ZERO });
        WithFiles { explore, files: Files { checkpoints, spill: None } }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Whether a search can go on: it may have its answer, but there is more to count.
fn can_go_on(outcome: &Outcome) -> bool {
    outcome.warnings.iter().any(|w| w.contains("the same command goes on"))
}

/// Interrupts a search again and again, after some microseconds each time, until it is done; how often.
fn interrupted(search: &WithFiles, problem: &Problem<'_>, rng: &mut Rng, most: usize) -> (Outcome, usize) {
    for times in 0.. {
        let time = if times > 2000 { 10_000_000 } else { rng.below(most) as u64 };
        let budget = Budget::unlimited().with_timeout(Duration::from_micros(time));
        let outcome = search.run(problem, &budget, &Silent);
        if !can_go_on(&outcome) {
            return (outcome, times);
        }
    }
    unreachable!("numbers do not end")
}

fn explore(turn: usize) -> Explore {
    let keep = if turn.is_multiple_of(3) { Keep::Plain } else { Keep::Tree };
    let finish = if turn.is_multiple_of(5) { 0 } else { u64::MAX };
    Explore { threads: 1 + turn % 3, keep, finish, narrow: 1, ..Explore::default() }
}

/// In how many random systems the oracle finds something wrong with interrupted searches; and how often they were.
fn wrong(seeds: std::ops::Range<u64>, name: &str) -> (usize, usize) {
    let (mut wrong, mut times) = (0, 0);
    for profile in [Profile::lawful(), Profile::control(), Profile::nets()] {
        for seed in seeds.clone() {
            let (sample, folder) = (sample(seed, &profile), Folder::new(name));
            let mut rng = Rng::new(seed);
            for (k, property) in sample.properties.iter().enumerate() {
                let Some(oracle) = Oracle::new(&sample.system, property, LIMIT) else { continue };
                let explore = explore(seed as usize + k);
                let problem = Problem { system: &sample.system, property };
                let search = folder.search(explore);
                if search.supports(&problem).is_err() {
                    continue;
                }
                let (outcome, often) = interrupted(&search, &problem, &mut rng, 60);
                times += often;
                let shortest = !sample.system.has_holds();
                let demand = Demand { shortest, complete: explore.finish == u64::MAX };
                if let Err(e) = oracle.check(&outcome, demand) {
                    wrong += 1;
                    assert!(FORGETS.get(), "seed {seed}: {e}\n{property:?}\n{}", describe(&sample.system));
                }
                assert!(folder.files().is_empty(), "a search that is done leaves nothing");
            }
        }
    }
    (wrong, times)
}

#[test]
fn interrupted_searches_agree_with_the_oracle() {
    let (wrong, times) = wrong(0..25, "oracle");
    assert_eq!(wrong, 0);
    assert!(times > 200, "only {times} interruptions");
}

#[test]
fn a_checkpoint_that_forgets_is_caught() {
    FORGETS.set(true);
    let (wrong, _) = wrong(0..25, "forgets");
    FORGETS.set(false);
    assert!(wrong > 5, "{wrong}");
}

#[test]
fn what_was_found_and_not_told_is_not_lost() {
    let (system, folder) = (philosophers(6), Folder::new("untold"));
    let problem = Problem { system: &system, property: &Property::DeadlockFree };
    let search = folder.search(Explore { finish: u64::MAX, ..Explore::default() });
    TELLS_NOTHING.set(true);
    let outcome = search.run(&problem, &Budget::unlimited(), &Silent);
    TELLS_NOTHING.set(false);
    assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Cancelled), "why it could not be told");
    assert!(can_go_on(&outcome) && outcome.warnings.iter().any(|w| w.contains("time to tell")), "{outcome:?}");
    assert!(!folder.files().is_empty());
    let outcome = search.run(&problem, &Budget::unlimited(), &Silent);
    assert!(matches!(outcome.verdict, Verdict::Violated(_)), "{outcome:?}");
    assert!(outcome.warnings.iter().any(|w| w.contains("went on from a checkpoint")) && folder.files().is_empty());
}

fn philosophers(n: i64) -> System {
    let text = "param n = 3  lock fork[n]
        process Phil[i in 0..n-1] { states thinking, hungry, eating, done
            thinking -> hungry do acquire fork[i]      hungry -> eating do acquire fork[(i+1) % n]
            eating -> done do release fork[i]          done -> thinking do release fork[(i+1) % n] }";
    frontend::native::load("philosophers", text, &[("n".into(), n)]).expect("the model is right").system
}

/// Levels are interrupted in their middle, with every store and number of threads: nothing is counted twice or left out.
#[test]
fn figures_do_not_depend_on_interruptions() {
    let (system, mut rng, mut times) = (philosophers(8), Rng::new(5), 0);
    let problem = Problem { system: &system, property: &Property::DeadlockFree };
    let figures = |o: &Outcome| {
        let s = o.statistics;
        let run = o.verdict.trace().map(|t| t.stem.len());
        (s.states, s.transitions, s.deadlocks, s.depth, s.complete, s.matched, run, o.deadlocks.len(), o.fired.clone())
    };
    for keep in [Keep::Tree, Keep::Plain, Keep::Hashes(60), Keep::Bits(1 << 24)] {
        for (threads, all) in [(1, false), (2, true), (3, false)] {
            let all = all && keep.is_exact();
            // A state may be new to two threads.
            let threads = if matches!(keep, Keep::Bits(_)) { 1 } else { threads };
            let explore = Explore { threads, keep, all, finish: u64::MAX, narrow: 1, ..Explore::default() };
            let folder = Folder::new("figures");
            let (outcome, often) = interrupted(&folder.search(explore), &problem, &mut rng, 3000);
            let whole = explore.run(&problem, &Budget::unlimited(), &Silent);
            assert_eq!(figures(&outcome), figures(&whole), "{explore:?}");
            times += often;
        }
    }
    assert!(times > 30, "only {times} interruptions");
}

/// With a reduction and its proviso the verdict stays.
#[test]
fn reduced_searches_can_be_interrupted() {
    let (mut rng, folder) = (Rng::new(9), Folder::new("reduced"));
    let persistent = Some(Persistent { algorithm: Algorithm::Stubborn, interference: Interference::DoNotAccord });
    for seed in 0..15 {
        let system = testkit::random::chains(seed);
        for property in testkit::random::questions(&system, seed) {
            let reduce = Wish { persistent, sleep: false, proviso: Proviso::None };
            let explore = Explore { reduce, threads: 1 + seed as usize % 3, narrow: 1, ..Explore::default() };
            let problem = Problem { system: &system, property: &property };
            let Some(oracle) = Oracle::new(&system, &property, LIMIT) else { continue };
            let (outcome, _) = interrupted(&folder.search(explore), &problem, &mut rng, 60);
            oracle.check(&outcome, Demand::default()).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        }
    }
}

/// A checkpoint of a search that was cut off.
fn cut_off(folder: &Folder, explore: Explore, problem: &Problem<'_>) -> PathBuf {
    let (spent, before) = (Budget::unlimited().with_timeout(Duration::from_millis(1)), folder.files());
    let outcome = folder.search(explore).run(problem, &spent, &Silent);
    assert!(can_go_on(&outcome), "{:?}", outcome.warnings);
    folder.files().into_iter().find(|path| !before.contains(path)).expect("there is a checkpoint")
}

#[test]
fn checkpoints_of_others_are_refused() {
    let (system, other, folder) = (philosophers(9), philosophers(10), Folder::new("foreign"));
    let (problem, explore) = (Problem { system: &system, property: &Property::DeadlockFree }, explore(1));
    let path = cut_off(&folder, explore, &problem);
    let refused = |search: &WithFiles, problem: &Problem<'_>| {
        let outcome = search.run(problem, &Budget::unlimited(), &Silent);
        matches!(outcome.verdict, Verdict::Unknown(Reason::Files(why)) if why.contains("another model"))
    };
    assert!(refused(&folder.search(explore), &Problem { system: &other, ..problem }));
    assert!(refused(&folder.search(Explore { finish: 7, ..explore }), &problem));
    assert!(refused(&folder.search(Explore { keep: Keep::Plain, ..explore }), &problem));
    // Of other questions about the same model there may be checkpoints beside; but not under this name.
    let question = Property::Invariant(model::Expr::TRUE);
    let asked = Problem { property: &question, ..problem };
    let second = cut_off(&folder, explore, &asked);
    fs::copy(&path, &second).expect("there is room");
    assert!(refused(&folder.search(explore), &asked));
    assert!(!refused(&folder.search(Explore { threads: 4, ..explore }), &problem), "threads make no difference");
}

#[test]
fn broken_checkpoints_are_refused() {
    let (system, folder) = (philosophers(9), Folder::new("broken"));
    let (problem, explore) = (Problem { system: &system, property: &Property::DeadlockFree }, explore(1));
    let path = cut_off(&folder, explore, &problem);
    let whole = fs::read(&path).expect("it is there");
    let mut rng = Rng::new(3);
    for round in 0..200 {
        let mut bytes = whole.clone();
        match round % 2 {
            0 => bytes.truncate(rng.below(whole.len())),
            _ => bytes[rng.below(whole.len())] ^= 1 << rng.below(8),
        }
        fs::write(&path, &bytes).expect("there is room");
        let outcome = folder.search(explore).run(&problem, &Budget::unlimited(), &Silent);
        assert!(matches!(&outcome.verdict, Verdict::Unknown(Reason::Files(_))), "{round}: {:?}", outcome.verdict);
    }
    fs::write(&path, &whole).expect("there is room");
    let scarce = Budget::unlimited().with_memory(whole.len() as u64 / 2);
    let outcome = folder.search(explore).run(&problem, &scarce, &Silent);
    assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Memory), "what is loaded counts");
    let outcome = folder.search(explore).run(&problem, &Budget::unlimited(), &Silent);
    assert!(matches!(outcome.verdict, Verdict::Violated(_)), "this test can fail");
}

/// Where there is no place for checkpoints, a search does not begin; where one cannot be written any more, it goes on.
#[test]
fn a_folder_that_is_none_is_told() {
    let (system, folder) = (philosophers(9), Folder::new("none"));
    let problem = Problem { system: &system, property: &Property::DeadlockFree };
    fs::create_dir_all(&folder.0).expect("there is a place for temporary files");
    let file = Folder(folder.0.join("file"));
    fs::write(&file.0, "").expect("there is room");
    let outcome = file.search(explore(1)).run(&problem, &Budget::unlimited(), &Silent);
    assert!(matches!(&outcome.verdict, Verdict::Unknown(Reason::Files(why)) if why.contains("no checkpoints in")));
    // The name under which files are written is taken by a folder.
    let path = cut_off(&folder, explore(1), &problem);
    fs::create_dir_all(path.with_extension("new")).expect("there is room");
    let outcome = folder.search(explore(1)).run(&problem, &Budget::unlimited(), &Silent);
    assert!(matches!(outcome.verdict, Verdict::Violated(_)));
    let failures = outcome.warnings.iter().filter(|w| w.contains("goes on without")).count();
    assert_eq!(failures, 1, "it is said once: {:?}", outcome.warnings);
    assert!(!path.exists(), "a search that is done removes its checkpoint all the same");
}
