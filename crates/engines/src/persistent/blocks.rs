//! Sets of transitions as blocks of 64 bits: whole blocks are joined, compared and counted at once, and a set takes no
//! more space than the part of the system that it is about.

use model::TransitionId;

/// A block: its number, and which of its 64 transitions are in the set. A set is a list of blocks by number, each once.
pub(super) type Block = (u32, u64);

/// The number of a transition's block, and its bit.
#[inline]
fn place(t: TransitionId) -> (usize, u64) {
    (t.index() / 64, 1 << (t.index() % 64))
}

/// The block of a single transition.
pub(super) fn block(t: TransitionId) -> Block {
    let (number, bit) = place(t);
    (number as u32, bit)
}

/// The transitions of a block, in order.
pub(super) fn members((number, mut bits): Block) -> impl Iterator<Item = TransitionId> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (bit < 64).then(|| TransitionId(64 * number + bit))
    })
}

/// A set over all transitions, which is emptied in the time that it took to fill it.
#[derive(Clone, Debug)]
pub(crate) struct Dense {
    words: Vec<u64>,
    /// The blocks that are not empty.
    used: Vec<u32>,
}

impl Dense {
    pub(crate) fn new(transitions: usize) -> Self {
        Self { words: vec![0; transitions.div_ceil(64)], used: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.used.drain(..).for_each(|number| self.words[number as usize] = 0);
    }

    pub(crate) fn insert(&mut self, t: TransitionId) {
        let (number, bit) = place(t);
        self.join((number as u32, bit));
    }

    #[inline]
    pub(crate) fn contains(&self, t: TransitionId) -> bool {
        let (number, bit) = place(t);
        self.words[number] & bit != 0
    }

    /// Adds a block; says which of its transitions were not there.
    #[inline]
    pub(super) fn join(&mut self, (number, bits): Block) -> u64 {
        let word = &mut self.words[number as usize];
        let new = bits & !*word;
        if *word == 0 && new != 0 {
            self.used.push(number);
        }
        *word |= new;
        new
    }

    /// The part of a block that is in the set.
    #[inline]
    pub(super) fn meet(&self, (number, bits): Block) -> u64 {
        bits & self.words[number as usize]
    }

    /// Writes the set to a list of blocks, and empties it.
    fn drain_into(&mut self, blocks: &mut Vec<Block>) {
        self.used.sort_unstable();
        blocks.clear();
        blocks.extend(self.used.drain(..).map(|number| (number, std::mem::take(&mut self.words[number as usize]))));
    }

    /// The blocks of the set, in any order.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Block> {
        self.used.iter().map(|&number| (number, self.words[number as usize]))
    }
}

/// A list of blocks that is made from single transitions, in memory that is used again.
#[derive(Debug)]
pub(super) struct Collector {
    set: Dense,
    blocks: Vec<Block>,
}

impl Collector {
    pub(super) fn new(transitions: usize) -> Self {
        Self { set: Dense::new(transitions), blocks: Vec::new() }
    }

    pub(super) fn collect(&mut self, fill: impl FnOnce(&mut Dense)) -> &[Block] {
        fill(&mut self.set);
        self.set.drain_into(&mut self.blocks);
        &self.blocks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_sets() {
        let mut dense = Dense::new(200);
        for t in [130, 3, 64, 3, 63] {
            dense.insert(TransitionId(t));
        }
        assert!(dense.contains(TransitionId(64)) && !dense.contains(TransitionId(65)));
        assert_eq!(dense.join((1, 0b11)), 0b10, "64 was there, 65 was not");
        assert_eq!(dense.meet((2, u64::MAX)), 0b100);
        let mut blocks = Vec::new();
        dense.drain_into(&mut blocks);
        let all: Vec<u32> = blocks.iter().flat_map(|&b| members(b)).map(|t| t.0).collect();
        assert_eq!(all, [3, 63, 64, 65, 130]);
        assert_eq!(dense.meet((0, u64::MAX)), 0, "the set is empty again");
    }
}
