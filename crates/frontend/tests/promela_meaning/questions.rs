//! What is asked of a program: end states, claims and formulas.

use std::collections::HashSet;

use frontend::promela::Options;
use model::{Property, System};

use crate::space::read;

/// Whether a system under observation reaches an error location.
fn violated(system: &System, property: &Property) -> bool {
    let (system, holds) = match property {
        Property::Safety(observer) => (system.observed_by(observer), None),
        Property::Invariant(e) => (system.clone(), Some(system.predicate(e))),
        other => panic!("not asked here: {other:?}"),
    };
    let mut seen = HashSet::from([system.initial_state()]);
    let mut open = vec![system.initial_state()];
    let mut next = system.initial_state();
    while let Some(state) = open.pop() {
        let at = system.observer_location(&state);
        if at.is_some_and(|l| system.observer().is_some_and(|o| o.locations[l.index()].error)) {
            return true;
        }
        let free = system.control(&state).is_none();
        if free && holds.as_ref().is_some_and(|p| p.holds(&system, &state) == Ok(false)) {
            return true;
        }
        for t in system.enabled(&state).flatten() {
            if system.fire(t, &state, &mut next).is_ok() && seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    false
}

/// Whether the property of this name is violated.
fn answer(text: &str, name: &str) -> bool {
    let reading = read(text, &Options::default());
    let loaded = reading.loaded();
    let property = loaded.properties.iter().find(|p| p.name == name);
    violated(&loaded.system, &property.unwrap_or_else(|| panic!("{name} is asked: {:?}", loaded.properties)).property)
}

#[test]
fn end_states_are_asked_first() {
    let names = |options: &Options| -> Vec<String> {
        let reading = read("byte x; init { x = 1 } ltl p { [] (x < 2) }", options);
        reading.loaded().properties.iter().map(|p| p.name.clone()).collect()
    };
    assert_eq!(names(&Options::default()), ["deadlock-free", "p"]);
    assert_eq!(names(&Options { ignore_end_states: true, ..Options::default() }), ["p"]);
}

#[test]
fn a_claim_looks_at_every_state() {
    let claim = |test: &str| {
        format!(
            "byte x, y; active proctype A() {{ x = 1; x = 2; x = 3 }} never n {{ do :: {test} -> break :: else od }}"
        )
    };
    assert!(answer(&claim("x == 0"), "n"));
    assert!(answer(&claim("x == 2"), "n"));
    assert!(!answer(&claim("x == 4"), "n"));
}

#[test]
fn a_claim_takes_one_step_for_each_step_of_the_system() {
    let text = |last: u8| {
        format!("byte x; active proctype A() {{ x = 1; x = 2; x = 3 }} never n {{ x == 0; x == 1; x == {last} }}")
    };
    assert!(answer(&text(2), "n"));
    assert!(!answer(&text(3), "n"));
}

#[test]
fn a_claim_may_be_in_several_places() {
    let text = "byte x; active proctype A() { do :: x = 1 - x od }
        never n { do :: true :: x == 1 -> if :: x == 1 -> skip :: x == 0 -> break fi od }";
    assert!(answer(text, "n"));
}

/// SPIN's claim does not see what happens inside of an `atomic`, but where it blocks.
#[test]
fn a_claim_does_not_look_into_atomic_sequences() {
    let text = |x: u8| {
        format!(
            "byte x, y; active proctype A() {{ atomic {{ x = 1; x = 2; x = 3; y == 1; x = 4; x = 5 }} }}
            active proctype B() {{ y = 1 }} never n {{ do :: x == {x} -> break :: else od }}"
        )
    };
    let seen: Vec<bool> = (1..=5).map(|x| answer(&text(x), "n")).collect();
    assert_eq!(seen, [false, false, true, false, true]);
}

#[test]
fn a_claim_knows_who_moved() {
    let text = |last: u8| {
        format!(
            "chan r = [0] of {{ byte }}; byte x; active proctype A() {{ r!1; x = 2 }}
            active proctype B() {{ r?x; x = 2 }} never n {{ do :: _last == {last} && x == 1 -> break :: else od }}"
        )
    };
    assert!(answer(&text(1), "n"));
    assert!(!answer(&text(0), "n"));
}

#[test]
fn a_claim_that_asserts() {
    let text = |x: u8| {
        format!(
            "byte x; active proctype A() {{ x = 1; x = 2 }}
            never n {{ do :: atomic {{ (x == {x}) -> assert(!(x == {x})) }} :: true od }}"
        )
    };
    assert!(answer(&text(2), "n"));
    assert!(!answer(&text(3), "n"));
}

#[test]
fn formulas_about_all_states() {
    let text = |formula: &str| format!("byte x; active proctype A() {{ x = 1; there: x = 2 }} ltl p {{ {formula} }}");
    assert!(!answer(&text("[] (x < 3)"), "p"));
    assert!(answer(&text("[] (x < 2)"), "p"));
    assert!(answer(&text("! <> (x == 1)"), "p"));
    assert!(!answer(&text("[] (x < 3) && [] (x == 1 -> A@there)"), "p"));
    assert!(answer(&text("[] ! A@there"), "p"));
}

#[test]
fn other_formulas_are_left_to_another_engine() {
    let reading = read("byte x; active proctype A() { x = 1 } ltl p { <> (x == 1) }", &Options::default());
    let loaded = reading.loaded();
    assert_eq!(loaded.properties.len(), 1);
    assert_eq!(loaded.warnings[0].label, "needs the LTL engine");
}
