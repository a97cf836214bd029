//! As few acceptance sets as each component needs. Whether a run is accepting is decided in the component where it
//! ends, so each component may number its sets anew, and edges outside need no marks.

use crate::automaton::{Automaton, Components, Marks};

/// The automaton with marks only where they decide, and sets only as they are needed.
pub(crate) fn trimmed<L: Clone>(automaton: &Automaton<L>) -> Automaton<L> {
    let components = Components::of(automaton);
    let needed: Vec<Vec<u32>> = (0..components.count()).map(|c| needed_sets(automaton, &components, c)).collect();
    let rejects = (0..components.count()).any(|c| components.is_cyclic(c) && !components.is_accepting(c));
    let most = needed.iter().map(Vec::len).max().unwrap_or(0).max(usize::from(rejects)) as u32;
    let mut result = automaton.clone();
    result.sets = most;
    for state in automaton.states() {
        let component = components.at(state);
        for edge in &mut result.edges[state.index()] {
            let decides = components.is_accepting(component) && components.at(edge.target) == component;
            edge.marks = if decides { renumbered(edge.marks, &needed[component], most) } else { Marks::default() };
        }
    }
    result
}

/// The marks with the needed sets counted from 0; every edge is in the sets that the component does not need.
fn renumbered(marks: Marks, needed: &[u32], most: u32) -> Marks {
    let spare = Marks(Marks::first(most).0 & !Marks::first(needed.len() as u32).0);
    needed.iter().enumerate().filter(|(_, set)| marks.has(**set)).fold(spare, |m, (i, _)| m.with(i as u32))
}

/// The sets that are neither on all edges of the component nor implied by another.
fn needed_sets<L>(automaton: &Automaton<L>, components: &Components, component: usize) -> Vec<u32> {
    if !components.is_accepting(component) {
        return Vec::new();
    }
    let members = automaton.states().filter(|s| components.at(*s) == component);
    let inner: Vec<Marks> = members
        .flat_map(|s| automaton.from(s))
        .filter(|e| components.at(e.target) == component)
        .map(|e| e.marks)
        .collect();
    let mut needed: Vec<u32> = (0..automaton.sets).filter(|set| !inner.iter().all(|m| m.has(*set))).collect();
    let implied = |set: u32, by: u32| inner.iter().all(|m| !m.has(by) || m.has(set));
    for set in 0..automaton.sets {
        if needed.contains(&set) && needed.iter().any(|by| *by != set && implied(set, *by)) {
            needed.retain(|s| *s != set);
        }
    }
    needed
}
