//! What pipelines read: SARIF, JUnit, annotations, and runs in ITF.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::{Value, json};

use crate::common::{Scratch, code, fits_its_schema, impasse, models, run, stdout};
use crate::schema::{fits, sarif};

const CSP: &str = "../../../../corpus/csp/level-crossing.csp";

fn checked(format: &str, args: &[&str]) -> String {
    stdout(&run(&[&["check"], args, &["--format", format]].concat()))
}

/// The results of one run, and the run.
fn results(args: &[&str]) -> (Vec<Value>, Value) {
    let log: Value = serde_json::from_str(&checked("sarif", args)).expect("JSON");
    let run = log["runs"][0].clone();
    (run["results"].as_array().expect("results").clone(), run)
}

#[test]
fn sarif_tells_every_kind_of_answer() {
    let (all, run) = results(&["philosophers.imp"]);
    assert_eq!(
        (&all[0]["kind"], &all[0]["level"], &all[0]["ruleId"]),
        (&json!("fail"), &json!("error"), &json!("deadlock-free"))
    );
    let place = |location: &Value| location["physicalLocation"]["region"]["startLine"].as_u64();
    assert_eq!(place(&all[0]["locations"][0]), Some(10), "the property: {}", all[0]);
    let flow = all[0]["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("steps");
    assert_eq!(flow.iter().map(|l| place(&l["location"])).collect::<Vec<_>>(), [Some(6); 2], "one line, two steps");
    assert_eq!(flow[1]["executionOrder"], 2);
    assert_eq!(flow[1]["state"]["fork[1]"]["text"], "held by Phil[1]");
    let waiting = all[0]["relatedLocations"].as_array().expect("places");
    assert!(waiting.iter().any(|l| place(l) == Some(7)), "where they wait: {waiting:?}");
    assert_eq!(run["invocations"][0]["exitCode"], 11);
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    assert_eq!(run["artifacts"][0]["location"]["uri"], "philosophers.imp");

    let (all, _) = results(&["mutex.imp"]);
    assert_eq!(all.iter().map(|r| &r["kind"]).collect::<Vec<_>>(), ["pass", "pass"]);
    let (all, run) = results(&["mutex.imp", "--timeout", "0s"]);
    assert_eq!(all.iter().map(|r| &r["kind"]).collect::<Vec<_>>(), ["open", "open"], "a timeout is no pass");
    assert_eq!(run["invocations"][0]["exitCode"], 10);
    let (all, _) = results(&["mutex.imp", "--only-problems"]);
    assert!(all.is_empty());
    let (all, _) = results(&["overflow.imp"]);
    assert!(all.iter().any(|r| r["ruleId"] == "model-error"), "{all:?}");
    let (all, run) = results(&["mistakes.imp"]);
    assert_eq!(
        all[1]["locations"][0]["physicalLocation"]["region"],
        json!({ "startLine": 4, "startColumn": 21, "endLine": 4, "endColumn": 25 })
    );
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let (all, _) = results(&["missing.imp"]);
    assert_eq!(all[0]["message"]["text"], "cannot read missing.imp: there is no such file");
}

#[test]
fn results_point_to_their_rules() {
    let (all, run) = results(&[CSP]);
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert!(rules.len() > 1);
    for result in &all {
        let index = result["ruleIndex"].as_u64().expect("a number") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    // What the script denies and is violated is as its author wants it.
    let outcome =
        |text: &str| all.iter().filter(|r| r["message"]["text"].as_str().is_some_and(|t| t.starts_with(text))).count();
    assert!(outcome("VIOLATED") > 0 && outcome("HOLDS") > 0, "{all:?}");
    assert_eq!(code(&run_check(CSP)) == Some(0), all.iter().all(|r| r["kind"] == "pass"));
}

fn run_check(model: &str) -> std::process::Output {
    run(&["check", model])
}

#[test]
fn sarif_fits_its_schema() {
    let Some(schema) = sarif() else { return };
    let lasso = ["live.imp", "--ltl", "eventually always P at a"];
    let all = [
        &["philosophers.imp"][..],
        &["mutex.imp", "--timeout", "0s"],
        &["overflow.imp"],
        &["mistakes.imp"],
        &["missing.imp"],
        &["philosophers.pnml"],
        &[CSP],
        &lasso,
        &["wrong.imp", "--invariant", "P at b"],
    ];
    for args in all {
        let log = serde_json::from_str(&checked("sarif", args)).expect("JSON");
        assert_eq!(fits(&schema, &log), Ok(()), "{args:?}");
    }
    let mut wrong: Value = serde_json::from_str(&checked("sarif", &["mutex.imp"])).expect("JSON");
    wrong["runs"][0]["results"][0]["kind"] = "perhaps".into();
    assert!(fits(&schema, &wrong).is_err(), "the schema is looked at");
}

/// How often each element is in a document; it must be well-formed.
fn elements(xml: &str) -> BTreeMap<String, usize> {
    let mut reader = Reader::from_str(xml);
    let (mut count, mut open) = (BTreeMap::new(), 0);
    loop {
        let name = match reader.read_event().expect("well-formed") {
            Event::Start(e) => {
                open += 1;
                e.attributes().for_each(|a| drop(a.expect("an attribute")));
                e.name().as_ref().to_owned()
            }
            Event::Empty(e) => {
                e.attributes().for_each(|a| drop(a.expect("an attribute")));
                e.name().as_ref().to_owned()
            }
            Event::End(_) => {
                open -= 1;
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        *count.entry(name).or_default() += 1;
    }
    assert_eq!(open, 0, "everything is closed");
    count
}

#[test]
fn junit_is_well_formed_whatever_the_names() {
    let hostile = "P at b && \"<&>\" == 1 \u{1}]]>";
    for args in [
        &["wrong.imp", "--deadlock"][..],
        &["wrong.imp", "--invariant", hostile],
        &["mistakes.imp"],
        &["philosophers.pnml"],
    ] {
        let xml = checked("junit", args);
        let count = elements(&xml);
        assert_eq!(count.get("testsuites"), Some(&1), "{xml}");
        assert!(count["testcase"] > 0 && count.contains_key("failure") | count.contains_key("error"), "{xml}");
    }
    assert_eq!(elements(&checked("junit", &["mutex.imp"])).get("failure"), None);
    let late = elements(&checked("junit", &["mutex.imp", "--timeout", "0s"]));
    assert_eq!((late.get("error"), late.get("testcase")), (Some(&2), Some(&2)), "a timeout never passes");
}

#[test]
fn annotations_are_one_line_each() {
    let log = checked("github", &["philosophers.imp"]);
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 2, "{log}");
    assert!(
        lines[0]
            .starts_with("::error file=philosophers.imp,line=10,title=failed%3A deadlock-free::VIOLATED deadlock-free"),
        "{log}"
    );
    assert!(lines[0].contains("%0AWait-for cycle:%0A  Phil[0] waits for fork[1], held by Phil[1]%0A"), "{log}");
    assert_eq!(lines[1], "VIOLATED deadlock-free: there is a deadlock");
    assert_eq!(checked("github", &["mutex.imp"]).matches("::").count(), 0);
    let bad = checked("github", &["mistakes.imp"]);
    assert!(bad.contains("::error file=mistakes.imp,line=4,endLine=4,col=21,endColumn=25,title="), "{bad}");
    let output = run(&["test", "wrong.imp", "mutex.imp", "--format", "github"]);
    assert_eq!(stdout(&output).matches("::error ").count(), 2);
    assert!(stdout(&output).ends_with("2 models, 4 checks: 2 passed, 2 failed\n"));
}

#[test]
fn reports_are_saved_beside_what_is_shown() {
    let dir = Scratch::new("reports");
    let [sarif, xml, json] = ["r.sarif", "r.xml", "r.json"].map(|name| dir.file(name).display().to_string());
    let files = ["--report", &sarif, "--report", &xml, "--report", &json];
    for command in [&["check", "wrong.imp"][..], &["test", "wrong.imp"]] {
        let output = run(&[command, &files].concat());
        assert!(stdout(&output).contains("wrong") || stdout(&output).contains("VIOLATED"));
        for (path, format) in [(&sarif, "sarif"), (&json, "json")] {
            let saved: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("saved")).expect("JSON");
            assert!(saved.is_object(), "{format}");
        }
        assert!(elements(&std::fs::read_to_string(&xml).expect("saved")).contains_key("failure"));
    }
    let output = run(&["check", "wrong.imp", "--report", "x.txt"]);
    assert_eq!(code(&output), Some(2));
    let output = run(&["check", "wrong.imp", "--report", "/no/such/directory/x.sarif"]);
    assert_eq!((code(&output), stdout(&output)), (Some(3), String::new()));
}

#[test]
fn the_same_answers_are_the_same_bytes() {
    let commands = [
        &["check", "philosophers.imp"][..],
        &["check", "overflow.imp"],
        &["check", "philosophers.pnml", "--threads", "1"],
        &["check", CSP],
        &["check", "philosophers.imp", "--engine", "local"],
        &["check", "philosophers.imp", "--engine", "symbolic"],
        &["test", "philosophers.imp", "mutex.imp", "wrong.imp", "mistakes.imp"],
    ];
    for command in commands {
        for format in ["text", "json", "sarif", "junit", "github"] {
            let once = || stdout(&run(&[command, &["--format", format, "--no-times"]].concat()));
            let first = once();
            assert!(!first.is_empty());
            for _ in 0..2 {
                assert_eq!(first, once(), "{command:?} {format}");
            }
        }
    }
}

/// The examples of the documentation are what the program writes; IMPASSE_BLESS=1 writes them anew.
#[test]
fn the_examples_are_up_to_date() {
    let root = models().join("../../../..");
    let deadlock = ["check", "corpus/philosophers.imp", "--set", "n=2"];
    let mistakes = ["check", "crates/cli/tests/models/mistakes.imp"];
    let tests = ["test", "corpus/philosophers.imp", "crates/cli/tests/models/wrong.imp"];
    for (name, command, format) in [
        ("deadlock.json", &deadlock[..], "json"),
        ("deadlock.sarif", &deadlock, "sarif"),
        ("mistakes.json", &mistakes, "json"),
        ("tests.json", &tests, "json"),
        ("tests.xml", &tests, "junit"),
        ("tests.github.txt", &tests, "github"),
    ] {
        let args = [command, &["--format", format, "--no-times"]].concat();
        let output = impasse(&args).current_dir(&root).output().expect("the program runs");
        fits_its_schema(&args, &output);
        let path = root.join("docs/examples").join(name);
        if std::env::var_os("IMPASSE_BLESS").is_some() {
            std::fs::write(&path, &output.stdout).expect("the example");
        }
        let known = std::fs::read_to_string(&path).expect("the example");
        assert!(known == stdout(&output), "{name} has changed: IMPASSE_BLESS=1 writes it anew");
    }
}

#[test]
fn threads_do_not_change_verdicts() {
    let verdict = |threads: &str| stdout(&run(&["check", "philosophers.pnml", "--quiet", "--threads", threads]));
    assert_eq!(verdict("1"), verdict("4"));
}

fn itf(name: &str, args: &[&str]) -> Value {
    let dir = Scratch::new(name);
    let path = dir.file("run.itf.json").display().to_string();
    run(&[&["check"], args, &["--trace", &path]].concat());
    serde_json::from_str(&std::fs::read_to_string(path).expect("a run")).expect("JSON")
}

#[test]
fn runs_have_states() {
    let run = itf("itf-states", &["overflow.imp", "--reachable", "x == 2"]);
    assert_eq!(run["#meta"]["format"], "ITF");
    let states = run["states"].as_array().expect("states");
    assert_eq!(states[0]["#meta"]["index"], 0);
    let x: Vec<&Value> = states.iter().map(|s| &s["x"]["#bigint"]).collect();
    assert_eq!(x, ["0", "1", "2"]);
    let vars = run["vars"].as_array().expect("vars");
    assert!(states.iter().all(|s| s.as_object().is_some_and(|s| s.len() == vars.len() + 1)), "every variable, always");
    assert!(run.get("loop").is_none());
    let run = itf("itf-locks", &["philosophers.imp", "--set", "n=2"]);
    assert_eq!((&run["states"][2]["fork[1]"], &run["states"][0]["fork[1]"]), (&json!("Phil[1]"), &json!("")));
    assert_eq!(run["states"][2]["Phil[0]"], "hungry");
}

#[test]
fn runs_that_go_on_have_a_loop() {
    let run = itf("itf-loop", &["live.imp", "--ltl", "eventually always P at a"]);
    let states = run["states"].as_array().expect("states");
    let first = run["loop"].as_u64().expect("a loop") as usize;
    assert_eq!(states.len() - first, 2, "the state where it begins again is there once: {run}");
    assert_ne!(states[first]["P"], states[first + 1]["P"]);
}

#[test]
fn messages_and_enumerations_are_values() {
    let dir = Scratch::new("itf-values");
    let model = dir.write(
        "m.imp",
        "enum Colour { red, green }\nchannel c : 2 of (0..3, bool)\nchannel d : 1 of (Colour)\nvar last : Colour\nprocess P {\n  states a, b, e\n  a -> b do c!(3, true), d!(green)\n  b -> e do d?(last)\n}\nproperty r: reachable P at e\n",
    );
    let run = itf("itf-values-run", &[&model]);
    assert_eq!(run["states"][1]["c"], json!([{ "#tup": [{ "#bigint": "3" }, true] }]), "{run}");
    assert_eq!((&run["states"][1]["d"], &run["states"][2]["last"]), (&json!(["green"]), &json!("green")));
}

/// A violation that nobody expects or excludes is no failure, but nothing says that it passes.
#[test]
fn a_violation_without_expectation_is_no_pass() {
    let scratch = Scratch::new("formats-noted");
    let model = "process P { states a, b\n a -> b }\nproperty deadlock-free\nproperty fine: invariant true\n";
    let model = scratch.write("stops.imp", model);
    let told = |format: &str| {
        let output = run(&["test", &model, "--format", format, "--no-times"]);
        assert_eq!(code(&output), Some(0), "it is decided: {}", stdout(&output));
        stdout(&output)
    };
    let table = told("text");
    assert!(table.contains("1/2 ok, 1 violated"), "{table}");
    assert!(table.contains("violated (nothing expected): deadlock-free\n"), "{table}");
    assert!(table.contains("holds (nothing expected): fine\n"), "{table}");
    let sarif: Value = serde_json::from_str(&told("sarif")).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.iter().map(|r| &r["kind"]).collect::<Vec<_>>(), ["informational", "pass"], "{sarif}");
    assert!(told("junit").contains("<system-out>deadlock-free: violated (nothing expected): "));
    let github = told("github");
    assert_eq!(github.matches("::notice ").count(), 1, "{github}");
    assert!(github.contains("title=violated (nothing expected)%3A deadlock-free"), "{github}");
}
