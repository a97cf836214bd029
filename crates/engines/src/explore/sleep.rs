//! The sleep sets that are stored with states: each different set once.

use std::collections::HashMap;

use model::TransitionId;

use crate::store::StateIndex;

/// Of each stored state, the transitions that were left out and need not be explored from it.
#[derive(Debug, Default)]
pub(super) struct SleepSets {
    /// By state.
    of: Vec<u32>,
    sets: Vec<Box<[TransitionId]>>,
    numbers: HashMap<Box<[TransitionId]>, u32>,
    bytes: u64,
}

impl SleepSets {
    /// Remembers the set of a state, sorted; a new state is the next one.
    pub(super) fn store(&mut self, state: StateIndex, set: &[TransitionId]) {
        let number = match self.numbers.get(set) {
            Some(&number) => number,
            None => self.add(set),
        };
        match self.of.get_mut(state as usize) {
            Some(stored) => *stored = number,
            None => self.of.push(number),
        }
    }

    fn add(&mut self, set: &[TransitionId]) -> u32 {
        let number = u32::try_from(self.sets.len()).expect("there are fewer sets than states");
        self.sets.push(set.into());
        self.numbers.insert(set.into(), number);
        self.bytes += 2 * (4 * set.len() as u64 + 32);
        number
    }

    pub(super) fn get(&self, state: StateIndex) -> &[TransitionId] {
        &self.sets[self.of[state as usize] as usize]
    }

    pub(super) fn bytes(&self) -> u64 {
        4 * self.of.len() as u64 + self.bytes
    }
}
