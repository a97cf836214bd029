//! Naive searches over a system and its views, and their comparison state by state.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Debug;

use model::views::{Marking, StateId};
use model::{Limits, Net, Network, System, TransitionId};

/// The steps of a state: what fires, and where it leads, if it is no fault.
pub(crate) type Steps<S> = Vec<(TransitionId, Option<S>)>;

/// Something with states and steps.
pub(crate) trait Graph {
    type State: Clone + Ord + Debug;
    fn initial(&self) -> Self::State;
    /// In increasing order; a fault of a transition is given once.
    fn steps(&self, state: &Self::State) -> Steps<Self::State>;
    fn at_end(&self, state: &Self::State) -> bool;
}

/// A view: each state of the system corresponds to one of it.
pub(crate) trait View: Graph {
    fn state_of(&self, system: &System, packed: &[u64]) -> Option<Self::State>;
}

impl Graph for System {
    type State = Vec<u64>;

    fn initial(&self) -> Vec<u64> {
        self.initial_state()
    }

    fn steps(&self, state: &Vec<u64>) -> Steps<Vec<u64>> {
        let mut out = Vec::new();
        for t in self.transition_ids() {
            let mut next = state.clone();
            match self.is_enabled(t, state) {
                Ok(false) => {}
                Ok(true) => out.push((t, self.fire(t, state, &mut next).is_ok().then_some(next))),
                Err(_) => out.push((t, None)),
            }
        }
        out
    }

    fn at_end(&self, state: &Vec<u64>) -> bool {
        System::at_end(self, state)
    }
}

fn tidy<S: Ord>(mut steps: Steps<S>) -> Steps<S> {
    steps.sort();
    let (faults, mut proper): (Steps<S>, Steps<S>) = steps.into_iter().partition(|(_, next)| next.is_none());
    proper.extend(faults.into_iter().map(|(t, _)| t).collect::<BTreeSet<_>>().into_iter().map(|t| (t, None)));
    proper.sort();
    proper
}

impl Graph for Network {
    type State = Vec<StateId>;

    fn initial(&self) -> Vec<StateId> {
        self.initial_state()
    }

    fn steps(&self, state: &Vec<StateId>) -> Steps<Vec<StateId>> {
        let mut out = Vec::new();
        for r in self.rule_ids() {
            let t = self.rule(r).transition.unwrap_or(TransitionId(r.0));
            assert_eq!(self.is_enabled(r, state), !self.successors(r, state).is_empty());
            for next in self.successors(r, state) {
                assert!(!self.rule(r).fault || next == *state, "a fault changes nothing");
                out.push((t, (!self.rule(r).fault).then_some(next)));
            }
        }
        tidy(out)
    }

    fn at_end(&self, state: &Vec<StateId>) -> bool {
        Network::at_end(self, state)
    }
}

impl View for Network {
    fn state_of(&self, system: &System, packed: &[u64]) -> Option<Vec<StateId>> {
        Network::state_of(self, system, packed)
    }
}

impl Graph for Net {
    type State = Marking;

    fn initial(&self) -> Marking {
        self.initial_marking()
    }

    fn steps(&self, marking: &Marking) -> Steps<Marking> {
        let mut out = Vec::new();
        for n in self.transition_ids().filter(|&n| self.is_enabled(n, marking)) {
            let (transition, next) = (self.transition(n), self.fire(n, marking));
            assert!(!transition.fault || next == *marking, "a fault changes nothing");
            out.push((transition.transition.unwrap_or(TransitionId(n.0)), (!transition.fault).then_some(next)));
        }
        tidy(out)
    }

    fn at_end(&self, marking: &Marking) -> bool {
        Net::at_end(self, marking)
    }
}

impl View for Net {
    fn state_of(&self, system: &System, packed: &[u64]) -> Option<Marking> {
        self.marking_of(system, packed)
    }
}

/// The size of a state space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) states: usize,
    pub(crate) transitions: usize,
    pub(crate) deadlocks: usize,
    pub(crate) faults: usize,
}

/// The reachable states with their steps, breadth first, at most `cap` of them.
pub(crate) fn search<G: Graph>(graph: &G, cap: usize) -> BTreeMap<G::State, Steps<G::State>> {
    let mut found = BTreeMap::new();
    let mut queue = VecDeque::from([graph.initial()]);
    let mut seen = BTreeSet::from([graph.initial()]);
    while let Some(state) = queue.pop_front() {
        let steps = graph.steps(&state);
        for next in steps.iter().filter_map(|(_, next)| next.clone()) {
            if seen.len() < cap && seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
        found.insert(state, steps);
    }
    found
}

pub(crate) fn count<G: Graph>(graph: &G) -> Counts {
    let mut counts = Counts::default();
    for (state, steps) in search(graph, 1 << 20) {
        counts.states += 1;
        counts.transitions += steps.iter().filter(|(_, next)| next.is_some()).count();
        counts.faults += steps.iter().filter(|(_, next)| next.is_none()).count();
        counts.deadlocks += usize::from(steps.is_empty() && !graph.at_end(&state));
    }
    counts
}

/// Compares a system with a view: the initial states correspond, and in each of the first `cap` states the same
/// transitions lead to corresponding states or are faults. So the reachable parts correspond too.
pub(crate) fn compare<V: View>(system: &System, view: &V, cap: usize) -> Result<(), String> {
    let map = |s: &Vec<u64>| view.state_of(system, s).ok_or_else(|| format!("{s:?} has no counterpart"));
    if map(&system.initial_state())? != view.initial() {
        return Err("the initial states differ".to_owned());
    }
    let mut counterparts = BTreeSet::new();
    for (state, steps) in search(system, cap) {
        let mut expected = Vec::new();
        for (t, next) in &steps {
            expected.push((*t, next.as_ref().map(map).transpose()?));
        }
        expected.sort();
        let here = map(&state)?;
        let actual = view.steps(&here);
        if actual != expected {
            return Err(format!("in {here:?}: expected {expected:?}, found {actual:?}"));
        }
        if actual.is_empty() && System::at_end(system, &state) != view.at_end(&here) {
            return Err(format!("{here:?} is an end in one of them only"));
        }
        if !counterparts.insert(here) {
            return Err("two states have one counterpart".to_owned());
        }
    }
    Ok(())
}

/// The network of a system and the net of that network, both compared with it.
pub(crate) fn network(system: &System) -> Network {
    let network = system.network(&Limits::default()).expect("the network can be built");
    compare(system, &network, 2000).unwrap_or_else(|e| panic!("network of {}: {e}", system.name()));
    let net = network.net(&Limits::default()).expect("the net can be built");
    compare(system, &net, 2000).unwrap_or_else(|e| panic!("net of the network of {}: {e}", system.name()));
    network
}

/// The net of counters and locks, compared with its system.
pub(crate) fn token_net(system: &System) -> Net {
    let net = system.net(&Limits::default()).expect("the net can be built");
    compare(system, &net, 2000).unwrap_or_else(|e| panic!("net of {}: {e}", system.name()));
    net
}
