//! A canonical form of components: isomorphic components mostly get equal forms, and equal forms are isomorphic.
//!
//! Only events that some rule uses matter. States and events are coloured by what is around them, refined a few times
//! (Weisfeiler and Leman); events are then numbered by colour, and states in the order of a breadth-first search from
//! the initial one that follows events in this order. Where colours tie, the order of the input decides: isomorphic
//! components may then get different forms, which costs time and nothing else.

use std::collections::HashSet;

use model::views::{ComponentId, StateId};

use crate::structure::wiring::Wiring;

/// The most rounds of refinement.
const ROUNDS: usize = 16;

/// A component whose states and events are numbered canonically; the initial state is the first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    /// Where the moves of each state start.
    starts: Vec<u32>,
    /// Event and target, in increasing order for each state.
    moves: Vec<(u32, u32)>,
}

/// From a component's own numbers to those of its form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Numbering {
    /// By state.
    pub(super) states: Vec<u32>,
    /// By event; meaningless for events that no rule uses.
    pub(super) events: Vec<u32>,
}

impl Form {
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Event and target of the moves out of a state.
    pub(super) fn moves(&self, state: usize) -> &[(u32, u32)] {
        &self.moves[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    /// The moves out of a state with one event.
    pub(super) fn moves_with(&self, state: usize, event: u32) -> &[(u32, u32)] {
        let moves = self.moves(state);
        let start = moves.partition_point(|m| m.0 < event);
        let length = moves[start..].partition_point(|m| m.0 == event);
        &moves[start..start + length]
    }

    /// By state, whether the component reaches it if all others are ignored.
    pub(super) fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        reached[0] = true;
        let mut stack = vec![0];
        while let Some(s) = stack.pop() {
            for &(_, to) in self.moves(s) {
                if !std::mem::replace(&mut reached[to as usize], true) {
                    stack.push(to as usize);
                }
            }
        }
        reached
    }
}

/// The canonical form of a component.
pub(super) fn canonical(wiring: &Wiring<'_>, c: ComponentId) -> (Form, Numbering) {
    let component = wiring.network().component(c);
    let states = component.states().len();
    // The moves that can happen, by source.
    let mut moves: Vec<(u32, u32, u32)> = Vec::new();
    for from in (0..states).map(StateId::new) {
        let used = component.moves(from).iter().filter(|m| !wiring.rules(wiring.port(c, m.event)).is_empty());
        moves.extend(used.map(|m| (from.0, m.event.0, m.to.0)));
    }
    let colours = Colours::new(states, component.events().len(), component.initial().index(), &moves);
    let events = ranks(&colours.events);
    let numbers = search(states, component.initial().index(), &mut moves, &colours, &events);
    let mut moves: Vec<(u32, u32, u32)> = moves
        .into_iter()
        .map(|(from, event, to)| (numbers[from as usize], events[event as usize], numbers[to as usize]))
        .collect();
    moves.sort_unstable();
    let mut starts = vec![0; states + 1];
    moves.iter().for_each(|m| starts[m.0 as usize + 1] += 1);
    (0..states).for_each(|s| starts[s + 1] += starts[s]);
    let form = Form { starts, moves: moves.into_iter().map(|(_, event, to)| (event, to)).collect() };
    (form, Numbering { states: numbers, events })
}

/// Numbers states breadth-first from the initial one; those that are not reached come last, as they stand.
fn search(states: usize, initial: usize, moves: &mut [(u32, u32, u32)], colours: &Colours, events: &[u32]) -> Vec<u32> {
    moves.sort_unstable_by_key(|&(from, event, to)| (from, events[event as usize], colours.states[to as usize], to));
    let mut starts = vec![0; states + 1];
    moves.iter().for_each(|m| starts[m.0 as usize + 1] += 1);
    (0..states).for_each(|s| starts[s + 1] += starts[s]);
    let mut numbers = vec![u32::MAX; states];
    let mut order: Vec<usize> = Vec::with_capacity(states);
    let visit = |s: usize, order: &mut Vec<usize>, numbers: &mut Vec<u32>| {
        if numbers[s] == u32::MAX {
            numbers[s] = order.len() as u32;
            order.push(s);
        }
    };
    visit(initial, &mut order, &mut numbers);
    let mut next = 0;
    while next < order.len() {
        let s = order[next];
        next += 1;
        for m in &moves[starts[s]..starts[s + 1]] {
            visit(m.2 as usize, &mut order, &mut numbers);
        }
    }
    (0..states).for_each(|s| visit(s, &mut order, &mut numbers));
    numbers
}

/// The position of each item in increasing order.
fn ranks(items: &[u64]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|&i| items[i]);
    let mut ranks = vec![0; items.len()];
    order.into_iter().enumerate().for_each(|(rank, i)| ranks[i] = rank as u32);
    ranks
}

struct Colours {
    states: Vec<u64>,
    events: Vec<u64>,
}

impl Colours {
    fn new(states: usize, events: usize, initial: usize, moves: &[(u32, u32, u32)]) -> Self {
        let mut colours = Self { states: vec![1; states], events: vec![1; events] };
        colours.states[initial] = 2;
        let mut distinct = 0;
        for _ in 0..ROUNDS {
            colours.refine(moves);
            let now = count(&colours.states) + count(&colours.events);
            if now == distinct {
                break;
            }
            distinct = now;
        }
        colours
    }

    /// The colour of everything after this round depends on the colours of its moves before it.
    fn refine(&mut self, moves: &[(u32, u32, u32)]) {
        let (states, events) = (self.states.clone(), self.events.clone());
        let mut add = |at: Place, a: u64, b: u64| {
            let (cell, side) = match at {
                Place::From(i) => (&mut self.states[i as usize], 3),
                Place::To(i) => (&mut self.states[i as usize], 5),
                Place::Event(i) => (&mut self.events[i as usize], 7),
            };
            *cell = cell.wrapping_add(mix(mix(a.wrapping_mul(side)) ^ b));
        };
        for &(from, event, to) in moves {
            let (x, y, e) = (states[from as usize], states[to as usize], events[event as usize]);
            add(Place::From(from), e, y);
            add(Place::To(to), e, x);
            add(Place::Event(event), x, mix(y));
        }
        self.states.iter_mut().chain(&mut self.events).for_each(|colour| *colour = mix(*colour));
    }
}

/// What a move gives colour to.
enum Place {
    From(u32),
    To(u32),
    Event(u32),
}

fn count(colours: &[u64]) -> usize {
    colours.iter().collect::<HashSet<_>>().len()
}

/// Spreads bits (the finalizer of splitmix64).
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
