//! What is lost by not choosing an engine: `auto` against the best single one, on every model as a user runs it.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::impasse::{NETS, build, models};
use crate::measure::{geometric_mean, run};

/// The engines that `auto` must not fall behind.
const ENGINES: [&str; 7] = [
    "explore",
    "explore:order=depth,finish=0,persistent=stubborn,merge,live",
    "local",
    "invariant",
    "symbolic",
    "unfold",
    "net",
];
/// The engines for nets; `net` is all of them and what `auto` does there.
const NET_ENGINES: [&str; 8] =
    ["explore", "unfold", "net:walk", "net:structural", "net:search", "net:unfold", "net:bmc", "net:ic3"];
/// Shorter times are not told apart: most of them is starting a program.
const LEAST: f64 = 0.02;

#[derive(Debug)]
pub(crate) struct Options {
    seconds: u64,
    binary: Option<PathBuf>,
    models: Vec<PathBuf>,
}

impl Options {
    pub(crate) fn parse(args: &[String]) -> Result<Self, String> {
        let mut options = Self { seconds: 10, binary: None, models: Vec::new() };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--seconds" => options.seconds = value()?.parse().map_err(|_| "seconds are a number".to_owned())?,
                "--binary" => options.binary = Some(value()?.into()),
                flag if flag.starts_with('-') => return Err(format!("there is no {flag}")),
                model => options.models.push(model.into()),
            }
        }
        Ok(options)
    }
}

/// How often `auto` was asked and how it compares.
#[derive(Default)]
struct Tally {
    ratios: Vec<f64>,
    /// What some engine decides and `auto` does not.
    missed: Vec<String>,
    /// What `auto` alone decides.
    alone: usize,
    open: usize,
}

pub(crate) fn run_all(options: &Options) -> Result<(), String> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => build(&root)?,
    };
    let given = if options.models.is_empty() { vec![root.join("corpus")] } else { options.models.clone() };
    let mut tally = Tally::default();
    for model in given.iter().flat_map(|path| if path.is_dir() { models(path) } else { vec![path.clone()] }) {
        for property in properties(&binary, &model)? {
            compare(&binary, &model, &property, options.seconds, &mut tally)?;
        }
    }
    let worst = tally.ratios.iter().copied().fold(0.0, f64::max);
    println!(
        "{} questions: auto takes {:.2} of the best engine's time on the geometric mean, {worst:.2} at most; \
         {} decided by auto alone, {} by nobody, {} missed",
        tally.ratios.len(),
        geometric_mean(&tally.ratios),
        tally.alone,
        tally.open,
        tally.missed.len()
    );
    tally.missed.iter().for_each(|missed| println!("missed: {missed}"));
    Ok(())
}

/// The names of the properties of a model.
fn properties(binary: &Path, model: &Path) -> Result<Vec<String>, String> {
    let shown = model.to_string_lossy();
    let ran = run(binary, &["check", &shown, "--format", "json", "--timeout", "1s"], Path::new("."))?;
    let report: Value = serde_json::from_str(&ran.stdout).map_err(|e| format!("{shown}: {e}"))?;
    let results = report["results"].as_array().cloned().unwrap_or_default();
    Ok(results.iter().filter_map(|r| r["property"].as_str().map(str::to_owned)).collect())
}

/// The time in which an engine decides a property, if it does.
fn time(binary: &Path, model: &str, property: &str, engine: &str, seconds: u64) -> Result<Option<f64>, String> {
    let limit = format!("{seconds}s");
    let asked = ["check", model, "--property", property, "--engine", engine, "--timeout", &limit, "-q"];
    let ran = run(binary, &asked, Path::new("."))?;
    Ok(matches!(ran.code, Some(0 | 11..=13)).then_some(ran.seconds))
}

fn compare(binary: &Path, model: &Path, property: &str, seconds: u64, tally: &mut Tally) -> Result<(), String> {
    let shown = model.to_string_lossy();
    let auto = time(binary, &shown, property, "auto", seconds)?;
    let mut best: Option<(f64, &str)> = None;
    let is_net = model.extension().is_some_and(|e| NETS.iter().any(|kind| e == *kind));
    for engine in if is_net { NET_ENGINES.as_slice() } else { &ENGINES } {
        // Who is slower than the best by far need not end.
        let limit = best.map_or(seconds, |(time, _)| (2.0 * time).ceil() as u64);
        if let Some(time) = time(binary, &shown, property, engine, limit.min(seconds))?
            && best.is_none_or(|(least, _)| time < least)
        {
            best = Some((time, engine));
        }
    }
    match (auto, best) {
        (Some(auto), Some((time, engine))) => {
            let ratio = auto.max(LEAST) / time.max(LEAST);
            tally.ratios.push(ratio);
            println!("{ratio:6.2} {auto:8.3} s, best {time:8.3} s by {engine}: {shown} {property}");
        }
        (None, Some((time, engine))) => {
            tally.missed.push(format!("{shown} {property}: {engine} takes {time:.3} s"));
        }
        (Some(_), None) => tally.alone += 1,
        (None, None) => tally.open += 1,
    }
    Ok(())
}
