//! The states of a level that wait to be expanded, in blocks that threads take and give.
//!
//! A state is its number in the store, or all of its words where the store cannot tell it; with it goes the *waypoint* that it
//! was reached through: see `waypoints`.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use evidence::Reason;

use crate::sealed::{Reader, Writer};
use crate::shared::Rows;

/// The most states of a block.
pub(super) const BLOCK: usize = 1024;
/// The fewest that are taken at a time, and into how many parts a thread's share of what is left is cut. Parts become smaller
/// towards the end of a level, so that all threads are done at about the same time.
const FEW: usize = 16;
const PARTS: usize = 4;

const NOBODY_PANICS: &str = "nobody panics with the blocks";

/// Some states.
#[derive(Debug)]
pub(super) struct Block {
    /// How many words a state takes.
    words: usize,
    pub(super) states: Vec<u64>,
    pub(super) waypoints: Vec<u32>,
}

impl Block {
    pub(super) fn new(words: usize) -> Self {
        Self { words, states: Vec::new(), waypoints: Vec::new() }
    }

    pub(super) fn words(&self) -> usize {
        self.words
    }

    pub(super) fn len(&self) -> usize {
        self.waypoints.len()
    }

    pub(super) fn push(&mut self, state: &[u64], waypoint: u32) {
        if self.waypoints.capacity() == 0 {
            // Few levels are large: a block for each of many small ones is not to cost much.
            self.waypoints.reserve(16);
            self.states.reserve(16 * self.words);
        }
        self.states.extend_from_slice(state);
        self.waypoints.push(waypoint);
    }

    pub(super) fn state(&self, i: usize) -> &[u64] {
        &self.states[i * self.words..(i + 1) * self.words]
    }

    pub(super) fn bytes(&self) -> u64 {
        (8 * self.states.capacity() + 4 * self.waypoints.capacity()) as u64
    }

    pub(super) fn save(&self, to: &mut Writer) -> io::Result<()> {
        to.numbers::<8>(self.states.iter().copied())?;
        to.numbers::<4>(self.waypoints.iter().map(|w| (*w).into()))
    }

    /// A block of states of so many words.
    pub(super) fn load(words: usize, from: &mut Reader) -> io::Result<Self> {
        let states = from.numbers::<8>()?;
        let mut waypoints = Vec::with_capacity(states.len() / words);
        from.each::<4>(|w| waypoints.push(w as u32))?;
        Ok(Self { words, states, waypoints })
    }

    /// Makes room for more states, and not much more.
    pub(super) fn make_room(&mut self, states: usize) {
        if self.waypoints.capacity() - self.waypoints.len() < states {
            let more = states.max(self.len() / 8);
            self.waypoints.reserve_exact(more);
            self.states.reserve_exact(more * self.words);
        }
    }

    /// Cuts off the last states.
    pub(super) fn split_off(&mut self, at: usize) -> Self {
        let (states, waypoints) = (self.states.split_off(at * self.words), self.waypoints.split_off(at));
        Self { words: self.words, states, waypoints }
    }
}

/// Blocks, and how many states they have together.
#[derive(Debug, Default)]
struct Pile {
    blocks: Vec<Block>,
    states: usize,
}

/// The blocks of a level.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    pile: Mutex<Pile>,
    bytes: AtomicU64,
    /// More states, in a file.
    rows: Option<Mutex<Rows>>,
}

impl Frontier {
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    pub(super) fn len(&mut self) -> usize {
        let left = self.rows.as_mut().map_or(0, |rows| rows.get_mut().expect("nobody panics with the file").left());
        self.pile.get_mut().expect(NOBODY_PANICS).states + left as usize
    }

    /// All blocks, while nobody takes or gives.
    pub(super) fn blocks_mut(&mut self) -> &mut [Block] {
        &mut self.pile.get_mut().expect(NOBODY_PANICS).blocks
    }

    pub(super) fn give(&self, block: Block) {
        if block.len() > 0 {
            self.bytes.fetch_add(block.bytes(), Ordering::Relaxed);
            let mut pile = self.pile.lock().expect(NOBODY_PANICS);
            pile.states += block.len();
            pile.blocks.push(block);
        }
    }

    /// Writes all blocks, while nobody takes or gives.
    pub(super) fn save(&self, to: &mut Writer) -> io::Result<()> {
        let blocks = &self.pile.lock().expect(NOBODY_PANICS).blocks;
        to.word(blocks.len() as u64)?;
        blocks.iter().try_for_each(|block| block.save(to))
    }

    pub(super) fn load(words: usize, from: &mut Reader) -> io::Result<Self> {
        let frontier = Self::default();
        for _ in 0..from.word()? {
            frontier.give(Block::load(words, from)?);
        }
        Ok(frontier)
    }

    /// The states in a file.
    pub(super) fn of(rows: Rows) -> Self {
        Self { rows: Some(Mutex::new(rows)), ..Self::default() }
    }

    /// Some states for one of so many threads, or why they cannot be read.
    pub(super) fn take(&self, threads: usize) -> Result<Option<Block>, Reason> {
        match self.take_block(threads) {
            None => self.rows.as_ref().map_or(Ok(None), |rows| read(rows, threads)),
            some => Ok(some),
        }
    }

    fn take_block(&self, threads: usize) -> Option<Block> {
        let mut pile = self.pile.lock().expect(NOBODY_PANICS);
        let wanted = part(pile.states, threads);
        let last = pile.blocks.last_mut()?;
        let block = if last.len() > 2 * wanted {
            let at = last.len() - wanted;
            last.split_off(at)
        } else {
            let block = pile.blocks.pop()?;
            self.bytes.fetch_sub(block.bytes(), Ordering::Relaxed);
            block
        };
        pile.states -= block.len();
        Some(block)
    }
}

/// How many of the states that are left one of some threads should take.
fn part(states: usize, threads: usize) -> usize {
    if threads == 1 { BLOCK } else { (states / (PARTS * threads)).clamp(FEW, BLOCK) }
}

/// Reads some states from a file. They have no waypoints.
fn read(rows: &Mutex<Rows>, threads: usize) -> Result<Option<Block>, Reason> {
    let mut rows = rows.lock().expect("nobody panics with the file");
    let mut block: Option<Block> = None;
    for _ in 0..part(rows.left() as usize, threads) {
        let row = rows.next().map_err(|e| Reason::Files(format!("a state on disk cannot be read: {e}")))?;
        let Some((_, state)) = row.and_then(<[u64]>::split_last) else { break };
        block.get_or_insert_with(|| Block::new(state.len())).push(state, 0);
    }
    Ok(block)
}
