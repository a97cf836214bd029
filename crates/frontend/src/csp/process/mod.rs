//! Processes: terms, what they can do, and the network that a term stands for.
//!
//! Nothing here knows the syntax of CSPm: a named process is a [`CallId`] that a [`World`] unfolds.

mod automaton;
mod event;
mod explore;
mod moves;
mod names;
mod network;
mod normal;
mod parallel;
mod prune;
mod store;
mod structure;
mod term;
mod vectors;

use std::time::Instant;

use model::Span;

use crate::Diagnostic;

pub(crate) use event::{Event, RelationId, SetId};
pub(crate) use explore::{Subject, explore};
pub(crate) use network::network;
pub use normal::Specification;
pub(crate) use normal::normal;
pub(crate) use store::Store;
pub(crate) use term::{CallId, Sync, Term, TermId};

/// The largest sizes of what is made of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// States of one component, or of a specification.
    pub states: usize,
    /// Moves of one component, or of a specification.
    pub moves: usize,
    /// Participants of all rules together.
    pub participants: usize,
    /// Components.
    pub components: usize,
    /// When to give up.
    pub deadline: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { states: 2_000_000, moves: 20_000_000, participants: 50_000_000, components: 1_000_000, deadline: None }
    }
}

impl Limits {
    /// Refuses to go on after the deadline.
    pub(crate) fn check_time(&self, span: Span) -> Checked<()> {
        if self.deadline.is_none_or(|deadline| Instant::now() < deadline) {
            return Ok(());
        }
        Err(Box::new(Diagnostic::error(span, "the time limit was reached while the process was compiled")))
    }
}

/// A result, or the one mistake that stands in the way.
pub(crate) type Checked<T> = Result<T, Box<Diagnostic>>;

/// Where terms live, and who knows the definitions.
pub(crate) trait World {
    /// The terms.
    fn store(&self) -> &Store;
    /// The terms, to add some.
    fn store_mut(&mut self) -> &mut Store;
    /// The body of a call.
    fn unfold(&mut self, call: CallId) -> Checked<TermId>;
    /// How a call is shown, if it has a name: `PHIL(0)`.
    fn name(&self, call: CallId) -> Option<String>;
    /// Where the called process is written.
    fn span(&self, call: CallId) -> Span;
}

#[cfg(test)]
mod tests;
