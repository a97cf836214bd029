//! Small traps, in time of what they touch.

use model::views::{ComponentId, RuleId};

use super::{Trap, Traps, Wiring};

/// Traps of no more components than this are made smaller by leaving out one after the other.
const SHRINK: usize = 64;

/// A set of local states that grows or shrinks to a trap; empty in between.
pub(super) struct Local<'b> {
    traps: &'b Traps,
    wiring: &'b Wiring<'b>,
    inside: Vec<bool>,
    /// By port, how many moves end outside.
    escapes: Vec<usize>,
    found: Vec<usize>,
}

impl<'b> Local<'b> {
    pub(super) fn new(traps: &'b Traps, wiring: &'b Wiring<'b>) -> Self {
        let escapes = (0..wiring.ports()).map(|p| wiring.moves(p).len()).collect();
        Self { traps, wiring, inside: vec![false; wiring.states()], escapes, found: Vec::new() }
    }

    fn add(&mut self, s: usize) {
        if !std::mem::replace(&mut self.inside[s], true) {
            self.found.push(s);
            self.traps.into.row(s).iter().for_each(|&(port, _)| self.escapes[port as usize] -= 1);
        }
    }

    fn remove(&mut self, s: usize) {
        if std::mem::replace(&mut self.inside[s], false) {
            self.traps.into.row(s).iter().for_each(|&(port, _)| self.escapes[port as usize] += 1);
        }
    }

    /// What is in the set, which is empty again then.
    fn take(&mut self) -> Trap {
        let mut trap = std::mem::take(&mut self.found);
        trap.retain(|&s| self.inside[s]);
        trap.iter().for_each(|&s| self.remove(s));
        trap.sort_unstable();
        trap
    }

    /// A small trap inside a trap, with given states: each rule that leaves it gets the fewest states to go to.
    pub(super) fn grown(&mut self, trap: &[bool], starts: &[usize]) -> Trap {
        starts.iter().for_each(|&s| self.add(s));
        let mut next = 0;
        while let Some(&s) = self.found.get(next) {
            next += 1;
            let (c, local) = self.wiring.local(s);
            for m in self.wiring.network().component(c).moves(local) {
                let to = self.wiring.state(c, m.to);
                for &rule in self.wiring.rules(self.wiring.port(c, m.event)) {
                    if self.inside[to] {
                        break;
                    }
                    self.close(trap, (c, to), rule);
                }
            }
        }
        self.take()
    }

    /// Adds states of the greater trap so that a rule does not leave the set when a component goes to a state outside.
    fn close(&mut self, trap: &[bool], (c, to): (ComponentId, usize), rule: RuleId) {
        let wiring = self.wiring;
        let participants = &wiring.network().rule(rule).participants;
        let mut others = participants.iter().filter(|p| p.0 != c).map(|&(d, e)| (d, wiring.port(d, e)));
        if others.clone().any(|(_, p)| self.escapes[p] == 0) {
            return;
        }
        if trap[to] {
            self.add(to);
            return;
        }
        let lands = |(d, p): &(ComponentId, usize)| wiring.moves(*p).iter().all(|&(_, to)| trap[wiring.state(*d, to)]);
        let (d, p) = others.find(lands).expect("the rule cannot leave the greater trap");
        wiring.moves(p).iter().for_each(|&(_, to)| self.add(wiring.state(d, to)));
    }

    /// A trap with fewer components, if leaving some out still leaves one that is marked in every initial state.
    pub(super) fn shrunk(&mut self, mut trap: Trap) -> Trap {
        let all = self.components(&trap);
        if all.len() > SHRINK {
            return trap;
        }
        for c in all {
            let out = self.wiring.states_of(c);
            trap.iter().filter(|s| !out.contains(s)).for_each(|&s| self.add(s));
            self.settle();
            let members = self.components(&trap);
            let is_marked = self.traps.is_marked(members.into_iter(), &self.inside);
            let less = self.take();
            if is_marked {
                trap = less;
            }
        }
        trap
    }

    fn components(&self, trap: &[usize]) -> Vec<ComponentId> {
        let mut components: Vec<ComponentId> = trap.iter().map(|&s| self.wiring.local(s).0).collect();
        components.dedup();
        components
    }

    /// Takes states away until the set is a trap.
    fn settle(&mut self) {
        loop {
            let gone: Vec<usize> = self.found.iter().copied().filter(|&s| self.inside[s] && self.leaves(s)).collect();
            if gone.is_empty() {
                return;
            }
            gone.into_iter().for_each(|s| self.remove(s));
        }
    }

    /// Whether a rule can take a component from a state and leave the set altogether.
    fn leaves(&self, s: usize) -> bool {
        let (c, local) = self.wiring.local(s);
        let wiring = self.wiring;
        let moves = wiring.network().component(c).moves(local).iter();
        moves.filter(|m| !self.inside[wiring.state(c, m.to)]).any(|m| {
            wiring.rules(wiring.port(c, m.event)).iter().any(|&rule| {
                let participants = wiring.network().rule(rule).participants.iter();
                participants.filter(|p| p.0 != c).all(|&(d, e)| self.escapes[wiring.port(d, e)] > 0)
            })
        })
    }
}
