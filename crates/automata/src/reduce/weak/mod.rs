//! Minimal weak deterministic automata, which exist for obligations and only for them (Dax, Eisinger and Klaedtke,
//! ATVA'07; Löding, IPL 2001).
//!
//! Sets of states are made into a deterministic automaton. If the language is an obligation, all cycles of one
//! component of it accept or all reject, so one accepting run of the original automaton through the component decides.
//! Components are levelled by how often acceptance can still change, which gives transient states a colour too, and
//! states with one colour and one future are merged.

mod levels;
mod subsets;

use crate::automaton::{Automaton, Edge, Marks, State, Symbolic};
use crate::bdd::{Bdd, Manager, Metered, Var};
use crate::hash::Map;
use crate::translate::BEYOND_ATOMS;

/// A deterministic automaton whose components accept or reject as a whole.
#[derive(Debug)]
pub(crate) struct Weak {
    /// The graph; its marks say nothing.
    graph: Symbolic,
    accepting: Vec<bool>,
}

/// The smallest weak deterministic automaton, if the language of the automaton is an obligation; otherwise some other
/// weak automaton. No state of the automaton may be useless. None if there are more than `most` sets of states.
pub(crate) fn minimal(m: &mut Manager, automaton: &Symbolic, most: usize) -> Metered<Option<Weak>> {
    let Some(subsets) = subsets::determinised(m, automaton, most)? else { return Ok(None) };
    let accepting = levels::colours(m, automaton, &subsets)?;
    minimised(m, &Weak { graph: subsets.graph, accepting }).map(Some)
}

/// Merges states of equal colour and equal futures.
fn minimised(m: &mut Manager, weak: &Weak) -> Metered<Weak> {
    let mut class: Vec<usize> = weak.accepting.iter().map(|a| usize::from(*a)).collect();
    let mut count = 0;
    loop {
        let mut number: Map<(usize, Bdd), usize> = Map::default();
        let mut refined = Vec::new();
        for state in weak.graph.states() {
            let future = future(m, &weak.graph, state, &class)?;
            let next = number.len();
            refined.push(*number.entry((class[state.index()], future)).or_insert(next));
        }
        let stable = number.len() == count;
        count = number.len();
        class = refined;
        if stable {
            break;
        }
    }
    quotient(m, weak, &class, count)
}

/// Where the state goes, as a function of atoms and classes.
fn future(m: &mut Manager, graph: &Symbolic, state: State, class: &[usize]) -> Metered<Bdd> {
    let mut future = Bdd::FALSE;
    for edge in graph.from(state) {
        let target = m.literal(Var(BEYOND_ATOMS.0 + class[edge.target.index()] as u32), true)?;
        let part = m.and(edge.label, target)?;
        future = m.or(future, part)?;
    }
    Ok(future)
}

fn quotient(m: &mut Manager, weak: &Weak, class: &[usize], count: usize) -> Metered<Weak> {
    let mut edges = Vec::new();
    let mut accepting = Vec::new();
    for c in 0..count {
        let member = class.iter().position(|d| *d == c).expect("classes have members");
        let mut row: Vec<Edge<Bdd>> = Vec::new();
        for edge in &weak.graph.edges[member] {
            let target = State(class[edge.target.index()] as u32);
            match row.iter_mut().find(|e| e.target == target) {
                Some(same) => same.label = m.or(same.label, edge.label)?,
                None => row.push(Edge { target, ..edge.clone() }),
            }
        }
        edges.push(row);
        accepting.push(weak.accepting[member]);
    }
    let initial = State(class[weak.graph.initial.index()] as u32);
    Ok(Weak { graph: Automaton { initial, edges, ..weak.graph }, accepting })
}

impl Weak {
    /// As a Büchi automaton: the edges that leave accepting states are accepting.
    pub(crate) fn automaton(&self) -> Symbolic {
        self.marked(|state| self.accepting[state.index()])
    }

    fn marked(&self, accepts: impl Fn(State) -> bool) -> Symbolic {
        let mut automaton = Automaton { sets: 1, ..self.graph.clone() };
        for state in self.graph.states().filter(|s| accepts(*s)) {
            automaton.edges[state.index()].iter_mut().for_each(|e| e.marks = Marks::first(1));
        }
        automaton
    }

    /// The automaton of all other words.
    pub(crate) fn complement(&self, m: &mut Manager) -> Metered<Symbolic> {
        let mut automaton = self.marked(|state| !self.accepting[state.index()]);
        let trap = State(automaton.size() as u32);
        for row in &mut automaton.edges {
            let mut missing = Bdd::TRUE;
            for edge in row.iter() {
                missing = m.without(missing, edge.label)?;
            }
            if missing != Bdd::FALSE {
                row.push(Edge { label: missing, marks: Marks::default(), target: trap });
            }
        }
        automaton.edges.push(vec![Edge { label: Bdd::TRUE, marks: Marks::first(1), target: trap }]);
        Ok(automaton)
    }
}
