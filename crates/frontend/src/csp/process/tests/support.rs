//! A world whose definitions are a list, and automata in a form that tests can write down.

use std::collections::HashMap;

use model::Span;
use model::views::Network;

use super::super::explore::Explored;
use super::super::{
    CallId, Checked, Event, Limits, SetId, Store, Subject, Sync, Term, TermId, World, explore, network,
};
use crate::bisimulation::{Arrow, strong};

/// Definitions `P0`, `P1`, ...
pub(super) struct Table {
    pub(super) store: Store,
    pub(super) bodies: Vec<Option<TermId>>,
    events: HashMap<&'static str, Event>,
}

impl World for Table {
    fn store(&self) -> &Store {
        &self.store
    }

    fn store_mut(&mut self) -> &mut Store {
        &mut self.store
    }

    fn unfold(&mut self, call: CallId) -> Checked<TermId> {
        Ok(self.bodies[call.0 as usize].expect("every call of a test is defined"))
    }

    fn name(&self, call: CallId) -> Option<String> {
        Some(format!("P{}", call.0))
    }

    fn span(&self, call: CallId) -> Span {
        Span::new(call.0 as usize, call.0 as usize + 1)
    }
}

impl Table {
    pub(super) fn new() -> Self {
        Self { store: Store::new(), bodies: vec![], events: HashMap::new() }
    }

    pub(super) fn event(&mut self, text: &'static str) -> Event {
        *self.events.entry(text).or_insert_with(|| self.store.event(text))
    }

    pub(super) fn set(&mut self, texts: &[&'static str]) -> SetId {
        let events = texts.iter().map(|t| self.event(t)).collect();
        self.store.set(events)
    }

    pub(super) fn term(&mut self, term: Term) -> TermId {
        self.store.plain(term)
    }

    pub(super) fn stop(&mut self) -> TermId {
        self.term(Term::Stop)
    }

    pub(super) fn skip(&mut self) -> TermId {
        self.term(Term::Skip)
    }

    /// `event -> then`.
    pub(super) fn prefix(&mut self, text: &'static str, then: TermId) -> TermId {
        let event = self.event(text);
        self.store.menu(vec![(event, then)])
    }

    /// `a -> b -> ... -> then`.
    pub(super) fn prefixes(&mut self, texts: &[&'static str], then: TermId) -> TermId {
        texts.iter().rev().fold(then, |then, text| self.prefix(text, then))
    }

    pub(super) fn parallel(&mut self, parts: &[TermId], texts: &[&'static str]) -> TermId {
        let set = self.set(texts);
        self.store.parallel(parts.to_vec(), Sync::Interface(set))
    }

    pub(super) fn hide(&mut self, p: TermId, texts: &[&'static str]) -> TermId {
        let set = self.set(texts);
        self.store.hide(p, set)
    }

    pub(super) fn rename(&mut self, p: TermId, pairs: &[(&'static str, &'static str)]) -> TermId {
        let pairs = pairs.iter().map(|(a, b)| (self.event(a), self.event(b))).collect();
        let relation = self.store.relation(pairs);
        self.store.rename(p, relation)
    }

    /// A new name without a body.
    pub(super) fn declare(&mut self) -> (CallId, TermId) {
        let call = CallId(self.bodies.len() as u32);
        self.bodies.push(None);
        (call, self.term(Term::Call(call)))
    }

    /// `P = body(P)`.
    pub(super) fn recursive(&mut self, body: impl FnOnce(&mut Self, TermId) -> TermId) -> TermId {
        let (call, term) = self.declare();
        self.bodies[call.0 as usize] = Some(body(self, term));
        term
    }

    pub(super) fn explored(&mut self, term: TermId) -> Explored {
        explore(self, term, &subject(), &Limits::default()).expect("a small process")
    }

    pub(super) fn network(&mut self, term: TermId) -> Network {
        network(self, term, &subject(), &Limits::default()).expect("a small network")
    }

    /// The term as one automaton.
    pub(super) fn graph(&mut self, term: TermId) -> Graph {
        let explored = self.explored(term);
        let text = |event: Event| self.store.text(event).to_string();
        let moves = explored.moves.iter().map(|m| (m.0, text(m.1), m.2)).collect();
        let end = explored.states.iter().map(|t| matches!(self.store.term(*t), Term::Omega | Term::Done)).collect();
        Graph { end, moves }
    }
}

pub(super) fn subject() -> Subject {
    Subject { name: "TEST".to_owned(), span: Span::new(0, 0) }
}

/// An automaton with the initial state first.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) end: Vec<bool>,
    pub(super) moves: Vec<(u32, String, u32)>,
}

impl Graph {
    /// Written as `0 a 1, 1 b 0`; no state is an end but those whose number is followed by `!`.
    pub(super) fn written(text: &str) -> Self {
        let mut graph = Self { end: vec![false], moves: vec![] };
        for line in text.split(", ").filter(|l| !l.is_empty()) {
            let words: Vec<&str> = line.split(' ').collect();
            let (from, to) = (graph.number(words[0]), graph.number(words[2]));
            graph.moves.push((from, words[1].to_owned(), to));
        }
        graph
    }

    fn number(&mut self, word: &str) -> u32 {
        let number: u32 = word.trim_end_matches('!').parse().expect("a number");
        if self.end.len() <= number as usize {
            self.end.resize(number as usize + 1, false);
        }
        self.end[number as usize] |= word.ends_with('!');
        number
    }

    /// All reachable states of a network.
    pub(super) fn of(network: &Network) -> Self {
        let mut numbers = HashMap::from([(network.initial_state(), 0u32)]);
        let mut states = vec![network.initial_state()];
        let mut graph = Self { end: vec![], moves: vec![] };
        let mut next = 0;
        while next < states.len() {
            graph.end.push(network.at_end(&states[next]));
            for rule in network.rule_ids() {
                for successor in network.successors(rule, &states[next]) {
                    let number = *numbers.entry(successor.clone()).or_insert(states.len() as u32);
                    if number as usize == states.len() {
                        states.push(successor);
                    }
                    graph.moves.push((next as u32, network.rule(rule).label.to_string(), number));
                }
            }
            next += 1;
        }
        graph
    }

    /// Whether two automata are strongly bisimilar.
    pub(super) fn equivalent(&self, other: &Self) -> bool {
        let offset = self.end.len() as u32;
        let kinds: Vec<u32> = self.end.iter().chain(&other.end).map(|e| u32::from(*e)).collect();
        let mut labels = HashMap::new();
        let shifted = other.moves.iter().map(|(from, label, to)| (from + offset, label.clone(), to + offset));
        let arrows: Vec<Arrow> = self
            .moves
            .iter()
            .cloned()
            .chain(shifted)
            .map(|(from, label, to)| {
                let next = labels.len() as u32;
                (from, *labels.entry(label).or_insert(next), to)
            })
            .collect();
        let classes = strong(&kinds, &arrows);
        classes.of[0] == classes.of[offset as usize]
    }
}
