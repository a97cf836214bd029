//! An automaton as it is read: states by name, labels, moves; and where it terminates.
//!
//! A state without moves is a deadlock, unless a move labelled `exit` led there: that is how LOTOS terminates. Where
//! one sink serves both purposes, as minimised automata have it, it is split in two.

use std::collections::HashMap;

use model::views::{Automaton, EventId, LocalState, Origin, StateId};

use super::labels::{EXIT, HIDDEN, gate_of, is_silent};

/// A move between states, which are given by their places in the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) from: u32,
    pub(super) label: u32,
    pub(super) to: u32,
}

/// A labelled transition system. Its labels are distinct, and the silent one is always called `i`.
#[derive(Clone, Debug)]
pub(super) struct Lts {
    pub(super) states: Vec<LocalState>,
    pub(super) initial: u32,
    pub(super) labels: Vec<String>,
    pub(super) moves: Vec<Move>,
}

impl Lts {
    /// Makes the labels distinct and finds the end states.
    pub(super) fn new(states: Vec<String>, initial: u32, labels: Vec<String>, moves: Vec<Move>) -> Self {
        let states = states.into_iter().map(|name| LocalState { name, end: false }).collect();
        let mut lts = Self { states, initial, labels: Vec::new(), moves };
        lts.merge_labels(labels);
        lts.terminate();
        lts
    }

    /// The behaviour that does nothing.
    pub(super) fn stop() -> Self {
        Self::new(vec!["0".to_owned()], 0, Vec::new(), Vec::new())
    }

    /// The behaviour that terminates.
    pub(super) fn exit() -> Self {
        let moves = vec![Move { from: 0, label: 0, to: 1 }];
        Self::new(vec!["0".to_owned(), "1".to_owned()], 0, vec![EXIT.to_owned()], moves)
    }

    /// A component of a network; its events are the labels.
    pub(super) fn component(&self, name: String) -> Automaton {
        let event = |m: &Move| (StateId(m.from), EventId(m.label), StateId(m.to));
        let (states, events) = (self.states.clone(), self.labels.clone());
        let moves = self.moves.iter().map(event).collect();
        Automaton { name, origin: Origin::Given, states, initial: StateId(self.initial), events, moves }
    }

    /// Different spellings of one label become one.
    fn merge_labels(&mut self, labels: Vec<String>) {
        let mut ids: HashMap<String, u32> = HashMap::new();
        let mut places = Vec::with_capacity(labels.len());
        for label in labels {
            let label = if is_silent(&label) { HIDDEN.to_owned() } else { label };
            let next = self.labels.len() as u32;
            let id = *ids.entry(label).or_insert_with_key(|label| {
                self.labels.push(label.clone());
                next
            });
            places.push(id);
        }
        self.moves.iter_mut().for_each(|m| m.label = places[m.label as usize]);
    }

    fn terminate(&mut self) {
        let exits: Vec<bool> = self.labels.iter().map(|l| gate_of(l) == EXIT).collect();
        let is_exit = |m: &Move| exits[m.label as usize];
        let (mut sink, mut other) = (vec![true; self.states.len()], vec![false; self.states.len()]);
        other[self.initial as usize] = true;
        for m in &self.moves {
            sink[m.from as usize] = false;
            other[m.to as usize] |= !is_exit(m);
        }
        let mut ends: HashMap<u32, u32> = HashMap::new();
        for m in self.moves.iter_mut().filter(|m| exits[m.label as usize] && sink[m.to as usize]) {
            if other[m.to as usize] {
                let name = format!("{} (exit)", self.states[m.to as usize].name);
                m.to = *ends.entry(m.to).or_insert_with(|| {
                    self.states.push(LocalState { name, end: true });
                    self.states.len() as u32 - 1
                });
            } else {
                self.states[m.to as usize].end = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lts(moves: &[(u32, &str, u32)], states: usize) -> Lts {
        let labels = moves.iter().map(|m| m.1.to_owned()).collect();
        let moves = moves.iter().enumerate().map(|(i, m)| Move { from: m.0, label: i as u32, to: m.2 }).collect();
        Lts::new((0..states).map(|s| s.to_string()).collect(), 0, labels, moves)
    }

    fn ends(lts: &Lts) -> Vec<&str> {
        lts.states.iter().filter(|s| s.end).map(|s| s.name.as_str()).collect()
    }

    #[test]
    fn only_exit_terminates() {
        assert_eq!(ends(&lts(&[(0, "a", 1), (0, "exit !1", 2)], 3)), ["2"]);
        assert!(ends(&lts(&[(0, "a", 1), (0, "exit", 0)], 2)).is_empty());
        assert_eq!(ends(&Lts::exit()), ["1"]);
        assert!(ends(&Lts::stop()).is_empty());
    }

    #[test]
    fn a_sink_of_two_kinds_is_split() {
        let split = lts(&[(0, "a", 1), (0, "exit", 1), (0, "exit !x", 1)], 2);
        assert_eq!((split.states.len(), ends(&split)), (3, vec!["1 (exit)"]));
        assert_eq!(split.moves.iter().map(|m| m.to).collect::<Vec<_>>(), [1, 2, 2]);
    }

    #[test]
    fn spellings_of_a_label_are_merged() {
        let merged = lts(&[(0, "a", 1), (1, "tau", 0), (1, "i", 1), (0, "a", 0)], 2);
        assert_eq!(merged.labels, ["a", "i"]);
        assert_eq!(merged.moves.iter().map(|m| m.label).collect::<Vec<_>>(), [0, 1, 1, 0]);
    }
}
