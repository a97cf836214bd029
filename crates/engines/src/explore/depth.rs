//! Depth-first search, in true depth-first order: a state's transitions are taken one by one, in order, each explored to
//! the end before the next. A stack entry is a state's number and the last transition taken from it: 8 bytes.

use evidence::Reason;
use model::{State, TransitionId};

use super::passing::Block;
use super::pending::{Pending, Step};
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
    let mut pending = Pending::new(system.words());
    let mut stack = Vec::new();
    push(&mut stack, 0);
    search.insert(&state, hash(&state), 0)?;
    search.look(&state, 0, |_| Vec::new());
    while let Some(&frame) = stack.last() {
        // Any run will do: in this order a shortest one is not promised.
        if search.may_stop(u64::MAX) {
            return Ok(End::Stopped);
        }
        search.tick(1, stack.len() as u64, 8 * stack.capacity() as u64 + pending.bytes())?;
        let step = match frame.last {
            NONE => first(search, &mut stack, &state, &mut next)?,
            last => {
                let top = stack.len() - 1;
                if !pending.has(top) {
                    state.copy_from_slice(search.store.get(frame.state));
                    let hashes = pending.make(search, (top, &state), system.enabled_after(last, &state));
                    search.store.warm(hashes);
                }
                others(search, &mut stack, &mut next, &mut pending)?
            }
        };
        match step {
            Next::Again => {}
            Next::Down(index) => {
                push(&mut stack, index);
                search.depth = search.depth.max(stack.len() as u64 - 1);
                std::mem::swap(&mut state, &mut next);
                search.look(&state, stack.len() as u64 - 1, |_| run_along(&stack));
            }
            Next::Up => {
                stack.pop();
            }
        }
    }
    Ok(End::Complete)
}

/// Takes the first transition of the topmost state.
fn first(search: &mut Search<'_>, stack: &mut [Frame], state: &State, next: &mut State) -> Result<Next, Reason> {
    match search.system.enabled(state).next() {
        None => {
            search.standstill(state, stack.len() as u64 - 1, |_| run_along(stack));
            Ok(Next::Up)
        }
        Some(candidate) => {
            let mut block = Block::begun(candidate);
            search.make(&mut block, state, next);
            match block.wrong {
                None => take(search, stack, block, (next, hash(next))),
                Some(_) => Ok(fail(search, stack, block)),
            }
        }
    }
}

/// Takes the other transitions until one leads to a new state, or is a model error, or none is left.
fn others(
    search: &mut Search<'_>,
    stack: &mut [Frame],
    next: &mut State,
    pending: &mut Pending,
) -> Result<Next, Reason> {
    while let Some(step) = pending.next() {
        match step {
            Step::Error(block) => return Ok(fail(search, stack, block)),
            Step::State(block, successor, hash) => {
                if let Next::Down(index) = take(search, stack, block, (successor, hash))? {
                    next.copy_from_slice(successor);
                    return Ok(Next::Down(index));
                }
            }
        }
    }
    Ok(Next::Up)
}

/// Takes a step from the topmost state to its successor.
#[inline]
fn take(search: &mut Search<'_>, stack: &mut [Frame], block: Block, next: (&State, u64)) -> Result<Next, Reason> {
    let top = stack.len() - 1;
    stack[top].last = block.first;
    search.count(&block);
    Ok(match search.insert(next.0, next.1, 8 * stack.len() as u64)? {
        Inserted::New(index) => Next::Down(index),
        Inserted::Old(_) => Next::Again,
    })
}

/// Takes a step from the topmost state that ends in a model error.
#[cold]
fn fail(search: &mut Search<'_>, stack: &mut [Frame], block: Block) -> Next {
    let top = stack.len() - 1;
    stack[top].last = block.first;
    search.count(&block);
    search.error(block.wrong.expect("the step is a model error"), stack.len() as u64, |_| run_along(stack));
    Next::Again
}

/// The run along the stack, its last transition included.
fn run_along(stack: &[Frame]) -> Vec<TransitionId> {
    stack.iter().map(|f| f.last).filter(|t| *t != NONE).collect()
}
