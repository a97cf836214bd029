//! Hash compaction (Wolper and Leroy 1993; Stern and Dill 1995): of a state, only a hash of some bits is kept.
//!
//! Two states with the same hash are taken for one, and what is reached through the second only is missed.

use std::io;

use evidence::Reason;

use crate::sealed::{Reader, Writer};

use super::compact::Compact;
use super::numbered::hash_of;
use super::{Full, Inserted, Means, Visited};

/// The set of hashes.
#[derive(Debug)]
pub(crate) struct Fingerprints {
    bits: u32,
    hashes: Compact,
}

impl Fingerprints {
    /// Hashes of so many bits, 8 to 64.
    pub(crate) fn new(bits: u32) -> Self {
        Self { bits, hashes: Compact::new(bits) }
    }
}

impl Visited for Fingerprints {
    type Desk = ();

    const EXACT: bool = false;
    const TELLS: bool = false;

    fn desk(&self) {}

    fn open(&self, _: u64, (): &mut (), _: &mut [u64]) {
        unreachable!("a hash tells no state");
    }

    #[inline]
    fn key(&self, state: &[u64], (): &mut ()) -> Result<u64, Full> {
        Ok(hash_of(state.iter().copied()) >> (64 - self.bits))
    }

    #[inline]
    fn touch(&self, key: u64) -> u64 {
        self.hashes.touch(key)
    }

    #[inline]
    fn insert(&self, _: &[u64], key: u64, (): &mut ()) -> Result<Inserted, Full> {
        match self.hashes.insert(key).map_err(|_| Full(0))? {
            true => Ok(Inserted::New(key)),
            false => Ok(Inserted::Old(key)),
        }
    }

    fn add(&self, states: u64) -> Option<Full> {
        self.hashes.add(states).then_some(Full(0))
    }

    fn bytes(&self) -> u64 {
        self.hashes.bytes()
    }

    fn grow(&mut self, _: Full, means: &Means<'_>) -> Result<(), Reason> {
        self.hashes.grow(0, means)
    }

    /// That one of the hashes that are there is the state's.
    fn omission(&self) -> f64 {
        self.hashes.len() as f64 / (self.bits as f64).exp2()
    }

    fn save(&self, to: &mut Writer) -> io::Result<()> {
        self.hashes.save(to)
    }

    fn load(&mut self, from: &mut Reader) -> io::Result<()> {
        self.hashes = Compact::load(from)?;
        Ok(())
    }
}
