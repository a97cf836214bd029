//! Which states of the deterministic automaton accept. Even levels do.

use super::subsets::Subsets;
use crate::automaton::{Automaton, Components, Edge, State, Symbolic};
use crate::bdd::{Bdd, Manager, Metered};
use crate::hash::Map;

/// The level of the trap that missing edges lead to: it rejects.
const TRAP: u32 = 1;

/// The colour of every set of states.
pub(super) fn colours(m: &mut Manager, automaton: &Symbolic, subsets: &Subsets) -> Metered<Vec<bool>> {
    let graph = &subsets.graph;
    let components = Components::of(graph);
    let accepting = accepting_components(m, automaton, subsets, &components)?;
    let mut members = vec![Vec::new(); components.count()];
    graph.states().for_each(|s| members[components.at(s)].push(s));
    let mut levels = vec![0; components.count()];
    for component in 0..components.count() {
        let mut level = 0;
        for state in &members[component] {
            level = level.max(beyond(m, graph, *state, &components, &levels)?);
        }
        let fits = !components.is_cyclic(component) || level.is_multiple_of(2) == accepting[component];
        levels[component] = if fits { level } else { level + 1 };
    }
    Ok(graph.states().map(|s| levels[components.at(s)].is_multiple_of(2)).collect())
}

/// The highest level that an edge from the state to another component, or a missing edge, leads to.
fn beyond(m: &mut Manager, graph: &Symbolic, state: State, components: &Components, levels: &[u32]) -> Metered<u32> {
    let mut missing = Bdd::TRUE;
    let mut level = 0;
    for edge in graph.from(state) {
        missing = m.without(missing, edge.label)?;
        let target = components.at(edge.target);
        if target != components.at(state) {
            level = level.max(levels[target]);
        }
    }
    Ok(if missing == Bdd::FALSE { level } else { level.max(TRAP) })
}

/// Which components of the graph an accepting run of the automaton can stay in.
fn accepting_components(
    m: &mut Manager,
    automaton: &Symbolic,
    subsets: &Subsets,
    components: &Components,
) -> Metered<Vec<bool>> {
    let graph = &subsets.graph;
    let mut pairs = Vec::new();
    let mut number: Map<(State, State), State> = Map::default();
    for set in graph.states() {
        for member in &subsets.members[set.index()] {
            number.insert((set, *member), State(pairs.len() as u32));
            pairs.push((set, *member));
        }
    }
    let mut edges = Vec::new();
    for (set, member) in &pairs {
        let mut row = Vec::new();
        for e in graph.from(*set).iter().filter(|e| components.at(e.target) == components.at(*set)) {
            for f in automaton.from(*member) {
                m.spend(1)?;
                if m.and(e.label, f.label)? != Bdd::FALSE {
                    row.push(Edge { label: (), marks: f.marks, target: number[&(e.target, f.target)] });
                }
            }
        }
        edges.push(row);
    }
    let runs = Automaton { atoms: automaton.atoms, sets: automaton.sets, initial: State(0), edges };
    let inside = Components::of(&runs);
    let mut accepting = vec![false; components.count()];
    for (run, (set, _)) in runs.states().zip(&pairs) {
        accepting[components.at(*set)] |= inside.is_accepting_at(run);
    }
    Ok(accepting)
}
