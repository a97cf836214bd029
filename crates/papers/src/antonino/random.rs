//! Random live networks: every component offers something in every state, and every event belongs to a rule.
//!
//! Components are joined as a pair of rings, as a grid, or all with all; each joint has one or two events of its own,
//! in which both take part. The states of a component lie on a cycle: from each, one event, drawn from all events of
//! the component, leads to the next one; each of the other events is offered with a probability, the density, and leads
//! to any state. A batch runs through nine densities, 10 % to 90 %: the sparse systems mostly deadlock, the dense ones
//! do not. The sizes of components are such that the shares of deadlock-free systems come near those of the paper,
//! which describes its systems no further.

use model::views::{Automaton, ComponentId, EventId, LocalState, Network, Origin, Rule, StateId};
use serde::Serialize;

/// How components are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topology {
    /// Two rings of `n` components; one of each is joined to one of the other.
    Rings,
    /// `n` times `n` components.
    Grid,
    /// `n` components, all joined with all.
    Fully,
}

/// How many densities a batch runs through.
const DENSITIES: u64 = 9;

impl Topology {
    /// Who is joined, and how many components there are.
    fn joints(self, n: usize) -> (usize, Vec<(usize, usize)>) {
        match self {
            Topology::Rings => {
                let ring = |r: usize| (0..n).map(move |i| (r * n + i, r * n + (i + 1) % n));
                (2 * n, ring(0).chain(ring(1)).chain([(0, n)]).collect())
            }
            Topology::Grid => {
                let right = (0..n * n).filter(|i| i % n + 1 < n).map(|i| (i, i + 1));
                let down = (0..n * (n - 1)).map(|i| (i, i + n));
                (n * n, right.chain(down).collect())
            }
            Topology::Fully => (n, (0..n).flat_map(|j| (0..j).map(move |i| (i, j))).collect()),
        }
    }

    /// How many states a component has, and how many events belong to a joint.
    fn size(self) -> (usize, usize) {
        match self {
            Topology::Rings => (5, 1),
            Topology::Grid => (4, 1),
            Topology::Fully => (4, 2),
        }
    }

    /// A network of size `n`, which must be at least 3: always the same for the same number.
    pub fn network(self, n: usize, number: u64) -> Network {
        let (count, joints) = self.joints(n);
        let (states, each) = self.size();
        let mut random = Random::new(self, n, number);
        let density = 10 * (number % DENSITIES + 1);
        let mut alphabets = vec![0; count];
        let mut rules = Vec::with_capacity(each * joints.len());
        for (i, j) in joints.into_iter().flat_map(|joint| vec![joint; each]) {
            let who = [i, j].map(|c| (ComponentId::new(c), EventId::new(alphabets[c])));
            rules.push(Rule::new(format!("e{}", rules.len()), who.to_vec()));
            alphabets[i] += 1;
            alphabets[j] += 1;
        }
        let component = |(i, &events): (usize, &usize)| random.component(i, states, events, density);
        let components = alphabets.iter().enumerate().map(component).collect();
        Network::new("random", components, rules).expect("components and events are numbered")
    }
}

/// Random numbers from a seed (splitmix64).
struct Random(u64);

impl Random {
    fn new(topology: Topology, n: usize, number: u64) -> Self {
        Self((topology as u64) << 48 | (n as u64) << 32 | number)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn component(&mut self, number: usize, states: usize, events: usize, density: u64) -> Automaton {
        let mut moves = Vec::new();
        for from in 0..states {
            let on = self.below(events);
            for event in 0..events {
                if event == on {
                    moves.push((from, event, (from + 1) % states));
                } else if (self.below(100) as u64) < density {
                    moves.push((from, event, self.below(states)));
                }
            }
        }
        let typed = |(from, event, to)| (StateId::new(from), EventId::new(event), StateId::new(to));
        Automaton {
            name: format!("c{number}"),
            origin: Origin::Given,
            states: (0..states).map(|s| LocalState { name: s.to_string(), end: false }).collect(),
            initial: StateId(0),
            events: (0..events).map(|e| e.to_string()).collect(),
            moves: moves.into_iter().map(typed).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_live() {
        for topology in [Topology::Rings, Topology::Grid, Topology::Fully] {
            for number in 0..18 {
                let network = topology.network(4, number);
                for component in network.components() {
                    let states = (0..component.states().len()).map(StateId::new);
                    assert!(states.clone().all(|s| !component.moves(s).is_empty()), "{topology:?} {number}");
                }
                let mut used: Vec<_> = network.rules().iter().flat_map(|r| &r.participants).collect();
                let events: usize = network.components().iter().map(|c| c.events().len()).sum();
                used.sort_unstable();
                used.dedup();
                assert_eq!(used.len(), events, "{topology:?} {number}: each event is in exactly one rule");
            }
        }
    }

    #[test]
    fn topologies_have_their_shapes() {
        let shape = |t: Topology| (t.network(5, 0).components().len(), t.network(5, 0).rules().len());
        assert_eq!(shape(Topology::Rings), (10, 11));
        assert_eq!(shape(Topology::Grid), (25, 40));
        assert_eq!(shape(Topology::Fully), (5, 20));
    }
}
