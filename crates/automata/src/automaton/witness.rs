//! A word that the automaton accepts, to show that there is one.

use std::collections::VecDeque;

use super::{Automaton, Components, Edge, Label, State, Word};

impl Automaton {
    /// An accepted word, if there is one: by a shortest way into an accepting component, then through an edge of each
    /// acceptance set and home, each time by a shortest way.
    pub fn witness(&self) -> Option<Word> {
        let components = Components::of(self);
        let mut stem = Vec::new();
        let mut entry = self.initial;
        if !components.is_accepting_at(entry) {
            entry = self.walk(entry, &mut stem, |_| true, |e| components.is_accepting_at(e.target))?;
        }
        let inside = |e: &Edge| components.at(e.target) == components.at(entry);
        let (mut cycle, mut at) = (Vec::new(), entry);
        for set in 0..self.sets {
            at = self.walk(at, &mut cycle, inside, |e| e.marks.has(set))?;
        }
        if at != entry || cycle.is_empty() {
            self.walk(at, &mut cycle, inside, |e| e.target == entry)?;
        }
        Word::new(&stem, &cycle)
    }

    /// Appends the letters of a shortest way from the state along allowed edges, the last of which is wanted; gives
    /// where it ends.
    fn walk(
        &self,
        start: State,
        letters: &mut Vec<u64>,
        allowed: impl Fn(&Edge) -> bool,
        wanted: impl Fn(&Edge) -> bool,
    ) -> Option<State> {
        let mut came_by: Vec<Option<(State, u64)>> = vec![None; self.size()];
        let mut open = VecDeque::from([start]);
        while let Some(state) = open.pop_front() {
            for edge in self.from(state).iter().filter(|e| allowed(e)) {
                let Some(letter) = some_valuation(&edge.label) else { continue };
                if wanted(edge) {
                    letters.extend(letters_to(&came_by, start, state));
                    letters.push(letter);
                    return Some(edge.target);
                }
                if edge.target != start && came_by[edge.target.index()].is_none() {
                    came_by[edge.target.index()] = Some((state, letter));
                    open.push_back(edge.target);
                }
            }
        }
        None
    }
}

fn letters_to(came_by: &[Option<(State, u64)>], start: State, mut state: State) -> Vec<u64> {
    let mut letters = Vec::new();
    while state != start {
        let (before, letter) = came_by[state.index()].expect("the search came here");
        letters.push(letter);
        state = before;
    }
    letters.reverse();
    letters
}

fn some_valuation(label: &Label) -> Option<u64> {
    label.0.first().map(|cube| cube.positive)
}
