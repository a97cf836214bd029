//! The crate graph points one way: each crate may use only what the architecture page gives it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What each crate may depend on, tests and examples aside.
const MAY_USE: &[(&str, &[&str])] = &[
    ("impasse-model", &["impasse-automata"]),
    ("impasse-evidence", &["impasse-model"]),
    ("impasse-check", &["impasse-model", "impasse-evidence", "impasse-automata"]),
    ("impasse-frontend", &["impasse-model", "impasse-automata"]),
    ("impasse-reduce", &["impasse-model"]),
    ("impasse-solve", &[]),
    ("impasse-automata", &[]),
    ("impasse-engines", &["impasse-model", "impasse-evidence", "impasse-solve", "impasse-automata"]),
    ("impasse-explain", &["impasse-model", "impasse-evidence", "impasse-check", "impasse-automata"]),
    (
        "impasse-driver",
        &[
            "impasse-model",
            "impasse-evidence",
            "impasse-check",
            "impasse-engines",
            "impasse-explain",
            "impasse-reduce",
            "impasse-automata",
        ],
    ),
    ("impasse-papers", &["impasse-model", "impasse-evidence", "impasse-engines", "impasse-frontend", "impasse-driver"]),
    ("impasse-formats", &["impasse-model", "impasse-evidence", "impasse-check", "impasse-explain", "impasse-driver"]),
    (
        "impasse",
        &[
            "impasse-model",
            "impasse-evidence",
            "impasse-explain",
            "impasse-frontend",
            "impasse-driver",
            "impasse-formats",
        ],
    ),
    (
        "impasse-cli",
        &[
            "impasse-model",
            "impasse-evidence",
            "impasse-check",
            "impasse-explain",
            "impasse-frontend",
            "impasse-driver",
            "impasse-formats",
            "impasse-papers",
            "impasse-web",
        ],
    ),
    ("impasse-web", &[]),
    ("testkit", &["impasse-model", "impasse-evidence", "impasse-automata"]),
    (
        "bench",
        &[
            "impasse-model",
            "impasse-evidence",
            "impasse-check",
            "impasse-frontend",
            "impasse-engines",
            "impasse-driver",
            "testkit",
        ],
    ),
];

/// The workspace's crates and the crates of the workspace that each uses.
fn crate_graph() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .output()
        .expect("cargo runs the tests, so it is there");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let packages = metadata["packages"].as_array().expect("metadata lists packages");
    let name = |v: &Value| v["name"].as_str().expect("packages have names").to_owned();
    let members: Vec<String> = packages.iter().map(name).collect();
    let uses = |package: &Value| {
        let all = package["dependencies"].as_array().expect("packages list their dependencies").iter();
        all.filter(|d| d["kind"] != "dev").map(name).filter(|d| members.contains(d)).collect()
    };
    packages.iter().map(|p| (name(p), uses(p))).collect()
}

/// The uses that are not allowed.
fn forbidden(graph: &BTreeMap<String, Vec<String>>) -> Vec<(String, String)> {
    let allowed: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    let mut found = Vec::new();
    for (name, uses) in graph {
        let allowed = allowed.get(name.as_str()).copied().unwrap_or(&[]);
        found.extend(uses.iter().filter(|u| !allowed.contains(&u.as_str())).map(|u| (name.clone(), u.clone())));
    }
    found
}

#[test]
fn dependencies_point_one_way() {
    let graph = crate_graph();
    assert!(MAY_USE.iter().all(|(name, _)| graph.contains_key(*name)), "a crate is missing: {graph:?}");
    assert_eq!(graph.len(), MAY_USE.len(), "every crate has its line here: {graph:?}");
    assert_eq!(forbidden(&graph), Vec::new());
}

#[test]
fn a_forbidden_use_is_noticed() {
    let mut graph = crate_graph();
    graph.get_mut("impasse-check").expect("it is there").push("impasse-engines".to_owned());
    assert_eq!(forbidden(&graph), [("impasse-check".to_owned(), "impasse-engines".to_owned())]);
}
