//! Runs state by state through nested sets, each of which is one step larger than the one before: towards the suspects,
//! or back to an initial state. Single states are not treated as sets: steps are those of the network, and only
//! membership is asked of diagrams.

use std::collections::HashMap;

use model::views::{ComponentId, EventId, Network, RuleId, StateId};
use solve::bdd::Bdd;

use crate::diagrams::{Space, Stop};
use crate::question::Run;

/// How many steps are compared to find one that leads far.
const LOOKED_AT: usize = 64;

/// A step of a run: the rule, and the state on its other side.
type Step = (RuleId, Vec<StateId>);

/// Steps of single states.
#[derive(Debug)]
pub(super) struct Steps<'s, 'a> {
    space: &'s Space<'a>,
    network: &'a Network,
    /// By component, event and state entered, the states left.
    sources: HashMap<(ComponentId, EventId, StateId), Vec<StateId>>,
}

impl<'s, 'a> Steps<'s, 'a> {
    pub(super) fn new(space: &'s Space<'a>) -> Self {
        let network = space.network();
        let mut sources: HashMap<_, Vec<StateId>> = HashMap::new();
        for c in network.component_ids() {
            let component = network.component(c);
            for from in (0..component.states().len()).map(StateId::new) {
                for m in component.moves(from) {
                    sources.entry((c, m.event, m.to)).or_default().push(from);
                }
            }
        }
        Self { space, network, sources }
    }

    /// A way from a state of the last set into the first.
    pub(super) fn inwards(&self, nested: &[Bdd], from: &[StateId]) -> Result<Run, Stop> {
        let mut run = Run::new();
        let (mut state, mut at) = (from.to_vec(), self.depth(nested, from));
        while at > 0 {
            self.space.check()?;
            let (depth, (rule, next)) = self.nearest(nested, at, |rule| self.network.successors(rule, &state));
            state.clone_from(&next);
            at = depth;
            run.push((rule, next));
        }
        Ok(run)
    }

    /// A way from a state of the first set to one of the last, and where it begins.
    pub(super) fn outwards(&self, nested: &[Bdd], to: &[StateId]) -> Result<(Vec<StateId>, Run), Stop> {
        let mut run = Run::new();
        let (mut state, mut at) = (to.to_vec(), self.depth(nested, to));
        while at > 0 {
            self.space.check()?;
            let (depth, (rule, from)) = self.nearest(nested, at, |rule| self.predecessors(rule, &state));
            at = depth;
            run.push((rule, std::mem::replace(&mut state, from)));
        }
        run.reverse();
        Ok((state, run))
    }

    /// The first of the sets that has the state.
    fn depth(&self, nested: &[Bdd], state: &[StateId]) -> usize {
        nested.partition_point(|set| !self.space.contains(set, state))
    }

    /// A step to where few sets are left: the best of those that are met first.
    fn nearest(&self, nested: &[Bdd], at: usize, steps: impl Fn(RuleId) -> Vec<Vec<StateId>>) -> (usize, Step) {
        let rules = self.network.rule_ids().filter(|&rule| !self.network.rule(rule).fault);
        let all = rules.flat_map(|rule| steps(rule).into_iter().map(move |state| (rule, state)));
        let inside = all.filter(|(_, state)| self.space.contains(&nested[at - 1], state));
        let depths = inside.take(LOOKED_AT).map(|step| (self.depth(nested, &step.1), step));
        depths.min_by_key(|(depth, _)| *depth).expect("a step leads on from every state")
    }

    /// The states from which a rule leads to a state.
    fn predecessors(&self, rule: RuleId, state: &[StateId]) -> Vec<Vec<StateId>> {
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
