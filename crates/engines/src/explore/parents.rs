//! How stored states were met, so that the run to one can be told.

use model::TransitionId;

use super::search::Search;
use crate::store::StateIndex;

/// Of each state, the state from which it was met; the initial state is its own parent.
pub(super) struct Parents(pub(super) Vec<StateIndex>);

impl Parents {
    pub(super) fn bytes(&self) -> u64 {
        4 * self.0.capacity() as u64
    }

    /// A run to a state.
    pub(super) fn run(&self, search: &Search<'_>, mut state: StateIndex) -> Vec<TransitionId> {
        let mut run = Vec::new();
        while state != 0 {
            let parent = self.0[state as usize];
            run.push(search.step_between(parent, state));
            state = parent;
        }
        run.reverse();
        run
    }
}
