//! A network by component and event: which moves there are, and which rules use them.

use std::collections::HashMap;

use model::views::{Component, EventId, Network, StateId};

/// The network, and where its parts are used.
pub(super) struct Index<'a> {
    pub(super) network: &'a Network,
    components: Vec<Uses>,
}

/// A component in its network.
struct Uses {
    /// The moves of each event: from, to.
    moves: Vec<Vec<(usize, usize)>>,
    /// How many rules use each event.
    uses: Vec<usize>,
    /// The rules in which it takes part.
    rules: Vec<usize>,
    /// Equal for components with the same states and moves of which the same events are used.
    kind: usize,
}

/// What makes components alike: the initial state, the number of states, the moves, and which events are used.
type Shape = (StateId, usize, Vec<Vec<(usize, usize)>>, Vec<bool>);

impl<'a> Index<'a> {
    pub(super) fn new(network: &'a Network) -> Self {
        let mut components: Vec<Uses> = network.components().iter().map(Uses::new).collect();
        for (number, rule) in network.rules().iter().enumerate() {
            for &(c, event) in &rule.participants {
                components[c.index()].uses[event.index()] += 1;
                components[c.index()].rules.push(number);
            }
        }
        let mut kinds: HashMap<Shape, usize> = HashMap::new();
        for (uses, component) in components.iter_mut().zip(network.components()) {
            let used = uses.uses.iter().map(|&n| n > 0).collect();
            let shape = (component.initial(), component.states().len(), uses.moves.clone(), used);
            let next = kinds.len();
            uses.kind = *kinds.entry(shape).or_insert(next);
        }
        Self { network, components }
    }

    pub(super) fn component(&self, c: usize) -> Option<&'a Component> {
        self.network.components().get(c)
    }

    /// Whether a component has a state with this number.
    pub(super) fn has_state(&self, c: usize, s: usize) -> bool {
        self.component(c).is_some_and(|component| s < component.states().len())
    }

    /// Whether a component, which is there, begins in this state.
    pub(super) fn is_initial(&self, c: usize, s: usize) -> bool {
        self.network.components()[c].initial().index() == s
    }

    pub(super) fn kind(&self, c: usize) -> usize {
        self.components[c].kind
    }

    /// How many rules use an event of a component.
    pub(super) fn uses(&self, c: usize, event: EventId) -> usize {
        self.components[c].uses[event.index()]
    }

    /// The moves of a component with an event: from, to.
    pub(super) fn moves(&self, c: usize, event: EventId) -> &[(usize, usize)] {
        &self.components[c].moves[event.index()]
    }

    /// The rules in which a component takes part, in increasing order.
    pub(super) fn rules(&self, c: usize) -> &[usize] {
        &self.components[c].rules
    }

    /// The rules in which at least one of some components takes part, in increasing order.
    pub(super) fn rules_of(&self, components: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut rules: Vec<usize> = components.flat_map(|c| self.rules(c)).copied().collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }
}

impl Uses {
    fn new(component: &Component) -> Self {
        let events = component.events().len();
        let mut moves = vec![Vec::new(); events];
        for from in 0..component.states().len() {
            for m in component.moves(StateId::new(from)) {
                moves[m.event.index()].push((from, m.to.index()));
            }
        }
        Self { moves, uses: vec![0; events], rules: Vec::new(), kind: 0 }
    }
}
