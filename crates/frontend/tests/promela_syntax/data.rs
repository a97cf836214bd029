//! The models of others, where they are there: the folder is `IMPASSE_DATA`, or `../shared/data`.

use std::path::{Path, PathBuf};

use frontend::Diagnostic;
use frontend::promela::{Options, Parsed, parse};

use crate::spin::{Opinion, installed, opinion_of_file};

/// Refused, with the reason.
const REFUSED: &[(&str, &str)] = &[
    ("promela/spin-examples/LTL/patterns.pml", "`& X(...)`: a formula is no number; SPIN refuses any `X`"),
    ("promela/spins-tests/regression/chan_op.prom", "`!empty(q)`: SPIN refuses it, too"),
];

fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = std::env::var_os("IMPASSE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    if !data.join("promela").is_dir() {
        eprintln!("skipped: there are no models in {}", data.display());
        return None;
    }
    Some(data)
}

/// The models below a folder; headers are no models.
fn models(folder: &Path, out: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).expect("a readable folder").map(|entry| entry.expect("an entry").path()) {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            models(&path, out);
        } else if ["pml", "pm", "pr", "prm", "prom", "promela", "sumo"].contains(&&*extension) {
            out.push(path);
        }
    }
}

/// All models of the data.
fn all(data: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    models(&data.join("promela"), &mut paths);
    if data.join("beem/promela").is_dir() {
        models(&data.join("beem/promela"), &mut paths);
    }
    paths.sort();
    paths
}

fn read(path: &Path) -> Result<Parsed, Vec<Diagnostic>> {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let folder = path.parent().expect("a folder").to_owned();
    parse(&text, &|name| std::fs::read_to_string(folder.join(name)).map_err(|e| e.to_string()), &Options::default())
}

#[test]
fn every_model_is_read() {
    let Some(data) = folder() else { return };
    let paths = all(&data);
    assert!(paths.len() > 100, "only {} models in {}", paths.len(), data.display());
    for path in paths {
        let name = path.strip_prefix(&data).expect("a file of the folder").to_string_lossy().into_owned();
        let result = read(&path);
        let refused = REFUSED.iter().any(|(file, _)| *file == name);
        assert_eq!(result.is_err(), refused, "{name}: {:?}", result.err());
    }
}

/// SPIN agrees: it takes what is read, and refuses for its syntax only what is refused. Of models that differ in numbers
/// alone, one is tried.
#[test]
fn spin_agrees_about_the_models() {
    let Some(data) = folder() else { return };
    if !installed() {
        return;
    }
    let mut last = PathBuf::new();
    for path in all(&data) {
        let beem = path.starts_with(data.join("beem"));
        if beem && path.parent() == Some(&last) {
            continue;
        }
        last = path.parent().expect("a folder").to_owned();
        match opinion_of_file(&path) {
            Opinion::Taken => assert!(read(&path).is_ok(), "{}: {:?}", path.display(), read(&path).err()),
            Opinion::Refused => assert!(read(&path).is_err(), "{} is taken", path.display()),
            Opinion::Other(_) => {}
        }
    }
}
