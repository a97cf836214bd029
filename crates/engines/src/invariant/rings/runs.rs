//! Runs state by state: through rings towards the suspects, or back through layers to an initial state. Single states
//! are not sets: steps are those of the network, and only membership is asked of diagrams.

use std::collections::HashMap;

use model::views::{ComponentId, EventId, Network, RuleId, StateId};
use solve::bdd::Bdd;

use crate::diagrams::Space;
use crate::question::Run;

/// A way from a state of the last ring into the first.
pub(super) fn inwards(space: &Space<'_>, onion: &[Bdd], from: &[StateId]) -> Run {
    let network = space.network();
    let mut run = Run::new();
    let mut state = from.to_vec();
    for ring in onion.iter().rev().skip(1) {
        let steps =
            network.rule_ids().flat_map(|rule| network.successors(rule, &state).into_iter().map(move |s| (rule, s)));
        let (rule, next) =
            steps.into_iter().find(|(_, s)| space.contains(ring, s)).expect("a step leads to the next ring");
        state.clone_from(&next);
        run.push((rule, next));
    }
    run
}

/// The moves of components against their direction.
#[derive(Debug)]
pub(super) struct Sources<'a> {
    network: &'a Network,
    sources: HashMap<(ComponentId, EventId, StateId), Vec<StateId>>,
}

impl<'a> Sources<'a> {
    pub(super) fn new(network: &'a Network) -> Self {
        let mut sources: HashMap<_, Vec<StateId>> = HashMap::new();
        for c in network.component_ids() {
            let component = network.component(c);
            for from in (0..component.states().len()).map(StateId::new) {
                for m in component.moves(from) {
                    sources.entry((c, m.event, m.to)).or_default().push(from);
                }
            }
        }
        Self { network, sources }
    }

    /// A way from the first layer to a state of the last, and where it begins.
    pub(super) fn outwards(&self, space: &Space<'_>, layers: &[Bdd], to: &[StateId]) -> (Vec<StateId>, Run) {
        let mut run = Run::new();
        let mut state = to.to_vec();
        for layer in layers.iter().rev().skip(1) {
            let mut steps = self
                .network
                .rule_ids()
                .filter(|&rule| !self.network.rule(rule).fault)
                .flat_map(|rule| self.before(rule, &state).into_iter().map(move |s| (rule, s)));
            let (rule, from) =
                steps.find(|(_, s)| space.contains(layer, s)).expect("a step leads here from the layer before");
            drop(steps);
            run.push((rule, std::mem::replace(&mut state, from)));
        }
        run.reverse();
        (state, run)
    }

    /// The states from which a rule leads to a state.
    fn before(&self, rule: RuleId, state: &[StateId]) -> Vec<Vec<StateId>> {
        let mut all = vec![state.to_vec()];
        for &(c, event) in &self.network.rule(rule).participants {
            let Some(sources) = self.sources.get(&(c, event, state[c.index()])) else { return Vec::new() };
            let with = |from: &StateId, state: &Vec<StateId>| {
                let mut state = state.clone();
                state[c.index()] = *from;
                state
            };
            all = all.iter().flat_map(|state| sources.iter().map(move |from| with(from, state))).collect();
        }
        all
    }
}
