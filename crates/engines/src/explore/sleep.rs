//! The sleep sets that are stored with states: each different set once.

use std::collections::HashMap;

use model::TransitionId;

use crate::store::StateIndex;

/// Of each stored state, the transitions that were left out and need not be explored from it.
#[derive(Debug, Default)]
pub(super) struct SleepSets {
    /// By state, the number of its set plus one; zero, and for states beyond the end nothing, for the empty set. A
    /// search without sleep sets therefore keeps nothing.
    of: Vec<u32>,
    sets: Vec<Box<[TransitionId]>>,
    numbers: HashMap<Box<[TransitionId]>, u32>,
    bytes: u64,
}

impl SleepSets {
    /// Remembers the set of a state, sorted.
    pub(super) fn store(&mut self, state: StateIndex, set: &[TransitionId]) {
        let number = match set.is_empty() {
            true => 0,
            false => self.numbers.get(set).copied().unwrap_or_else(|| self.add(set)),
        };
        if number != 0 && self.of.len() <= state as usize {
            self.of.resize(state as usize + 1, 0);
        }
        if let Some(stored) = self.of.get_mut(state as usize) {
            *stored = number;
        }
    }

    fn add(&mut self, set: &[TransitionId]) -> u32 {
        self.sets.push(set.into());
        let number = u32::try_from(self.sets.len()).expect("there are fewer sets than states");
        self.numbers.insert(set.into(), number);
        self.bytes += 2 * (4 * set.len() as u64 + 32);
        number
    }

    pub(super) fn get(&self, state: StateIndex) -> &[TransitionId] {
        match self.of.get(state as usize) {
            None | Some(0) => &[],
            Some(number) => &self.sets[*number as usize - 1],
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        4 * self.of.len() as u64 + self.bytes
    }
}
