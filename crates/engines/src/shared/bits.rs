//! Bit-state hashing (Holzmann's supertrace): of a state, a few bits of one large field are set.
//!
//! A state whose bits were all set by others is taken for an old one. The field never grows.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use evidence::Reason;

use crate::sealed::{Reader, Writer};

use super::numbered::hash_of;
use super::{Full, Inserted, Means, Visited, fold};

/// How many bits are set for a state.
const SET: u32 = 3;

/// The field of bits.
#[derive(Debug)]
pub(crate) struct Bits {
    words: Vec<AtomicU64>,
    /// How many bits are set; a little behind.
    set: AtomicU64,
}

impl Bits {
    /// A field of at least so many bits.
    pub(crate) fn new(bits: u64) -> Self {
        let words = bits.div_ceil(64).max(1) as usize;
        Self { words: std::iter::repeat_with(AtomicU64::default).take(words).collect(), set: AtomicU64::new(0) }
    }

    /// The bytes of a field of so many bits.
    pub(crate) fn bytes_of(bits: u64) -> u64 {
        8 * bits.div_ceil(64).max(1)
    }

    /// The word and the bit that one of the hash functions gives.
    #[inline]
    fn bit(&self, hash: u64) -> (usize, u64) {
        let place = (u128::from(hash) * (64 * self.words.len() as u128)) >> 64;
        ((place / 64) as usize, 1 << (place % 64))
    }
}

impl Visited for Bits {
    type Desk = ();

    const EXACT: bool = false;
    const TELLS: bool = false;

    fn desk(&self) {}

    fn open(&self, _: u64, (): &mut (), _: &mut [u64]) {
        unreachable!("bits tell no state");
    }

    #[inline]
    fn key(&self, state: &[u64], (): &mut ()) -> Result<u64, Full> {
        Ok(hash_of(state.iter().copied()))
    }

    #[inline]
    fn touch(&self, key: u64) -> u64 {
        self.words[self.bit(key).0].load(Ordering::Relaxed)
    }

    /// Of two threads that set the last bit of a state, one is told that it is new; where they set different bits of it, both
    /// may be, and the state is visited twice.
    #[inline]
    fn insert(&self, _: &[u64], key: u64, (): &mut ()) -> Result<Inserted, Full> {
        let (mut hash, mut fresh) = (key, 0);
        for _ in 0..SET {
            let (word, bit) = self.bit(hash);
            let before = match self.words[word].load(Ordering::Relaxed) {
                all if all & bit != 0 => all,
                _ => self.words[word].fetch_or(bit, Ordering::Relaxed),
            };
            fresh += u64::from(before & bit == 0);
            hash = fold(hash ^ 0x1319_8a2e_0370_7344, 0xa076_1d64_78bd_642f);
        }
        if fresh == 0 {
            return Ok(Inserted::Old(key));
        }
        self.set.fetch_add(fresh, Ordering::Relaxed);
        Ok(Inserted::New(key))
    }

    fn add(&self, _: u64) -> Option<Full> {
        None
    }

    fn bytes(&self) -> u64 {
        8 * self.words.len() as u64
    }

    fn grow(&mut self, _: Full, _: &Means<'_>) -> Result<(), Reason> {
        unreachable!("there is always room for more bits");
    }

    /// That all bits of a state are set.
    fn omission(&self) -> f64 {
        let share = self.set.load(Ordering::Relaxed) as f64 / (64 * self.words.len()) as f64;
        share.powi(SET as i32)
    }

    fn save(&self, to: &mut Writer) -> io::Result<()> {
        to.word(self.set.load(Ordering::Relaxed))?;
        to.numbers::<8>(self.words.iter().map(|word| word.load(Ordering::Relaxed)))
    }

    fn load(&mut self, from: &mut Reader) -> io::Result<()> {
        *self.set.get_mut() = from.word()?;
        let mut words = self.words.iter_mut();
        from.each::<8>(|word| words.by_ref().take(1).for_each(|place| *place.get_mut() = word)).map(|_| ())
    }
}
