//! States that leave a set until it is a trap.

use model::views::StateId;

use super::Wiring;

/// The set, and what is known of what leaves it.
pub(super) struct Removal<'b> {
    inside: &'b mut [bool],
    /// By port, how many moves end outside.
    escapes: Vec<usize>,
    /// By rule, how many participants have no such move.
    held: Vec<usize>,
    /// By port, whether a rule with it can leave the set altogether.
    open: Vec<bool>,
    /// Gone, and not yet looked at.
    pub(super) stack: Vec<usize>,
}

impl<'b> Removal<'b> {
    pub(super) fn new(wiring: &Wiring<'_>, inside: &'b mut [bool]) -> Self {
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
    pub(super) fn escape(&mut self, wiring: &Wiring<'_>, port: usize, from: usize) {
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
