//! Deterministic automata for `GF` of a guarantee: wait until a prefix decides `F` of it, mark, and start again.
//!
//! From every restart `F` of the guarantee holds of the rest of the word, so restarting for ever means that it holds
//! infinitely often; and if it does, each wait ends, since a guarantee is decided by a prefix. The letter that ends one
//! wait may begin the next or not: both are right, and which gives the smaller automaton differs.

use super::weak::Weak;
use crate::automaton::{Automaton, Edge, Marks, State, Symbolic};
use crate::bdd::{Bdd, Manager, Metered};

/// What the letter that ends a wait counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Restart {
    /// Nothing more.
    After,
    /// It begins the next wait as well.
    Within,
}

/// The automaton of `GF g`, given the minimal automaton of `F g`; none if no prefix decides that.
pub(crate) fn repeated(m: &mut Manager, decided: &Weak, restart: Restart) -> Metered<Option<Symbolic>> {
    let graph = decided.graph();
    let Some(done) = graph.states().find(|s| decided.accepts_all(*s) && *s != graph.initial) else { return Ok(None) };
    let plain = |label, target| Edge { label, marks: Marks::default(), target };
    let marked = |label, target| Edge { label, marks: Marks::first(1), target };
    let mut edges = Vec::new();
    for state in graph.states() {
        let mut row: Vec<Edge<Bdd>> = Vec::new();
        for edge in graph.from(state) {
            if edge.target != done {
                row.push(plain(edge.label, edge.target));
                continue;
            }
            let mut left = edge.label;
            for first in graph.from(graph.initial).iter().filter(|e| restart == Restart::Within && e.target != done) {
                let label = m.and(left, first.label)?;
                left = m.without(left, first.label)?;
                row.push(marked(label, first.target));
            }
            row.push(marked(left, graph.initial));
        }
        row.retain(|e| e.label != Bdd::FALSE);
        edges.push(row);
    }
    let automaton = Automaton { sets: 1, edges, ..*graph };
    let keep: Vec<bool> = graph.states().map(|s: State| s != done).collect();
    Ok(Some(automaton.restricted(&keep)))
}
