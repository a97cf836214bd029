//! Automata for conjunctions of `GF` of guarantees: wait until a prefix decides `F` of the first, then of the second,
//! and after the last mark and start again.
//!
//! At the beginning of every wait `F` of its guarantee holds of the rest of the word, so waiting in rounds for ever
//! means that each guarantee holds infinitely often; and if they do, each wait ends, since a guarantee is decided by a
//! prefix. The letter that ends one wait may begin the next or not: both are right, and which gives the smaller
//! automaton differs.

use crate::automaton::{Automaton, Components, Edge, Marks, State, Symbolic};
use crate::bdd::{Bdd, Manager, Metered};

/// What the letter that ends a wait counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Restart {
    /// Nothing more.
    After,
    /// It begins the next wait as well.
    Within,
}

/// An automaton that accepts by reaching one state, after which anything is accepted.
#[derive(Clone, Debug)]
pub(crate) struct Wait {
    graph: Symbolic,
    done: State,
}

impl Wait {
    /// The automaton as a wait, if it is one that takes a letter at least. No state of it may be useless.
    pub(crate) fn new(graph: Symbolic) -> Option<Self> {
        let components = Components::of(&graph);
        let mut accepting = graph.states().filter(|s| components.is_accepting_at(*s));
        let done = accepting.next()?;
        let alone = accepting.next().is_none() && done != graph.initial;
        let free = matches!(graph.from(done), [e] if e.label == Bdd::TRUE && e.target == done);
        (alone && free).then_some(Self { graph, done })
    }

    fn ends(&self, edge: &Edge<Bdd>) -> bool {
        edge.target == self.done
    }
}

/// The automaton that goes through the waits in rounds.
pub(crate) fn rounds(m: &mut Manager, waits: &[Wait], restart: Restart) -> Metered<Symbolic> {
    let mut offsets = Vec::new();
    let mut edges: Vec<Vec<Edge<Bdd>>> = Vec::new();
    let mut size = 0;
    for wait in waits {
        offsets.push(size);
        size += wait.graph.size() as u32;
    }
    for (i, wait) in waits.iter().enumerate() {
        let next = (i + 1) % waits.len();
        let marks = Marks::first(u32::from(next == 0));
        for state in wait.graph.states() {
            let (ending, waiting): (Vec<_>, Vec<_>) = wait.graph.from(state).iter().partition(|e| wait.ends(e));
            let shifted = |target: State, offset: u32| State(target.0 + offset);
            let mut row: Vec<Edge<Bdd>> = waiting
                .into_iter()
                .map(|e| Edge { label: e.label, marks: Marks::default(), target: shifted(e.target, offsets[i]) })
                .collect();
            for edge in ending {
                for (label, target) in begin(m, &waits[next], edge.label, restart)? {
                    row.push(Edge { label, marks, target: shifted(target, offsets[next]) });
                }
            }
            edges.push(row);
        }
    }
    let atoms = waits.iter().map(|w| w.graph.atoms).max().unwrap_or(0);
    let initial = waits.first().map_or(State(0), |w| w.graph.initial);
    Ok(Automaton { atoms, sets: 1, initial, edges })
}

/// Where a wait stands after a letter that may count for it already.
fn begin(m: &mut Manager, wait: &Wait, letter: Bdd, restart: Restart) -> Metered<Vec<(Bdd, State)>> {
    let initial = wait.graph.initial;
    let mut after = letter;
    let mut begun = Vec::new();
    if restart == Restart::Within {
        // A letter that ends the new wait at once does not count, so that every wait takes a letter of its own.
        let mut counts = letter;
        for edge in wait.graph.from(initial).iter().filter(|e| wait.ends(e)) {
            counts = m.without(counts, edge.label)?;
        }
        for edge in wait.graph.from(initial).iter().filter(|e| !wait.ends(e)) {
            begun.push((m.and(counts, edge.label)?, edge.target));
            let covered = m.and(counts, edge.label)?;
            after = m.without(after, covered)?;
        }
    }
    begun.push((after, initial));
    begun.retain(|(label, _)| *label != Bdd::FALSE);
    Ok(begun)
}
