//! The evaluator tests of libcspm.

use std::path::{Path, PathBuf};

use frontend::csp::ast::{DeclKind, PatternKind};
use frontend::csp::{Limits, Script, parse};

fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = std::env::var_os("IMPASSE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let folder = data.join("csp/libcspm-tests/evaluator");
    if !folder.is_dir() {
        eprintln!("skipped: there are no scripts in {}", folder.display());
        return None;
    }
    Some(folder)
}

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

fn names(text: &str) -> Vec<String> {
    let decls = parse(text, &|_| Err("no".to_owned())).map(|p| p.decls).unwrap_or_default();
    decls
        .iter()
        .filter_map(|d| match &d.kind {
            DeclKind::Bind { pattern, .. } => match &pattern.kind {
                PatternKind::Name(n) => Some(n.to_string()),
                _ => None,
            },
            _ => None,
        })
        .filter(|n| n.starts_with("test") || n.starts_with("procTest"))
        .collect()
}

#[test]
fn explore() {
    let Some(folder) = folder() else { return };
    for kind in ["should_pass", "should_fail"] {
        for (name, text) in scripts(&folder.join(kind)) {
            let script = match Script::read(&name, &text, &|_| Err("no".to_owned())) {
                Ok(s) => s,
                Err(e) => {
                    println!("{kind} {name}: READ {}", e[0].message);
                    continue;
                }
            };
            for test in names(&text) {
                if test.starts_with("procTest") {
                    let r = script.process(&test).and_then(|p| script.network(&p, &Limits::default()));
                    match (kind, r) {
                        ("should_pass", Err(e)) => println!("{kind} {name} {test}: {}", e[0].message),
                        ("should_fail", Ok(_)) => println!("{kind} {name} {test}: accepted"),
                        _ => {}
                    }
                } else {
                    match (kind, script.evaluate(&test)) {
                        ("should_pass", Ok(v)) if v != "true" => println!("{kind} {name} {test}: = {v}"),
                        ("should_pass", Err(e)) => println!("{kind} {name} {test}: {}", e[0].message),
                        ("should_fail", Ok(v)) => println!("{kind} {name} {test}: accepted {v}"),
                        _ => {}
                    }
                }
            }
        }
    }
}
