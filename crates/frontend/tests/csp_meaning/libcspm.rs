//! The evaluator tests of libcspm, the front end of FDR: `test...` must be true, `procTest...` must have a behaviour, with
//! the initial events that its description lists. The folder is `IMPASSE_DATA`, or `../shared/data`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use frontend::Diagnostic;
use frontend::csp::ast::{DeclKind, PatternKind};
use frontend::csp::{Limits, Script, parse};
use model::views::Network;

/// Scripts that are refused, and what the first message says.
const REFUSED: [(&str, &str); 16] = [
    ("buffer", "the process BUFFER is not supported"),
    ("compression-funcs", "chase (not safe for every process) is not supported"),
    ("deter_test", "deter is not supported"),
    ("failure_watchdog", "failure_watchdog is not supported"),
    // FDR finds out only when it compiles the process.
    ("infinite_compression", "`procTest1` calls itself before it does anything"),
    ("lists", "this sequence never ends"),
    ("optional_timed_function", TIMED),
    ("prefix_stop", TIMED),
    ("prioritise", "prioritise is not supported"),
    ("prioritise_nocache", "prioritise_nocache is not supported"),
    ("prioritise_po", "prioritisepo is not supported"),
    ("timed_csp_2", TIMED),
    ("timed_priority", TIMED),
    ("timed_section", TIMED),
    ("timed_section_2", TIMED),
    ("trace_watchdog", "trace_watchdog is not supported"),
];
const TIMED: &str = "a Timed section is not supported";

/// Scripts that FDR refuses because a datatype is not a product of sets: here any set will do.
const ACCEPTED: [&str; 2] = ["non_rect", "rectangular_datatype"];

fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = std::env::var_os("IMPASSE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let folder = data.join("csp/libcspm-tests");
    if !folder.is_dir() {
        eprintln!("skipped: there are no scripts in {}", folder.display());
        return None;
    }
    Some(folder)
}

/// The names and texts of the scripts of a folder.
fn scripts(folder: &Path) -> Vec<(String, String)> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a readable folder")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "csp"))
        .collect();
    files.sort();
    let name = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    files.iter().map(|f| (name(f), std::fs::read_to_string(f).expect("a text"))).collect()
}

/// The tests of a script.
fn tests(text: &str) -> Vec<String> {
    let decls = parse(text, &|_| Err("no".to_owned())).map(|p| p.decls).unwrap_or_default();
    let name = |kind: &DeclKind| match kind {
        DeclKind::Bind { pattern, .. } => match &pattern.kind {
            PatternKind::Name(name) => Some(name.to_string()),
            _ => None,
        },
        _ => None,
    };
    decls.iter().filter_map(|d| name(&d.kind)).filter(|n| n.starts_with("test") || n.starts_with("procTest")).collect()
}

/// Runs all tests of a script; how many there are.
fn run(folder: &Path, name: &str, text: &str) -> Result<usize, Vec<Diagnostic>> {
    let script = Script::read(name, text, &|_| Err("nothing is included".to_owned()))?;
    let tests = tests(text);
    for test in &tests {
        if test.starts_with("procTest") {
            let network = script.network(&script.process(test)?, &Limits::default())?;
            compare(folder, name, test, &network);
        } else {
            assert_eq!(script.evaluate(test)?, "true", "{name}: {test}");
        }
    }
    Ok(tests.len())
}

/// Compares the initial events with those of the description, where there are some.
fn compare(folder: &Path, name: &str, test: &str, network: &Network) {
    let file = folder.join(format!("{name}-{test}-expected.txt"));
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let paragraph = text.split("\n\n").find(|p| p.starts_with(&format!("{test} ="))).unwrap_or_default();
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    // After `;` events are not initial.
    let first = words.iter().position(|w| *w == ";").unwrap_or(words.len());
    let described: BTreeSet<String> =
        words[..first].windows(2).filter(|w| w[1] == "->").map(|w| w[0].to_owned()).collect();
    let plain = |event: &String| event.chars().all(|c| c.is_alphanumeric() || c == '.' || c == '_');
    if !described.is_empty() && !paragraph.contains("[+") && described.iter().all(plain) {
        assert_eq!(initial(network), described, "{name}: {test}");
    }
}

/// The events that can happen first, after internal steps.
fn initial(network: &Network) -> BTreeSet<String> {
    let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::from([network.initial_state()]));
    let mut open = vec![network.initial_state()];
    while let Some(state) = open.pop() {
        for rule in network.rule_ids() {
            for next in network.successors(rule, &state) {
                let label = &*network.rule(rule).label;
                if label != "tau" {
                    found.insert(label.to_owned());
                } else if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    found
}

#[test]
fn what_should_pass_passes() {
    let Some(folder) = folder().map(|f| f.join("evaluator/should_pass")) else { return };
    let mut passed = 0;
    for (name, text) in scripts(&folder) {
        let refused = REFUSED.iter().find(|entry| entry.0 == name).map(|entry| entry.1);
        match (run(&folder, &name, &text), refused) {
            (Ok(count), None) => passed += count,
            (Err(errors), Some(message)) => assert_eq!(errors[0].message, message, "{name}"),
            (result, _) => panic!("{name}: {result:?}"),
        }
    }
    assert!(passed > 250, "{passed} tests");
}

#[test]
fn what_should_fail_fails() {
    let Some(folder) = folder().map(|f| f.join("evaluator/should_fail")) else { return };
    for (name, text) in scripts(&folder) {
        let script = Script::read(&name, &text, &|_| Err("nothing is included".to_owned()));
        let Ok(script) = script else { continue };
        for test in tests(&text) {
            let process = |text: &str| script.process(text).and_then(|p| script.network(&p, &Limits::default()));
            let failed =
                if test.starts_with("procTest") { process(&test).is_err() } else { script.evaluate(&test).is_err() };
            assert_ne!(failed, ACCEPTED.contains(&&*name), "{name}: {test}");
        }
    }
}

#[test]
fn what_has_types_has_meanings() {
    let Some(folder) = folder().map(|f| f.join("typechecker/should_pass")) else { return };
    for (name, text) in scripts(&folder) {
        let include = |file: &str| std::fs::read_to_string(folder.join(file)).map_err(|e| e.to_string());
        match Script::read(&name, &text, &include) {
            Err(errors) if name == "timed_sections" => assert_eq!(errors[0].message, TIMED),
            read => drop(read.unwrap_or_else(|e| panic!("{name}: {e:?}"))),
        }
    }
}
