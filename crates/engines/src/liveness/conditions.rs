//! What the reduction relies on, by name: so that tests can take a condition out and see that answers become wrong.

use model::{Proposition, System};

use super::{Liveness, visible};
use crate::persistent::Dense;

/// A condition under which the reduction is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// The automaton is blind, and what is chosen does not depend on its guesses (Siegel 2019).
    Blind,
    /// What is chosen stays enabled whatever others do, so that what it changes is seen in states that correspond (Neele,
    /// Valmari and Willemse 2020).
    #[cfg(test)]
    Labels,
    /// What is chosen is the same in both searches of a nested one, and on all threads.
    #[cfg(test)]
    Alike,
    /// Where a cycle closes nothing visible is put off.
    Proviso,
}

impl Liveness {
    /// Whether a condition is kept: always, but for tests that take it out.
    pub(super) fn keeps(&self, condition: Condition) -> bool {
        #[cfg(test)]
        if self.without == Some(condition) {
            return false;
        }
        let _ = condition;
        true
    }

    /// The transitions that may change the truth of a proposition; `None` if any step may.
    pub(super) fn seen_by(&self, system: &System, proposition: &Proposition) -> Option<Dense> {
        #[cfg(test)]
        if !self.keeps(Condition::Labels) {
            return Some(super::flawed::seen_to_change(system, proposition));
        }
        visible::seen_by(system, proposition)
    }
}
