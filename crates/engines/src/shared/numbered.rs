//! A set of rows of words, each with a number that it keeps: shared by threads.
//!
//! Like [`crate::store::Store`]: rows stand in an arena, and a table of 32-bit entries, numbers with tags, finds them. A thread
//! first writes a row to a place of the arena that nobody else knows, then tries to take a free entry for it; who reads the
//! entry sees the row. If another thread was quicker with the same row, the place is kept for this thread's next row. Threads
//! take several places at a time, so that they seldom write what all of them read.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use crossbeam_utils::CachePadded;
use evidence::Reason;

use super::{Helpers, Means, PAGE, unwritten, zeros};
use crate::sealed::{Reader, Writer};

/// There is no room.
#[derive(Debug)]
pub(super) struct NoRoom;

/// The places in the arena that a thread has and does not use yet.
#[derive(Debug, Default)]
pub(crate) struct Spare(Range<u32>);

/// A set of rows.
#[derive(Debug)]
pub(super) struct Numbered {
    words: usize,
    arena: Vec<AtomicU64>,
    /// How many places were given away; more were asked for if it is more than `room`.
    given: CachePadded<AtomicUsize>,
    /// How many places there are, in the arena and in the table.
    room: usize,
    table: Vec<AtomicU32>,
    /// `table.len() == 1 << log`.
    log: u32,
}

/// How many rows are put into a new table at a time, so that cache misses overlap.
const BATCH: usize = 32;
/// How many entries of a table are moved by one thread at a time.
const PART: usize = 1 << 14;
/// How many places a thread takes at a time.
const PLACES: usize = 16;
const FIRST_LOG: u32 = 8;
const MAX_LOG: u32 = 32;

impl Numbered {
    pub(super) fn new(words: usize) -> Self {
        let table = zeros(1 << FIRST_LOG);
        let mut new = Self { words, arena: Vec::new(), given: CachePadded::default(), room: 0, table, log: FIRST_LOG };
        new.lengthen();
        new
    }

    /// No number is as large as this.
    pub(super) fn numbers(&self) -> usize {
        self.given.load(Ordering::Relaxed).min(self.room)
    }

    /// How many places there are.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    pub(super) fn bytes(&self) -> u64 {
        (8 * self.arena.capacity() + 4 * self.table.len()) as u64
    }

    #[inline]
    fn row(&self, number: u32) -> &[AtomicU64] {
        let at = number as usize * self.words;
        &self.arena[at..at + self.words]
    }

    /// Writes out the row of a number.
    pub(super) fn read(&self, number: u32, row: &mut [u64]) {
        row.iter_mut().zip(self.row(number)).for_each(|(to, from)| *to = from.load(Ordering::Relaxed));
    }

    /// The row of a number, if rows have one word.
    #[inline]
    pub(super) fn word(&self, number: u32) -> u64 {
        self.arena[number as usize].load(Ordering::Relaxed)
    }

    #[inline]
    pub(super) fn touch(&self, hash: u64) -> u64 {
        u64::from(self.table[self.slot(hash)].load(Ordering::Relaxed))
    }

    /// The number of a row with its hash, and whether it is new.
    #[inline]
    pub(super) fn insert(&self, row: &[u64], hash: u64, spare: &mut Spare) -> Result<(u32, bool), NoRoom> {
        let number = self.number_bits();
        let tag = hash as u32 & !number;
        let mut slot = self.slot(hash);
        loop {
            // What is read acquires what was written before the entry.
            let mut entry = self.table[slot].load(Ordering::Acquire);
            if entry == 0 {
                let own = self.place(row, spare)?;
                match self.table[slot].compare_exchange(0, tag | (own + 1), Ordering::Release, Ordering::Acquire) {
                    Ok(_) => {
                        spare.0.start += 1;
                        return Ok((own, true));
                    }
                    Err(other) => entry = other,
                }
            }
            let found = (entry & number).wrapping_sub(1);
            if entry & !number == tag && self.is(found, row) {
                return Ok((found, false));
            }
            slot = (slot + 1) & (self.table.len() - 1);
        }
    }

    #[inline]
    fn is(&self, number: u32, row: &[u64]) -> bool {
        self.row(number).iter().zip(row).all(|(a, b)| a.load(Ordering::Relaxed) == *b)
    }

    /// Writes a row to a place of the thread's own.
    fn place(&self, row: &[u64], spare: &mut Spare) -> Result<u32, NoRoom> {
        if spare.0.is_empty() {
            let first = self.given.fetch_add(PLACES, Ordering::Relaxed);
            if first >= self.room {
                return Err(NoRoom);
            }
            spare.0 = first as u32..(first + PLACES).min(self.room) as u32;
        }
        let own = spare.0.start;
        self.row(own).iter().zip(row).for_each(|(to, from)| to.store(*from, Ordering::Relaxed));
        Ok(own)
    }

    /// Makes room, if there is none; `others` are the bytes used elsewhere.
    pub(super) fn grow(&mut self, others: u64, means: &Means<'_>) -> Result<(), Reason> {
        let given = (*self.given.get_mut()).min(self.room);
        *self.given.get_mut() = given;
        if given < self.room {
            return Ok(());
        }
        if given * 4 >= self.table.len() * 3 {
            if self.log == MAX_LOG {
                return Err(Reason::Memory);
            }
            (means.allows)(others + self.bytes() + 8 * self.table.len() as u64)?;
            self.rebuild(means.helpers);
        }
        (means.allows)(others + self.bytes() + 8 * self.more() as u64)?;
        self.lengthen();
        Ok(())
    }

    /// How many words the arena grows by: an eighth, since the system moves large blocks without copying.
    fn more(&self) -> usize {
        (self.arena.len() / 8).max(64 * self.words)
    }

    fn lengthen(&mut self) {
        if self.arena.len() / self.words < self.table.len() / 4 * 3 {
            let more = self.more();
            self.arena.reserve_exact(more);
            self.arena.extend(std::iter::repeat_with(AtomicU64::default).take(more / self.words * self.words));
        }
        self.room = (self.arena.len() / self.words).min(self.table.len() / 4 * 3);
    }

    /// Makes the table twice as long. Who helps writes the pages of the new one first.
    fn rebuild(&mut self, helpers: &Helpers) {
        let (words, room, log) = (self.words, self.room, self.log + 1);
        let given = CachePadded::new(AtomicUsize::new(*self.given.get_mut()));
        let (arena, table) = (std::mem::take(&mut self.arena), unwritten(1 << log));
        let (old, new) =
            (Arc::new(std::mem::take(&mut self.table)), Arc::new(Self { words, arena, given, room, table, log }));
        let written = Arc::clone(&new);
        helpers.map(parts(new.table.len()), move |part| {
            let firsts = written.table[part].iter().step_by(PAGE / size_of::<AtomicU32>());
            firsts.for_each(|first| first.store(0, Ordering::Relaxed));
        });
        let (entered, numbers) = (Arc::clone(&new), new.number_bits() >> 1);
        helpers.map(parts(old.len()), move |part| {
            let entries = old[part].iter().map(|e| e.load(Ordering::Relaxed)).filter(|e| *e != 0);
            let found: Vec<u32> = entries.map(|e| (e & numbers) - 1).collect();
            found.chunks(BATCH).for_each(|batch| entered.enter(batch));
        });
        *self = Arc::into_inner(new).expect("who helped is done");
    }

    /// Enters rows of the arena into a new table.
    fn enter(&self, rows: &[u32]) {
        let mut hashes = [0; BATCH];
        for (hash, &number) in hashes.iter_mut().zip(rows) {
            *hash = hash_of(self.row(number).iter().map(|w| w.load(Ordering::Relaxed)));
        }
        std::hint::black_box(hashes[..rows.len()].iter().fold(0, |sum, &hash| sum ^ self.touch(hash)));
        for (&hash, &number) in hashes.iter().zip(rows) {
            let entry = (hash as u32 & !self.number_bits()) | (number + 1);
            let mut slot = self.slot(hash);
            let order = Ordering::Relaxed;
            while self.table[slot].compare_exchange(0, entry, order, order).is_err() {
                slot = (slot + 1) & (self.table.len() - 1);
            }
        }
    }

    /// Writes the rows and the table. Places that threads keep for their next rows are written, too, and lost to whoever loads.
    pub(super) fn save(&self, to: &mut Writer) -> io::Result<()> {
        let rows = &self.arena[..self.numbers() * self.words];
        to.word(self.words as u64)?;
        to.numbers::<8>(rows.iter().map(|word| word.load(Ordering::Relaxed)))?;
        to.word(self.log.into())?;
        to.numbers::<4>(self.table.iter().map(|entry| entry.load(Ordering::Relaxed).into()))
    }

    pub(super) fn load(from: &mut Reader) -> io::Result<Self> {
        let words = from.word()? as usize;
        let mut arena = Vec::new();
        from.each::<8>(|word| arena.push(AtomicU64::new(word)))?;
        arena.shrink_to_fit();
        let log = from.word()? as u32;
        let mut table = Vec::with_capacity(1 << log);
        from.each::<4>(|entry| table.push(AtomicU32::new(entry as u32)))?;
        let given = CachePadded::new(AtomicUsize::new(arena.len() / words));
        let mut new = Self { words, arena, given, room: 0, table, log };
        new.lengthen();
        Ok(new)
    }

    /// The bits of an entry that are for the number; the others are for the tag.
    #[inline]
    fn number_bits(&self) -> u32 {
        ((1u64 << self.log) - 1) as u32
    }

    #[inline]
    fn slot(&self, hash: u64) -> usize {
        (hash >> (64 - self.log)) as usize
    }
}

/// The parts of a table of such a length, which is a power of two.
fn parts(length: usize) -> Vec<Range<usize>> {
    (0..length).step_by(PART).map(|at| at..(at + PART).min(length)).collect()
}

/// The hash of a row.
#[inline]
pub(super) fn hash_of(row: impl Iterator<Item = u64>) -> u64 {
    let mixed = row.fold(0x243f_6a88_85a3_08d3, |sum, word| super::fold(sum ^ word, 0x9e37_79b9_7f4a_7c15));
    super::fold(mixed ^ 0x1319_8a2e_0370_7344, 0xd6e8_feb8_6659_fd93)
}
