//! Model errors: what has no meaning is a fault where it happens, and what cannot be read is refused.

use crate::space::{Answer, check, explore, read};
use frontend::promela::{Options, read as load};

fn faults(text: &str) -> Vec<String> {
    explore(read(text, &Options::default()), 100_000).faults.into_iter().collect()
}

fn refused(text: &str) -> String {
    let reader = |name: &str| Err(format!("{name} is not there"));
    let mistakes = load("test", text, &reader, &Options::default()).expect_err("the model is refused");
    mistakes[0].message.clone()
}

#[test]
fn a_failed_assertion() {
    check("byte x; active proctype A() { x = 1; assert(x == 2) }", 2, Answer::Faulty);
}

#[test]
fn assertions_can_be_ignored() {
    let options = Options { ignore_assertions: true, ..Options::default() };
    let space = explore(read("byte x; active proctype A() { x = 1; assert(x == 2) }", &options), 100);
    assert_eq!((space.states, space.answer()), (4, Answer::Fine));
}

#[test]
fn an_index_outside_its_array() {
    assert_eq!(faults("byte a[3], i = 3; init { a[i] = 1 }"), ["the index 3 is outside the array `a`"]);
    assert_eq!(faults("byte a[3], i = 3; init { a[i] == 0 }"), ["the index 3 is outside the array `a`"]);
}

#[test]
fn an_index_outside_an_array_of_channels() {
    let text =
        "chan q[2] = [0] of { byte }; byte i = 1; active proctype A() { i++; q[i]!1 } active proctype B() { q[1]?1 }";
    assert_eq!(faults(text), ["the index 2 is outside the array `q`"]);
}

#[test]
fn an_index_outside_an_inner_dimension() {
    let text = "typedef T { byte b[2] } T t[2]; byte i = 2; init { i = 2; t[0].b[i] = 1 }";
    assert_eq!(faults(text).len(), 1);
}

#[test]
fn a_channel_that_was_never_made() {
    assert_eq!(faults("chan q; byte x; init { q?x }").len(), 1);
    assert_eq!(faults("chan p = [1] of { byte }; chan q; init { if :: true -> q = p :: true fi; q!1 }").len(), 1);
}

#[test]
fn division_by_zero() {
    assert_eq!(faults("byte x, y; init { x = 1 / y }"), ["division by zero"]);
}

#[test]
fn stuck_in_a_deterministic_step() {
    assert_eq!(faults("byte x; init { d_step { x = 1; x == 2; x = 3 } }").len(), 1);
}

#[test]
fn too_many_processes() {
    let message = refused("proctype P() { false } init { do :: run P() od }");
    assert_eq!(message, "more than 255 processes are created");
}

/// SPIN tries a rendezvous out, which a condition cannot.
#[test]
fn a_rendezvous_that_would_have_to_be_known_before_it_happens() {
    let receiver = "chan q = [0] of { byte }; byte x; active proctype R() { q?_ }";
    for sender in [
        "active proctype W() { { x = 1; assert(false) } unless { q!0 } }",
        "active proctype W() { if :: q!1 :: else -> assert(false) fi }",
    ] {
        assert!(refused(&format!("{receiver} {sender}")).starts_with("whether this rendezvous can happen is asked"));
    }
}
