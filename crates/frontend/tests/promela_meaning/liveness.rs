//! What is asked of endless runs: formulas, claims with acceptance, and cycles by their labels. The answers are those of
//! SPIN's verifier with `-a`, `-l` and `-f`.

use frontend::promela::Options;
use model::{Property, Strength};

use crate::runs::broken;
use crate::space::{Answer, check, read};

fn asked(text: &str, name: &str, options: &Options) -> Property {
    let reading = read(text, options);
    let properties = &reading.loaded().properties;
    let found = properties.iter().find(|p| p.name == name);
    found.unwrap_or_else(|| panic!("{name} is asked: {properties:?}")).property.clone()
}

fn violated(text: &str, name: &str, options: &Options) -> bool {
    let reading = read(text, options);
    broken(&reading.loaded().system, &asked(text, name, options))
}

fn names(text: &str) -> Vec<String> {
    read(text, &Options::default()).loaded().properties.iter().map(|p| p.name.clone()).collect()
}

#[test]
fn formulas_of_all_operators() {
    let program = "byte x; active proctype A() { x = 1; there: x = 2; do :: x = 3 :: x = 4 od }";
    let answer = |formula: &str| violated(&format!("{program} ltl p {{ {formula} }}"), "p", &Options::default());
    let holding = [
        "<> (x == 2)",
        "[] (x == 1 -> <> A@there)",
        "x < 3 U x == 3 || x < 3 U x == 4",
        "(x < 3) W (x == 3 || x == 4)",
        "(x == 1) V (x < 2)",
        "X (x == 1) && X X (x == 2)",
        "<> [] (x > 2)",
        "<> (x == 3) || <> (x == 4)",
        "(<> (x == 5)) <-> (<> (x == 6))",
        "eventually always (x > 2) && always eventually (x > 2)",
    ];
    for formula in holding {
        assert!(!answer(formula), "{formula}");
        assert!(answer(&format!("!({formula})")), "!({formula})");
    }
    for formula in ["[] <> (x == 3)", "<> (x == 3)", "<> [] (x == 3)", "X (x == 2)", "(x < 2) W (x == 3)"] {
        assert!(answer(formula), "{formula}");
    }
}

/// What would be a fault on its own stays behind its condition.
#[test]
fn conditions_stay_together_where_they_must() {
    let text = "byte i; byte a[2] = 1; active proctype A() { do :: i < 2 -> i++ :: else -> break od }
        ltl p { <> ! (i < 2 && a[i] == 1) }";
    assert!(!violated(text, "p", &Options::default()));
}

#[test]
fn a_run_that_ends_repeats_its_last_state() {
    let text = |formula: &str| format!("byte x; active proctype A() {{ x = 1; x = 2 }} ltl p {{ {formula} }}");
    assert!(!violated(&text("<> [] (x == 2)"), "p", &Options::default()));
    assert!(violated(&text("[] <> (x == 1)"), "p", &Options::default()));
}

#[test]
fn claims_accept() {
    let text = |claim: &str| {
        format!("byte x; active proctype A() {{ do :: x = 1 - x :: x == 1 -> x = 2; break od }} never n {{ {claim} }}")
    };
    let answer = |claim: &str| violated(&text(claim), "n", &Options::default());
    assert!(answer("do :: true :: x < 2 -> break od; accept: do :: x < 2 od"));
    assert!(answer("do :: true :: x == 2 -> break od; accept: do :: x == 2 od"));
    assert!(!answer("do :: true :: x == 3 -> break od; accept: do :: x == 3 od"));
    assert!(
        !answer("do :: true :: x == 1 -> break od; accept: do :: x == 1 od"),
        "a claim that is stuck accepts nothing"
    );
}

#[test]
fn a_claim_that_ends_accepts_what_follows() {
    let text = |last: u8| {
        format!(
            "byte x; active proctype A() {{ do :: x = 1; x = 2 od }}
            never n {{ do :: true :: x == {last} -> break od; if :: x == 1 -> skip :: false -> accept: skip fi }}"
        )
    };
    assert!(violated(&text(2), "n", &Options::default()));
    assert!(!violated(&text(1), "n", &Options::default()));
    let labelled = "byte x; active proctype A() { do :: x = 1; x = 2 od }
        never n { do :: true :: x == 1 -> break od; end_here: do :: x == 1 -> if :: false -> accept: skip fi od }";
    assert!(violated(labelled, "n", &Options::default()));
}

#[test]
fn labels_of_processes_accept() {
    let answer = |body: &str| {
        violated(&format!("byte x; active proctype P() {{ {body} }}"), "acceptance-free", &Options::default())
    };
    assert!(answer("do :: x = 1; accept: x = 0 od"));
    assert!(!answer("x = 1; accept: x = 0; do :: x = 1; x = 2 od"));
    assert!(answer("x = 1; accept: false"), "whoever stays there is there for ever");
    assert!(!answer("x = 1; accept: x = 2"));
    assert_eq!(names("byte x; active proctype P() { x = 1 }"), ["deadlock-free"]);
    // A label of a process counts for claims as well.
    let claimed = "byte x; active proctype P() { do :: x = 1; accept: x = 0 od } never n { do :: true od }";
    assert!(violated(claimed, "n", &Options::default()));
}

#[test]
fn progress_is_asked_of_endless_runs() {
    let answer =
        |body: &str| violated(&format!("byte x; active proctype P() {{ {body} }}"), "progress", &Options::default());
    assert!(!answer("do :: x = 1; progress: x = 0 od"));
    assert!(answer("do :: x = 1; progress: x = 0 :: x = 2 od"));
    assert!(!answer("x = 1; progress: x = 2"), "what ends need not progress");
    let silent = "byte x; active proctype P() { do :: x = 1; x = 2 od }";
    assert_eq!(names(silent), ["deadlock-free"]);
    assert!(violated(silent, "progress", &Options { non_progress: true, ..Options::default() }));
}

#[test]
fn fairness_is_to_those_who_take_steps() {
    let fair = Options { fairness: Some(Strength::Weak), ..Options::default() };
    let both = |text: &str| (violated(text, "p", &Options::default()), violated(text, "p", &fair));
    let loops = "byte x; active proctype P() { do :: x = 4 od } active proctype Q() { do :: x = 2; x = 3 od }
        ltl p { [] <> (x == 3) }";
    assert_eq!(both(loops), (true, false));
    // Whoever could receive for ever is not treated unfairly: who sends is the one to go on.
    let receives = "chan c = [0] of { byte }; byte x; active proctype S() { do :: c!1 :: x = 0 od }
        active proctype R() { byte y; do :: c?y -> x = 1; x = 0 od } ltl p { <> (x == 1) }";
    assert_eq!(both(receives), (true, true));
    let sends = "chan c = [0] of { byte }; byte x; active proctype S() { do :: c!1 :: x = 0 od }
        active proctype T() { do :: c!2; x = 3; x = 0 od } active proctype R() { byte y; do :: c?y od }
        ltl p { <> (x == 3) }";
    assert_eq!(both(sends), (true, false));
}

/// As SPIN has it where it gives an answer: its search of endless `atomic` sequences is cut off.
#[test]
fn an_endless_atomic_sequence_repeats_the_state_before_it() {
    let program = "byte x; active proctype P() { x = 1; x = 2; atomic { x = 3; do :: x = 7 - x od } }";
    let answer = |formula: &str| violated(&format!("{program} ltl p {{ {formula} }}"), "p", &Options::default());
    for formula in ["<> [] (x != 1)", "<> (x == 1)", "<> [] (x == 2)", "X X (x == 2)", "! <> (x == 3)"] {
        assert!(!answer(formula), "{formula}");
    }
    for formula in
        ["x == 1", "[] (x == 2 -> <> (x == 3))", "<> (x == 3)", "[] <> (x == 0)", "[] (x != 2) || X [] (x != 2)"]
    {
        assert!(answer(formula), "{formula}");
    }
}

/// SPIN gives what such a label means to the state behind the statement.
#[test]
fn labels_on_first_statements_of_options() {
    let answer = |text: &str, name: &str| violated(text, name, &Options::default());
    let receives =
        |rest: &str| format!("chan q = [1] of {{ byte }}; active proctype A() {{ do :: end: q?_{rest} od }}");
    check(&receives(""), 1, Answer::Fine);
    check(&receives("; skip"), 1, Answer::Stuck);
    let steps = |label: &str| format!("byte x; active proctype A() {{ do :: {label}: x = 1 - x od }}");
    assert!(answer(&steps("accept"), "acceptance-free"));
    assert!(!answer(&steps("progress"), "progress"));
    let looks = steps("here") + "ltl p { [] !A@here }";
    assert!(!answer(&looks, "p"));
}
