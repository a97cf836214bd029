//! SPIN: `spin -a`, `gcc -O2`, `pan`. Without statement merging and data-flow optimisation (`-o1 -o2 -o3`), so that both
//! tools walk the same states when nothing is reduced.

use std::fs;
use std::path::{Path, PathBuf};

use crate::impasse::Figures;
use crate::measure::{median, run};

/// How to get SPIN where it is missing.
pub(crate) const INSTALL: &str = "SPIN or gcc is not here (on Debian: apt-get install spin gcc): measuring without it";

/// Whether SPIN and the compiler it needs can be run.
pub(crate) fn is_here() -> bool {
    let here = Path::new(".");
    run(Path::new("spin"), &["-V"], here).is_ok() && run(Path::new("gcc"), &["--version"], here).is_ok()
}

/// Whether SPIN's partial-order reduction is on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduction {
    Off,
    On,
}

/// Searches the state space of a Promela model, several times; `states` sizes its hash table.
pub(crate) fn measure(model: &Path, reduction: Reduction, states: u64, runs: usize) -> Result<Figures, String> {
    let folder = work_folder(model)?;
    let result = measure_in(&folder, model, reduction, states, runs);
    fs::remove_dir_all(&folder).map_err(|e| e.to_string())?;
    result
}

fn work_folder(model: &Path) -> Result<PathBuf, String> {
    let name = model.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = std::env::temp_dir().join(format!("impasse-bench-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    Ok(folder)
}

fn measure_in(folder: &Path, model: &Path, reduction: Reduction, states: u64, runs: usize) -> Result<Figures, String> {
    let model = fs::canonicalize(model).map_err(|e| e.to_string())?;
    let model_text = model.to_string_lossy();
    let table = format!("-w{}", states.max(1 << 16).next_power_of_two().ilog2());
    let depth = format!("-m{}", states + 10_000);
    let (mut seconds, mut whole, mut output) = (Vec::new(), Vec::new(), String::new());
    for _ in 0..runs {
        let generated = run(Path::new("spin"), &["-o1", "-o2", "-o3", "-a", &model_text], folder)?;
        let reduce = if reduction == Reduction::On { "-DREDUCE" } else { "-DNOREDUCE" };
        let flags = ["-O2", "-w", reduce, "-DSAFETY", "-o", "pan", "pan.c"];
        let compiled = run(Path::new("gcc"), &flags, folder)?;
        if generated.code != Some(0) || compiled.code != Some(0) {
            return Err(format!("{model_text}: SPIN does not accept it: {}", generated.stdout));
        }
        let searched = run(&folder.join("pan"), &[&depth, "-c0", &table, "-n"], folder)?;
        seconds.push(number_before(&searched.stdout, "elapsed time", true)?.max(0.001));
        whole.push(generated.seconds + compiled.seconds + searched.seconds);
        output = searched.stdout;
    }
    let states = number_before(&output, "states, stored", false)?;
    let megabytes = number_before(&output, "actual memory usage for states", false)
        .or_else(|_| number_before(&output, "equivalent memory usage for states", false))?
        + number_before(&output, "memory used for hash table", false)?;
    Ok(Figures {
        states: states as u64,
        transitions: number_before(&output, "transitions (= stored+matched)", false)? as u64,
        states_per_second: states / median(seconds),
        bytes_per_state: megabytes * 1e6 / states,
        end_to_end: median(whole),
    })
}

/// The number that stands before (or after) a phrase in the output of `pan`.
fn number_before(output: &str, phrase: &str, after: bool) -> Result<f64, String> {
    let missing = || format!("pan printed no `{phrase}`:\n{output}");
    let line = output.lines().find(|l| l.contains(phrase)).ok_or_else(missing)?;
    let (before, behind) = line.split_once(phrase).ok_or_else(missing)?;
    let word = if after { behind.split_whitespace().next() } else { before.split_whitespace().last() };
    word.and_then(|w| w.parse().ok()).ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_pan_prints() {
        let output = "  4782968 states, stored\n   1.05e+08 transitions (= stored+matched)\n\
                      pan: elapsed time 21.9 seconds\n";
        assert_eq!(number_before(output, "states, stored", false), Ok(4_782_968.0));
        assert_eq!(number_before(output, "transitions (= stored+matched)", false), Ok(1.05e8));
        assert_eq!(number_before(output, "elapsed time", true), Ok(21.9));
        assert!(number_before(output, "memory", false).is_err());
    }
}
