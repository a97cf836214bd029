//! Promela on the command line: runs that were saved are replayed, and what they show is told in the model's words.

use crate::common::{Scratch, code, run, stderr, stdout};

/// Models with a run that shows something, and the exit code of `check`.
const MODELS: [(&str, &str, i32); 7] = [
    (
        "atomic",
        "byte x; active proctype P() { atomic { x = 1; x = 2; (x == 2); x = 3 }; assert(x != 3) }
         active proctype Q() { atomic { x == 1 -> x = 7 } }",
        12,
    ),
    (
        "processes that come and go",
        "byte done; proctype W(byte n) { byte k = n; do :: k > 0 -> k-- :: k == 0 -> break od; done++ }
         init { byte i; for (i : 1 .. 3) { run W(i) }; (_nr_pr == 1); assert(done != 3) }",
        12,
    ),
    (
        "more of them than foreseen",
        "chan q = [0] of { byte }; proctype W(byte n) { q?n; if :: n > 0 -> run W(n - 1); q!n - 1 :: else fi }
         init { run W(2); q!4; q!1 }",
        11,
    ),
    (
        "rendezvous",
        "mtype = { req, ack }; chan a = [0] of { mtype, byte }; chan b = [0] of { mtype, byte };
         active proctype P() { byte v; a!req,3; b?ack,v; assert(v == 4) }
         active proctype Q() { byte w; atomic { a?req,w -> w = w + 2; b!ack,w } }",
        12,
    ),
    (
        "a run that goes on for ever",
        "byte t; proctype W() { t = 1; t = 0 } init { do :: atomic { (_nr_pr == 1) -> run W() } od }
         ltl settles { <> [] (t == 0) }",
        13,
    ),
    (
        "a run that stops",
        "byte x; active proctype P() { x = 1; end: x == 2 } ltl goes_on { <> (x == 2) }",
        13,
    ),
    (
        "events",
        "chan r = [0] of { byte }; active proctype P() { r!1; r!3 } active proctype Q() { byte v; r?v; atomic { r?v; v = 0 } }
         trace { r!1; r?_; r!2; r?_ }",
        12,
    ),
];

#[test]
fn saved_runs_are_replayed() {
    let scratch = Scratch::new("promela-replay");
    for (name, text, exit) in MODELS {
        let (model, trace) = (scratch.write("model.pml", text), scratch.file("run.json"));
        let trace = trace.display().to_string();
        let checked = run(&["check", &model, "--trace", &trace]);
        assert_eq!(code(&checked), Some(exit), "{name}: {}", stdout(&checked));
        let replayed = run(&["simulate", &model, "--replay", &trace]);
        assert_eq!(code(&replayed), Some(0), "{name}: {}", stderr(&replayed));
        let run = stdout(&replayed);
        assert!(run.contains("   1. "), "{name}: {run}");
        assert!(stdout(&checked).contains(run.trim()), "{name}: {run}\nand\n{}", stdout(&checked));
    }
}

/// What `check` says of a text, and how it exits.
fn check(name: &str, text: &str, more: &[&str]) -> (String, Option<i32>) {
    let scratch = Scratch::new(&format!("promela-{name}"));
    let model = scratch.write("model.pml", text);
    let output = run(&[&["check", &*model], more].concat());
    (stdout(&output), code(&output))
}

fn assert_told(said: &str, lines: &[&str]) {
    for line in lines {
        assert!(said.contains(line), "{line}\nis not in\n{said}");
    }
}

#[test]
fn a_trace_is_a_property() {
    let (said, code) = check("trace", MODELS[6].1, &["--property", "trace"]);
    assert_eq!(code, Some(12));
    assert_told(
        &said,
        &[
            "VIOLATED trace: there is a run to a state where it is false",
            "trace: before r!1 -> before r!2",
            "trace: before r!2 -> no event of the assertion matches",
        ],
    );
}

#[test]
fn a_trace_that_is_not_complete_is_told() {
    let model = "chan q = [1] of { byte }; active proctype P() { q!1; end: false } trace { q!1; q!2 }";
    let (said, code) = check("unfinished", model, &[]);
    assert_eq!(code, Some(11));
    assert_told(&said, &["all processes may stop here, but only if `trace == -end-"]);
    let (said, code) = check("undrained", model, &["--empty-channels"]);
    assert_eq!(code, Some(11));
    assert_told(&said, &["all processes may stop here, but only if `empty(q)`"]);
}

#[test]
fn who_is_not_there_is_not_waited_for() {
    let (said, _) = check("absent", MODELS[2].1, &[]);
    assert!(!said.contains("is at `-not there-`"), "{said}");
    assert_told(&said, &["waits for somebody to receive on `q`; nobody else is at a receive on it"]);
}

#[test]
fn dead_code_is_what_is_written() {
    let model = "chan q = [1] of { byte }; byte x;
        proctype W(byte n) { if :: n == 3 -> x = 9 :: else -> x = 1 fi }
        active proctype P() { byte v; q!1; if :: q?2 -> x = 5 :: q?v fi; atomic { (x == 0); x = 3; x = 4 }; run W(1) }
        active proctype Z() { end: do :: x == 200 -> x = 1 od }";
    let (said, code) = check("dead", model, &["--dead-code"]);
    assert_eq!(code, Some(0));
    let steps: Vec<&str> = said.lines().filter_map(|l| l.strip_prefix("  step ")?.split("  [").next()).collect();
    assert_eq!(steps, ["W:2.x = 9", "P:0.q?2", "P:0.x = 5", "Z:1.((x==200))", "Z:1.x = 1"], "{said}");
}

#[test]
fn what_cannot_be_asked_is_unknown() {
    let text = "byte x, a[2]; active proctype P() { do :: x < 3 -> x++ :: x == 3 -> break od }
        never n { do :: timeout && a[x] == 1 -> break :: else od } ltl e { [] !(timeout && a[x] == 1) } ltl f { [] (x < 4) }";
    let why = "a condition with `timeout` must not be a fault anywhere: keep indices inside of their arrays";
    let (said, exit) = check("unasked", text, &[]);
    assert_eq!(exit, Some(10), "{said}");
    assert_told(&said, &["HOLDS deadlock-free", "HOLDS f", &format!("UNKNOWN e: {why}"), &format!("UNKNOWN n: {why}")]);
    let (said, exit) = check("unasked-one", text, &["--property", "e", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&said).expect("a report");
    let result = &report["results"][0];
    assert_eq!((exit, report["results"].as_array().map(Vec::len)), (Some(10), Some(1)), "{said}");
    assert_eq!((&result["property"], &result["kind"], &result["reason"]), (&"e".into(), &"ltl".into(), &why.into()));
    assert_eq!(check("unasked-other", text, &["--property", "f"]).1, Some(0));
}

#[test]
fn a_condition_that_is_never_true_is_told_where_it_blocks() {
    let (said, exit) = check("never-true", "byte x; active proctype P() { x = 1; x == 2 }", &["--dead-code"]);
    assert_eq!(exit, Some(11), "{said}");
    assert_told(&said, &["    ((x==2))  [", "is false", "  step P:0.((x==2))  ["]);
    assert!(!said.contains("no step leaves"), "{said}");
}
