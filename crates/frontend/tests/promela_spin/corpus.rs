//! Our own models: what their comments expect is so, here and in SPIN.

use std::fs;
use std::path::{Path, PathBuf};

use frontend::promela::Options;
use model::{Class, Expectation};
use testkit::spin::{INSTALL, Spin};

use crate::ours::{look, read};

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela");
    let entries = fs::read_dir(folder).expect("the corpus is there");
    let mut models: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    models.retain(|path| path.extension().is_some_and(|e| e == "pml"));
    models.sort();
    models
}

/// The expected number of states, and whether something is expected to be wrong with one of them.
fn expected(name: &str, text: &str) -> (Option<u64>, bool) {
    let reading = read(text, Path::new("."), &Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let loaded = reading.into_loaded();
    assert!(loaded.properties.iter().any(|p| p.expect.is_some()), "{name}: no verdict is expected");
    let mut states =
        loaded.properties.iter().filter(|p| !matches!(p.property.class(), Class::Liveness | Class::Branching));
    (loaded.size.states, states.any(|p| p.expect == Some(Expectation::Violated)))
}

#[test]
fn models_of_the_corpus_are_as_expected() {
    let (models, spin) = (models(), Spin::is_here());
    assert!(models.len() >= 14, "only {} models", models.len());
    if !spin {
        eprintln!("without SPIN: {INSTALL}");
    }
    for path in models {
        let name = path.file_stem().expect("files have names").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("it can be read");
        let (states, wrong) = expected(&name, &text);
        let ours = look(&text, 100_000).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(ours.invalid_end || ours.assertion || ours.trace || ours.other.is_some(), wrong, "{name}: {ours:?}");
        // Here, as in `pan -c0`, a run goes on after an assertion that fails; what the comment counts ends there.
        let counted = states.unwrap_or(ours.states);
        assert!(counted == ours.states || (ours.assertion && counted < ours.states), "{name}: {} states", ours.states);
        assert!(states.is_some() || ours.other.is_some(), "{name}: no number of states is expected");
        if spin {
            let pan = Spin::default().build(&path).unwrap_or_else(|e| panic!("{name}: {e:?}"));
            let search = pan.search(&[]).expect("it runs");
            assert_eq!(
                search.invalid_end || search.assertion || search.trace || search.other.is_some(),
                wrong,
                "{name}, SPIN"
            );
            assert!(search.other.is_some() || search.states == ours.states, "{name}, SPIN: {} states", search.states);
        }
    }
}
