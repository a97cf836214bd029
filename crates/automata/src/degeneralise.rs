//! One acceptance set instead of several: wait for the sets in turn.

use std::collections::HashMap;

use crate::automaton::{Automaton, Components, Edge, Marks, State};

impl<L: Clone> Automaton<L> {
    /// An automaton for the same words with at most one acceptance set. A copy of a state knows which set the run is
    /// waiting for; an edge may bring several at once, and the last of a round is marked. Rounds matter only inside an
    /// accepting component: elsewhere a run waits for the first.
    #[must_use]
    pub fn degeneralised(&self) -> Self {
        if self.sets <= 1 {
            return self.clone();
        }
        let components = Components::of(self);
        let mut number = HashMap::from([((self.initial, 0), State(0))]);
        let mut copies = vec![(self.initial, 0)];
        let mut edges = Vec::new();
        while edges.len() < copies.len() {
            let (state, waiting) = copies[edges.len()];
            let mut row = Vec::new();
            for edge in self.from(state) {
                let inside = components.is_accepting_at(state) && components.at(edge.target) == components.at(state);
                let (waiting, round) = if inside { self.advance(waiting, edge.marks) } else { (0, false) };
                let target = *number.entry((edge.target, waiting)).or_insert_with(|| {
                    copies.push((edge.target, waiting));
                    State(copies.len() as u32 - 1)
                });
                row.push(Edge { label: edge.label.clone(), marks: Marks::first(u32::from(round)), target });
            }
            edges.push(row);
        }
        Automaton { atoms: self.atoms, sets: 1, initial: State(0), edges }
    }

    /// The set that is waited for after an edge, and whether a round was completed.
    fn advance(&self, mut waiting: u32, marks: Marks) -> (u32, bool) {
        while waiting < self.sets && marks.has(waiting) {
            waiting += 1;
        }
        if waiting < self.sets {
            return (waiting, false);
        }
        let again = (0..self.sets).take_while(|set| marks.has(*set)).count() as u32;
        (if again == self.sets { 0 } else { again }, true)
    }
}
