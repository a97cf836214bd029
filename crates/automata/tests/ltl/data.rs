//! The public formula lists, where they are there: the folder is `IMPASSE_DATA`, or `../shared/data`.

use std::path::{Path, PathBuf};

/// The folder of formula lists, or a word that there is none.
pub(crate) fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = std::env::var_os("IMPASSE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let folder = data.join("ltl");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: {} is not there", folder.display());
    None
}

/// A line of a list of formulas.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) number: usize,
    pub(crate) text: String,
}

/// The formulas of a list, with their line numbers.
pub(crate) fn formulas(path: &Path) -> Vec<Line> {
    let text = std::fs::read_to_string(path).expect("lists are readable");
    let lines = text.lines().enumerate().map(|(i, line)| Line { number: i + 1, text: line.trim().to_owned() });
    lines.filter(|l| !l.text.is_empty() && !l.text.starts_with(['#', '/'])).collect()
}

/// The lists of formulas, in order.
pub(crate) fn lists(folder: &Path) -> Vec<PathBuf> {
    let mut lists = Vec::new();
    for folder in [folder.join("owl"), folder.join("owl/literature")] {
        let entries = std::fs::read_dir(folder).expect("the folder is there");
        let paths = entries.map(|e| e.expect("entries are readable").path());
        lists.extend(paths.filter(|p| p.extension().is_some_and(|e| e == "ltl")));
    }
    lists.sort();
    lists
}
