//! Deterministic automata for `GF` of a guarantee: wait until a prefix decides `F` of it, mark, and start again.
//!
//! From every restart `F` of the guarantee holds of the rest of the word, so restarting for ever means that it holds
//! infinitely often; and if it does, each wait ends, since a guarantee is decided by a prefix.

use super::weak::Weak;
use crate::automaton::{Automaton, Marks, State, Symbolic};

/// The automaton of `GF g`, given the minimal automaton of `F g`; none if no prefix decides that.
pub(crate) fn repeated(decided: &Weak) -> Option<Symbolic> {
    let graph = decided.graph();
    let done = graph.states().find(|s| decided.accepts_all(*s))?;
    if graph.initial == done {
        return None;
    }
    let mut automaton = Automaton { sets: 1, ..graph.clone() };
    for edge in automaton.edges.iter_mut().flatten() {
        let again = edge.target == done;
        edge.marks = if again { Marks::first(1) } else { Marks::default() };
        edge.target = if again { graph.initial } else { edge.target };
    }
    let keep: Vec<bool> = automaton.states().map(|s: State| s != done).collect();
    Some(automaton.restricted(&keep))
}
