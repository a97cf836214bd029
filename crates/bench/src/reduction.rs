//! What reductions cost and what they save, in searches for deadlocks, against the full search in the same run.
//!
//! The first table is about cost: seconds per transition, as ratios to the full depth-first search. To hold: at most 1.5
//! where nothing can be reduced. The second is about gain: states, transitions and seconds over the corpus, by algorithm
//! and relation; the default reduction is chosen by it.

use std::path::{Path, PathBuf};

use crate::impasse::{self, Search};
use crate::measure::geometric_mean;
use crate::sizes::CORPUS;

/// What to measure.
pub(crate) struct Options {
    runs: usize,
    /// Whether each table is wanted.
    cost: bool,
    gain: bool,
}

impl Options {
    pub(crate) fn parse(args: &[String]) -> Result<Self, String> {
        let mut options = Self { runs: 3, cost: false, gain: false };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--runs" => {
                    let runs = args.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
                    options.runs = runs.ok_or("--runs takes a positive number")?;
                }
                "cost" => options.cost = true,
                "gain" => options.gain = true,
                _ => return Err(format!("there is no option or table {arg}; the tables are cost and gain")),
            }
        }
        if !options.cost && !options.gain {
            (options.cost, options.gain) = (true, true);
        }
        Ok(options)
    }
}

const ALGORITHMS: [&str; 4] = ["conflict", "overman", "stubborn", "conditional"];
const RELATIONS: [&str; 3] = ["can-be-dependent", "do-not-accord", "first"];
/// Below this, the time per transition is mostly that of beginning.
const ENOUGH_TRANSITIONS: u64 = 20_000;
/// Above this part of the states, nothing was reduced.
const NOTHING_REDUCED: f64 = 0.95;

/// A model and its settings.
struct Model {
    name: String,
    path: PathBuf,
    set: &'static [&'static str],
}

/// The searches of one model: the full one, then one for each reduction.
struct Row {
    name: String,
    full: Search,
    reduced: Vec<Search>,
}

impl Row {
    fn states(&self, i: usize) -> f64 {
        self.reduced[i].states as f64 / self.full.states as f64
    }

    fn transitions(&self, i: usize) -> f64 {
        // A search may need no transition at all, where the initial state is a deadlock.
        (self.reduced[i].transitions.max(1)) as f64 / self.full.transitions.max(1) as f64
    }

    fn seconds(&self, i: usize) -> f64 {
        self.reduced[i].seconds / self.full.seconds
    }

    fn per_transition(&self, i: usize) -> Option<f64> {
        let enough = self.reduced[i].transitions >= ENOUGH_TRANSITIONS;
        enough.then(|| self.reduced[i].seconds_per_transition() / self.full.seconds_per_transition())
    }
}

/// Measures and prints both tables.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let binary = impasse::build(&root)?;
    if options.cost {
        cost(&binary, &root, options.runs)?;
    }
    if options.cost && options.gain {
        println!();
    }
    if options.gain {
        gain(&binary, &root, options.runs)?;
    }
    Ok(())
}

/// All searches of a model, in turn, each as often as wanted; the least time of each counts.
fn measure(binary: &Path, model: &Model, reductions: &[String], runs: usize) -> Result<Row, String> {
    let once = |options: &str| impasse::search(binary, &model.path, model.set, options);
    let mut searches: Vec<Search> = Vec::new();
    for _ in 0..runs {
        for i in 0..=reductions.len() {
            let found = once(i.checked_sub(1).map_or("", |i| &reductions[i]))?;
            match searches.get_mut(i) {
                Some(search) => search.seconds = search.seconds.min(found.seconds),
                None => searches.push(found),
            }
        }
    }
    let full = searches.remove(0);
    if let Some(i) = searches.iter().position(|s| s.deadlocks != full.deadlocks) {
        return Err(format!("{}: {} loses deadlocks", model.name, reductions[i]));
    }
    Ok(Row { name: model.name.clone(), full, reduced: searches })
}

/// The first table.
fn cost(binary: &Path, root: &Path, runs: usize) -> Result<(), String> {
    let mut reductions = Vec::new();
    for sleep in ["", ",sleep"] {
        reductions.extend(ALGORITHMS.map(|a| format!("persistent={a}{sleep}")));
    }
    print!("{:<13} {:>9} {:>7} |", "model", "states", "ns/tr.");
    println!(" {0} {0}", ALGORITHMS.map(|a| format!("{a:>11}")).join(" "));
    println!("{:<13} {:>9} {:>7} | {:>47} {:>47}", "", "", "", "alone", "with sleep sets");
    let mut rows = Vec::new();
    for model in bench_models(&root.join("crates/bench/models"))? {
        let row = measure(binary, &model, &reductions, runs)?;
        let nanoseconds = 1e9 * row.full.seconds_per_transition();
        print!("{:<13} {:>9} {:>7.0} |", row.name, row.full.states, nanoseconds);
        println!("{}", cells(reductions.len(), |i| Some(row.states(i))));
        println!("{:<13} {:>17} |{}", "", "time/transition", cells(reductions.len(), |i| row.per_transition(i)));
        rows.push(row);
    }
    let mean = |i: usize, count: &dyn Fn(&Row) -> bool| {
        let ratios: Vec<f64> = rows.iter().filter(|r| count(r)).filter_map(|r| r.per_transition(i)).collect();
        (!ratios.is_empty()).then(|| geometric_mean(&ratios))
    };
    println!("geometric means of time per transition, {ENOUGH_TRANSITIONS} transitions or more:");
    println!("{:<31} |{}", "  all", cells(reductions.len(), |i| mean(i, &|_| true)));
    let nothing = |i: usize| mean(i, &|r: &Row| r.states(i) > NOTHING_REDUCED);
    println!("{:<31} |{}", "  nothing reduced (to hold: 1.5)", cells(reductions.len(), nothing));
    Ok(())
}

fn cells(columns: usize, value: impl Fn(usize) -> Option<f64>) -> String {
    (0..columns).map(|i| value(i).map_or(format!(" {:>11}", "-"), |v| format!(" {v:>11.4}"))).collect()
}

fn bench_models(folder: &Path) -> Result<Vec<Model>, String> {
    let mut models = Vec::new();
    for folder in [folder, &folder.join("alone")] {
        let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let paths = paths.filter(|p| p.extension().is_some_and(|e| e == "imp"));
        models.extend(paths.map(|path| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Model { name, path, set: &[] }
        }));
    }
    models.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(models)
}

/// The second table.
fn gain(binary: &Path, root: &Path, runs: usize) -> Result<(), String> {
    let mut reductions = vec!["sleep".to_owned()];
    for algorithm in &ALGORITHMS[..3] {
        for relation in RELATIONS {
            for sleep in ["", ",sleep"] {
                reductions.push(format!("persistent={algorithm},relation={relation}{sleep}"));
            }
        }
    }
    let mut rows = Vec::new();
    for (name, set) in CORPUS {
        let path = root.join("corpus").join(format!("{name}.imp"));
        rows.push(measure(binary, &Model { name: (*name).to_owned(), path, set }, &reductions, runs)?);
    }
    println!("{} models of the corpus, geometric means against the full search", rows.len());
    println!("{:<58} {:>7} {:>11} {:>8}", "reduction", "states", "transitions", "seconds");
    for (i, reduction) in reductions.iter().enumerate() {
        let mean = |of: &dyn Fn(&Row) -> f64| geometric_mean(&rows.iter().map(of).collect::<Vec<f64>>());
        println!(
            "{reduction:<58} {:>7.4} {:>11.4} {:>8.3}",
            mean(&|r| r.states(i)),
            mean(&|r| r.transitions(i)),
            mean(&|r| r.seconds(i))
        );
    }
    Ok(())
}
