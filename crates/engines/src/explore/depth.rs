//! Depth-first search, in true depth-first order: a state's transitions are taken one by one, in order, each explored to
//! the end before the next. A stack entry is a state's number and the last transition taken from it: 8 bytes.

use evidence::Reason;
use model::TransitionId;

use super::search::{End, Search};
use crate::store::{Inserted, StateIndex, hash};

#[derive(Clone, Copy)]
struct Frame {
    state: StateIndex,
    /// The last transition that was tried from the state; `NONE` at first.
    last: TransitionId,
}

const NONE: TransitionId = TransitionId(u32::MAX);

/// Adds a frame; the stack grows by an eighth, not to the double: it can be as long as there are states.
fn push(stack: &mut Vec<Frame>, state: StateIndex) {
    if stack.len() == stack.capacity() {
        stack.reserve_exact((stack.len() / 8).max(1024));
    }
    stack.push(Frame { state, last: NONE });
}

/// What the next step of the search is.
enum Next {
    /// To a new state.
    Down(StateIndex),
    /// On with the same state.
    Again,
    /// Back: no transition is left.
    Up,
}

pub(super) fn run(search: &mut Search<'_>) -> Result<End, Reason> {
    let system = search.system;
    let mut state = system.initial_state();
    let mut next = vec![0; system.words()];
    let mut stack = Vec::new();
    push(&mut stack, 0);
    search.insert(&state, hash(&state), 0)?;
    search.look(&state, 0, |_| Vec::new());
    while let Some(&frame) = stack.last() {
        if search.may_stop() {
            return Ok(End::Stopped);
        }
        search.tick(1, stack.len() as u64, 8 * stack.capacity() as u64)?;
        match step(search, &mut stack, frame, &state, &mut next)? {
            Next::Again => {}
            Next::Down(index) => {
                push(&mut stack, index);
                search.depth = search.depth.max(stack.len() as u64 - 1);
                std::mem::swap(&mut state, &mut next);
                search.look(&state, stack.len() as u64 - 1, |_| run_along(&stack));
            }
            Next::Up => {
                stack.pop();
                if let Some(frame) = stack.last() {
                    state.copy_from_slice(search.store.get(frame.state));
                }
            }
        }
    }
    Ok(End::Complete)
}

/// Takes the transitions of the topmost state until one leads to a new state, is a fault, or none is left.
fn step(
    search: &mut Search<'_>,
    stack: &mut [Frame],
    frame: Frame,
    state: &[u64],
    next: &mut [u64],
) -> Result<Next, Reason> {
    let system = search.system;
    let top = stack.len() - 1;
    let enabled = match frame.last {
        NONE => system.enabled(state),
        t => system.enabled_after(t, state),
    };
    for enabled in enabled {
        let fired = enabled.and_then(|t| system.fire(t, state, next).map(|()| t).map_err(|f| (t, f)));
        match fired {
            Err((t, _)) => {
                stack[top].last = t;
                search.error(t, stack.len() as u64, |_| run_along(stack));
                return Ok(Next::Again);
            }
            Ok(t) => {
                stack[top].last = t;
                search.fired(t);
                if let Err(wrong) = search.pass(next) {
                    search.error(wrong, stack.len() as u64, |_| run_along(stack));
                    return Ok(Next::Again);
                }
                if let Inserted::New(index) = search.insert(next, hash(next), 8 * stack.len() as u64)? {
                    return Ok(Next::Down(index));
                }
            }
        }
    }
    if stack[top].last == NONE {
        search.standstill(state, top as u64, |_| run_along(stack));
    }
    Ok(Next::Up)
}

/// The run along the stack, its last transition included.
fn run_along(stack: &[Frame]) -> Vec<TransitionId> {
    stack.iter().map(|f| f.last).filter(|t| *t != NONE).collect()
}
