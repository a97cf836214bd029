//! A replayed run.

use std::borrow::Cow;

use evidence::Trace;
use model::{ProcessId, System};

use crate::replay::Finding;
use crate::runs::states;

/// A trace that was replayed, with the states that it goes through.
#[derive(Clone, Debug)]
pub struct CheckedTrace<'a> {
    pub(crate) system: Cow<'a, System>,
    pub(crate) trace: Trace,
    pub(crate) fired: usize,
    pub(crate) last: Vec<u64>,
    pub(crate) finding: Finding,
    pub(crate) movers: Vec<ProcessId>,
}

impl CheckedTrace<'_> {
    /// The system that was replayed: the original one, with the property's observer if it has one.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The transitions.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// What the trace shows.
    pub fn finding(&self) -> Finding {
        self.finding
    }

    /// Of a partial deadlock, the processes that can still take a step; in a deadlock nobody can.
    pub fn movers(&self) -> &[ProcessId] {
        &self.movers
    }

    /// The number of transitions that fired: all, those of a cycle once, unless the last one is a model error. There is
    /// one more state.
    pub fn fired(&self) -> usize {
        self.fired
    }

    /// The last state.
    pub fn last(&self) -> &[u64] {
        &self.last
    }

    /// The states, the initial one first. Each is computed when it is asked for.
    pub fn states(&self) -> impl Iterator<Item = Vec<u64>> {
        states(&self.system, &self.trace, self.fired).map(|(_, state)| state)
    }
}
