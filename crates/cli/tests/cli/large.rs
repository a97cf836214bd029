//! `info` answers soon for large models: its work grows with the model, not with its square.

use std::time::{Duration, Instant};

use crate::common::{Scratch, code, run, stderr, stdout};

/// What `info` says; the bound is generous, but far below what quadratic work took.
fn info(test: &str, model: &str) -> String {
    let scratch = Scratch::new(test);
    let file = scratch.write("large.imp", model);
    let start = Instant::now();
    let output = run(&["info", &file]);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn an_array_with_many_cells_and_a_computed_index() {
    let text = info(
        "cells",
        "var x[2000] : 0..1\nprocess P {\n states a\n var i : 0..2000\n \
         a -> a when i < 2000 do x[i] := 1, i := i + 1\n}\n",
    );
    assert!(text.contains("  network: 2002 components, 2000 rules\n"), "{text}");
}

const LOCKS: &str = "process P[k in 0..n-1] {\n states a, b\n a -> b do acquire m[k]\n b -> a do release m[k]\n}\n";

#[test]
fn many_processes() {
    let text = info("processes", &format!("param n = 5000\nlock m[n]\n{LOCKS}"));
    assert!(text.contains("  P[4999]: 2 states, 2 transitions, starts at a\n"), "{text}");
    assert!(text.contains("  network: 10000 components, "), "{text}");
    assert!(text.contains("  net: 15000 places, 10000 transitions\n"), "{text}");
}

#[test]
fn views_of_very_large_systems_are_left_out() {
    let text = info("views", &format!("param n = 10001\nlock m[n]\n{LOCKS}"));
    assert!(text.ends_with("views: not derived here, for more than 20000 transitions\n"), "{text}");
}
