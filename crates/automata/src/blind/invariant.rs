//! Whether the words of an automaton that somebody brings are stutter invariant.
//!
//! Direct simulation may show it: the conditions of `check` say so of what every state accepts. Otherwise they are exactly
//! if the closure, which accepts all that is stutter equivalent to one of them, accepts nothing more. That is decided for
//! deterministic automata, whose complement is simple: who does not accept is stopped, or from some point on misses one of
//! the acceptance sets. Complements of others would be large. That an automaton simulates its closure would do as well,
//! but did not come true for any of hundreds for which the conditions fail.

use super::{check, closure};
use crate::automaton::{Automaton, Edge, Marks, State, Symbolic, product};
use crate::bdd::{Bdd, Manager, Metered};

/// Whether the words are seen to be stutter invariant. No state of the automaton may be useless.
pub(super) fn is_invariant(m: &mut Manager, automaton: &Symbolic) -> Metered<bool> {
    if check::is_shown(m, automaton)? {
        return Ok(true);
    }
    if !check::is_deterministic(m, automaton)? {
        return Ok(false);
    }
    let closed = closure::closure(m, automaton)?;
    let others = complement(m, automaton)?;
    let more = product(&closed, &others, |x: &Bdd, y: &Bdd| {
        let both = m.and(*x, *y)?;
        Ok((both != Bdd::FALSE).then_some(()))
    })?;
    Ok(more.is_empty())
}

/// The automaton of the words that a deterministic one does not accept: it goes along, and for each acceptance set has a
/// copy without its edges, into which one may change at any time; and a trap for who is stopped.
fn complement(m: &mut Manager, automaton: &Symbolic) -> Metered<Symbolic> {
    let size = automaton.size() as u32;
    let trap = State(size * (automaton.sets + 1));
    let mut edges: Vec<Vec<Edge<Bdd>>> = Vec::new();
    for row in &automaton.edges {
        let mut stopped = Bdd::TRUE;
        let mut others = row.iter().map(|e| Edge { marks: Marks::default(), ..e.clone() }).collect::<Vec<_>>();
        for edge in row {
            stopped = m.without(stopped, edge.label)?;
            let copy =
                |set| Edge { target: State(edge.target.0 + size * (set + 1)), marks: Marks::default(), ..edge.clone() };
            others.extend((0..automaton.sets).map(copy));
        }
        if stopped != Bdd::FALSE {
            others.push(Edge { label: stopped, marks: Marks::default(), target: trap });
        }
        edges.push(others);
    }
    for set in 0..automaton.sets {
        let copy =
            |e: &Edge<Bdd>| Edge { target: State(e.target.0 + size * (set + 1)), marks: Marks::first(1), ..e.clone() };
        edges.extend(automaton.edges.iter().map(|row| row.iter().filter(|e| !e.marks.has(set)).map(copy).collect()));
    }
    edges.push(vec![Edge { label: Bdd::TRUE, marks: Marks::first(1), target: trap }]);
    Ok(Automaton { sets: 1, edges, ..*automaton })
}
