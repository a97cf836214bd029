//! `pc_value`, and `timeout` in claims and formulas, by hand: what they say, here and in SPIN.

use testkit::spin::{Goal, INSTALL, Search, Spin};

use crate::ours::{breaks, look};

/// The most states of a case.
const LIMIT: usize = 10_000;

fn spin(text: &str, goal: Goal) -> Option<Search> {
    if !Spin::is_here() {
        eprintln!("without SPIN: {INSTALL}");
        return None;
    }
    let pan = Spin { goal, ..Spin::default() }.build_text(text).unwrap_or_else(|e| panic!("{text}\n{e:?}"));
    Some(pan.search(&[]).unwrap_or_else(|e| panic!("{text}\n{e}")))
}

/// Programs that keep the numbers they ask for, so that the number of states tells whether these are SPIN's.
const KEEPING: &[&str] = &[
    "byte y; active proctype A() { byte x; x = 1; do :: x < 3 -> x++ :: else -> break od; atomic { x = 5; x = 6 }; \
     if :: x == 6 -> skip :: else fi } \
     active proctype B() { y = pc_value(0); y = pc_value(1); y = pc_value(7) }",
    "byte y; active proctype A() { atomic { y = pc_value(_pid); y = y + pc_value(0); y = y * pc_value(0) }; y = 0; \
     y = pc_value(_pid) }",
    "byte y; proctype A(byte n) { n = 1; n = 2 } \
     init { run A(0); y = pc_value(1); y = pc_value(1); (_nr_pr == 1); y = pc_value(1); y = pc_value(0); run A(1) }",
    "byte y, x; active proctype A() { x = 1 unless { x == 2; x = 3 }; d_step { x = 4; x = 5 }; L: x = 0; goto L } \
     active proctype B() { y = pc_value(0); x = 2; y = pc_value(0); assert(y != 6) }",
    "byte y, x; active proctype A() { for (x : 1 .. 2) { skip } unless { y == 200 }; select (x : 1 .. 3); end: goto M; \
     M: x = 0 } active proctype B() { y = pc_value(0); y = 255 - pc_value(0) }",
    "chan r = [0] of { byte }; byte y, z; active proctype A() { r!1; y = pc_value(1); r!2 } \
     active proctype B() { byte x; r?x; z = pc_value(0); r?x; z = pc_value(0) }",
    "byte y; active proctype A() provided (pc_value(1) < 3) { y = 1; y = 2 } active proctype B() { skip; skip; y = 4 }",
    "byte y; active proctype A() { d_step { y = pc_value(1); y++ }; y = 0 } active proctype B() { skip; y = pc_value(0) }",
];

#[test]
fn pc_values_are_the_numbers_of_spin() {
    for text in KEEPING {
        let ours = look(text, LIMIT).unwrap_or_else(|e| panic!("{text}\n{e}"));
        let Some(spin) = spin(text, Goal::Errors) else { continue };
        assert!(spin.finished, "{text}: {spin:?}");
        assert_eq!((ours.states, ours.assertion), (spin.states, spin.assertion), "{text}");
    }
}

#[test]
fn who_asks_in_the_middle_of_a_step_is_refused() {
    for (text, place) in [
        ("byte y; active proctype A() { d_step { y = 1; y = pc_value(0) } }", "inside a `d_step`"),
        (
            "chan r = [0] of { byte }; active proctype A() { r!1 } active proctype B() { r?eval(pc_value(0)) }",
            "in a receive, where there are rendezvous",
        ),
        (
            "chan r = [0] of { byte }; active proctype A() provided (pc_value(1) == 1) { r?_ } active proctype B() { r!1 }",
            "in `provided` clauses, where there are rendezvous",
        ),
    ] {
        let why = look(text, LIMIT).expect_err(text);
        assert!(why.contains("`pc_value` is not supported") && why.contains(place), "{text}: {why}");
    }
}

/// Asks whether a run breaks a property, here and, if its answer counts, of SPIN.
fn asked(text: &str, property: &str, expected: bool, of_spin: bool) {
    let ours = breaks(text, property, false, LIMIT).unwrap_or_else(|e| panic!("{text}\n{e}"));
    assert_eq!(ours.by_any, expected, "{text}");
    if let Some(spin) = of_spin.then(|| spin(text, Goal::Acceptance)).flatten() {
        let about_claims = |e: &str| e.contains("claim") || e.contains("accept");
        let broken = spin.assertion || spin.other.as_deref().is_some_and(about_claims);
        assert!(broken || spin.finished, "{text}: {spin:?}");
        assert_eq!(broken, expected, "SPIN, {text}: {spin:?}");
    }
}

#[test]
fn claims_ask_for_pc_values() {
    let program = "byte x; active proctype A() { x = 1 } \
        active proctype B() { do :: x == 1 -> break :: atomic { x == 0 -> x = 3; x = 0 } od; x = 4 }";
    for (state, broken) in
        [(0, true), (1, false), (4, false), (6, false), (7, true), (9, false), (10, true), (11, true)]
    {
        let text = format!("{program} never n {{ do :: pc_value(1) == {state} -> break :: else od }}");
        asked(&text, "n", broken, true);
    }
    asked(&format!("{program} ltl f {{ <> (pc_value(0) == 2) }}"), "f", true, true);
    asked(&format!("{program} ltl f {{ [] (pc_value(1) == 10 -> x == 1) }}"), "f", false, true);
}

/// A program that goes on, stands still, or dies.
const STANDING: &str = "byte x; active proctype A() { x = 1; x = 2; do :: x = 3 :: x = 2 -> break od; x == 9 }";
const DYING: &str = "byte x; active proctype A() { x = 1; x = 2 }";
const WAITING: &str = "byte x; active proctype A() { x = 1; x == 0; x = 2 } active proctype T() { timeout -> x = 0 }";
const TICKING: &str = "byte x; active proctype A() { x = 1; do :: timeout -> x = 1 - x od }";

#[test]
fn timeout_is_that_nothing_goes_on() {
    for (program, formula, broken) in [
        (STANDING, "<> timeout", true),
        (STANDING, "[] (timeout -> x == 2)", false),
        (STANDING, "[] (timeout -> x == 1)", true),
        (STANDING, "[] (x == 3 -> !timeout)", false),
        (STANDING, "(<> [] timeout) || ([] <> (x == 3))", false),
        (DYING, "[] !timeout", true),
        (DYING, "<> timeout", false),
        (DYING, "<> [] timeout", false),
        (WAITING, "[] (timeout -> x == 1)", true),
        (WAITING, "[] (timeout -> (x == 1 || x == 2))", false),
        (WAITING, "<> (timeout && x == 1)", false),
        (WAITING, "[] ((timeout && x == 1) -> <> (x == 0))", false),
        (WAITING, "[] ((x + timeout) < 3)", true),
        (TICKING, "[] <> timeout", false),
    ] {
        asked(&format!("{program} ltl f {{ {formula} }}"), "f", broken, true);
    }
}

#[test]
fn claims_wait_for_timeouts() {
    let claim = |program: &str, test: &str| format!("{program} never n {{ do :: {test} -> break :: true od }}");
    for (program, test, broken, of_spin) in [
        (STANDING, "timeout && x == 2", true, false),
        (STANDING, "timeout && x == 3", false, true),
        (WAITING, "timeout && x == 1", true, true),
        (WAITING, "timeout && x == 0", false, true),
        (TICKING, "timeout && x == 0", true, true),
    ] {
        asked(&claim(program, test), "n", broken, of_spin);
    }
    let accepting =
        |test: &str| format!("{STANDING} never n {{ do :: true :: {test} -> break od; accept: do :: {test} od }}");
    asked(&accepting("(timeout && x == 2)"), "n", true, false);
    asked(&accepting("(!timeout && x == 2)"), "n", false, false);
}

/// SPIN does not try `timeout` in a `never` claim where no process waits for one. Otherwise it takes it for true where the
/// claim cannot go on by itself, and lets `!timeout` lead to the end of a claim where the system stands still.
#[test]
fn timeout_is_what_it_says_where_spin_is_not_sure() {
    asked(&format!("{STANDING} never n {{ do :: timeout -> break :: true od }}"), "n", true, false);
    asked(&format!("{WAITING} never n {{ timeout }}"), "n", false, false);
    asked(&format!("{TICKING} ltl f {{ [] <> !timeout }}"), "f", false, false);
    asked(
        "byte x; active proctype A() { x = 1; x == 9 } never n { do :: !timeout && x == 1 -> break :: true od }",
        "n",
        false,
        false,
    );
}

/// A process that waits for a timeout can go on where there is one.
#[test]
fn who_waits_for_a_timeout_is_enabled_by_it() {
    asked(&format!("{WAITING} ltl f {{ [] !(enabled(1) && x == 1) }}"), "f", true, true);
    asked(&format!("{WAITING} ltl f {{ [] !(enabled(1) && x == 2 && enabled(0)) }}"), "f", false, true);
}

/// To die is a step.
#[test]
fn who_may_die_is_enabled() {
    asked(&format!("{DYING} ltl f {{ [] (x == 2 -> !enabled(0)) }}"), "f", true, true);
    asked(&format!("{WAITING} ltl f {{ [] (x == 2 -> !enabled(0)) }}"), "f", true, true);
    asked(
        &format!("{WAITING} active proctype Z() {{ x == 9 }} ltl f {{ [] (x == 2 -> !enabled(0)) }}"),
        "f",
        false,
        true,
    );
}
