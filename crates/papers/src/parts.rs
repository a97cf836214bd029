//! Components as they are written down: states and events by name. Events with one name are one event.

use std::collections::HashMap;

use model::views::{Automaton, ComponentId, EventId, LocalState, Network, Origin, Rule, StateId};

/// A component that grows.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    automaton: Automaton,
    events: HashMap<String, EventId>,
}

impl Part {
    /// Without states; the first that it gets is the initial one.
    pub(crate) fn new(name: impl Into<String>) -> Self {
        let (states, events, moves) = (Vec::new(), Vec::new(), Vec::new());
        let (name, origin, initial) = (name.into(), Origin::Given, StateId(0));
        Self { automaton: Automaton { name, origin, states, initial, events, moves }, events: HashMap::new() }
    }

    /// A component of a few states, which are numbered.
    pub(crate) fn of_moves(name: impl Into<String>, moves: &[(usize, &str, usize)]) -> Self {
        let mut part = Self::new(name);
        let last = moves.iter().map(|&(from, _, to)| from.max(to)).max().unwrap_or(0);
        let states: Vec<StateId> = (0..=last).map(|s| part.state(s.to_string())).collect();
        for &(from, event, to) in moves {
            part.moves(states[from], event, states[to]);
        }
        part
    }

    /// A component whose states are named; the first that is mentioned is the initial one.
    pub(crate) fn of_arrows(name: impl Into<String>, arrows: &[(&str, &str, &str)]) -> Self {
        let mut part = Self::new(name);
        for &(from, event, to) in arrows {
            let (from, to) = (part.state_named(from), part.state_named(to));
            part.moves(from, event, to);
        }
        part
    }

    /// Starts elsewhere.
    pub(crate) fn starting(mut self, initial: usize) -> Self {
        self.automaton.initial = StateId::new(initial);
        self
    }

    /// A new state.
    pub(crate) fn state(&mut self, name: impl Into<String>) -> StateId {
        self.automaton.states.push(LocalState { name: name.into(), end: false });
        StateId::new(self.automaton.states.len() - 1)
    }

    /// The state of this name, among few.
    fn state_named(&mut self, name: &str) -> StateId {
        let known = self.automaton.states.iter().position(|s| s.name == name);
        known.map_or_else(|| self.state(name), StateId::new)
    }

    /// The event of this name.
    pub(crate) fn event(&mut self, name: &str) -> EventId {
        if let Some(&event) = self.events.get(name) {
            return event;
        }
        let event = EventId::new(self.automaton.events.len());
        self.automaton.events.push(name.to_owned());
        self.events.insert(name.to_owned(), event);
        event
    }

    /// A move with the event of this name.
    pub(crate) fn moves(&mut self, from: StateId, event: &str, to: StateId) {
        let event = self.event(event);
        self.step(from, event, to);
    }

    /// A move.
    pub(crate) fn step(&mut self, from: StateId, event: EventId, to: StateId) {
        self.automaton.moves.push((from, event, to));
    }
}

/// Parts that share events: one rule for each name, in which all take part that have the event.
pub(crate) fn synchronised(name: &str, parts: Vec<Part>) -> Network {
    let rules = rules_of(&parts, &[]);
    network(name, parts, rules)
}

/// A rule as it is written down: a label and, for each who takes part, the number of the component and the name of its
/// event.
pub(crate) type Given = (String, Vec<(usize, String)>);

/// The same, but the events of some rules are as these say, and have no rule of their own.
pub(crate) fn synchronised_with(name: &str, parts: Vec<Part>, given: &[Given]) -> Network {
    let taken: Vec<(usize, &str)> = given.iter().flat_map(|(_, who)| who).map(|(c, e)| (*c, e.as_str())).collect();
    let mut rules = rules_of(&parts, &taken);
    rules.extend(given.iter().map(|rule| written(rule, &parts)));
    network(name, parts, rules)
}

/// Parts that move by these rules only; events with one name have nothing to do with each other.
pub(crate) fn composed(name: &str, parts: Vec<Part>, given: &[Given]) -> Network {
    let rules = given.iter().map(|rule| written(rule, &parts)).collect();
    network(name, parts, rules)
}

fn written((label, who): &Given, parts: &[Part]) -> Rule {
    Rule::new(label.as_str(), who.iter().map(|(c, e)| (ComponentId::new(*c), parts[*c].events[e])).collect())
}

fn rules_of(parts: &[Part], taken: &[(usize, &str)]) -> Vec<Rule> {
    let taken: std::collections::HashSet<(usize, &str)> = taken.iter().copied().collect();
    let mut rules: Vec<(&str, Vec<(ComponentId, EventId)>)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (c, part) in parts.iter().enumerate() {
        for (e, event) in part.automaton.events.iter().enumerate().filter(|(_, e)| !taken.contains(&(c, e.as_str()))) {
            let rule = *known.entry(event).or_insert_with(|| {
                rules.push((event, Vec::new()));
                rules.len() - 1
            });
            rules[rule].1.push((ComponentId::new(c), EventId::new(e)));
        }
    }
    rules.into_iter().map(|(label, who)| Rule::new(label, who)).collect()
}

fn network(name: &str, parts: Vec<Part>, rules: Vec<Rule>) -> Network {
    let components = parts.into_iter().map(|p| p.automaton).collect();
    Network::new(name, components, rules).expect("parts have distinct names, and rules are about their events")
}
