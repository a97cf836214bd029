//! The deterministic automaton of sets of states.

use crate::automaton::{Automaton, Edge, Marks, State, Symbolic};
use crate::bdd::{Bdd, Manager, Metered, Var};
use crate::hash::Map;
use crate::translate::BEYOND_ATOMS;

/// A deterministic graph and the set of states that each of its states is.
#[derive(Debug)]
pub(super) struct Subsets {
    pub(super) graph: Symbolic,
    pub(super) members: Vec<Vec<State>>,
}

/// The reachable sets of states, but for the empty one; none if there are more than `most`.
pub(super) fn determinised(m: &mut Manager, automaton: &Symbolic, most: usize) -> Metered<Option<Subsets>> {
    let first = vec![automaton.initial];
    let mut number: Map<Vec<State>, State> = Map::default();
    number.insert(first.clone(), State(0));
    let mut members = vec![first];
    let mut edges: Vec<Vec<Edge<Bdd>>> = Vec::new();
    while edges.len() < members.len() {
        if members.len() > most {
            return Ok(None);
        }
        let mut row = Vec::new();
        for (set, label) in successors(m, automaton, &members[edges.len()])? {
            let target = *number.entry(set).or_insert_with_key(|set| {
                members.push(set.clone());
                State(members.len() as u32 - 1)
            });
            row.push(Edge { label, marks: Marks::default(), target });
        }
        edges.push(row);
    }
    let graph = Automaton { atoms: automaton.atoms, sets: 0, initial: State(0), edges };
    Ok(Some(Subsets { graph, members }))
}

/// The sets that follow, with the condition for each.
fn successors(m: &mut Manager, automaton: &Symbolic, set: &[State]) -> Metered<Vec<(Vec<State>, Bdd)>> {
    let mut all = Bdd::FALSE;
    for edge in set.iter().flat_map(|s| automaton.from(*s)) {
        let target = m.literal(Var(BEYOND_ATOMS.0 + edge.target.0), true)?;
        let part = m.and(edge.label, target)?;
        all = m.or(all, part)?;
    }
    let leaves = m.leaves(all, BEYOND_ATOMS)?;
    Ok(leaves.into_iter().map(|(leaf, condition)| (targets(m, leaf), condition)).collect())
}

/// The states of a disjunction of states.
fn targets(m: &Manager, mut leaf: Bdd) -> Vec<State> {
    let mut targets = Vec::new();
    while leaf != Bdd::FALSE {
        targets.push(State(m.top(leaf).0 - BEYOND_ATOMS.0));
        leaf = m.branches(leaf).0;
    }
    targets
}
