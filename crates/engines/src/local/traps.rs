//! Traps of a network: sets of local states such that whenever a rule moves a component out of the set, it moves some
//! component into it. A trap that has an initial state always has a current one.
//!
//! No combinations of moves are listed: a rule can leave a set altogether if and only if each participant has a move
//! that ends outside. If so, no state from which one of these moves starts can be in a trap.

use model::views::{ComponentId, StateId};

use super::lemma::{Because, Lemma};
use super::wiring::Wiring;
use crate::tokens::rows::Rows;

/// Traps of no more components than this are made smaller by leaving out one after the other.
const SHRINK: usize = 64;

/// Finds traps.
#[derive(Debug)]
pub(super) struct Traps {
    /// By local state: the ports with moves to it, and where these come from.
    into: Rows<(u32, u32)>,
}

impl Traps {
    pub(super) fn new(wiring: &Wiring<'_>) -> Self {
        let mut into = Vec::new();
        for c in wiring.network().component_ids() {
            for port in wiring.ports_of(c) {
                let local = |s: StateId| wiring.state(c, s);
                into.extend(
                    wiring.moves(port).iter().map(|&(from, to)| (local(to), (port as u32, local(from) as u32))),
                );
            }
        }
        Self { into: Rows::bucket(wiring.states(), &into) }
    }

    /// A trap with an initial state and none of the given ones, as few components as can be had cheaply.
    pub(super) fn without(&self, wiring: &Wiring<'_>, state: &[StateId]) -> Option<Lemma> {
        let mut inside = vec![true; wiring.states()];
        wiring.network().component_ids().for_each(|c| inside[wiring.state(c, state[c.index()])] = false);
        self.greatest(wiring, &mut inside);
        let network = wiring.network();
        let initial = network.component_ids().map(|c| wiring.state(c, network.component(c).initial()));
        let small = initial.filter(|&s| inside[s]).take(SHRINK).map(|s| self.small(wiring, &inside, s));
        let trap = small.min_by_key(|trap| trap.iter().filter(|t| **t).count())?;
        Some(lemma(wiring, &self.shrunk(wiring, trap)))
    }

    /// The greatest trap inside a set, in time linear in the moves and rules.
    fn greatest(&self, wiring: &Wiring<'_>, inside: &mut [bool]) {
        let mut search = Removal::new(wiring, inside);
        while let Some(s) = search.stack.pop() {
            for &(port, from) in self.into.row(s) {
                search.escape(wiring, port as usize, from as usize);
            }
        }
    }

    /// A small trap inside a trap, with a given state: each rule that leaves it gets the fewest states to go to.
    fn small(&self, wiring: &Wiring<'_>, trap: &[bool], start: usize) -> Vec<bool> {
        let mut growth = Growth {
            inside: vec![false; trap.len()],
            escapes: (0..wiring.ports()).map(|p| wiring.moves(p).len()).collect(),
            found: Vec::new(),
        };
        growth.add(self, start);
        let mut next = 0;
        while let Some(&s) = growth.found.get(next) {
            next += 1;
            let (c, local) = wiring.local(s);
            for m in wiring.network().component(c).moves(local) {
                let port = wiring.port(c, m.event);
                for &rule in wiring.rules(port) {
                    let participants = &wiring.network().rule(rule).participants;
                    let others = participants.iter().filter(|p| p.0 != c);
                    let mut others = others.map(|&(d, e)| (d, wiring.port(d, e)));
                    let to = wiring.state(c, m.to);
                    if growth.inside[to] || others.clone().any(|(_, p)| growth.escapes[p] == 0) {
                        continue;
                    }
                    if trap[to] {
                        growth.add(self, to);
                        continue;
                    }
                    let lands = |(d, p): &(ComponentId, usize)| {
                        wiring.moves(*p).iter().all(|&(_, to)| trap[wiring.state(*d, to)])
                    };
                    let (d, p) = others.find(lands).expect("the rule cannot leave the greater trap");
                    wiring.moves(p).iter().for_each(|&(_, to)| growth.add(self, wiring.state(d, to)));
                }
            }
        }
        growth.inside
    }

    /// A trap with fewer components, if leaving some out still leaves a trap with an initial state.
    fn shrunk(&self, wiring: &Wiring<'_>, mut trap: Vec<bool>) -> Vec<bool> {
        let network = wiring.network();
        let members = |trap: &[bool]| -> Vec<ComponentId> {
            network.component_ids().filter(|&c| trap[wiring.states_of(c)].iter().any(|t| *t)).collect()
        };
        let all = members(&trap);
        if all.len() > SHRINK {
            return trap;
        }
        for c in all {
            let mut less = trap.clone();
            less[wiring.states_of(c)].fill(false);
            self.greatest(wiring, &mut less);
            if network.component_ids().any(|c| less[wiring.state(c, network.component(c).initial())]) {
                trap = less;
            }
        }
        trap
    }
}

/// Some component is in the trap: not all are outside.
fn lemma(wiring: &Wiring<'_>, trap: &[bool]) -> Lemma {
    let mut confined = Vec::new();
    for c in wiring.network().component_ids() {
        let inside = &trap[wiring.states_of(c)];
        if inside.contains(&true) {
            confined.push((c, (0..inside.len()).filter(|&s| !inside[s]).map(StateId::new).collect()));
        }
    }
    let states = (0..trap.len()).filter(|&s| trap[s]).map(|s| wiring.local(s)).collect();
    Lemma { confined, because: Because::Trap(states) }
}

/// States that leave a set until it is a trap.
struct Removal<'b> {
    inside: &'b mut [bool],
    /// By port, how many moves end outside.
    escapes: Vec<usize>,
    /// By rule, how many participants have no such move.
    held: Vec<usize>,
    /// By port, whether a rule with it can leave the set altogether.
    open: Vec<bool>,
    /// Gone, and not yet looked at.
    stack: Vec<usize>,
}

impl<'b> Removal<'b> {
    fn new(wiring: &Wiring<'_>, inside: &'b mut [bool]) -> Self {
        let mut escapes = Vec::with_capacity(wiring.ports());
        for c in wiring.network().component_ids() {
            let outside = |m: &&(StateId, StateId)| !inside[wiring.state(c, m.1)];
            escapes.extend(wiring.ports_of(c).map(|p| wiring.moves(p).iter().filter(outside).count()));
        }
        let rules = wiring.network().rules().iter();
        let held = rules.map(|r| r.participants.iter().filter(|&&(c, e)| escapes[wiring.port(c, e)] == 0).count());
        let held: Vec<usize> = held.collect();
        let free: Vec<usize> = (0..held.len()).filter(|&r| held[r] == 0).collect();
        let mut removal = Self { inside, escapes, held, open: vec![false; wiring.ports()], stack: Vec::new() };
        free.into_iter().for_each(|r| removal.open(wiring, r));
        removal
    }

    /// A rule can leave the set altogether.
    fn open(&mut self, wiring: &Wiring<'_>, rule: usize) {
        for &(c, e) in &wiring.network().rules()[rule].participants {
            let port = wiring.port(c, e);
            if !std::mem::replace(&mut self.open[port], true) {
                for &(from, to) in wiring.moves(port) {
                    if !self.inside[wiring.state(c, to)] {
                        self.remove(wiring.state(c, from));
                    }
                }
            }
        }
    }

    fn remove(&mut self, s: usize) {
        if std::mem::replace(&mut self.inside[s], false) {
            self.stack.push(s);
        }
    }

    /// A move now ends outside.
    fn escape(&mut self, wiring: &Wiring<'_>, port: usize, from: usize) {
        self.escapes[port] += 1;
        if self.escapes[port] == 1 {
            for rule in wiring.rules(port) {
                self.held[rule.index()] -= 1;
                if self.held[rule.index()] == 0 {
                    self.open(wiring, rule.index());
                }
            }
        }
        if self.open[port] {
            self.remove(from);
        }
    }
}

/// A set that grows to a trap.
struct Growth {
    inside: Vec<bool>,
    /// By port, how many moves end outside.
    escapes: Vec<usize>,
    found: Vec<usize>,
}

impl Growth {
    fn add(&mut self, traps: &Traps, s: usize) {
        if !std::mem::replace(&mut self.inside[s], true) {
            self.found.push(s);
            traps.into.row(s).iter().for_each(|&(port, _)| self.escapes[port as usize] -= 1);
        }
    }
}
