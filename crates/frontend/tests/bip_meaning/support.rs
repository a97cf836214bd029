//! Reading and counting.

use std::fs;
use std::path::{Path, PathBuf};

use frontend::bip::{External, Options, read};
use frontend::{Diagnostic, Loaded};
use model::System;
use testkit::naive::{Naive, explore};

/// The size of a state space: states, transitions, deadlocks, steps that are model errors.
pub(crate) type Count = (usize, usize, usize, usize);

/// Reads a model with the options of the command line.
pub(crate) fn load(text: &str) -> Result<Loaded, Vec<Diagnostic>> {
    read("model", text, &|name| Err(format!("there is no {name}")), &Options::default())
}

/// Reads a model that must not depend on anything external.
pub(crate) fn load_strictly(text: &str) -> Result<Loaded, Vec<Diagnostic>> {
    let options = Options { external: External::Refuse, ..Options::default() };
    read("model", text, &|name| Err(format!("there is no {name}")), &options)
}

/// The system of a model that is right.
pub(crate) fn system(text: &str) -> System {
    match load(text) {
        Ok(loaded) => loaded.system,
        Err(mistakes) => panic!("{mistakes:#?}"),
    }
}

/// The first message about a model that is wrong.
pub(crate) fn mistake(text: &str) -> String {
    load(text).expect_err("the model is wrong")[0].message.clone()
}

/// Counts the states of a model.
pub(crate) fn count(naive: &Naive<'_>) -> Count {
    let graph = explore(naive, 400_000).expect("a small state space");
    let deadlocks = graph.edges.iter().filter(|e| e.is_empty()).count();
    let faults = graph.edges.iter().flatten().filter(|(_, to)| to.is_err()).count();
    (graph.states.len(), graph.transitions(), deadlocks, faults)
}

/// Counts the states of a model, given as its text.
pub(crate) fn size(text: &str) -> Count {
    count(&Naive::new(&system(text)))
}

/// The folder of models by BIP's authors, if it is there.
pub(crate) fn data() -> Option<PathBuf> {
    let folder = Path::new(&std::env::var_os("IMPASSE_DATA")?).join("bip");
    folder.is_dir().then_some(folder)
}

/// All models below a folder, by their paths in it.
pub(crate) fn models(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "bip") {
                let name = path.strip_prefix(folder).expect("below the folder").display().to_string();
                found.push((name, fs::read_to_string(&path).expect("a text")));
            }
        }
    }
    found.sort();
    found
}
