//! A rectangle of bits, row by row.

/// Bits in a word.
const WORD: usize = u64::BITS as usize;

/// Rows of equal width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    /// The words of a row.
    width: usize,
    words: Vec<u64>,
}

/// The words that so many bits take.
pub(crate) fn width(bits: usize) -> usize {
    bits.div_ceil(WORD)
}

pub(crate) fn set(row: &mut [u64], i: usize) {
    row[i / WORD] |= 1 << (i % WORD);
}

pub(crate) fn has(row: &[u64], i: usize) -> bool {
    row[i / WORD] >> (i % WORD) & 1 == 1
}

/// The positions of the bits that are set.
pub(crate) fn ones(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(at, &word)| {
        let next = |rest: &u64| Some(rest & (rest - 1)).filter(|&rest| rest != 0);
        let words = std::iter::successors(Some(word).filter(|&word| word != 0), next);
        words.map(move |rest| at * WORD + rest.trailing_zeros() as usize)
    })
}

impl Bits {
    /// The size in bytes, before it is made.
    pub(crate) fn bytes(rows: usize, columns: usize) -> u64 {
        8 * rows as u64 * width(columns) as u64
    }

    pub(crate) fn new(rows: usize, columns: usize) -> Self {
        let width = width(columns);
        Self { width, words: vec![0; rows * width] }
    }

    /// The words of a row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn row(&self, i: usize) -> &[u64] {
        &self.words[i * self.width..(i + 1) * self.width]
    }

    pub(crate) fn row_mut(&mut self, i: usize) -> &mut [u64] {
        &mut self.words[i * self.width..(i + 1) * self.width]
    }

    pub(crate) fn has(&self, i: usize, k: usize) -> bool {
        has(self.row(i), k)
    }

    pub(crate) fn set(&mut self, i: usize, k: usize) {
        set(self.row_mut(i), k);
    }

    /// How many bits are set.
    pub(crate) fn count(&self) -> u64 {
        self.words.iter().map(|w| u64::from(w.count_ones())).sum()
    }
}

/// A set of numbers that grows with the largest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Growing(Vec<u64>);

impl Growing {
    pub(crate) fn insert(&mut self, i: usize) {
        if i / WORD >= self.0.len() {
            self.0.resize(i / WORD + 1, 0);
        }
        set(&mut self.0, i);
    }

    pub(crate) fn remove(&mut self, i: usize) {
        if let Some(word) = self.0.get_mut(i / WORD) {
            *word &= !(1 << (i % WORD));
        }
    }

    pub(crate) fn contains(&self, i: usize) -> bool {
        i / WORD < self.0.len() && has(&self.0, i)
    }

    pub(crate) fn bytes(&self) -> usize {
        8 * self.0.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_and_go() {
        let mut set = Growing::default();
        [3, 200, 64].into_iter().for_each(|i| set.insert(i));
        set.remove(64);
        set.remove(1000);
        assert_eq!((0..1000).filter(|&i| set.contains(i)).collect::<Vec<_>>(), [3, 200]);
    }

    #[test]
    fn bits_come_back_in_order() {
        let mut bits = Bits::new(3, 130);
        [0, 63, 64, 129].into_iter().for_each(|i| bits.set(2, i));
        assert_eq!(ones(bits.row(2)).collect::<Vec<_>>(), [0, 63, 64, 129]);
        assert!(bits.has(2, 64) && !bits.has(2, 65) && !bits.has(1, 64));
        assert_eq!((bits.count(), bits.width(), Bits::bytes(3, 130)), (4, 3, 72));
    }
}
