//! Automata in the Aldebaran format.

use std::fmt::Write;

/// An automaton: its initial state, how many states there are, and its moves with their labels.
pub fn aut(initial: usize, states: usize, moves: &[(usize, &str, usize)]) -> String {
    let mut out = format!("des ({initial}, {}, {states})\n", moves.len());
    for (from, label, to) in moves {
        let _ = writeln!(out, "({from}, \"{}\", {to})", escaped(label));
    }
    out
}

/// A label between quotes: on one line, quotes and backslashes escaped.
pub(super) fn escaped(label: &str) -> String {
    one_line(label).replace('\\', "\\\\").replace('"', "\\\"")
}

/// A label as a reader finds it.
pub(super) fn one_line(label: &str) -> String {
    label.replace(['\n', '\r'], " ").trim().to_owned()
}
