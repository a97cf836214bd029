//! A run that was taken step by step.

use std::borrow::Cow;
use std::ops::Deref;

use evidence::Trace;
use model::{ProcessId, System};

use crate::replay::Finding;
use crate::runs::states;

/// A run that is possible, with the states that it goes through. It shows nothing else.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    pub(crate) system: Cow<'a, System>,
    pub(crate) trace: Trace,
    pub(crate) fired: usize,
    pub(crate) last: Vec<u64>,
}

/// A walk that was found to show something.
#[derive(Clone, Debug)]
pub struct CheckedTrace<'a> {
    pub(crate) walk: Walk<'a>,
    pub(crate) finding: Finding,
    pub(crate) movers: Vec<ProcessId>,
}

impl<'a> Deref for CheckedTrace<'a> {
    type Target = Walk<'a>;

    fn deref(&self) -> &Walk<'a> {
        &self.walk
    }
}

impl CheckedTrace<'_> {
    /// What the trace shows.
    pub fn finding(&self) -> Finding {
        self.finding
    }

    /// Of a partial deadlock, the processes that can still take a step; in a deadlock nobody can.
    pub fn movers(&self) -> &[ProcessId] {
        &self.movers
    }
}

impl Walk<'_> {
    /// The system that was walked: the original one, with the property's observer if it has one.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The transitions.
    pub fn trace(&self) -> &Trace {
        &self.trace
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
