//! A set of numbers of few bits in little more memory than their entropy: open addressing by quotients (Cleary 1984).
//!
//! A number is mixed by a bijection; the quotient by a divisor says where it belongs, so only the remainder is stored, and
//! how far the entry stands from where it belongs: `1 + remainder + distance * divisor`, in 16, 32 or 64 bits, whatever is
//! enough. Zero is free. An entry is complete: inserting is one compare-and-swap, and equal numbers look at the same slots
//! in the same order, so no number is there twice. (Cleary orders entries to save the distance, which needs locks; Laarman
//! and van der Vegt, MEMICS 2011, do that.)
//!
//! The table consists of shards by the highest bits of the mixed number. It grows by a part, each shard by itself; the
//! mixed numbers keep their order in a shard, so growing is one pass from one end to the other, without cache misses,
//! and needs memory for one shard more.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

use crossbeam_utils::CachePadded;
use evidence::Reason;

use super::{Means, zeros};
use crate::sealed::{Reader, Writer};

/// The table has `1 << SHARDS` shards.
const SHARDS: u32 = 5;
/// The length of a shard at first.
const FIRST: u64 = 128;
/// Shards shorter than this are doubled; those shorter than that grow by a half, longer ones by a quarter: the larger a table
/// is, the more memory counts, and the less what growing costs.
const SHORT: u64 = 1 << 12;
const LONG: u64 = 1 << 16;
/// The distances that an entry must have room for.
const REACH: u64 = 512;

/// There is no free slot near enough.
#[derive(Debug)]
pub(super) struct Crowded;

/// A set of numbers of at most so many bits.
#[derive(Debug)]
pub(super) struct Compact {
    bits: u32,
    shards: Vec<Shard>,
    /// Apart from what all threads read.
    len: CachePadded<AtomicU64>,
}

/// One of the widths of entries.
trait Slot: Send + Sync + Sized {
    const MOST: u64;
    fn of(entry: u64) -> Self;
    fn get(&self) -> u64;
    /// Takes a free slot, or tells who was quicker. Nothing else is published with an entry: no order is needed.
    fn take(&self, entry: u64) -> Result<(), u64>;
    /// Writes an entry while nobody else looks.
    fn set(&mut self, entry: u64);
}

macro_rules! slot {
    ($atomic:ty, $number:ty) => {
        impl Slot for $atomic {
            const MOST: u64 = <$number>::MAX as u64;
            fn of(entry: u64) -> Self {
                Self::new(entry as $number)
            }
            #[inline]
            fn get(&self) -> u64 {
                u64::from(self.load(Ordering::Relaxed))
            }
            #[inline]
            fn take(&self, entry: u64) -> Result<(), u64> {
                let taken = self.compare_exchange(0, entry as $number, Ordering::Relaxed, Ordering::Relaxed);
                taken.map(|_| ()).map_err(u64::from)
            }
            #[inline]
            fn set(&mut self, entry: u64) {
                *self.get_mut() = entry as $number;
            }
        }
    };
}
slot!(AtomicU16, u16);
slot!(AtomicU32, u32);
slot!(AtomicU64, u64);

/// The mixed numbers with the same highest bits.
#[derive(Debug)]
struct Shard {
    length: u64,
    divisor: u64,
    /// For dividing by multiplication: the quotient, or one less.
    reciprocal: u64,
    slots: Slots,
}

#[derive(Debug)]
enum Slots {
    Narrow(Vec<AtomicU16>),
    Medium(Vec<AtomicU32>),
    Wide(Vec<AtomicU64>),
}

/// Does the same whatever the width is.
macro_rules! with {
    ($slots:expr, $these:ident => $what:expr) => {
        match $slots {
            Slots::Narrow($these) => $what,
            Slots::Medium($these) => $what,
            Slots::Wide($these) => $what,
        }
    };
}

fn fill<const BYTES: usize, T: Slot>(slots: &mut [T], from: &mut Reader) -> io::Result<()> {
    let mut places = slots.iter_mut();
    from.each::<BYTES>(|entry| places.by_ref().take(1).for_each(|place| *place = T::of(entry))).map(|_| ())
}

impl Shard {
    /// The length and the divisor of a shard for numbers of so many bits, and the bytes of an entry.
    fn shape(bits: u32, length: u64) -> (u64, u64, u64) {
        let universe = 1u64 << bits;
        let length = length.min(universe);
        let divisor = universe.div_ceil(length);
        let reaches = |most: u64| most / divisor >= REACH.min(length);
        let width = if reaches(AtomicU16::MOST) {
            2
        } else if reaches(AtomicU32::MOST) {
            4
        } else {
            8
        };
        (length, divisor, width)
    }

    /// An empty shard for numbers of so many bits, the highest ones left out.
    fn new(bits: u32, length: u64) -> Self {
        let (length, divisor, width) = Self::shape(bits, length);
        let slots = match width {
            2 => Slots::Narrow(zeros(length as usize)),
            4 => Slots::Medium(zeros(length as usize)),
            _ => Slots::Wide(zeros(length as usize)),
        };
        Self { length, divisor, reciprocal: u64::MAX / divisor, slots }
    }

    fn bytes(&self) -> u64 {
        with!(&self.slots, slots => size_of_val(&slots[..]) as u64)
    }

    /// The quotient and the remainder by the divisor: where a number belongs, and what is stored of it.
    #[inline]
    fn place(&self, number: u64) -> (u64, u64) {
        let home = ((u128::from(number) * u128::from(self.reciprocal)) >> 64) as u64;
        let remainder = number - home * self.divisor;
        if remainder < self.divisor { (home, remainder) } else { (home + 1, remainder - self.divisor) }
    }

    #[inline]
    fn insert(&self, number: u64) -> Result<bool, Crowded> {
        with!(&self.slots, slots => self.insert_into(slots, number))
    }

    #[inline]
    fn insert_into<T: Slot>(&self, slots: &[T], number: u64) -> Result<bool, Crowded> {
        let (home, remainder) = self.place(number);
        let (mut slot, mut entry, mut left) = (home as usize, 1 + remainder, slots.len());
        while left > 0 {
            let mut there = slots[slot].get();
            if there == 0 {
                match slots[slot].take(entry) {
                    Ok(()) => return Ok(true),
                    Err(other) => there = other,
                }
            }
            if there == entry {
                return Ok(false);
            }
            if entry > T::MOST - self.divisor {
                break;
            }
            (slot, entry, left) = (if slot + 1 == slots.len() { 0 } else { slot + 1 }, entry + self.divisor, left - 1);
        }
        Err(Crowded)
    }

    #[inline]
    fn touch(&self, number: u64) -> u64 {
        let home = self.place(number).0 as usize;
        with!(&self.slots, slots => slots[home].get())
    }

    /// Adds a number that is not there, while nobody else looks; whether there is room.
    #[inline]
    fn put(&mut self, number: u64) -> bool {
        let (home, remainder) = self.place(number);
        with!(&mut self.slots, slots => put_into(slots, home as usize, 1 + remainder, self.divisor))
    }

    /// Tells the numbers, nearly in order, as long as they are taken; whether all were.
    fn all(&self, take: impl FnMut(u64) -> bool) -> bool {
        with!(&self.slots, slots => self.all_of(slots, take))
    }

    fn all_of<T: Slot>(&self, slots: &[T], mut take: impl FnMut(u64) -> bool) -> bool {
        (0..self.length).zip(slots).all(|(slot, entry)| {
            let entry = entry.get();
            if entry == 0 {
                return true;
            }
            let (distance, remainder) = self.place(entry - 1);
            let home = if slot >= distance { slot - distance } else { slot + self.length - distance };
            take(home * self.divisor + remainder)
        })
    }

    fn save(&self, to: &mut Writer) -> io::Result<()> {
        to.word(self.length)?;
        match &self.slots {
            Slots::Narrow(slots) => to.numbers::<2>(slots.iter().map(Slot::get)),
            Slots::Medium(slots) => to.numbers::<4>(slots.iter().map(Slot::get)),
            Slots::Wide(slots) => to.numbers::<8>(slots.iter().map(Slot::get)),
        }
    }

    /// A shard for numbers of so many bits, whose length says everything else.
    fn load(bits: u32, from: &mut Reader) -> io::Result<Self> {
        let mut shard = Self::new(bits, from.word()?);
        match &mut shard.slots {
            Slots::Narrow(slots) => fill::<2, _>(slots, from)?,
            Slots::Medium(slots) => fill::<4, _>(slots, from)?,
            Slots::Wide(slots) => fill::<8, _>(slots, from)?,
        }
        Ok(shard)
    }

    /// The same numbers with more room.
    fn grown(&self, bits: u32) -> Self {
        let mut length = longer(self.length);
        loop {
            let mut new = Self::new(bits, length);
            if self.all(|number| new.put(number)) {
                return new;
            }
            length = longer(length);
        }
    }
}

#[inline]
fn put_into<T: Slot>(slots: &mut [T], home: usize, mut entry: u64, divisor: u64) -> bool {
    let mut slot = home;
    while slots[slot].get() != 0 {
        if entry > T::MOST - divisor {
            return false;
        }
        (slot, entry) = (if slot + 1 == slots.len() { 0 } else { slot + 1 }, entry + divisor);
    }
    slots[slot].set(entry);
    true
}

fn longer(length: u64) -> u64 {
    match length {
        ..SHORT => 2 * length,
        SHORT..LONG => length / 2 * 3,
        LONG.. => length / 4 * 5,
    }
}

fn low_bits(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

const FIRST_FACTOR: u64 = 0xd6e8_feb8_6659_fd93;
const SECOND_FACTOR: u64 = 0xa076_1d64_78bd_642f;

/// A bijection of the numbers of so many bits: shifts by half the bits or more undo themselves, and odd factors have
/// inverses.
#[inline]
fn mix(number: u64, bits: u32) -> u64 {
    let (half, mask) = (bits.div_ceil(2), low_bits(bits));
    let x = number ^ (number >> half);
    let x = x.wrapping_mul(FIRST_FACTOR) & mask;
    let x = x ^ (x >> half);
    let x = x.wrapping_mul(SECOND_FACTOR) & mask;
    x ^ (x >> half)
}

fn unmix(mixed: u64, bits: u32) -> u64 {
    let (half, mask) = (bits.div_ceil(2), low_bits(bits));
    let x = mixed ^ (mixed >> half);
    let x = x.wrapping_mul(inverse(SECOND_FACTOR)) & mask;
    let x = x ^ (x >> half);
    let x = x.wrapping_mul(inverse(FIRST_FACTOR)) & mask;
    x ^ (x >> half)
}

/// The inverse of an odd number: each step of Newton's doubles the bits that are right, of which there are three at first.
const fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    let mut i = 0;
    while i < 5 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
        i += 1;
    }
    x
}

impl Compact {
    /// For numbers of more than five bits.
    pub(super) fn new(bits: u32) -> Self {
        Self { bits, shards: empty(bits, FIRST), len: CachePadded::default() }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.shards.iter().map(Shard::bytes).sum()
    }

    /// How many numbers were told with [`Compact::add`].
    pub(super) fn len(&self) -> u64 {
        self.len.load(Ordering::Relaxed)
    }

    /// Takes note of new numbers; whether there should be more room.
    pub(super) fn add(&self, numbers: u64) -> bool {
        let len = self.len.fetch_add(numbers, Ordering::Relaxed) + numbers;
        let first = &self.shards[0];
        // With a divisor of one every number has a slot of its own.
        first.divisor > 1 && len * 5 >= (first.length << SHARDS) * 4
    }

    /// The shard of a number, and what is left of it.
    #[inline]
    fn shard(&self, number: u64) -> (&Shard, u64) {
        let (mixed, rest) = (mix(number, self.bits), self.bits - SHARDS);
        (&self.shards[(mixed >> rest) as usize], mixed & low_bits(rest))
    }

    /// Whether a number, which must have no more bits than said, is new.
    #[inline]
    pub(super) fn insert(&self, number: u64) -> Result<bool, Crowded> {
        let (shard, low) = self.shard(number);
        shard.insert(low)
    }

    #[inline]
    pub(super) fn touch(&self, number: u64) -> u64 {
        let (shard, low) = self.shard(number);
        shard.touch(low)
    }

    pub(super) fn save(&self, to: &mut Writer) -> io::Result<()> {
        to.word(self.bits.into())?;
        to.word(self.len())?;
        self.shards.iter().try_for_each(|shard| shard.save(to))
    }

    pub(super) fn load(from: &mut Reader) -> io::Result<Self> {
        let (bits, len) = (from.word()? as u32, from.word()?);
        let shards = (0..1 << SHARDS).map(|_| Shard::load(bits - SHARDS, from)).collect::<io::Result<_>>()?;
        Ok(Self { bits, shards, len: CachePadded::new(len.into()) })
    }

    /// Makes room for more numbers; `others` are the bytes used elsewhere.
    pub(super) fn grow(&mut self, others: u64, means: &Means<'_>) -> Result<(), Reason> {
        let (bytes, rest) = (self.bytes(), self.bits - SHARDS);
        // With more room entries become narrower, if anything.
        let length = self.shards[0].length;
        let more = bytes / length * (longer(length) - length);
        let at_once = ((bytes + more) >> SHARDS) * (means.threads as u64).min(1 << SHARDS);
        (means.allows)(others + bytes + more + at_once)?;
        self.shards = means.helpers.map(std::mem::take(&mut self.shards), move |shard| shard.grown(rest));
        Ok(())
    }

    /// Makes room for numbers of more bits; each number that is there becomes another one.
    pub(super) fn widen(
        &mut self,
        bits: u32,
        others: u64,
        means: &Means<'_>,
        renumbered: impl Fn(u64) -> u64 + Copy + Send + Sync + 'static,
    ) -> Result<(), Reason> {
        let (old, mut length) = (self.bits, self.shards[0].length);
        loop {
            // Asked first: the old table and the new one are there together.
            (means.allows)(others + self.bytes() + bytes_of(bits, length))?;
            let new = Arc::new(Self { bits, shards: empty(bits, length), len: CachePadded::new(self.len().into()) });
            let (to, shards) = (Arc::clone(&new), std::mem::take(&mut self.shards).into_iter().zip(0u64..).collect());
            let moved = means.helpers.map(shards, move |(shard, high): (Shard, u64)| {
                let number = |low: u64| unmix((high << (old - SHARDS)) | low, old);
                let fits = shard.all(|low| to.insert(renumbered(number(low))).is_ok());
                (shard, fits)
            });
            if moved.iter().all(|(_, fits)| *fits) {
                *self = Arc::into_inner(new).expect("who helped is done");
                return Ok(());
            }
            self.shards = moved.into_iter().map(|(shard, _)| shard).collect();
            length = longer(length);
        }
    }
}

/// The bytes of a table whose shards are so long.
fn bytes_of(bits: u32, length: u64) -> u64 {
    let (length, _, width) = Shard::shape(bits - SHARDS, length);
    (length * width) << SHARDS
}

fn empty(bits: u32, length: u64) -> Vec<Shard> {
    (0..1 << SHARDS).map(|_| Shard::new(bits - SHARDS, length)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Helpers;
    use super::*;

    static NOBODY: Helpers = Helpers::new();
    const ALL: Means<'_> = Means { threads: 2, helpers: &NOBODY, allows: &|_| Ok(()) };

    #[test]
    fn mixing_is_undone() {
        for bits in 6..=64 {
            for i in 0..1000u64 {
                let number = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & low_bits(bits);
                assert_eq!(unmix(mix(number, bits), bits), number, "{bits} bits");
            }
        }
    }

    #[test]
    fn places_are_quotients_and_remainders() {
        for bits in [6, 11, 31, 59] {
            for length in [1, 3, 100, 1 << 12] {
                let shard = Shard::new(bits, length);
                for i in 0..1000u64 {
                    for number in [i, i << 7, u64::MAX - i].map(|n| n & low_bits(bits)) {
                        assert_eq!(shard.place(number), (number / shard.divisor, number % shard.divisor));
                    }
                }
            }
        }
    }

    /// Numbers of few and of many bits, so that all widths of entries come about; the model is an ordered set.
    #[test]
    fn is_a_set_that_grows_and_widens() {
        for (bits, wider) in [(10, 12), (17, 18), (20, 40), (30, 31), (40, 64), (64, 64)] {
            let (mut compact, mut known) = (Compact::new(bits), std::collections::BTreeSet::new());
            let mut number = 1u64;
            let mut check = |compact: &mut Compact, mask: u64, rounds: u32| {
                for _ in 0..rounds {
                    number = super::super::fold(number, 0x2545_f491_4f6c_dd1d).wrapping_add(1);
                    let new = loop {
                        match compact.insert(number & mask) {
                            Ok(new) => break new,
                            Err(Crowded) => compact.grow(0, &ALL).expect("there is no limit"),
                        }
                    };
                    assert_eq!(new, known.insert(number & mask), "{bits} bits");
                    if new && compact.add(1) {
                        compact.grow(0, &ALL).expect("there is no limit");
                    }
                }
                assert!(known.iter().all(|n| matches!(compact.insert(*n), Ok(false))), "{bits} bits");
            };
            check(&mut compact, low_bits(bits), 30_000);
            compact.widen(wider, 0, &ALL, |n| n).expect("there is no limit");
            check(&mut compact, low_bits(wider), 30_000);
        }
    }

    #[test]
    fn bytes_are_known_before_there_is_a_table() {
        for bits in [6, 16, 26, 40, 64] {
            for length in [1, FIRST, 3 * SHORT] {
                let bytes: u64 = empty(bits, length).iter().map(Shard::bytes).sum();
                assert_eq!(bytes_of(bits, length), bytes, "{bits} bits, {length} slots");
            }
        }
    }

    /// Few bits for many numbers: an entry takes two bytes, and what is asked for beside is little.
    #[test]
    fn dense_numbers_take_two_bytes() {
        let mut compact = Compact::new(26);
        for number in 0..1 << 20 {
            while compact.insert(number).is_err() {
                compact.grow(0, &ALL).expect("there is no limit");
            }
            if compact.add(1) {
                compact.grow(0, &ALL).expect("there is no limit");
            }
        }
        assert!(compact.bytes() < 33 << 17, "{} bytes for a million", compact.bytes());
    }
}
