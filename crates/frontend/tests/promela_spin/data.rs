//! The public models with SPIN's verdicts, where they are there: the folder is `IMPASSE_DATA`, or `../shared/data`.
//!
//! The verdicts are those of the collection. Its numbers of states come from SPIN with statement merging and without
//! dead variables; the numbers without (`spin -o1 -o2 -o3`), which are the ones to compare with, stand in `states.csv`,
//! and for larger models a campaign asks SPIN itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use testkit::spin::{Compiler, Spin};

use crate::ours::{Ours, look_beside};

/// Models up to this size are compared in every run of the tests.
const SMALL: u64 = 6_000;

/// Models up to this size are compared in a campaign, unless `IMPASSE_STATES` says otherwise.
const LARGE: u64 = 1_000_000;

/// The models that are not compared, or differ, and why. `docs/promela.md` explains each reason.
const EXCLUDED: &[(&str, &str)] = &[
    ("spin-examples/priorities.pml", "priorities of processes are refused"),
    ("spin-examples/rtos1.pml", "priorities of processes are refused"),
];

/// What is known of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Known {
    invalid_end: Option<bool>,
    assertion: Option<bool>,
    /// With SPIN's optimisations: how large the model is, more or less.
    size: Option<u64>,
    /// Without them: the number of states.
    states: Option<u64>,
}

fn data() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = std::env::var_os("IMPASSE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    Some(data.join("promela")).filter(|folder| folder.join("verdicts.csv").exists())
}

/// The models by their paths below the folder.
fn known(folder: &Path) -> BTreeMap<String, Known> {
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    let table = fs::read_to_string(folder.join("verdicts.csv")).expect("the table can be read");
    for line in table.lines().skip(1) {
        let [_, path, question, expected, ..] = line.split(',').collect::<Vec<_>>()[..] else { continue };
        let model = known.entry(path.to_owned()).or_default();
        match question {
            "invalid_end_state_reachable" => model.invalid_end = Some(expected == "TRUE"),
            "assertion_violated" => model.assertion = Some(expected == "TRUE"),
            "states_full" => model.size = expected.parse().ok(),
            _ => {}
        }
    }
    for line in include_str!("states.csv").lines() {
        let (path, states) = line.split_once(',').expect("a path and a number");
        if let Some(model) = known.get_mut(path) {
            model.states = states.parse().ok();
        }
    }
    known
}

/// Reads and walks a model; beyond a few times its size something is wrong.
fn ours(folder: &Path, path: &str, size: u64) -> Result<Ours, String> {
    let file = folder.join(path);
    let text = String::from_utf8_lossy(&fs::read(&file).map_err(|e| e.to_string())?).into_owned();
    look_beside(&text, file.parent().expect("a file is in a folder"), true, (size as usize + 1000) * 40)
}

fn differences(known: &Known, ours: &Ours) -> Vec<String> {
    let mut found = Vec::new();
    let mut verdict = |what: &str, expected: Option<bool>, ours: bool| {
        if expected.is_some_and(|e| e != ours) {
            found.push(format!("{what}: {ours}"));
        }
    };
    verdict("invalid end state", known.invalid_end, ours.invalid_end);
    verdict("assertion violated", known.assertion, ours.assertion);
    if let Some(states) = known.states.filter(|states| *states != ours.states) {
        found.push(format!("states: {}, SPIN {states}", ours.states));
    }
    found.extend(ours.other.iter().map(|error| format!("error: {error}")));
    found
}

/// The number of states by SPIN itself.
fn by_spin(file: &Path) -> Option<u64> {
    let (compiler, time) = (Compiler::Speed, Duration::from_secs(120));
    let spin = Spin { compiler, depth: 5_000_000, table: 22, time, megabytes: 6144, ..Spin::default() };
    let search = spin.build(file).ok()?.search(&[]).ok()?;
    search.finished.then_some(search.states)
}

/// Compares all models up to a size; `ask` is whether SPIN is asked for sizes that are not listed.
fn compare(largest: u64, ask: bool) {
    let Some(folder) = data() else { return eprintln!("skipped: IMPASSE_DATA names no data") };
    let (mut failures, mut compared, mut sized) = (Vec::new(), 0, 0);
    for (path, mut known) in known(&folder) {
        let Some(size) = known.size.filter(|size| *size <= largest) else { continue };
        if EXCLUDED.iter().any(|(name, _)| *name == path) {
            continue;
        }
        if ask && known.states.is_none() {
            known.states = by_spin(&folder.join(&path));
        }
        compared += 1;
        sized += u64::from(known.states.is_some());
        match ours(&folder, &path, size) {
            Ok(ours) => failures.extend(differences(&known, &ours).iter().map(|d| format!("{path}: {d}"))),
            Err(why) => failures.push(format!("{path}: {why}")),
        }
        if ask {
            println!("{path}: compared; {} differences so far", failures.len());
        }
    }
    println!("{compared} models compared, {sized} of them by the number of states");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    assert!(compared > 50 && sized > 50, "{compared} models, {sized} sizes only");
}

#[test]
fn small_models_have_spins_verdicts_and_sizes() {
    compare(SMALL, false);
}

#[test]
#[ignore = "a campaign over models of up to IMPASSE_STATES states"]
fn all_models_have_spins_verdicts_and_sizes() {
    let largest = std::env::var("IMPASSE_STATES").ok().and_then(|n| n.parse().ok());
    compare(largest.unwrap_or(LARGE), Spin::is_here());
}

#[test]
fn differences_are_noticed() {
    let known = Known { invalid_end: Some(true), assertion: Some(false), size: Some(5), states: Some(9) };
    let ours = Ours { states: 9, invalid_end: true, assertion: false, trace: false, other: None };
    assert!(differences(&known, &ours).is_empty());
    assert_eq!(differences(&known, &Ours { states: 8, invalid_end: false, ..ours }).len(), 2);
}
