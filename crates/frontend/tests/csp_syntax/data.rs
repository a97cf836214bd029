//! The scripts of libcspm's own tests, where they are there: the folder is `IMPASSE_DATA`, or `../shared/data`.

use std::path::{Path, PathBuf};

use frontend::Diagnostic;
use frontend::csp::{Parsed, parse};

use crate::print;

/// Taken although libcspm refuses them, with the reason.
const LOOSER: &[(&str, &str)] =
    &[("parser/should_fail/type_annotation_5.csp", "types are forgotten, also those of channels declared together")];

/// Refused, although libcspm finds the mistake only later, with the reason.
const BEYOND: &[(&str, &str)] = &[
    ("typechecker/should_fail/module_instances_6.csp", "no instances within `let`"),
    ("typechecker/should_fail/simple_modules_4.csp", "no name of another module is defined"),
];

fn folder(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = std::env::var_os("IMPASSE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let folder = data.join("csp/libcspm-tests").join(name);
    if !folder.is_dir() {
        eprintln!("skipped: there are no scripts in {}", folder.display());
        return None;
    }
    Some(folder)
}

fn scripts(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "csp"));
    paths.sort();
    paths
}

fn read(path: &Path) -> std::io::Result<String> {
    // Comments may be in any encoding.
    std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn parsed(path: &Path) -> Result<Parsed, Vec<Diagnostic>> {
    let folder = path.parent().expect("a file in a folder");
    let text = read(path).expect("a readable file");
    parse(&text, &|name| read(&folder.join(name)).map_err(|e| e.to_string()))
}

/// The scripts whose fate is not the expected one and that the list does not name.
fn surprises(group: &str, taken: bool, known: &[(&str, &str)]) -> Vec<String> {
    let Some(folder) = folder(group) else { return Vec::new() };
    let mut out = Vec::new();
    for path in scripts(&folder) {
        let name = format!("{group}/{}", path.file_name().expect("a name").to_string_lossy());
        let result = parsed(&path);
        let expected = (result.is_ok() == taken) != known.iter().any(|(file, _)| *file == name);
        if !expected {
            out.push(format!("{name}: {:?}", result.err()));
        }
    }
    out
}

#[test]
fn every_script_that_libcspm_takes_is_taken() {
    for group in ["parser/should_pass", "typechecker/should_pass", "evaluator/should_pass"] {
        let surprises = surprises(group, true, &[]);
        assert!(surprises.is_empty(), "{}", surprises.join("\n"));
    }
}

#[test]
fn scripts_whose_mistake_is_not_in_their_form_are_taken() {
    for group in ["typechecker/should_fail", "evaluator/should_fail"] {
        let surprises = surprises(group, true, BEYOND);
        assert!(surprises.is_empty(), "{}", surprises.join("\n"));
    }
}

#[test]
fn every_script_with_a_mistake_in_its_form_is_refused() {
    let surprises = surprises("parser/should_fail", false, LOOSER);
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

#[test]
fn what_was_read_can_be_written_and_read_again() {
    for group in ["parser/should_pass", "typechecker/should_pass", "evaluator/should_pass", "evaluator/should_fail"] {
        let Some(folder) = folder(group) else { return };
        for script in scripts(&folder).iter().filter_map(|path| parsed(path).ok()) {
            let shown = print::decls(&script.decls);
            assert_eq!(crate::support::shown(&shown), shown);
        }
    }
}
