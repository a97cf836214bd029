//! The scripts of the corpus.

use std::fs;
use std::path::{Path, PathBuf};

use frontend::Diagnostic;
use frontend::csp::{AssertionKind, Limits, Script};
use model::views::Network;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/csp")
}

/// The text of a file of the corpus.
pub(crate) fn text(name: &str) -> Result<String, String> {
    fs::read_to_string(folder().join(name)).map_err(|e| e.to_string())
}

/// The names and texts of all scripts.
pub(crate) fn scripts() -> Vec<(String, String)> {
    let entries = fs::read_dir(folder()).expect("the corpus is there");
    let names = entries.map(|e| e.expect("a file").file_name().into_string().expect("a name"));
    let mut names: Vec<String> = names.filter(|n| n.ends_with(".csp")).collect();
    names.sort();
    names.into_iter().map(|n| (n.clone(), text(&n).expect("a script"))).collect()
}

/// What became of a script.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) networks: Vec<Network>,
    pub(crate) mistakes: Vec<Diagnostic>,
}

/// Makes everything of a script that its assertions need.
pub(crate) fn compile(text: &str, limits: &Limits) -> Outcome {
    let mut outcome = Outcome::default();
    let script = match Script::read("script", text, &self::text) {
        Ok(script) => script,
        Err(mistakes) => return Outcome { mistakes, ..outcome },
    };
    for assertion in script.assertions() {
        let process = match &assertion.kind {
            AssertionKind::DeadlockFree(process) | AssertionKind::DivergenceFree(process) => process,
            AssertionKind::TraceRefines { specification, implementation } => {
                outcome.mistakes.extend(script.specification(specification, limits).err().into_iter().flatten());
                implementation
            }
            AssertionKind::Unsupported(_) => continue,
        };
        match script.network(process, limits) {
            Ok(network) => outcome.networks.push(network),
            Err(mistakes) => outcome.mistakes.extend(mistakes),
        }
    }
    outcome
}
