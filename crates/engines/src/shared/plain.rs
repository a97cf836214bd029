//! Whole states, shared by threads: what the others are compared with.

use std::io;

use evidence::Reason;

use crate::sealed::{Reader, Writer};

use super::numbered::{NoRoom, Numbered, Spare, hash_of};
use super::{Full, Inserted, Means, Visited};

/// The set of whole states.
#[derive(Debug)]
pub(crate) struct Plain(Numbered);

impl Plain {
    /// A set of states of so many words.
    pub(crate) fn new(words: usize) -> Self {
        Self(Numbered::new(words))
    }

    /// All numbers are smaller, until there is made room.
    pub(crate) fn room(&self) -> usize {
        self.0.room()
    }
}

impl Visited for Plain {
    type Desk = Spare;

    const EXACT: bool = true;
    const TELLS: bool = true;

    fn desk(&self) -> Spare {
        Spare::default()
    }

    fn open(&self, number: u64, _: &mut Spare, state: &mut [u64]) {
        self.0.read(number as u32, state);
    }

    #[inline]
    fn key(&self, state: &[u64], _: &mut Spare) -> Result<u64, Full> {
        Ok(hash_of(state.iter().copied()))
    }

    #[inline]
    fn touch(&self, key: u64) -> u64 {
        self.0.touch(key)
    }

    #[inline]
    fn insert(&self, state: &[u64], key: u64, desk: &mut Spare) -> Result<Inserted, Full> {
        match self.0.insert(state, key, desk).map_err(|NoRoom| Full(0))? {
            (number, true) => Ok(Inserted::New(number.into())),
            (number, false) => Ok(Inserted::Old(number.into())),
        }
    }

    fn add(&self, _: u64) -> Option<Full> {
        None
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn grow(&mut self, _: Full, means: &Means<'_>) -> Result<(), Reason> {
        self.0.grow(0, means)
    }

    fn omission(&self) -> f64 {
        0.0
    }

    fn save(&self, to: &mut Writer) -> io::Result<()> {
        self.0.save(to)
    }

    fn load(&mut self, from: &mut Reader) -> io::Result<()> {
        self.0 = Numbered::load(from)?;
        Ok(())
    }
}
