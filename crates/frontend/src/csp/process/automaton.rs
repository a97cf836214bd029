//! A component: the explored states of a process, without what it cannot do in the network, up to strong bisimulation.

use std::collections::HashSet;

use model::views::{Automaton, EventId, LocalState, Origin, StateId};

use super::event::{DONE, Event, TAU};
use super::explore::Explored;
use super::names::{Graph, readable};
use super::term::{Term, TermId};
use super::{Store, World};
use crate::bisimulation::{Classes, strong};

/// A component while the network is being built.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The term of each state that is left; the initial state comes first.
    states: Vec<Local>,
    moves: Vec<(u32, Event, u32)>,
}

/// A local state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Local {
    Running(TermId),
    /// The process has terminated.
    Terminated,
    /// So has the whole network.
    Over,
}

impl Leaf {
    /// The component of an explored process. In a composition it waits for the others after it has terminated.
    pub(super) fn new(store: &Store, explored: &Explored, composed: bool) -> Self {
        let local = |term: &TermId| match store.term(*term) {
            Term::Omega => Local::Terminated,
            _ => Local::Running(*term),
        };
        let mut leaf = Self { states: explored.states.iter().map(local).collect(), moves: explored.moves.clone() };
        if let Some(omega) = leaf.states.iter().position(|s| *s == Local::Terminated).filter(|_| composed) {
            leaf.moves.push((omega as u32, DONE, leaf.states.len() as u32));
            leaf.states.push(Local::Over);
        }
        leaf
    }

    /// Its events, in increasing order.
    pub(super) fn events(&self) -> Vec<Event> {
        let mut events: Vec<Event> = self.moves.iter().map(|m| m.1).collect();
        events.sort_unstable();
        events.dedup();
        events
    }

    /// Keeps the moves with these events and what they reach; whether anything went away.
    pub(super) fn restrict(&mut self, events: &HashSet<Event>) -> bool {
        let (moves, states) = (self.moves.len(), self.states.len());
        self.moves.retain(|m| events.contains(&m.1));
        if self.moves.len() == moves {
            return false;
        }
        let numbers = self.reachable();
        let mut kept = 0;
        self.states.retain(|_| {
            kept += 1;
            numbers[kept - 1].is_some()
        });
        debug_assert!(self.states.len() <= states);
        let renumber =
            |(from, event, to): &(u32, Event, u32)| Some((numbers[*from as usize]?, *event, numbers[*to as usize]?));
        self.moves = self.moves.iter().filter_map(renumber).collect();
        true
    }

    /// The new numbers of the states that are within reach, in the old order.
    fn reachable(&self) -> Vec<Option<u32>> {
        let mut moves: Vec<(u32, u32)> = self.moves.iter().map(|m| (m.0, m.2)).collect();
        moves.sort_unstable();
        let mut seen = vec![false; self.states.len()];
        seen[0] = true;
        let mut open = vec![0];
        while let Some(from) = open.pop() {
            let start = moves.partition_point(|m| m.0 < from);
            for &(_, to) in moves[start..].iter().take_while(|m| m.0 == from) {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    open.push(to);
                }
            }
        }
        let mut next = 0..;
        seen.into_iter().map(|seen| seen.then(|| next.next().expect("numbers do not end"))).collect()
    }

    /// Merges equivalent states and gives everything its name.
    pub(super) fn automaton<W: World>(&self, world: &W, name: String) -> Automaton {
        let events = self.events();
        let number = |event: Event| events.binary_search(&event).expect("the event is one of its own") as u32;
        let arrows: Vec<_> = self.moves.iter().map(|&(from, event, to)| (from, number(event), to)).collect();
        let kinds: Vec<u32> = self.states.iter().map(|s| u32::from(!matches!(s, Local::Running(_)))).collect();
        let classes = strong(&kinds, &arrows);
        let class = |state: u32| classes.of[state as usize];
        let moves: Vec<_> = arrows.iter().map(|&(from, event, to)| (class(from), event, class(to))).collect();
        let texts: Vec<String> = events.iter().map(|e| world.store().text(*e).to_string()).collect();
        let silent = events.binary_search(&TAU).ok().map(|e| e as u32);
        let graph = Graph { initial: class(0), moves: &moves, texts: &texts, silent };
        let states = self.local_states(world, &classes, &graph);
        let moves = moves.iter().map(|&(from, event, to)| (StateId(from), EventId(event), StateId(to))).collect();
        Automaton { name, origin: Origin::Given, states, initial: StateId(class(0)), events: texts, moves }
    }

    /// The classes, each named after its first state that has a name, the others after how they are reached.
    fn local_states<W: World>(&self, world: &W, classes: &Classes, graph: &Graph<'_>) -> Vec<LocalState> {
        let mut names = vec![None; classes.count];
        let mut ends = vec![false; classes.count];
        for (state, class) in self.states.iter().zip(&classes.of) {
            let place = &mut names[*class as usize];
            *place = place.take().or_else(|| state.name(world));
            ends[*class as usize] = !matches!(state, Local::Running(_));
        }
        readable(names, graph).into_iter().zip(ends).map(|(name, end)| LocalState { name, end }).collect()
    }
}

impl Local {
    fn name<W: World>(self, world: &W) -> Option<String> {
        match self {
            Local::Running(term) => match world.store().term(term) {
                Term::Stop => Some("STOP".to_owned()),
                Term::Skip => Some("SKIP".to_owned()),
                _ => world.store().named_call_of(term).and_then(|call| world.name(call)),
            },
            Local::Terminated => Some("terminated".to_owned()),
            Local::Over => Some("over".to_owned()),
        }
    }
}
