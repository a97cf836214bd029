//! Traps of a network: sets of local states such that whenever a rule moves a component out of the set, it moves some
//! component into it. A trap that is marked in every initial state always has a current state.
//!
//! No combinations of moves are listed: a rule can leave a set altogether if and only if each participant has a move
//! that ends outside. If so, no state from which one of these moves starts can be in a trap.
//!
//! If each component may start in any of some states, a trap is marked in every initial state if and only if it has all
//! states in which some one component may start: otherwise, every component has one outside.

mod local;
mod removal;

use model::views::{ComponentId, StateId};

use self::local::Local;
use self::removal::Removal;
use super::wiring::Wiring;
use crate::tokens::rows::Rows;

/// How many local states all traps that are found at once may have in sum, in multiples of those of the network.
const WORK: usize = 4;

/// Local states by number, in increasing order.
pub(crate) type Trap = Vec<usize>;

/// Finds traps.
#[derive(Debug)]
pub(crate) struct Traps {
    /// By local state: the ports with moves to it, and where these come from.
    into: Rows<(u32, u32)>,
    /// By component, the states in which it may start.
    starts: Rows<usize>,
}

impl Traps {
    /// For a network whose components may each start in any of some states.
    pub(crate) fn new(wiring: &Wiring<'_>, starts: &[Vec<StateId>]) -> Self {
        let mut into = Vec::new();
        for c in wiring.network().component_ids() {
            for port in wiring.ports_of(c) {
                let local = |s: StateId| wiring.state(c, s);
                into.extend(
                    wiring.moves(port).iter().map(|&(from, to)| (local(to), (port as u32, local(from) as u32))),
                );
            }
        }
        let starts = wiring.network().component_ids().map(|c| {
            let starts = starts[c.index()].iter();
            starts.map(move |&s| wiring.state(c, s)).collect::<Vec<_>>()
        });
        Self { into: Rows::bucket(wiring.states(), &into), starts: Rows::new(starts) }
    }

    /// Traps that are marked in every initial state and not in the given one, small ones first: no two of them because of
    /// the same component, and as many as can be had cheaply.
    pub(crate) fn without(&self, wiring: &Wiring<'_>, state: &[StateId]) -> Vec<Trap> {
        let mut inside = vec![true; wiring.states()];
        wiring.network().component_ids().for_each(|c| inside[wiring.state(c, state[c.index()])] = false);
        self.greatest(wiring, &mut inside);
        let mut local = Local::new(self, wiring);
        let (mut found, mut covered, mut work) = (Vec::new(), vec![false; wiring.states()], 0);
        for c in wiring.network().component_ids() {
            let starts = self.starts.row(c.index());
            if work > WORK * wiring.states() || !starts.iter().all(|&s| inside[s]) || starts.iter().all(|&s| covered[s])
            {
                continue;
            }
            let grown = local.grown(&inside, starts);
            work += grown.len();
            let trap = local.shrunk(grown);
            trap.iter().for_each(|&s| covered[s] = true);
            found.push(trap);
        }
        found.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        found
    }

    /// The greatest trap inside a set, in time linear in the moves and rules.
    pub(crate) fn greatest(&self, wiring: &Wiring<'_>, inside: &mut [bool]) {
        let mut search = Removal::new(wiring, inside);
        while let Some(s) = search.stack.pop() {
            for &(port, from) in self.into.row(s) {
                search.escape(wiring, port as usize, from as usize);
            }
        }
    }

    /// Whether one of some components has all states in which it may start in a set.
    pub(crate) fn is_marked(&self, mut among: impl Iterator<Item = ComponentId>, inside: &[bool]) -> bool {
        among.any(|c| self.starts.row(c.index()).iter().all(|&s| inside[s]))
    }
}
