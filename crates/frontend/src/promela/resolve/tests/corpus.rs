//! The models of others against SPIN, where they are there: the folder is `IMPASSE_DATA`, or `../shared/data`.

use std::path::{Path, PathBuf};

use super::programs::differences;
use super::{ours, spin};
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

#[test]
#[ignore = "minutes: a C compiler runs for every model"]
fn the_models_of_others_have_spins_automata() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = std::env::var_os("IMPASSE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let mut paths = Vec::new();
    models(&data.join("promela"), &mut paths);
    models(&data.join("beem/promela"), &mut paths);
    paths.sort();
    if !spin::is_there() || paths.is_empty() {
        return eprintln!("skipped: there are no models in {}", data.display());
    }
    let mut agreed = 0;
    let mut different = Vec::new();
    for path in &paths {
        let Some(theirs) = spin::automata(path) else { continue };
        match compare(path, &theirs) {
            None => agreed += 1,
            Some(difference) => different.push(format!("{}: {difference}", path.display())),
        }
    }
    eprintln!("{agreed} of {} models agree", agreed + different.len());
    assert!(different.is_empty(), "{}", different.join("\n\n"));
}

fn compare(path: &Path, theirs: &[super::automaton::Automaton]) -> Option<String> {
    let text = String::from_utf8_lossy(&std::fs::read(path).expect("a readable file")).into_owned();
    let folder = path.parent().expect("a folder").to_owned();
    let reader = |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|e| e.to_string());
    let parsed = match parse(&text, &reader, &Options::default()) {
        Ok(parsed) => parsed,
        Err(reports) => return Some(format!("not parsed: {:?}", reports.first())),
    };
    if let Err(reports) = resolve(&parsed.program) {
        return Some(format!("not resolved: {:?}", reports.first()));
    }
    let ours = ours::automata(&parsed.program).expect("it was resolved");
    differences(&ours, theirs)
}
