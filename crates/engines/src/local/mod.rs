//! Local analysis.

mod guided;
mod projection;
mod refine;

use evidence::Goal;
use model::views::StateId;

/// A state of a network that local analysis cannot exclude.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What it is a candidate for.
    pub goal: Goal,
    /// One state for each component.
    pub states: Vec<StateId>,
}
