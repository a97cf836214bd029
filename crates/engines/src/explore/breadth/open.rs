//! Which states are in the next level, as far as this is remembered: what the queue proviso asks.
//!
//! *The proviso.* A state that is not expanded whole has a selected step to a state of a later level. Then no step is put off
//! for ever: it stays enabled along such steps, because they are independent of it, and levels end, so that it meets a state
//! that is expanded whole. (Bošnački and Holzmann, SPIN 2005, ask for a state in the queue. With several threads that is not
//! enough: two states of one level, expanded at the same time, would each find the other in the queue.) The argument knows
//! levels only, not who expanded what when.
//!
//! A state that was inserted just now is of the next level. One that was there may be: a table of numbers, one to a place,
//! remembers those that were inserted since the level began. What it forgets counts as old, which is always sound.

use std::sync::atomic::{AtomicU64, Ordering};

/// States of the next level.
#[derive(Debug)]
pub(in crate::explore) struct Open {
    /// The complements of numbers; no state has the number that zero is the complement of.
    places: Vec<AtomicU64>,
    /// A planted bug: the states of the level that is being expanded count as well, as in a queue.
    #[cfg(test)]
    expanded: Option<Vec<AtomicU64>>,
}

impl Open {
    pub(in crate::explore) fn new() -> Self {
        let mut open = Self {
            places: Vec::new(),
            #[cfg(test)]
            expanded: None,
        };
        // The initial state is inserted before a level begins.
        open.begin(1);
        open
    }

    /// Takes the states of the level that is being expanded for later ones.
    #[cfg(test)]
    pub(in crate::explore) fn flawed() -> Self {
        Self { expanded: Some(Vec::new()), ..Self::new() }
    }

    pub(super) fn bytes(&self) -> u64 {
        8 * self.places.capacity() as u64
    }

    /// A level with so many states begins.
    pub(super) fn begin(&mut self, states: usize) {
        let places = (2 * states).next_power_of_two().max(1 << 10);
        #[cfg(test)]
        if let Some(expanded) = &mut self.expanded {
            *expanded = std::mem::take(&mut self.places);
        }
        self.places.clear();
        self.places.extend(std::iter::repeat_with(AtomicU64::default).take(places));
    }

    pub(super) fn insert(&self, state: u64) {
        self.places[self.place(state)].store(!state, Ordering::Relaxed);
    }

    pub(super) fn contains(&self, state: u64) -> bool {
        #[cfg(test)]
        if self.expanded.as_ref().is_some_and(|e| e.iter().any(|place| place.load(Ordering::Relaxed) == !state)) {
            return true;
        }
        self.places[self.place(state)].load(Ordering::Relaxed) == !state
    }

    fn place(&self, state: u64) -> usize {
        (state.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.places.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_only_what_was_inserted_since_the_level_began() {
        let mut open = Open::new();
        open.begin(100);
        assert!((0..1000).all(|i| !open.contains(i)));
        (0..100).for_each(|i| open.insert(i << 32));
        assert!((0..100).filter(|i| open.contains(i << 32)).count() > 80);
        assert!((100..1000).all(|i| !open.contains(i << 32)));
        open.begin(1);
        assert!((0..1000).all(|i| !open.contains(i << 32)));
    }
}
