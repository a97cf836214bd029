//! State-space caching (section 8.4 of Godefroid's thesis): at most so many states are kept besides those on the stack,
//! which are always kept, so that the search ends.
//!
//! *Replacement*: the state that was left first, among those that are not on the stack, makes room for the new one. A
//! state that is visited again joins the end of the queue when it is left again.

use std::collections::VecDeque;

use crate::store::StateIndex;

/// Which states may go, oldest first.
#[derive(Debug)]
pub(super) struct Cache {
    /// The most states besides those on the stack.
    size: u64,
    left: VecDeque<StateIndex>,
    /// By state, whether it is in `left`.
    waits: Vec<bool>,
}

impl Cache {
    pub(super) fn new(size: u64) -> Self {
        Self { size, left: VecDeque::new(), waits: Vec::new() }
    }

    /// Takes note that a state is no longer on the stack.
    pub(super) fn leave(&mut self, state: StateIndex) {
        let index = state as usize;
        if self.waits.len() <= index {
            self.waits.resize(index + 1, false);
        }
        if !std::mem::replace(&mut self.waits[index], true) {
            self.left.push_back(state);
        }
    }

    /// The state that is to make room for a new one, with `idle` states in the store that are not on the stack.
    pub(super) fn victim(&mut self, idle: u64, is_on_stack: impl Fn(StateIndex) -> bool) -> Option<StateIndex> {
        if idle < self.size {
            return None;
        }
        while let Some(state) = self.left.pop_front() {
            self.waits[state as usize] = false;
            if !is_on_stack(state) {
                return Some(state);
            }
        }
        None
    }

    pub(super) fn bytes(&self) -> u64 {
        (4 * self.left.capacity() + self.waits.len()) as u64
    }

    /// After how many cleared states the cache is judged.
    pub(super) fn patience(&self) -> u64 {
        (4 * self.size).max(100_000)
    }

    /// What to tell the user if the cache seems too small to help: where many transitions lead to states that are
    /// stored, as many in proportion led to states that were removed, and were explored again.
    pub(super) fn warning(&self, cleared: u64, matched: u64, transitions: u64) -> Option<String> {
        let percent = 100 * matched / transitions.max(1);
        (cleared > 0 && percent >= 10).then(|| {
            format!(
                "the cache of {} states seems too small to help: {percent} % of the transitions led to states that were \
                 still stored, so many of the {cleared} states that were cleared have been explored again; a larger \
                 cache, or sleep sets, would help",
                self.size
            )
        })
    }
}
