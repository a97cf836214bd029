//! Plots and JSON of papers.

use serde_json::Value;

use crate::common::{Scratch, code, run, stdout};

#[test]
fn plots_are_written_into_a_directory() {
    let scratch = Scratch::new("paper-svg");
    let directory = scratch.file("plots");
    let path = directory.display().to_string();
    let output = run(&["paper", "thesis", "--only", "figure-8.1", "--only", "example-8.1", "--svg", &path]);
    assert_eq!(code(&output), Some(0));
    let written: Vec<_> = std::fs::read_dir(&directory).expect("it was made").map(|e| e.expect("a file")).collect();
    assert_eq!(written.len(), 1, "a table is no plot");
    let svg = std::fs::read_to_string(directory.join("figure-8.1.svg")).expect("it is the plot");
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
    assert_eq!(svg.matches("<circle ").count(), 33, "a point for each search");
    assert!(stdout(&output).contains("531,440/4,251,516"), "the table is shown as well");
}

#[test]
fn figures_in_json() {
    let output = run(&["paper", "godefroid-wolper", "--only", "table-1", "--format", "json"]);
    let report: Value = serde_json::from_str(&stdout(&output)).expect("one JSON object");
    let cell = &report["items"][0]["rows"][1]["cells"][0];
    assert_eq!(report["schema"], "impasse-paper-1");
    assert_eq!((&cell["model"], &cell["set"]), (&"round-robin".into(), &serde_json::json!(["n=4"])));
    assert_eq!(cell["paper"], serde_json::json!({ "states": 20, "transitions": 24 }));
    assert_eq!((&cell["statistics"]["states"], &cell["statistics"]["transitions"]), (&20.into(), &24.into()));
    // What is shown can be measured by hand.
    let engine = cell["engine"].as_str().expect("its switches");
    let model = "../../../../corpus/classics/round-robin.imp";
    let again = run(&["check", model, "--deadlock", "--set", "n=4", "--engine", engine]);
    assert!(stdout(&again).contains("20 states, 24 transitions"), "{}", stdout(&again));
}

#[test]
fn the_list_in_json() {
    let report: Value = serde_json::from_str(&stdout(&run(&["paper", "--format", "json"]))).expect("one JSON object");
    assert_eq!(report["papers"][0]["name"], "godefroid-wolper");
    assert_eq!(report["papers"][1]["items"][0]["name"], "figure-8.1");
}

/// The counts of the smallest models are exact, and the plot has a point for each search that finished.
#[test]
fn sets_of_states_are_counted() {
    let scratch = Scratch::new("paper-bensalem");
    let path = scratch.file("plots").display().to_string();
    let args = ["paper", "bensalem", "--only", "figure-4", "--only", "suspects", "--each", "100ms"];
    let output = run(&[&args[..], &["--format", "json", "--svg", &path]].concat());
    assert_eq!(code(&output), Some(0));
    let report: Value = serde_json::from_str(&stdout(&output)).expect("one JSON object");
    let cell = &report["items"][1]["rows"][0]["cells"][0];
    assert_eq!((&cell["model"], &cell["set"]), (&"philosopher1".into(), &serde_json::json!(["n=2"])));
    assert_eq!(cell["counts"][0], serde_json::json!({ "of": "suspects", "number": "1" }));
    let svg = std::fs::read_to_string(scratch.file("plots").join("figure-4.svg")).expect("it is the plot");
    assert!(svg.contains(">opt 1-shot</text>") && svg.contains("<circle "), "{svg}");
}
