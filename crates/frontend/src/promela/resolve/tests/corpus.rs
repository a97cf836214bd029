//! The models of others against SPIN, where they are there: the folder is `IMPASSE_DATA`, or `../shared/data`.

use std::path::{Path, PathBuf};

use super::programs::differences;
use super::{ours, spin};
use crate::promela::ast::Program;
use crate::promela::{Options, parse, resolve};

fn models(folder: &Path, all: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|e| e.expect("a readable entry").path()) {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            models(&path, all);
        } else if ["pml", "pm", "pr", "prm", "prom", "promela", "sumo"].contains(&&*extension) {
            all.push(path);
        }
    }
}

/// The models, and the folder in which they were looked for.
fn all_models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = std::env::var_os("IMPASSE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let mut paths = Vec::new();
    models(&data.join("promela"), &mut paths);
    models(&data.join("beem/promela"), &mut paths);
    paths.sort();
    if paths.is_empty() {
        eprintln!("skipped: there are no models in {}", data.display());
    }
    paths
}

/// The tree of a model, if it can be parsed: what cannot is the parser's business.
fn read(path: &Path) -> Option<Program> {
    let text = String::from_utf8_lossy(&std::fs::read(path).expect("a readable file")).into_owned();
    let folder = path.parent().expect("a folder").to_owned();
    let reader = |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|e| e.to_string());
    parse(&text, &reader, &Options::default()).ok().map(|parsed| parsed.program)
}

/// Why a model is refused, if it is.
fn refusal(program: &Program) -> Option<String> {
    resolve(program).err().map(|reports| reports[0].message.clone())
}

/// Models that are refused for what is wrong or not supported in them.
const REFUSED: &[(&str, &str)] = &[
    ("priorities.pml", "process priorities are not supported"),
    ("rtos1.pml", "process priorities are not supported"),
];

fn is_expected(path: &Path, message: &str) -> bool {
    REFUSED.iter().any(|(name, why)| path.ends_with(name) && *why == message)
}

#[test]
fn the_models_of_others_are_resolved() {
    let mut refused = Vec::new();
    for path in all_models() {
        let Some(program) = read(&path) else { continue };
        if let Some(message) = refusal(&program).filter(|m| !is_expected(&path, m)) {
            refused.push(format!("{}: {message}", path.display()));
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
#[ignore = "minutes: a C compiler runs for every model"]
fn the_models_of_others_have_spins_automata() {
    if !spin::is_there() {
        return;
    }
    let (mut agreed, mut different) = (0, Vec::new());
    for path in all_models() {
        let Some(program) = read(&path).filter(|p| refusal(p).is_none()) else { continue };
        let Some(theirs) = spin::automata(&path) else { continue };
        let ours = ours::automata(&program).expect("it is not refused");
        match differences(&ours, &theirs) {
            None => agreed += 1,
            Some(difference) => different.push(format!("{}: {difference}", path.display())),
        }
    }
    eprintln!("{agreed} of {} models agree", agreed + different.len());
    assert!(different.is_empty(), "{}", different.join("\n\n"));
}
