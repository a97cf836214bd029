//! States as trees of shared parts (Laarman, van de Pol, Weber: SPIN 2011; with a compact root table: Laarman 2019).
//!
//! The bits of a state are cut into two halves. Each half consists of pieces, whole words or the ends of the cut one; equal pieces
//! have one number, so have equal pairs of numbers, and so on up to a number for the half. What is stored of a state is the
//! pair of the numbers of its halves, in a [`Compact`] set. There are far fewer halves than states where states are
//! combinations of what happens here and there; see `nearness` in the model for what makes that likely.
//!
//! A successor is compared with its parent: only the pieces that changed, and what is above them, are looked up. The two
//! numbers in one word are the state's number: they never change.

use super::compact::Compact;
use super::numbered::{NoRoom, Numbered, Spare, hash_of};
use super::{Full, Inserted, Means, Visited};
use crate::sealed::{Reader, Writer};
use evidence::Reason;
use std::io;

/// A part of a state, and where its numbers come from.
#[derive(Clone, Copy, Debug)]
struct Node {
    what: What,
    /// Which of the tables.
    table: usize,
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// Some bits of a word, from a lowest one on.
    Piece { word: usize, shift: u32, mask: u64 },
    /// Two nodes.
    Pair(usize, usize),
}

/// The tables: of the first half, of the second, and of everything below.
const FIRST: usize = 0;
const SECOND: usize = 1;
const BELOW: usize = 2;
/// What [`Full`] says if the compact set is meant, or the bits of its numbers.
const ROOTS: u8 = 3;
const BITS: u8 = 4;

/// The set of states as trees.
#[derive(Debug)]
pub(crate) struct Tree {
    words: usize,
    /// Each after those that it consists of.
    nodes: Vec<Node>,
    /// The nodes of the two halves.
    halves: [usize; 2],
    tables: [Numbered; 3],
    roots: Compact,
    /// How many bits the numbers of halves have at most.
    bits: [u32; 2],
}

/// The state that was opened last, with the numbers of its nodes, and room for those of a successor.
#[derive(Debug)]
pub(crate) struct Desk {
    state: Vec<u64>,
    numbers: Vec<u32>,
    next: Vec<u32>,
    changed: Vec<bool>,
    /// Whether there is a state.
    open: bool,
    spares: [Spare; 3],
}

impl Tree {
    /// A set of states of which so many bits of each word are used.
    pub(crate) fn new(used: &[u32]) -> Self {
        let mut nodes = Vec::new();
        let pieces = cut(used);
        let halves = [FIRST, SECOND].map(|half| {
            let leaves: Vec<usize> = pieces[half].iter().map(|&what| push(&mut nodes, what)).collect();
            let top = join(&mut nodes, &leaves);
            nodes[top].table = half;
            top
        });
        let bits = [8, 8];
        let tables = [(); 3].map(|()| Numbered::new(1));
        Self { words: used.len(), nodes, halves, tables, roots: Compact::new(bits[0] + bits[1]), bits }
    }

    fn tables_bytes(&self) -> u64 {
        self.tables.iter().map(Numbered::bytes).sum()
    }

    /// The numbers of the halves as one number of few bits, if they have few.
    #[inline]
    fn packed(&self, number: u64) -> Option<u64> {
        let (first, second) = (number >> 32, number & u64::from(u32::MAX));
        (first >> self.bits[0] == 0 && second >> self.bits[1] == 0).then_some((first << self.bits[1]) | second)
    }

    /// Makes room for larger numbers of halves: a bit more than needed now.
    fn widen(&mut self, means: &Means<'_>) -> Result<(), Reason> {
        let old = self.bits;
        let wanted = [FIRST, SECOND].map(|half| {
            let needed = usize::BITS - self.tables[half].numbers().leading_zeros();
            if needed > old[half] { (needed + 1).min(32) } else { old[half] }
        });
        if wanted == old {
            return Ok(());
        }
        let others = self.tables_bytes();
        self.roots.widen(wanted[0] + wanted[1], others, means, move |n| {
            let (first, second) = (n >> old[1], n & !(u64::MAX << old[1]));
            (first << wanted[1]) | second
        })?;
        self.bits = wanted;
        Ok(())
    }
}

/// The pieces of both halves, which have equally many bits.
fn cut(used: &[u32]) -> [Vec<What>; 2] {
    let total: u32 = used.iter().sum();
    let (mut left, mut halves) = (total.div_ceil(2), [Vec::new(), Vec::new()]);
    let piece = |word, shift, bits: u32| What::Piece { word, shift, mask: !u64::MAX.checked_shl(bits).unwrap_or(0) };
    for (word, &bits) in used.iter().enumerate() {
        let first = bits.min(left);
        left -= first;
        if first > 0 {
            halves[0].push(piece(word, 0, first));
        }
        if first < bits {
            halves[1].push(piece(word, first, bits - first));
        }
    }
    // Of a state without bits, or with one, a half is empty.
    halves.map(|half| if half.is_empty() { vec![What::Piece { word: 0, shift: 0, mask: 0 }] } else { half })
}

fn push(nodes: &mut Vec<Node>, what: What) -> usize {
    nodes.push(Node { what, table: BELOW });
    nodes.len() - 1
}

/// A balanced tree over some nodes; its root.
fn join(nodes: &mut Vec<Node>, leaves: &[usize]) -> usize {
    match leaves {
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(leaves.len().div_ceil(2));
            let (left, right) = (join(nodes, left), join(nodes, right));
            push(nodes, What::Pair(left, right))
        }
    }
}

impl Visited for Tree {
    type Desk = Desk;

    const EXACT: bool = true;
    const TELLS: bool = true;

    fn desk(&self) -> Desk {
        let nodes = self.nodes.len();
        Desk {
            state: vec![0; self.words],
            numbers: vec![0; nodes],
            next: vec![0; nodes],
            changed: vec![false; nodes],
            open: false,
            spares: Default::default(),
        }
    }

    fn open(&self, number: u64, desk: &mut Desk, state: &mut [u64]) {
        state.fill(0);
        [desk.numbers[self.halves[0]], desk.numbers[self.halves[1]]] = [(number >> 32) as u32, number as u32];
        for (i, node) in self.nodes.iter().enumerate().rev() {
            let value = self.tables[node.table].word(desk.numbers[i]);
            match node.what {
                What::Piece { word, shift, .. } => state[word] |= value.unbounded_shl(shift),
                What::Pair(a, b) => [desk.numbers[a], desk.numbers[b]] = [(value >> 32) as u32, value as u32],
            }
        }
        desk.state.copy_from_slice(state);
        desk.open = true;
    }

    #[inline]
    fn key(&self, state: &[u64], desk: &mut Desk) -> Result<u64, Full> {
        for (i, node) in self.nodes.iter().enumerate() {
            let (value, changed) = match node.what {
                What::Piece { word, shift, mask } => {
                    let (new, old) = (state[word] >> shift & mask, desk.state[word] >> shift & mask);
                    (new, new != old)
                }
                What::Pair(a, b) => {
                    let pair = (u64::from(desk.next[a]) << 32) | u64::from(desk.next[b]);
                    (pair, desk.changed[a] | desk.changed[b])
                }
            };
            desk.changed[i] = changed | !desk.open;
            desk.next[i] = if desk.changed[i] {
                let (row, spare) = ([value], &mut desk.spares[node.table]);
                let found = self.tables[node.table].insert(&row, hash_of(row.into_iter()), spare);
                found.map_err(|NoRoom| Full(node.table as u8))?.0
            } else {
                desk.numbers[i]
            };
        }
        Ok((u64::from(desk.next[self.halves[0]]) << 32) | u64::from(desk.next[self.halves[1]]))
    }

    #[inline]
    fn touch(&self, key: u64) -> u64 {
        self.packed(key).map_or(0, |number| self.roots.touch(number))
    }

    #[inline]
    fn insert(&self, _: &[u64], key: u64, _: &mut Desk) -> Result<Inserted, Full> {
        let number = self.packed(key).ok_or(Full(BITS))?;
        match self.roots.insert(number).map_err(|_| Full(ROOTS))? {
            true => Ok(Inserted::New(key)),
            false => Ok(Inserted::Old(key)),
        }
    }

    fn add(&self, states: u64) -> Option<Full> {
        self.roots.add(states).then_some(Full(ROOTS))
    }

    fn bytes(&self) -> u64 {
        self.tables_bytes() + self.roots.bytes()
    }

    fn grow(&mut self, full: Full, means: &Means<'_>) -> Result<(), Reason> {
        match full.0 {
            ROOTS => {
                let others = self.tables_bytes();
                self.roots.grow(others, means)
            }
            BITS => self.widen(means),
            table => {
                let table = usize::from(table);
                let others = self.bytes() - self.tables[table].bytes();
                self.tables[table].grow(others, means)
            }
        }
    }

    fn omission(&self) -> f64 {
        0.0
    }

    fn save(&self, to: &mut Writer) -> io::Result<()> {
        self.bits.iter().try_for_each(|&bits| to.word(bits.into()))?;
        self.tables.iter().try_for_each(|table| table.save(to))?;
        self.roots.save(to)
    }

    fn load(&mut self, from: &mut Reader) -> io::Result<()> {
        for bits in &mut self.bits {
            *bits = from.word()? as u32;
        }
        for table in &mut self.tables {
            *table = Numbered::load(from)?;
        }
        self.roots = Compact::load(from)?;
        Ok(())
    }
}
