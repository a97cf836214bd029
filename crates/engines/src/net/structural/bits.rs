//! A square of bits, row by row.

/// Bits in a word.
const WORD: usize = u64::BITS as usize;

/// `n` rows of `n` bits.
#[derive(Clone, Debug)]
pub(super) struct Square {
    width: usize,
    words: Vec<u64>,
}

/// The words that `n` bits take.
pub(super) fn width(n: usize) -> usize {
    n.div_ceil(WORD)
}

pub(super) fn set(row: &mut [u64], i: usize) {
    row[i / WORD] |= 1 << (i % WORD);
}

pub(super) fn has(row: &[u64], i: usize) -> bool {
    row[i / WORD] >> (i % WORD) & 1 == 1
}

/// The positions of the bits that are set.
pub(super) fn ones(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(at, &word)| {
        let next = |rest: &u64| Some(rest & (rest - 1)).filter(|&rest| rest != 0);
        let words = std::iter::successors(Some(word).filter(|&word| word != 0), next);
        words.map(move |rest| at * WORD + rest.trailing_zeros() as usize)
    })
}

impl Square {
    /// Its size in bytes, before it is made.
    pub(super) fn bytes(n: usize) -> u64 {
        8 * n as u64 * width(n) as u64
    }

    pub(super) fn new(n: usize) -> Self {
        Self { width: width(n), words: vec![0; n * width(n)] }
    }

    pub(super) fn row(&self, i: usize) -> &[u64] {
        &self.words[i * self.width..(i + 1) * self.width]
    }

    pub(super) fn row_mut(&mut self, i: usize) -> &mut [u64] {
        &mut self.words[i * self.width..(i + 1) * self.width]
    }

    pub(super) fn has(&self, i: usize, k: usize) -> bool {
        has(self.row(i), k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back_in_order() {
        let mut square = Square::new(130);
        for i in [0, 63, 64, 129] {
            set(square.row_mut(129), i);
        }
        assert_eq!(ones(square.row(129)).collect::<Vec<_>>(), [0, 63, 64, 129]);
        assert!(square.has(129, 64) && !square.has(129, 65) && !square.has(128, 64));
        assert_eq!(Square::bytes(130), 130 * 24);
    }
}
