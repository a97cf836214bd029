//! The executable semantics of `model` behind the interface of the oracle, and packed states as plain values.

use model::{Expr, Fault, LocationId, ProcessId, System, TransitionId};

use crate::naive::{Semantics, State, Step};

/// The packed and compiled semantics of a system.
#[derive(Clone, Copy, Debug)]
pub struct Packed<'a>(pub &'a System);

/// A packed state as plain values, read through the accessors of the system.
pub fn unpack(system: &System, state: &[u64]) -> State {
    State {
        locations: system.process_ids().map(|p| system.location(p, state)).collect(),
        values: system.object_ids().map(|o| system.value(o, state)).collect(),
        observer: system.observer_location(state),
        control: system.control(state),
    }
}

impl Semantics for Packed<'_> {
    type State = Vec<u64>;

    fn initial(&self) -> Vec<u64> {
        self.0.initial_state()
    }

    fn steps(&self, state: &Vec<u64>) -> Vec<Step<Vec<u64>>> {
        let fire = |t| {
            let mut next = vec![0; self.0.words()];
            self.0.fire(t, state, &mut next).map(|()| next)
        };
        let step = |enabled| match enabled {
            Ok(t) => (t, fire(t)),
            Err((t, fault)) => (t, Err(fault)),
        };
        self.0.enabled(state).map(step).collect()
    }

    fn at_end(&self, state: &Vec<u64>) -> bool {
        self.0.at_end(state)
    }

    fn holds(&self, predicate: &Expr, state: &Vec<u64>) -> Result<bool, Fault> {
        self.0.predicate(predicate).holds(self.0, state)
    }

    fn observer_location(&self, state: &Vec<u64>) -> Option<LocationId> {
        self.0.observer_location(state)
    }

    fn control(&self, state: &Vec<u64>) -> Option<ProcessId> {
        self.0.control(state)
    }

    fn label(&self, transition: TransitionId) -> &str {
        &self.0.transition(transition).label
    }

    fn moved(&self, transition: TransitionId) -> Vec<ProcessId> {
        self.0.transition(transition).moves.iter().map(|m| m.process).collect()
    }

    fn unfinished(&self, state: &Vec<u64>) -> Vec<ProcessId> {
        self.0.process_ids().filter(|p| !self.0.may_stop(*p, state)).collect()
    }
}
