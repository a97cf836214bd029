//! The network as arrays: local states and *ports* (an event of a component), each numbered across all components.
//!
//! An event that no rule uses never happens; its port has no rules.

use model::views::{ComponentId, EventId, Network, RuleId, StateId};

use crate::tokens::rows::Rows;

/// A network with its connections.
#[derive(Debug)]
pub(crate) struct Wiring<'a> {
    network: &'a Network,
    first_state: Vec<usize>,
    first_port: Vec<usize>,
    /// By port, the rules that use it.
    rules: Rows<RuleId>,
    /// By port, its moves.
    moves: Rows<(StateId, StateId)>,
    /// By component, the rules that it takes part in, with its event.
    taken: Rows<(RuleId, EventId)>,
}

impl<'a> Wiring<'a> {
    pub(crate) fn new(network: &'a Network) -> Self {
        let first_state = firsts(network.components().iter().map(|c| c.states().len()));
        let first_port = firsts(network.components().iter().map(|c| c.events().len()));
        let (mut rules, mut taken) = (Vec::new(), Vec::new());
        for r in network.rule_ids() {
            for &(c, e) in &network.rule(r).participants {
                rules.push((first_port[c.index()] + e.index(), r));
                taken.push((c.index(), (r, e)));
            }
        }
        let mut moves = Vec::new();
        for (c, component) in network.components().iter().enumerate() {
            for from in (0..component.states().len()).map(StateId::new) {
                moves.extend(component.moves(from).iter().map(|m| (first_port[c] + m.event.index(), (from, m.to))));
            }
        }
        let ports = first_port[network.components().len()];
        let (rules, moves) = (Rows::bucket(ports, &rules), Rows::bucket(ports, &moves));
        let taken = Rows::bucket(network.components().len(), &taken);
        Self { network, first_state, first_port, rules, moves, taken }
    }

    pub(crate) fn network(&self) -> &'a Network {
        self.network
    }

    /// The number of local states of all components.
    pub(crate) fn states(&self) -> usize {
        self.first_state[self.network.components().len()]
    }

    /// The number of ports.
    pub(crate) fn ports(&self) -> usize {
        self.first_port[self.network.components().len()]
    }

    /// The number of a local state among those of all components.
    pub(crate) fn state(&self, c: ComponentId, s: StateId) -> usize {
        self.first_state[c.index()] + s.index()
    }

    /// The local state with this number.
    pub(crate) fn local(&self, state: usize) -> (ComponentId, StateId) {
        let c = self.first_state.partition_point(|&first| first <= state) - 1;
        (ComponentId::new(c), StateId::new(state - self.first_state[c]))
    }

    /// The numbers of the states of a component.
    pub(crate) fn states_of(&self, c: ComponentId) -> std::ops::Range<usize> {
        self.first_state[c.index()]..self.first_state[c.index() + 1]
    }

    /// The number of an event among those of all components.
    pub(crate) fn port(&self, c: ComponentId, e: EventId) -> usize {
        self.first_port[c.index()] + e.index()
    }

    /// The ports of a component.
    pub(crate) fn ports_of(&self, c: ComponentId) -> std::ops::Range<usize> {
        self.first_port[c.index()]..self.first_port[c.index() + 1]
    }

    /// The component of a port.
    pub(crate) fn owner(&self, port: usize) -> ComponentId {
        ComponentId::new(self.first_port.partition_point(|&first| first <= port) - 1)
    }

    /// The rules that use a port.
    pub(crate) fn rules(&self, port: usize) -> &[RuleId] {
        self.rules.row(port)
    }

    /// The moves of a port, from where and to where.
    pub(crate) fn moves(&self, port: usize) -> &[(StateId, StateId)] {
        self.moves.row(port)
    }

    /// The rules that a component takes part in, with its event, in increasing order.
    pub(crate) fn taken(&self, c: ComponentId) -> &[(RuleId, EventId)] {
        self.taken.row(c.index())
    }

    /// The states in which a component offers an event, in increasing order.
    pub(crate) fn offering(&self, c: ComponentId, e: EventId) -> Vec<StateId> {
        let mut states: Vec<StateId> = self.moves(self.port(c, e)).iter().map(|m| m.0).collect();
        states.dedup();
        states
    }
}

/// Where each part starts in one numbering of all, and one past the last where it ends.
fn firsts(sizes: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut firsts = vec![0];
    for size in sizes {
        firsts.push(firsts[firsts.len() - 1] + size);
    }
    firsts
}
