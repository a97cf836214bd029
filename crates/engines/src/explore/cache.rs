//! State-space caching (section 8.4 of Godefroid's thesis): at most so many states are kept besides those on the stack,
//! which are always kept, so that the search ends.
//!
//! *Replacement*: a state chosen at random among those that are not on the stack makes room for the new one. The choices
//! are the same in every run.

use crate::store::StateIndex;

/// Which states may go.
#[derive(Debug)]
pub(super) struct Cache {
    /// The most states besides those on the stack.
    size: u64,
    /// The states that were left.
    left: Vec<StateIndex>,
    /// By state, whether it is in `left`.
    waits: Vec<bool>,
    random: u64,
}

impl Cache {
    pub(super) fn new(size: u64) -> Self {
        Self { size, left: Vec::new(), waits: Vec::new(), random: 1 }
    }

    /// Takes note that a state is no longer on the stack.
    pub(super) fn leave(&mut self, state: StateIndex) {
        let index = state as usize;
        if self.waits.len() <= index {
            self.waits.resize(index + 1, false);
        }
        if !std::mem::replace(&mut self.waits[index], true) {
            self.left.push(state);
        }
    }

    /// The state that is to make room for a new one, with `idle` states in the store that are not on the stack.
    pub(super) fn victim(&mut self, idle: u64, is_on_stack: impl Fn(StateIndex) -> bool) -> Option<StateIndex> {
        while idle >= self.size && !self.left.is_empty() {
            let place = self.place();
            let state = self.left.swap_remove(place);
            self.waits[state as usize] = false;
            if !is_on_stack(state) {
                return Some(state);
            }
        }
        None
    }

    /// A random place in `left`: a linear congruential generator, of which the upper half is good enough.
    fn place(&mut self) -> usize {
        self.random = self.random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.random >> 32) as usize % self.left.len()
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
        (cleared > self.size && percent >= 10).then(|| {
            format!(
                "the cache of {} states seems too small to help: {percent} % of the transitions led to states that were \
                 still stored, so many of the {cleared} states that were cleared have probably been explored again; a \
                 larger cache, or sleep sets, would help",
                self.size
            )
        })
    }
}
