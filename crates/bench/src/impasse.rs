//! Impasse as its users run it: the release binary, from the file to the report.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::measure::{median, run};

/// The figures of one model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figures {
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) states_per_second: f64,
    pub(crate) bytes_per_state: f64,
    pub(crate) end_to_end: f64,
}

/// Builds the release binary, so that what is measured is what stands here, and says where it is.
pub(crate) fn build(root: &Path) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = run(Path::new(&cargo), &["build", "--release", "--package", "impasse-cli", "--quiet"], root)?;
    if built.code != Some(0) {
        return Err("the release binary does not build".to_owned());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release").join("impasse"))
}

/// What files of nets are called.
pub(crate) const NETS: [&str; 4] = ["pnml", "ll_net", "lola", "net"];
/// What files of other models are called.
const SYSTEMS: [&str; 8] = ["imp", "pml", "prom", "pm", "prm", "csp", "exp", "bip"];

/// All models below a folder, in order.
pub(crate) fn models(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut entries: Vec<PathBuf> = entries.collect();
    entries.sort();
    let is_model =
        |path: &PathBuf| path.extension().is_some_and(|e| SYSTEMS.iter().chain(&NETS).any(|kind| e == *kind));
    entries
        .into_iter()
        .flat_map(|path| if path.is_dir() { models(&path) } else { vec![path] })
        .filter(is_model)
        .collect()
}

/// Searches all that there is to search for deadlocks, several times.
pub(crate) fn measure(binary: &Path, model: &Path, options: &str, runs: usize) -> Result<Figures, String> {
    let engine = format!("explore:finish=unlimited,{options}");
    let model_text = model.to_string_lossy();
    let args = ["check", &model_text, "--deadlock", "--engine", &engine, "--format", "json"];
    let (mut seconds, mut whole, mut last) = (Vec::new(), Vec::new(), Value::Null);
    for _ in 0..runs {
        let ran = run(binary, &args, Path::new("."))?;
        let report: Value =
            serde_json::from_str(&ran.stdout).map_err(|e| format!("{model_text}: the report is not JSON: {e}"))?;
        last = report["results"][0]["statistics"].clone();
        if last["complete"] != Value::Bool(true) && last["reduced"] != Value::Bool(true) {
            return Err(format!("{model_text}: the search was not complete: {}", ran.stdout));
        }
        seconds.push(last["seconds"].as_f64().unwrap_or(f64::NAN));
        whole.push(ran.seconds);
    }
    let count = |key: &str| last[key].as_u64().ok_or_else(|| format!("{model_text}: the report has no {key}"));
    let states = count("states")?;
    Ok(Figures {
        states,
        transitions: count("transitions")?,
        states_per_second: states as f64 / median(seconds),
        bytes_per_state: count("peak_bytes")? as f64 / states as f64,
        end_to_end: median(whole),
    })
}

/// From here on a search is timed by the processor, whose clock is coarse; below, by its own report.
const COARSE: f64 = 0.2;

/// One search, as it ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) deadlocks: u64,
    pub(crate) seconds: f64,
}

impl Search {
    pub(crate) fn seconds_per_transition(&self) -> f64 {
        self.seconds / self.transitions as f64
    }
}

/// Searches once for deadlocks, depth-first, to the end; `set` are settings of parameters.
pub(crate) fn search(binary: &Path, model: &Path, set: &[&str], options: &str) -> Result<Search, String> {
    let engine = format!("explore:finish=unlimited,order=depth,{options}");
    let model_text = model.to_string_lossy();
    let mut args = vec!["check", &model_text, "--deadlock", "--engine", &engine, "--format", "json"];
    args.extend(set.iter().flat_map(|s| ["--set", s]));
    let ran = run(binary, &args, Path::new("."))?;
    let wrong = || format!("{model_text}, {engine}: not a report of a finished search: {}", ran.stdout);
    let report: Value = serde_json::from_str(&ran.stdout).map_err(|_| wrong())?;
    let statistics = &report["results"][0]["statistics"];
    let finished = [&statistics["complete"], &statistics["reduced"]].contains(&&Value::Bool(true));
    let count = |key: &str| statistics[key].as_u64().filter(|_| finished).ok_or_else(wrong);
    let seconds = statistics["seconds"].as_f64().ok_or_else(wrong)?;
    Ok(Search {
        states: count("states")?,
        transitions: count("transitions")?,
        deadlocks: count("deadlocks")?,
        seconds: ran.processor.filter(|s| *s >= COARSE).unwrap_or(seconds),
    })
}
