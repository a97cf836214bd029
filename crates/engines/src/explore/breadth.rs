//! Breadth-first search. The store numbers states in the order in which they are met, so it is its own queue.

use evidence::Reason;
use model::TransitionId;

use super::search::{End, Search, Sight};
use crate::store::{Inserted, StateIndex};

/// Of each state, the state from which it was met; the initial state is its own parent.
struct Parents(Vec<StateIndex>);

impl Parents {
    fn bytes(&self) -> u64 {
        4 * self.0.len() as u64
    }

    /// The run to a state.
    fn run(&self, search: &Search<'_>, mut state: StateIndex) -> Vec<TransitionId> {
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

pub(super) fn run(search: &mut Search<'_>) -> Result<End, Reason> {
    let system = search.system;
    let mut parents = Parents(vec![0]);
    let mut state = system.initial_state();
    let mut next = vec![0; system.words()];
    search.insert(&state, 0)?;
    look(search, &parents, 0, &state, 0);
    let (mut cursor, mut level, mut level_end) = (0usize, 0u64, 1usize);
    while cursor < search.store.len() {
        if cursor == level_end {
            (level, level_end) = (level + 1, search.store.len());
            search.depth = level;
        }
        if search.may_stop(level) {
            return Ok(End::Stopped);
        }
        search.tick((search.store.len() - cursor) as u64, parents.bytes())?;
        let here = cursor as StateIndex;
        state.copy_from_slice(search.store.get(here));
        let mut stuck = true;
        for enabled in system.enabled(&state) {
            stuck = false;
            let fired = enabled.and_then(|t| system.fire(t, &state, &mut next).map_err(|f| (t, f)));
            if let Err((t, _)) = fired {
                found(search, &parents, Sight::Fault, here, Some(t), level + 1);
                continue;
            }
            search.transitions += 1;
            if let Inserted::New(index) = search.insert(&next, parents.bytes())? {
                parents.0.push(here);
                look(search, &parents, index, &next, level + 1);
            }
        }
        if stuck && search.standstill(&state) {
            found(search, &parents, Sight::Answer, here, None, level);
        }
        cursor += 1;
    }
    Ok(End::Complete)
}

/// Asks the question of a new state.
#[inline]
fn look(search: &mut Search<'_>, parents: &Parents, index: StateIndex, state: &[u64], level: u64) {
    match search.is_answer(state) {
        Ok(false) => {}
        Ok(true) => found(search, parents, Sight::Answer, index, None, level),
        Err(_) => found(search, parents, Sight::Fault, index, None, level),
    }
}

/// Keeps the run to a state, and perhaps one more transition, of `length` steps in all.
#[cold]
fn found(
    search: &mut Search<'_>,
    parents: &Parents,
    sight: Sight,
    state: StateIndex,
    last: Option<TransitionId>,
    length: u64,
) {
    if search.wants(sight, length) {
        let mut run = parents.run(search, state);
        run.extend(last);
        search.keep(sight, run);
    }
}
