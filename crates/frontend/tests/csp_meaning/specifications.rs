//! The left sides of trace refinements.

use frontend::csp::{AssertionKind, Limits, Specification};

use crate::support::script;

fn specification(text: &str) -> Specification {
    let script = script(&format!("channel a, b, c\n{text}"));
    let AssertionKind::TraceRefines { specification, .. } = &script.assertions()[0].kind else {
        panic!("a refinement");
    };
    script.specification(specification, &Limits::default()).unwrap_or_else(|e| panic!("{e:?}"))
}

#[test]
fn internal_steps_and_nondeterminism_disappear() {
    let spec = specification("P = (a -> b -> P |~| a -> c -> P) \\ {c}\nassert P [T= STOP");
    // After `a`: `b`, or a hidden `c` and then anything that P can do.
    assert_eq!(spec.labels, ["a", "b"]);
    assert_eq!(spec.states, [vec![(0, 1)], vec![(0, 1), (1, 0)]]);
}

#[test]
fn termination_is_a_trace() {
    let spec = specification("assert a -> SKIP [T= STOP");
    assert_eq!(
        (spec.labels, spec.states),
        (vec!["tick".to_owned(), "a".to_owned()], vec![vec![(1, 1)], vec![(0, 2)], vec![]])
    );
}

#[test]
fn the_smallest_automaton() {
    let spec = specification("P = a -> a -> P\nassert P [T= STOP");
    assert_eq!(spec.states, [vec![(0, 0)]]);
}

#[test]
fn others_are_named() {
    let script = script("assert STOP [FD= STOP\nassert STOP :[deterministic]\nassert STOP :[deadlock free [FD]]");
    let kinds: Vec<String> = script
        .assertions()
        .iter()
        .map(|a| match &a.kind {
            AssertionKind::Unsupported(what) => what.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    let expected = ["failures-divergences refinement", "determinism", "deadlock freedom in the model [FD]"];
    assert_eq!(kinds, expected);
}
