//! Things that are kept once, by number.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};

/// A list of distinct things: equal things have equal numbers.
///
/// The table has only numbers, so that nothing is kept twice.
#[derive(Debug)]
pub(super) struct Interner<T> {
    list: Vec<T>,
    /// A power of two of places, each empty or with a part of a hash and a number: a thing is at the first place from its
    /// hash on that was free.
    table: Vec<(u32, u32)>,
}

const EMPTY: u32 = u32::MAX;

impl<T: Eq + Hash> Interner<T> {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self { list: vec![], table: vec![(0, EMPTY); 16] }
    }

    /// The number of a thing.
    pub(super) fn id(&mut self, item: T) -> u32 {
        let hash = Build::default().hash_one(&item) as u32;
        let mask = self.table.len() - 1;
        let mut place = hash as usize & mask;
        while self.table[place].1 != EMPTY {
            let (other, id) = self.table[place];
            if other == hash && self.list[id as usize] == item {
                return id;
            }
            place = (place + 1) & mask;
        }
        let id = self.list.len() as u32;
        self.table[place] = (hash, id);
        self.list.push(item);
        if self.list.len() * 2 > self.table.len() {
            self.grow();
        }
        id
    }

    /// The thing with a number.
    pub(super) fn get(&self, id: u32) -> &T {
        &self.list[id as usize]
    }

    fn grow(&mut self) {
        let mask = 2 * self.table.len() - 1;
        let old = std::mem::replace(&mut self.table, vec![(0, EMPTY); mask + 1]);
        for entry in old.into_iter().filter(|entry| entry.1 != EMPTY) {
            let mut place = entry.0 as usize & mask;
            while self.table[place].1 != EMPTY {
                place = (place + 1) & mask;
            }
            self.table[place] = entry;
        }
    }
}

/// A map with a fast hash. Its order means nothing.
pub(super) type FastMap<K, V> = HashMap<K, V, Build>;
pub(super) type Build = BuildHasherDefault<FastHasher>;

/// Multiplies and folds: keys here are small numbers and short lists of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FastHasher(u64);

/// The fractional part of the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl FastHasher {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for FastHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.add(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.add(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        self.add(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.add(n as u64);
    }

    /// The upper half is mixed best; tables look at the lower.
    fn finish(&self) -> u64 {
        let product = u128::from(self.0) * u128::from(FACTOR);
        (product >> 64) as u64 ^ product as u64
    }
}

#[cfg(test)]
mod tests {
    use super::Interner;

    #[test]
    fn equal_things_have_equal_numbers() {
        let mut interner = Interner::new();
        let ids: Vec<u32> = (0..10_000u64).map(|n| interner.id(n % 5000)).collect();
        assert_eq!(ids[..5000], (0..5000).collect::<Vec<u32>>());
        assert_eq!(ids[..5000], ids[5000..]);
        assert_eq!(*interner.get(4321), 4321);
    }
}
