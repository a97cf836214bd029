//! `else` in choices that begin options, and in escapes: one for a state is what it is to SPIN, two are refused by both.

use testkit::spin::{INSTALL, Search, Spin};

use crate::ours::look;

/// The most states of a case.
const LIMIT: usize = 10_000;

fn spin(text: &str) -> Option<Search> {
    if !Spin::is_here() {
        eprintln!("without SPIN: {INSTALL}");
        return None;
    }
    let pan = Spin::default().build_text(text).unwrap_or_else(|e| panic!("{text}\n{e:?}"));
    Some(pan.search(&[]).unwrap_or_else(|e| panic!("{text}\n{e}")))
}

/// A process with two variables.
fn program(body: &str) -> String {
    format!("byte x, y;\nactive proctype P() {{ {body} }}")
}

/// Bodies in which one control state has two `else`.
const TWICE: &[&str] = &[
    "do :: if :: x == 1 -> x = 2 :: else -> x = 1 fi :: if :: x == 2 -> x = 0 :: else -> assert(false) fi od",
    "if :: if :: x == 2 -> x = 0 :: else -> x = 5 fi :: else -> x = 1 fi",
    "if :: else -> x = 1 :: y == 3 :: if :: if :: x == 2 -> x = 0 :: else -> x = 5 fi :: y = 1 fi fi",
    "do :: x == 1 -> y = 2 :: { else -> x = 3; break } :: else -> x = 4 od",
    "do :: x == 1 -> y = 2 :: atomic { else -> x = 3; break } :: else -> x = 4 od",
    "{ if :: x == 1 -> x = 2 :: else -> x = 3 fi } unless { if :: x == 4 -> x = 5 :: else -> x = 6 fi }",
    "{ do :: x == 1 -> x = 2 :: else -> x = 3 od } unless { else -> x = 1 }",
    "{ x = 1 unless { else -> x = 2 } } unless { else -> x = 3 }",
    "goto done; do :: if :: x == 1 -> x = 2 :: else -> x = 3 fi :: else -> x = 0 od; done: skip",
];

/// Bodies in which every state has one at most.
const ONCE: &[&str] = &[
    "do :: if :: x == 1 -> x = 2 :: else -> x = 3 fi :: y == 0 -> y = 1 :: y == 1 -> x = 1 od",
    "do :: y == 0 -> y = 1 :: y == 1 -> x = 1; y = 2 :: if :: x == 1 -> x = 2 :: else -> x = 3 fi od",
    "do :: else -> x = 1; break :: if :: x == 0 -> x = 2 :: x == 2 -> y++ fi :: y == 5 -> y = 6 od",
    "do :: if :: x == 1 -> x = 4 :: else -> x = 1 fi :: goto L od; L: if :: x == 0 -> x = 1 :: else fi",
    "do :: if :: x == 1 -> x = 4 :: else -> x = 0 fi :: for (y : 0 .. 2) { x = 1 } od",
    "do :: if :: x == 0 -> x = 1 :: else -> break fi :: x == 1 -> if :: y == 1 -> x = 0 :: else -> y = 1 fi od",
    "{ if :: x == 1 -> x = 2 :: else -> x = 3; x = 4; y = 7 fi } unless { if :: x == 4 -> x = 5 :: y == 1 fi }",
    "{ x = 1; x = 2; x = 3 } unless { if :: x == 2 -> x = 7 :: x == 9 fi }; if :: x == 3 -> y = 1 :: else -> y = 2 fi",
    "do :: d_step { if :: x == 1 -> x = 2 :: else -> x = 3 fi } :: d_step { if :: x == 2 -> x = 1 :: else -> x = 0 fi } od",
    "do :: atomic { if :: x == 1 -> x = 2 :: else -> x = 3 fi } :: d_step { if :: x == 1 -> x = 5 :: else -> x = 1 fi } od",
    "do :: d_step { x == 1 -> x = 2 } :: d_step { if :: x == 0 -> x = 1 :: x == 2 -> y++ fi } :: else -> x = 0; break od",
    "do :: d_step { if :: x == 1 -> x = 2 :: else -> x = 3 fi } :: else -> x = 0 od",
    "d_step { y = 1; if :: if :: x == 1 -> x = 2 :: else -> x = 3 fi :: else -> x = 0 fi }; y = 2",
    "d_step { if :: x == 0 -> if :: y == 1 -> x = 2 :: else -> x = 7 fi :: else -> x = 1 fi }; y = 2",
];

#[test]
fn two_for_one_state_are_refused() {
    for text in TWICE.iter().map(|body| program(body)) {
        let why = look(&text, LIMIT).expect_err(&text);
        assert!(why.contains("two `else` for one choice"), "{text}\n{why}");
        let Some(spin) = spin(&text) else { continue };
        let error = spin.other.unwrap_or_default();
        assert!(!spin.finished && error.contains("'else' stmnts"), "{text}: {error}");
    }
}

#[test]
fn one_for_a_state_looks_at_what_spin_looks_at() {
    for text in ONCE.iter().map(|body| program(body)) {
        let ours = look(&text, LIMIT).unwrap_or_else(|e| panic!("{text}\n{e}"));
        let Some(spin) = spin(&text) else { continue };
        assert!(spin.finished, "{text}: {spin:?}");
        assert_eq!((ours.states, ours.invalid_end), (spin.states, spin.invalid_end), "{text}");
    }
}
