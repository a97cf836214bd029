//! The successors of states near the top of a depth-first search: made all at once, taken one by one.
//!
//! Made together, their hashes are known before the first is looked up, so that the store's cache misses overlap. Kept,
//! they need not be made again when the search comes back; but only so many: when they take too much room, all states
//! but the topmost forget theirs, and these are made again if need be.
//!
//! A state's first successor is taken alone: on the way down it is new more often than not, and the others would be
//! forgotten before they are wanted. Making them twice cost more than the cache misses that it saved.

use model::{Fault, State, TransitionId};

use super::passing::Block;
use super::search::Search;
use crate::store::hash;

/// How many bytes of successors are kept: they should stay in the processor's cache beside everything else.
const ROOM: usize = 1 << 17;

/// What a transition leads to.
#[derive(Debug)]
pub(super) enum Step<'a> {
    /// To a state with this hash.
    State(Block, &'a State, u64),
    /// To a model error.
    Error(Block),
}

/// The successors of the topmost states.
#[derive(Debug)]
pub(super) struct Pending {
    words: usize,
    /// By transition that is still to be taken, in the order of the stack; those of one state backwards, so that the
    /// next one is the last.
    blocks: Vec<Block>,
    hashes: Vec<u64>,
    states: Vec<u64>,
    /// The states on the stack that have their successors here, by their depth, and where these begin.
    starts: Vec<(usize, usize)>,
}

impl Pending {
    pub(super) fn new(words: usize) -> Self {
        Self { words, blocks: Vec::new(), hashes: Vec::new(), states: Vec::new(), starts: Vec::new() }
    }

    pub(super) fn bytes(&self) -> u64 {
        8 * (self.states.capacity() + self.hashes.capacity()) as u64
            + (size_of::<Block>() * self.blocks.capacity()) as u64
    }

    /// Makes the successors of the topmost state by these transitions; their hashes.
    pub(super) fn make(
        &mut self,
        search: &mut Search<'_>,
        (depth, state): (usize, &State),
        enabled: impl Iterator<Item = Result<TransitionId, (TransitionId, Fault)>>,
    ) -> &[u64] {
        if 8 * self.blocks.len() * (self.words + 3) > ROOM {
            self.blocks.clear();
            self.starts.clear();
        }
        let start = self.blocks.len();
        self.starts.push((depth, start));
        self.blocks.extend(enabled.map(Block::begun));
        self.blocks[start..].reverse();
        let len = self.blocks.len();
        if self.states.len() < len * self.words {
            self.states.resize(len * self.words, 0);
        }
        self.hashes.resize(len, 0);
        for i in start..len {
            let next = &mut self.states[i * self.words..(i + 1) * self.words];
            search.make(&mut self.blocks[i], state, next);
            self.hashes[i] = hash(next);
        }
        &self.hashes[start..]
    }

    /// Whether the successors of the state at this depth, the topmost, are here.
    #[inline]
    pub(super) fn has(&self, depth: usize) -> bool {
        self.starts.last().is_some_and(|&(d, _)| d == depth)
    }

    /// Takes the next successor of the topmost state, which has its successors here; after the last one it has not.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Step<'_>> {
        if self.starts.last().is_some_and(|&(_, start)| start == self.blocks.len()) {
            self.starts.pop();
            return None;
        }
        let block = self.blocks.pop()?;
        let i = self.blocks.len();
        Some(match block.wrong {
            None => Step::State(block, &self.states[i * self.words..(i + 1) * self.words], self.hashes[i]),
            Some(_) => Step::Error(block),
        })
    }
}
