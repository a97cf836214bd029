//! The set of visited states: exact, insert-only, numbered in the order of insertion.
//!
//! States stand one after the other in an arena; an open-addressing table of 32-bit entries finds them. An entry is the
//! state's number plus one in its low bits and, in the bits that the number does not need, a tag of the hash, so that
//! nearly all comparisons with other states are avoided. A state costs its own words plus 5 to 11 bytes.
//!
//! The table grows by being rebuilt from the arena: the old one is freed first, so growing needs no extra memory.

use evidence::{Budget, Reason};

/// A state's number: its position in the order of insertion.
pub(crate) type StateIndex = u32;

/// What became of a state that was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inserted {
    /// It was not there before.
    New(StateIndex),
    /// It was there.
    Old(StateIndex),
}

/// The set of visited states.
#[derive(Debug)]
pub(crate) struct Store {
    words: usize,
    arena: Vec<u64>,
    len: usize,
    table: Vec<u32>,
    /// `table.len() == 1 << log`.
    log: u32,
}

impl Store {
    const FIRST_LOG: u32 = 10;
    const MAX_LOG: u32 = 32;
    /// How many states are put into a new table at a time.
    const BATCH: usize = 32;

    pub(crate) fn new(words: usize) -> Self {
        let log = Self::FIRST_LOG;
        Self { words, arena: Vec::new(), len: 0, table: vec![0; 1 << log], log }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn get(&self, index: StateIndex) -> &[u64] {
        let at = index as usize * self.words;
        &self.arena[at..at + self.words]
    }

    pub(crate) fn bytes(&self) -> u64 {
        (8 * self.arena.capacity() + 4 * self.table.len()) as u64
    }

    /// Makes room for one more state, if the budget allows; `others` is the memory used elsewhere.
    #[inline]
    pub(crate) fn reserve(&mut self, others: u64, budget: &Budget) -> Result<(), Reason> {
        let full = self.arena.capacity() - self.arena.len() < self.words || self.len * 4 >= self.table.len() * 3;
        if full { self.make_room(others, budget) } else { Ok(()) }
    }

    #[cold]
    fn make_room(&mut self, others: u64, budget: &Budget) -> Result<(), Reason> {
        if self.arena.capacity() - self.arena.len() < self.words {
            // An eighth at a time: the system moves large blocks without copying, and little stays unused.
            let more = (self.arena.len() / 8).max(256 * self.words);
            budget.check_memory(self.bytes() + 8 * more as u64 + others)?;
            self.arena.reserve_exact(more);
        }
        if self.len * 4 >= self.table.len() * 3 {
            if self.log == Self::MAX_LOG {
                return Err(Reason::Memory);
            }
            budget.check_memory(self.bytes() + 4 * self.table.len() as u64 + others)?;
            self.grow();
        }
        Ok(())
    }

    fn grow(&mut self) {
        self.log += 1;
        self.table = Vec::new();
        self.table = vec![0; 1 << self.log];
        let mut hashes = [0; Self::BATCH];
        for first in (0..self.len).step_by(Self::BATCH) {
            let batch = Self::BATCH.min(self.len - first);
            for (hash, index) in hashes[..batch].iter_mut().zip(first..) {
                *hash = self::hash(self.get(index as StateIndex));
            }
            self.touch(&hashes[..batch]);
            for (&hash, index) in hashes[..batch].iter().zip(first..) {
                let mut slot = self.slot(hash);
                while self.table[slot] != 0 {
                    slot = (slot + 1) & (self.table.len() - 1);
                }
                self.table[slot] = self.entry(hash, index);
            }
        }
    }

    /// Brings the entries of some hashes into the cache: no load waits for another, nor for a branch.
    fn touch(&self, hashes: &[u64]) {
        std::hint::black_box(hashes.iter().fold(0, |sum, &hash| sum ^ self.table[self.slot(hash)]));
    }

    /// Adds a state with its hash; there must be room (see [`Store::reserve`]).
    #[inline]
    pub(crate) fn insert(&mut self, state: &[u64], hash: u64) -> Inserted {
        match self.probe(state, hash) {
            Ok(index) => Inserted::Old(index),
            Err(slot) => {
                let index = self.len;
                self.table[slot] = self.entry(hash, index);
                self.arena.extend_from_slice(state);
                self.len += 1;
                Inserted::New(index as StateIndex)
            }
        }
    }

    /// Puts a state that is not there in the place of another, whose number it takes.
    pub(crate) fn replace(&mut self, index: StateIndex, state: &[u64], hash: u64) {
        self.remove(index);
        let slot = self.probe(state, hash).expect_err("the state is not there");
        self.table[slot] = self.entry(hash, index as usize);
        let at = index as usize * self.words;
        self.arena[at..at + self.words].copy_from_slice(state);
    }

    /// Takes a state out of the table: the entries after it move up, so that all are still found.
    fn remove(&mut self, index: StateIndex) {
        let (mask, number) = (self.table.len() - 1, ((1u64 << self.log) - 1) as u32);
        let home = |store: &Self, entry: u32| store.slot(hash(store.get((entry & number) - 1)));
        let mut hole = self.slot(hash(self.get(index)));
        while self.table[hole] & number != index + 1 {
            hole = (hole + 1) & mask;
        }
        let mut slot = hole;
        loop {
            self.table[hole] = 0;
            loop {
                slot = (slot + 1) & mask;
                let entry = self.table[slot];
                if entry == 0 {
                    return;
                }
                // An entry may move to the hole if its home is not after the hole, on the way around.
                if (slot.wrapping_sub(home(self, entry)) & mask) >= (slot.wrapping_sub(hole) & mask) {
                    self.table[hole] = entry;
                    hole = slot;
                    break;
                }
            }
        }
    }

    /// The number of a state that is there.
    pub(crate) fn find(&self, state: &[u64], hash: u64) -> Option<StateIndex> {
        self.probe(state, hash).ok()
    }

    /// The number of a state, or the free slot for it.
    #[inline]
    fn probe(&self, state: &[u64], hash: u64) -> Result<StateIndex, usize> {
        let number = ((1u64 << self.log) - 1) as u32;
        let tag = (hash as u32) & !number;
        let mut slot = self.slot(hash);
        loop {
            let entry = self.table[slot];
            if entry == 0 {
                return Err(slot);
            }
            if entry & !number == tag {
                let index = (entry & number) - 1;
                if same(self.get(index), state) {
                    return Ok(index);
                }
            }
            slot = (slot + 1) & (self.table.len() - 1);
        }
    }

    fn slot(&self, hash: u64) -> usize {
        (hash >> (64 - self.log)) as usize
    }

    fn entry(&self, hash: u64, index: usize) -> u32 {
        let number = (1u64 << self.log) - 1;
        ((hash as u32) & !(number as u32)) | (index as u32 + 1)
    }
}

#[inline]
fn same(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(x, y)| x == y)
}

/// Multiplies into 128 bits and folds, a word at a time; every other word goes another way, so that two multiplications are
/// under way at once.
#[inline]
pub(crate) fn hash(state: &[u64]) -> u64 {
    let (mut even, mut odd) = (0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344);
    let (pairs, last) = state.as_chunks::<2>();
    for &[a, b] in pairs {
        even = fold(even ^ a, 0x9e37_79b9_7f4a_7c15);
        odd = fold(odd ^ b, 0xa076_1d64_78bd_642f);
    }
    for word in last {
        even = fold(even ^ word, 0x9e37_79b9_7f4a_7c15);
    }
    fold(even ^ odd, 0xd6e8_feb8_6659_fd93)
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tiny domain repeats states; wide ones collide in tags and slots. The model is an ordered map.
    fn agrees_with_a_map(words: usize, domain: u64, rounds: u64) {
        let mut store = Store::new(words);
        let mut map = std::collections::BTreeMap::new();
        let mut seed = 0x1234_5678_9abc_def0u64;
        for _ in 0..rounds {
            let state: Vec<u64> = (0..words)
                .map(|_| {
                    seed = fold(seed, 0x2545_f491_4f6c_dd1d).wrapping_add(1);
                    seed % domain
                })
                .collect();
            store.reserve(0, &Budget::unlimited()).expect("there is no limit");
            let next = map.len() as u32;
            let expected = match map.get(&state) {
                Some(&index) => Inserted::Old(index),
                None => Inserted::New(next),
            };
            assert_eq!(store.insert(&state, hash(&state)), expected);
            map.entry(state).or_insert(next);
        }
        assert_eq!(store.len(), map.len());
        assert!(map.iter().all(|(state, &index)| store.get(index) == &state[..]));
    }

    #[test]
    fn is_a_set_numbered_by_insertion() {
        agrees_with_a_map(1, 50_000, 100_000);
        agrees_with_a_map(2, 300, 100_000);
        agrees_with_a_map(5, 4, 20_000);
    }

    /// States come and go at random among a few slots; the model is a list of what each slot holds.
    #[test]
    fn replaced_states_are_gone_and_the_others_stay() {
        let mut store = Store::new(1);
        let mut slots: Vec<u64> = Vec::new();
        let mut seed = 7u64;
        for round in 0..40_000u64 {
            seed = fold(seed, 0x2545_f491_4f6c_dd1d).wrapping_add(1);
            let state = seed % 3_000;
            let expected = slots.iter().position(|s| *s == state).map(|i| i as u32);
            assert_eq!(store.find(&[state], hash(&[state])), expected, "round {round}");
            if expected.is_some() {
                continue;
            }
            store.reserve(0, &Budget::unlimited()).expect("there is no limit");
            if slots.len() < 700 {
                store.insert(&[state], hash(&[state]));
                slots.push(state);
            } else {
                let victim = (seed >> 32) as usize % slots.len();
                store.replace(victim as u32, &[state], hash(&[state]));
                slots[victim] = state;
            }
        }
        assert!(slots.iter().enumerate().all(|(i, s)| store.find(&[*s], hash(&[*s])) == Some(i as u32)));
    }

    #[test]
    fn growing_respects_the_memory_limit() {
        let mut store = Store::new(1);
        let budget = Budget::unlimited().with_memory(1 << 16);
        let stopped = (0..1 << 20).find(|&i| {
            let full = store.reserve(0, &budget).is_err();
            if !full {
                store.insert(&[i], hash(&[i]));
            }
            full
        });
        assert!(stopped.is_some_and(|i| i > 1000), "stopped at {stopped:?}");
        assert!(store.bytes() <= 1 << 16);
    }
}
