//! Removal of states that no accepting run visits.

use super::{Automaton, Components, Edge, State};

impl<L: Clone> Automaton<L> {
    /// The automaton of the states on accepting runs, and the initial one, numbered in order of discovery.
    #[must_use]
    pub fn pruned(&self) -> Self {
        self.restricted(&self.useful())
    }

    /// Which states an accepting run can start from.
    pub(crate) fn useful(&self) -> Vec<bool> {
        let components = Components::of(self);
        let mut useful = vec![false; components.count()];
        let mut members = vec![Vec::new(); components.count()];
        self.states().for_each(|s| members[components.at(s)].push(s));
        for (component, members) in members.iter().enumerate() {
            let mut targets = members.iter().flat_map(|s| self.from(*s)).map(|e| components.at(e.target));
            useful[component] = components.is_accepting(component) || targets.any(|c| useful[c]);
        }
        self.states().map(|s| useful[components.at(s)]).collect()
    }

    /// The automaton of those of the states that are reachable through such states.
    pub(crate) fn restricted(&self, keep: &[bool]) -> Self {
        let mut number = vec![None; self.size()];
        number[self.initial.index()] = Some(State(0));
        let mut order = vec![self.initial];
        let mut edges = Vec::new();
        let mut at = 0;
        while at < order.len() {
            let mut kept = Vec::new();
            for edge in self.from(order[at]).iter().filter(|e| keep[e.target.index()]) {
                let target = *number[edge.target.index()].get_or_insert_with(|| {
                    order.push(edge.target);
                    State(order.len() as u32 - 1)
                });
                kept.push(Edge { label: edge.label.clone(), marks: edge.marks, target });
            }
            edges.push(kept);
            at += 1;
        }
        Automaton { atoms: self.atoms, sets: self.sets, initial: State(0), edges }
    }
}
