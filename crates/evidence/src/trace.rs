//! Runs of a system, as the transitions that they take.

use model::TransitionId;

/// A run from the initial state: the transitions of the original system, in order, then perhaps a cycle for ever.
///
/// A trace claims nothing: only `check::replay` turns it into something that may be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The transitions up to the end, or up to the cycle.
    pub stem: Vec<TransitionId>,
    /// The transitions that repeat; empty for a finite run.
    pub cycle: Vec<TransitionId>,
}

impl Trace {
    /// A finite run.
    pub fn finite(stem: Vec<TransitionId>) -> Self {
        Self { stem, cycle: Vec::new() }
    }

    /// The number of its steps, those that repeat counted once.
    pub fn steps(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// The step of this number, from 0; the cycle follows the stem.
    pub fn step(&self, number: usize) -> TransitionId {
        self.stem.get(number).copied().unwrap_or_else(|| self.cycle[number - self.stem.len()])
    }
}
