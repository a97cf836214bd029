//! Sets of visited states that several threads fill at once, without locks on the way.
//!
//! A thread inserts by comparing and swapping one entry of a table; nothing is ever moved or taken out while threads
//! insert, so of those that insert the same state exactly one is told that it is new. Where there is no room the thread is
//! told so ([`Full`]); the table then grows while nobody else looks at it, which the type `&mut` says.
//!
//! - [`Tree`]: exact, a few bytes a state. - [`Plain`]: exact, whole states. - [`Fingerprints`], [`Bits`]: may take a new
//!   state for an old one. - [`Disk`]: exact, in files.

mod bits;
mod compact;
mod disk;
mod fingerprints;
mod helpers;
mod hold;
mod numbered;
mod plain;
mod tree;

pub(crate) use bits::Bits;
#[cfg(test)]
pub(crate) use disk::SLIPS;
pub(crate) use disk::{Disk, Rows};
pub(crate) use fingerprints::Fingerprints;
pub(crate) use helpers::Helpers;
pub(crate) use hold::{Growable, Hold};
pub(crate) use plain::Plain;
pub(crate) use tree::Tree;

use std::fmt::Debug;
use std::io;

use evidence::{Budget, Reason};

use crate::sealed::{Reader, Writer};

/// What became of a state that was offered. The number means the state as long as the store lives; to a store that may
/// confuse states, it is a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inserted {
    /// It was not there before.
    New(u64),
    /// It was there.
    Old(u64),
}

/// There is no room; which table is to grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full(u8);

/// Growing: how many threads may work on it at once, who helps, and whether so many bytes are allowed.
pub(crate) struct Means<'a> {
    pub(crate) threads: usize,
    pub(crate) helpers: &'a Helpers,
    pub(crate) allows: &'a dyn Fn(u64) -> Result<(), Reason>,
}

/// A set of states that threads share.
pub(crate) trait Visited: Send + Sync {
    /// What a thread keeps to itself.
    type Desk: Debug + Send;

    /// Whether no state is taken for another.
    const EXACT: bool;

    /// Whether a state can be told from its number.
    const TELLS: bool;

    /// Whether it turns out later, when a level is done, which states are new; until then all are called old.
    const LATER: bool = false;

    /// A thread's desk.
    fn desk(&self) -> Self::Desk;

    /// Writes the state with a number, which becomes the one that [`Visited::key`] compares with. Not asked of a store that
    /// cannot tell states.
    fn open(&self, number: u64, desk: &mut Self::Desk, state: &mut [u64]);

    /// What a state is found by; cheap if it differs little from the state that was opened last.
    fn key(&self, state: &[u64], desk: &mut Self::Desk) -> Result<u64, Full>;

    /// Something of what inserting will look at, so that it is brought into the cache.
    fn touch(&self, key: u64) -> u64;

    /// Adds a state with its key.
    fn insert(&self, state: &[u64], key: u64, desk: &mut Self::Desk) -> Result<Inserted, Full>;

    /// Takes note of so many new states; whether there should be more room.
    fn add(&self, states: u64) -> Option<Full>;

    /// The bytes of all tables.
    fn bytes(&self) -> u64;

    /// Makes room.
    fn grow(&mut self, full: Full, means: &Means<'_>) -> Result<(), Reason>;

    /// The probability that a state that was offered was taken for another, though it was new; of the store as it is now.
    fn omission(&self) -> f64;

    /// Writes all that is there, while nobody inserts.
    fn save(&self, to: &mut Writer) -> io::Result<()>;

    /// Takes over what a store of the same kind, made for the same states, has written; this one must be new.
    fn load(&mut self, from: &mut Reader) -> io::Result<()>;

    /// Takes over what a thread has collected, if states are sorted out later.
    fn hand_in(&self, _: &mut Self::Desk) -> Result<(), Reason> {
        Ok(())
    }

    /// Sorts out what was handed in: tells each new state, which are those of the level with this number. Asked of a store
    /// only that does so later.
    fn settle(&mut self, _level: u64, _: &Budget, _each: &mut dyn FnMut(&[u64])) -> Result<Rows, Reason> {
        unreachable!("it is known at once which states are new")
    }

    /// Tells the states of a level until one is the right one. Asked of a store only that sorts them out later.
    fn of_level(&self, _level: u64, _each: &mut dyn FnMut(&[u64]) -> Result<bool, Reason>) -> Result<(), Reason> {
        unreachable!("levels are not kept")
    }
}

/// Multiplies into 128 bits and folds.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A table full of zeros, to be filled by several threads. Its pages are written here: a page that is read first is given by the
/// system once to read and once more to write, and then all threads are interrupted.
fn zeros<T: Default>(length: usize) -> Vec<T> {
    let mut table = unwritten(length);
    table.iter_mut().step_by(PAGE / size_of::<T>()).for_each(|first| *std::hint::black_box(first) = T::default());
    table
}

/// The same, with the pages still to be written.
fn unwritten<T: Default>(length: usize) -> Vec<T> {
    std::iter::repeat_with(T::default).take(length).collect()
}

/// The bytes that the system gives at a time, or a part of them.
const PAGE: usize = 4096;

#[cfg(test)]
mod tests;
