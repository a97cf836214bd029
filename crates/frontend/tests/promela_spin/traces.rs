//! `trace` and `notrace` by hand: what they say, here and in SPIN.

use testkit::spin::{INSTALL, Spin};

use crate::ours::look;

/// What an assertion comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Holds,
    Violated,
    /// Nothing is violated, but the model stops where the assertion may not.
    Unfinished,
}
use Says::{Holds, Unfinished, Violated};

const CASES: &[(&str, Says)] = &[
    // What is sent, in its order; the other direction is nobody's business.
    ("chan q = [3] of { byte }; active proctype P() { byte x; q!1; q!2; q?x } trace { q!1; q!2 }", Holds),
    ("chan q = [3] of { byte }; active proctype P() { q!1; q!2 } trace { q!2; q!1 }", Violated),
    ("chan q = [3] of { byte }; active proctype P() { q!1; q!2; q!3 } trace { q!1; q!2 }", Violated),
    ("chan q = [3] of { byte }; active proctype P() { q!1; q?1; q!2 } trace { q!_; q?_; q!_ }", Holds),
    ("chan q = [3] of { byte }; active proctype P() { q!1; q!2; q?1 } trace { q!_; q?_; q!_ }", Violated),
    // Values: those that are stored, of any field.
    ("chan q = [1] of { byte, byte }; active proctype P() { q!257,2 } trace { q!1,2 }", Holds),
    ("chan q = [1] of { byte, byte }; active proctype P() { q!257,2 } trace { q!257,2 }", Violated),
    ("chan q = [1] of { byte, byte }; byte x = 7; active proctype P() { q!x,2; q?7,x } trace { q?7,2 }", Holds),
    ("chan q = [1] of { byte, byte }; byte x; active proctype P() { q!7,2; q?x,_ } trace { q?7,3 }", Violated),
    ("mtype = { a, b }; chan q = [1] of { mtype }; active proctype P() { q!b } trace { q!b }", Holds),
    ("chan q = [1] of { byte }; byte x = 1; active proctype P() { q!x; q?eval(x) } trace { q!2 - 1; q?1 }", Holds),
    ("chan q = [2] of { byte }; byte x; active proctype P() { q!1; q?eval(len(q)) } trace { q?1 }", Holds),
    ("chan q = [2] of { bit }; active proctype P() { q!3 } trace { q!3 }", Holds),
    // Looking is no event.
    ("chan q = [1] of { byte }; byte x; active proctype P() { q!1; q?<x>; q?[1]; q?x } trace { q?1 }", Holds),
    // Rendezvous: sent, then received.
    ("chan r = [0] of { byte }; active proctype P() { r!1 } active proctype Q() { r?1 } trace { r!1; r?1 }", Holds),
    ("chan r = [0] of { byte }; active proctype P() { r!1 } active proctype Q() { r?1 } trace { r!1 }", Holds),
    ("chan r = [0] of { byte }; active proctype P() { r!1 } active proctype Q() { r?1 } trace { r?1; r!1 }", Violated),
    (
        "chan r = [0] of { byte, byte }; byte x = 1; active proctype P() { r!x + 1,x } \
         active proctype Q() { r?x,_ } trace { r!2,1; r?2,1 }",
        Holds,
    ),
    (
        "chan r = [0] of { byte, byte }; active proctype P() { r!5,1; r!1,5 } \
         active proctype Q() { byte x = 1; r?x,eval(x); r?1,eval(x) } trace { do :: r?5,1 :: r?1,5 od }",
        Holds,
    ),
    (
        "chan r = [0] of { byte }; active proctype P() { do :: r!1 :: r!2 od } \
         active proctype Q() { do :: r?1 :: r?2 od unless r?2 } trace { do :: r?_ :: r?2 -> break od }",
        Violated,
    ),
    // Which channel is meant may change.
    ("chan q[2] = [2] of { byte }; byte i; active proctype P() { q[i]!1; i = 1; q[i]!2 } trace { q[1]!2 }", Holds),
    (
        "chan p = [2] of { byte }; chan q = [2] of { byte }; chan c; \
         active proctype P() { c = p; p!1; c = q; p!2; q!3 } trace { c!1; c!3 }",
        Holds,
    ),
    ("chan p = [3] of { byte }; chan c; active proctype P() { p!2; c = p; p!1; p!2 } trace { c!1 }", Violated),
    // Choices must be clear.
    ("chan q = [2] of { byte }; active proctype P() { q!1 } trace { if :: q!1 :: q!2 -> q!1 fi }", Holds),
    ("chan q = [2] of { byte }; active proctype P() { q!1 } trace { if :: q!1 :: q!_ fi }", Violated),
    ("chan q = [2] of { byte }; active proctype P() { q!2 } trace { if :: q!1 :: q!_ fi }", Holds),
    (
        "chan q = [4] of { byte }; active proctype P() { q!1; q!2; q!3; q!4 } \
         trace { L: if :: q!1 -> goto M :: q!3 -> goto N fi; M: q!2; goto L; N: do :: q!4 od }",
        Holds,
    ),
    // Where the model stops, as long as somebody is left.
    ("chan q = [2] of { byte }; active proctype P() { q!1 } trace { q!1; q!2 }", Holds),
    ("chan q = [2] of { byte }; active proctype P() { q!1; end: false } trace { q!1; q!2 }", Unfinished),
    ("chan q = [2] of { byte }; active proctype P() { q!1; end: false } trace { q!1; end: q!2 }", Holds),
    ("chan q = [2] of { byte }; active proctype P() { q!1; end: false } notrace { q!1; q!2 }", Unfinished),
    ("chan q = [2] of { byte }; active proctype P() { q!1; end: false } notrace { q!2; q!2 }", Holds),
    // What must not be said from the first event on.
    ("chan q = [3] of { byte }; active proctype P() { q!1; q!2 } notrace { q!1; q!2 }", Violated),
    ("chan q = [3] of { byte }; active proctype P() { q!3; q!1; q!2 } notrace { q!1; q!2 }", Holds),
    ("chan q = [3] of { byte }; active proctype P() { q!1; q!1; q!2 } notrace { q!1; q!2 }", Holds),
    ("chan q = [3] of { byte }; active proctype P() { q!1; q!1 } notrace { if :: q!1 :: q!_ fi; q!2 }", Violated),
    // In the middle of what nobody sees.
    ("chan q = [3] of { byte }; active proctype P() { atomic { q!1; q!2; q?1 } } trace { q!1; q!2; q?_ }", Holds),
    ("chan q = [3] of { byte }; active proctype P() { d_step { q!1; q!2; q?1 } } trace { q!1; q?_ }", Violated),
    (
        "chan q = [1] of { byte }; proctype P(byte n) { q!n } init { atomic { run P(1); run P(2) }; q?1; q?2 } \
         trace { do :: q?1 :: q?2 :: q!1 -> q?1 od }",
        Violated,
    ),
];

#[test]
fn assertions_about_events_mean_what_they_mean_to_spin() {
    let spin = Spin::is_here();
    if !spin {
        eprintln!("without SPIN: {INSTALL}");
    }
    let mut wrong = Vec::new();
    for (text, expected) in CASES {
        let ours = look(text, 10_000).unwrap_or_else(|e| panic!("{text}\n{e}"));
        let says = |trace: bool, end: bool| match (trace, end) {
            (true, _) => Violated,
            (false, true) => Unfinished,
            (false, false) => Holds,
        };
        if says(ours.trace, ours.invalid_end) != *expected {
            wrong.push(format!("{text}: {ours:?}"));
        }
        if spin {
            let search = Spin::default().build_text(text).map(|pan| pan.search(&[]));
            let Ok(Ok(search)) = search else { panic!("{text}\n{search:?}") };
            if says(search.trace, search.invalid_end) != *expected {
                wrong.push(format!("{text}: SPIN, {search:?}"));
            } else if search.finished && !search.trace && search.states != ours.states {
                wrong.push(format!("{text}: {} states, SPIN {}", ours.states, search.states));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where SPIN tells an assertion of other messages than those that are sent and received.
#[test]
fn the_event_is_the_message() {
    let holds = [
        // SPIN looks at the last message.
        "chan q = [3] of { byte }; active proctype P() { q!!3; q!!1 } trace { q!3; q!1 }",
        // SPIN looks at the first one.
        "chan q = [3] of { byte }; active proctype P() { q!3; q!1; q??1; q?3 } trace { q?1; q?3 }",
        // To SPIN, what nobody takes is sent.
        "chan r = [0] of { byte }; chan g = [1] of { byte }; active proctype P() { r!3 } \
         active proctype Q() { byte y; g!1; r?y; } trace { g!1; r!3 }",
    ];
    for text in holds {
        let ours = look(text, 1000).unwrap_or_else(|e| panic!("{text}\n{e}"));
        assert!(!ours.trace, "{text}: {ours:?}");
    }
}

#[test]
fn what_is_no_event_is_refused() {
    for (body, message) in [
        ("skip; q!1", "only sends and receives can be watched by a trace"),
        ("if :: q!1 :: else fi", "only sends and receives can be watched by a trace"),
        ("q!1 unless q!2", "only sends and receives can be watched by a trace"),
        ("q!!1", "only sends and receives can be watched by a trace"),
        ("q??1", "only sends and receives can be watched by a trace"),
        ("q?<1>", "only sends and receives can be watched by a trace"),
        ("q?x", "a trace only watches"),
        ("q?eval(x)", "a trace compares messages with constants only"),
        ("q!1 } notrace { q!1", "there is another `trace` or `notrace`"),
    ] {
        let text = format!("chan q = [1] of {{ byte }}; byte x; init {{ x = 1; q!1; q?x }} trace {{ {body} }}");
        let why = look(&text, 1000).expect_err(body);
        assert!(why.contains(message), "{body}: {why}");
    }
}
