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
    assert_told(
        &said,
        &[
            "VIOLATED deadlock-free: the model may stop where it must not",
            "One step leads to an end that is not valid:",
            "all processes may stop here, but only if `trace == -end-",
        ],
    );
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
fn a_claim_ends_before_what_goes_wrong_afterwards() {
    let assertion = "byte x; active proctype A() { x = 1; assert(x == 0) }";
    let late = "byte x, a[2]; active proctype A() { x = 1; x = 2; x = 3 }";
    let mutex = "byte n; active [2] proctype P() { do :: n++; cs: assert(n == 1); n-- od }";
    let ends = [
        (assertion, "do :: x == 1 -> break :: true od", "The claim comes to its end:"),
        (
            assertion,
            "do :: x == 1 -> goto accept_all :: true od; accept_all: do :: true od",
            "The claim comes to `accept_all`:",
        ),
        (late, "do :: x == 1 -> break :: a[x] == 0 od", "The claim comes to its end:"),
        (mutex, "do :: P[0]@cs && P[1]@cs -> break :: true od", "The claim comes to its end:"),
    ];
    for (model, claim, end) in ends {
        let text = format!("{model} never {{ {claim} }}");
        for engine in ["auto", "ltl", "ltl:reduce=none", "ltl:search=nested"] {
            let (said, code) = check("ends", &text, &["--property", "never_0", "--engine", engine]);
            assert_eq!(code, Some(12), "{said}");
            assert_told(&said, &["VIOLATED never_0: there is a run to the end of the claim", end]);
        }
    }
    // Where the error comes first, it is told.
    let errors = [
        (assertion, "do :: x == 1 -> goto last :: true od; last: skip", "an assertion fails"),
        ("byte x; active proctype A() { atomic { x = 1; assert(x == 0) } }", "x == 0; x == 1", "an assertion fails"),
        (late, "do :: x == 1 && a[x + 1] == 0 -> break :: true od", "the index 2 is outside the array `a`"),
    ];
    for (model, claim, error) in errors {
        let text = format!("{model} never {{ {claim} }}");
        let (said, code) = check("errs", &text, &["--property", "never_0"]);
        assert_eq!(code, Some(12), "{said}");
        assert_told(&said, &["VIOLATED never_0: the model has an error", error]);
    }
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
    assert_told(&said, &["    ((x==2))  [", "this is never true", "  step P:0.((x==2))  ["]);
    assert!(!said.contains("no step leaves"), "{said}");
}

/// The verdict of each property.
fn verdicts(said: &str) -> Vec<&str> {
    said.lines()
        .filter_map(|l| l.split(':').next().filter(|l| l.starts_with(|c: char| c.is_ascii_uppercase())))
        .collect()
}

/// A deadlock, an assertion that fails, both in either order, and neither.
#[test]
fn deadlocks_and_errors_have_verdicts_of_their_own() {
    for (body, told, exit) in [
        ("if :: x = 1; x == 2 :: x = 3; skip; assert(x == 4) fi", ["VIOLATED deadlock-free", "VIOLATED no-errors"], 11),
        ("if :: x = 1; skip; x = 5; x == 2 :: assert(x == 4) fi", ["VIOLATED deadlock-free", "VIOLATED no-errors"], 11),
        ("if :: x = 1; x == 2 :: x = 3; assert(x == 3) fi", ["VIOLATED deadlock-free", "HOLDS no-errors"], 11),
        ("if :: x = 1 :: x = 3; assert(x == 4) fi", ["VIOLATED deadlock-free", "VIOLATED no-errors"], 12),
        ("if :: x = 1 :: x = 3; assert(x == 3) fi", ["HOLDS deadlock-free", "HOLDS no-errors"], 0),
    ] {
        let text = format!("byte x; active proctype P() {{ {body} }}");
        for more in [&[][..], &["--all"]] {
            let (said, code) = check("own-verdicts", &text, &[more, &["--quiet"]].concat());
            assert_eq!((verdicts(&said), code), (told.to_vec(), Some(exit)), "{body} {more:?}: {said}");
        }
        // One search of a chosen engine shows what it finds first.
        for engine in ["explore", "explore:order=depth,finish=0"] {
            let (said, _) = check("own-verdicts", &text, &["--engine", engine, "--quiet"]);
            assert_eq!(verdicts(&said), told.to_vec(), "{body} {engine}: {said}");
        }
        let (said, _) = check("own-runs", &text, &[]);
        let shown = ["to a deadlock:", "to a model error:", "The run is that of `deadlock-free`, above."]
            .map(|t| said.contains(t));
        let expected = [exit == 11, told[1].starts_with('V'), exit == 12];
        assert_eq!(shown, expected, "{body}: {said}");
    }
}

/// What pan stops at: the end of a claim, and an assertion in it. What it finds by cycles goes on for ever.
#[test]
fn claims_that_end_are_broken_by_finite_runs() {
    let text = |claim: &str| {
        format!("byte x; active proctype P() {{ do :: x < 3 -> x++ :: x == 3 -> x = 0 od }}\nnever n {{\n{claim} }}")
    };
    for (claim, exit, told) in [
        ("do :: x == 2 -> break :: else od", 12, "4 steps lead the claim to its end:"),
        ("do :: assert(x != 2) od", 12, "4 steps lead the claim to `assert((x!=2))`, which is violated:"),
        ("do :: atomic { x == 2 -> assert(false) } :: else od", 12, "which is violated  [model.pml:3]"),
        (
            "do :: x == 2 -> break :: true od;\naccept: do :: x < 9 od",
            13,
            "after step 4 it goes to `accept`  [model.pml:4]",
        ),
        ("do :: x == 4 -> break :: else od", 0, "HOLDS n"),
    ] {
        let scratch = Scratch::new("promela-claims");
        let (model, trace) = (scratch.write("model.pml", text(claim)), scratch.file("run.json"));
        let trace = trace.display().to_string();
        let checked = run(&["check", &model, "--property", "n", "--trace", &trace]);
        let said = stdout(&checked).replace(&model, "model.pml");
        assert_eq!(code(&checked), Some(exit), "{claim}: {said}");
        assert_told(&said, &[told]);
        if exit > 0 {
            let replayed = run(&["simulate", &model, "--replay", &trace]);
            assert!(stdout(&checked).contains(stdout(&replayed).trim()), "{claim}: {}", stderr(&replayed));
        }
    }
}

/// A claim may end while the last state is repeated.
#[test]
fn a_claim_ends_where_all_is_over() {
    let text = "byte x; active proctype P() { x = 1 } never n { x == 0; x == 1; x == 1; x == 1; x == 1; x == 1 }";
    let (said, code) = check("stutter", text, &["--property", "n"]);
    assert_eq!(code, Some(12), "{said}");
    assert_told(&said, &["2 steps lead the claim to its end:"]);
}

#[test]
fn saved_runs_keep_the_options() {
    let text = "#ifndef N\n#define N 2\n#endif\n#define M 1\nbyte x;
        active proctype P() { do :: x < N -> x++ :: x == 5 -> break od; assert(x == M) }";
    let scratch = Scratch::new("promela-options");
    let (model, trace) = (scratch.write("model.pml", text), scratch.file("run.json").display().to_string());
    for options in [&["--define", "N=5"][..], &["-DN=3", "--no-assertions"], &["-DN=5", "--set", "M=4"]] {
        let checked = run(&[&["check", &*model, "--trace", &trace], options].concat());
        let replayed = run(&["simulate", &model, "--replay", &trace]);
        assert_eq!(code(&replayed), Some(0), "{options:?}: {}", stderr(&replayed));
        assert!(stdout(&checked).contains(stdout(&replayed).trim()), "{options:?}: {}", stdout(&replayed));
        let others = run(&["simulate", &model, "--replay", &trace, "-DN=1"]);
        assert_eq!(code(&others), Some(3), "{options:?}: {}", stdout(&others));
        assert_told(&stderr(&others), &["does not fit the model", "it was found with --define=N="]);
    }
}

/// A `run` that the reader of the model did not foresee is no end of the search for dead code.
#[test]
fn what_is_behind_an_unforeseen_process_is_not_dead() {
    let text = |more: &str| {
        format!(
            "byte x; proctype P() {{ x = 5 }}
            init {{ short n; if :: x = 1; x == 3 :: do :: n < 3000 -> n++ :: n == 3000 -> run P(); {more} od fi }}"
        )
    };
    let asked = ["--property", "deadlock-free", "--dead-code"];
    let (said, _) = check("dead-behind", &text("(_nr_pr == 1); n = 0; x = 0"), &asked);
    let steps: Vec<&str> = said.lines().filter_map(|l| l.strip_prefix("  step ")?.split("  [").next()).collect();
    assert_eq!(steps, ["init:0.((x==3))"], "{said}");
}

#[test]
fn statements_of_inlines_have_their_own_lines() {
    let text = "byte x;\ninline twice(v) {\n  v = 1;\n  assert(v == 2)\n}\nactive proctype P() {\n  twice(x)\n}\n";
    let (said, code) = check("inline", text, &[]);
    assert_eq!(code, Some(12));
    assert_told(&said, &["P:0.x = 1  [", "model.pml:3]", "model.pml:4]"]);
}

#[test]
fn who_is_dead_helps_nobody() {
    let text = "proctype W(chan c) { c!1 } byte x;
        init { chan c = [2] of { byte }; run W(c); run W(c); c?x; c?x; (_nr_pr == 1); c?x }";
    let (said, _) = check("dead-helpers", text, &[]);
    assert_told(&said, &["init:0.c is empty (nobody can change this any more)", "(run W(c)) > W:1"]);
    assert!(!said.contains("when _nr_pr == 1 do"), "{said}");
}

#[test]
fn what_is_true_of_every_run_needs_no_search() {
    let (said, code) =
        check("trivial", "byte x; active proctype P() { x = 1 } ltl t { <> true } ltl f { x == 0 }", &[]);
    assert_eq!(code, Some(0));
    assert_told(&said, &["HOLDS t: no run could break it, whatever the model does", "1 state,"]);
    assert!(!said.contains("\n0 states"), "{said}");
}

#[test]
fn reading_keeps_to_the_time() {
    // Thirty-one processes in any order.
    let text = "proctype A(byte a) { if :: a > 0 -> run B(a - 1); run B(a - 1) :: else fi }
        proctype B(byte a) { if :: a > 0 -> run A(a - 1); run A(a - 1) :: else fi } init { run A(4) }";
    let start = std::time::Instant::now();
    let (said, code) = check("endless", text, &["--timeout", "1s"]);
    assert_eq!(code, Some(10), "{said}");
    assert_told(&said, &["UNKNOWN deadlock-free: the time limit was reached"]);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn one_process_too_many_is_an_error_with_a_run() {
    let (said, code) = check("too-many", "proctype A() { run A() } init { run A() }", &[]);
    assert_eq!(code, Some(12), "{said}");
    assert_told(&said, &["255 steps lead to a model error", "the value 256 is outside the range of `_nr_pr`"]);
}

#[test]
fn processes_that_create_each_other_without_end_are_too_many() {
    let text = "proctype A() { run B(); run B() } proctype B() { run A() } init { run A() } ltl f { [] (_nr_pr < 9) }";
    let (said, code) = check("mutual", text, &["--timeout", "60s"]);
    assert_eq!(code, Some(12), "{said}");
    assert_told(&said, &["VIOLATED no-errors: the model has an error", "outside the range of `_nr_pr`", "0 unknown"]);
}

#[test]
fn enabled_is_told_as_it_is_written() {
    let text = "chan q = [1] of { byte }; byte x; active proctype A() { q!1; q!2; x = 1 }
        active proctype B() { enabled(0) -> x = 2; (enabled(0) && x == 7) }";
    let (said, _) = check("enabled", text, &["--invariant", "enabled(0) || x == 1", "--deadlock"]);
    assert_told(&said, &["The invariant `enabled(0) || x == 1` is false here", "`enabled(0)` is false: "]);
    assert!(!said.contains("|| A:0@"), "{said}");
}

#[test]
fn old_texts_are_in_latin_1() {
    let scratch = Scratch::new("promela-latin");
    let (model, included) = (scratch.file("model.pml"), scratch.file("more.h"));
    std::fs::write(&included, b"#define N 1 /* \xfc */\n").expect("it can be written");
    let head = b"#include \"more.h\"\nbyte x; /* caf\xe9 */\nactive proctype P() { printf(\"\xe9t\xe9\"); x = ";
    let path = model.display().to_string();
    std::fs::write(&model, [head.as_slice(), b"N }"].concat()).expect("it can be written");
    assert_eq!(code(&run(&["check", &path])), Some(0));
    std::fs::write(&model, [head.as_slice(), b"M }"].concat()).expect("it can be written");
    let refused = run(&["check", &path]);
    assert_eq!(code(&refused), Some(3));
    assert!(stderr(&refused).contains("model.pml:3:42"), "{}", stderr(&refused));
}

#[test]
fn proctypes_that_are_never_run_are_dead_code() {
    let text = "byte x; proctype N(byte a) { x = a; atomic { x = 1; x = 2 } } active proctype P() { x = 3 }";
    let (said, _) = check("never-run", text, &["--dead-code"]);
    assert_told(&said, &["step N.x = a", "step N.x = 1; x = 2"]);
}

#[test]
fn statements_that_no_way_leads_to_are_dead_code() {
    let text = "byte x; active proctype P() { do :: x = 1 - x od; x = 7; goto there; there: x = 8 }";
    let (said, _) = check("no-way", text, &["--dead-code"]);
    assert_told(&said, &["step P.x = 7", "step P.x = 8"]);
}

#[test]
fn labels_that_nobody_is_seen_at_do_not_count() {
    let text =
        |block: &str| format!("byte x; active proctype P() {{ do :: {block} {{ x = 1; progress: x = 2; x = 0 }} od }}");
    for block in ["atomic", "d_step"] {
        let (said, code) = check("unseen", &text(block), &[]);
        assert_eq!(code, Some(13), "{said}");
        assert_told(&said, &["VIOLATED progress"]);
    }
}
