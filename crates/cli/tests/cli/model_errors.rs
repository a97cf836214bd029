//! Model errors are told in terms of what the author wrote.

use crate::common::{Scratch, code, run, stdout};

fn told(test: &str, model: &str) -> String {
    let scratch = Scratch::new(test);
    let output = run(&["check", &scratch.write("m.imp", model), "--deadlock"]);
    assert_eq!(code(&output), Some(12), "{}", stdout(&output));
    stdout(&output)
}

const GRID: &str = "var g[2][3] : bool\nvar i, j : 0..5\nprocess P {\n states a\n";

#[test]
fn a_cell_has_as_many_indices_as_the_array() {
    let text = told("row", &format!("{GRID} a -> a do g[0][i] := true, i := i + 1\n}}\n"));
    assert!(text.contains("an index of `g` is outside the array"), "{text}");
    assert!(text.contains("g[0][i] := true") && !text.contains(": -1") && !text.contains("index -1"), "{text}");
    let text = told("both", &format!("{GRID} a -> a when !g[j + 1][i] do i := i + 1, g[j][i] := true\n}}\n"));
    assert!(text.contains("g[j][i] := true") && !text.contains(" ? "), "{text}");
}

const RECEIVER: &str = "process R {\n states a\n var y : 0..9\n a -> a do c?y\n}\n";

#[test]
fn a_message_that_is_handed_over_or_lost_has_the_fault_of_a_send() {
    let sender = "var x : 0..9\nprocess S {\n states a\n a -> a do c!x, x := x + 1\n}\n";
    for (test, kind) in [("buffered", "1"), ("handed", "rendezvous"), ("lost", "lossy 1")] {
        let text = told(test, &format!("channel c : {kind} of (0..3)\n{sender}{RECEIVER}"));
        assert!(text.contains("the value 4 is outside the range of `c`"), "{text}");
        assert!(!text.contains("assert"), "{text}");
    }
    let text = told(
        "array",
        &format!("channel c[2] : rendezvous of (0..3)\nvar k : 0..1 = 1\n{sender}{RECEIVER}")
            .replace("c!x", "c[k]!x")
            .replace("c?y", "c[1]?y"),
    );
    assert!(text.contains("the value 4 is outside the range of `c`"), "{text}");
}

#[test]
fn an_assertion_of_the_author_stays_one() {
    let sender = "var x : 0..9\nprocess S {\n states a\n a -> a do c!(x), x := x + 2, assert x <= 3\n}\n";
    let text = told("own", &format!("channel c : rendezvous of (0..3)\n{sender}{RECEIVER}"));
    assert!(text.contains("an assertion fails") && text.contains("assert x <= 3"), "{text}");
    assert!(!text.contains("outside the range"), "{text}");
}
