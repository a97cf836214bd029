//! How the tokens of places are packed into words: a few bits for each place, and a way out where they do not suffice.

use std::collections::HashMap;

use model::views::PlaceId;

/// Where a place is.
#[derive(Clone, Copy, Debug)]
struct Field {
    leaf: u32,
    shift: u32,
    bits: u32,
}

/// Set in the word of a group that does not fit: the rest is the number of its tokens in `wide`.
const WIDE: u64 = 1 << 63;

/// Groups of neighbouring places, each packed into a word.
#[derive(Debug)]
pub(crate) struct Layout {
    fields: Vec<Field>,
    /// Where each group starts among the places, and one past the last where it ends.
    starts: Vec<u32>,
    wide: Vec<Box<[u64]>>,
    known: HashMap<Box<[u64]>, u64>,
    /// Bytes of the wide groups.
    bytes: u64,
}

impl Layout {
    /// Gives each place room for a little more than the most tokens seen so far.
    pub(crate) fn new(most: &[u64]) -> Self {
        let (mut fields, mut starts) = (Vec::with_capacity(most.len()), vec![0]);
        let mut used = 0;
        for (p, &tokens) in most.iter().enumerate() {
            let bits = (64 - tokens.leading_zeros() + 1).clamp(2, 63);
            if used + bits > 63 {
                starts.push(p as u32);
                used = 0;
            }
            fields.push(Field { leaf: starts.len() as u32 - 1, shift: used, bits });
            used += bits;
        }
        starts.push(most.len() as u32);
        Self { fields, starts, wide: Vec::new(), known: HashMap::new(), bytes: 0 }
    }

    /// The number of groups; there is at least one.
    pub(crate) fn leaves(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline]
    pub(crate) fn leaf_of(&self, p: PlaceId) -> u32 {
        self.fields[p.index()].leaf
    }

    fn places(&self, leaf: usize) -> std::ops::Range<usize> {
        self.starts[leaf] as usize..self.starts[leaf + 1] as usize
    }

    /// The word of a group.
    #[inline]
    pub(crate) fn pack(&mut self, leaf: usize, tokens: &[u64]) -> u64 {
        let places = self.places(leaf);
        let mut word = 0;
        for (field, &n) in self.fields[places.clone()].iter().zip(&tokens[places.clone()]) {
            if n >> field.bits != 0 {
                return self.pack_wide(&tokens[places]);
            }
            word |= n << field.shift;
        }
        word
    }

    fn pack_wide(&mut self, tokens: &[u64]) -> u64 {
        if let Some(&word) = self.known.get(tokens) {
            return word;
        }
        let word = WIDE | self.wide.len() as u64;
        self.wide.push(tokens.into());
        self.known.insert(tokens.into(), word);
        self.bytes += 16 * tokens.len() as u64 + 80;
        word
    }

    /// Calls with each place of a group that differs between two words, and its tokens in the second.
    pub(crate) fn each_change(&self, leaf: usize, (old, new): (u64, u64), mut call: impl FnMut(PlaceId, u64)) {
        for p in self.places(leaf) {
            let (before, after) = (self.unpack(leaf, p, old), self.unpack(leaf, p, new));
            if before != after {
                call(PlaceId::new(p), after);
            }
        }
    }

    #[inline]
    fn unpack(&self, leaf: usize, p: usize, word: u64) -> u64 {
        if word & WIDE != 0 {
            return self.wide[(word & !WIDE) as usize][p - self.starts[leaf] as usize];
        }
        let field = self.fields[p];
        (word >> field.shift) & ((1 << field.bits) - 1)
    }

    pub(crate) fn bytes(&self) -> u64 {
        (12 * self.fields.len() + 4 * self.starts.len()) as u64 + self.bytes
    }
}
