//! How states are packed into machine words.
//!
//! Every part of a state gets just the bits that it needs, none straddling two words, so that reading is one shift and
//! one mask. A state has *one* representation: unused slots of a channel are zero, and a channel's first message is
//! always in its first slot. Equal states are therefore equal words. Which part comes first is decided by [`order`].

use crate::nearness::{Part, order};
use crate::objects::{Kind, Object};
use crate::system::{Hold, Process, Transition};
use crate::{Domain, LocationId, ObjectId, Observer, ProcessId};

/// A number within a word: `(word >> shift) & mask`, plus `base`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Field {
    pub(crate) word: u32,
    pub(crate) shift: u32,
    pub(crate) mask: u64,
    pub(crate) base: i64,
}

impl Field {
    pub(crate) fn get(self, state: &[u64]) -> i64 {
        ((state[self.word as usize] >> self.shift) & self.mask) as i64 + self.base
    }

    /// Writes a value, which must be within the field's domain.
    pub(crate) fn set(self, state: &mut [u64], value: i64) {
        let raw = (value - self.base) as u64;
        debug_assert!(raw <= self.mask, "a value is checked against its domain before it is written");
        let word = &mut state[self.word as usize];
        *word = (*word & !(self.mask << self.shift)) | (raw << self.shift);
    }
}

/// One field of all messages of a channel: `capacity` slots of `width` bits, `per_word` to a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane {
    word: u32,
    words: u32,
    shift: u32,
    width: u32,
    per_word: u32,
    base: i64,
}

impl Lane {
    fn slot(self, index: u32) -> Field {
        let (word, place) = (index / self.per_word, index % self.per_word);
        let shift = self.shift + place * self.width;
        Field { word: self.word + word, shift, mask: low_bits(self.width), base: self.base }
    }

    pub(crate) fn get(self, state: &[u64], index: u32) -> i64 {
        if self.width == 0 { self.base } else { self.slot(index).get(state) }
    }

    pub(crate) fn set(self, state: &mut [u64], index: u32, value: i64) {
        if self.width != 0 {
            self.slot(index).set(state, value);
        }
    }

    /// Makes a slot zero.
    pub(crate) fn clear(self, state: &mut [u64], index: u32) {
        self.set(state, index, self.base);
    }

    /// Drops one of the first `length` slots and moves the later ones up; the last becomes zero.
    pub(crate) fn take_out(self, state: &mut [u64], index: u32, length: u32) {
        if index == 0 {
            return self.shift_out(state);
        }
        for i in index + 1..length {
            let moved = self.get(state, i);
            self.set(state, i - 1, moved);
        }
        self.set(state, length - 1, self.base);
    }

    /// Drops the first slot and moves the others up; the last becomes zero.
    pub(crate) fn shift_out(self, state: &mut [u64]) {
        if self.width == 0 {
            return;
        }
        let chunk = low_bits(self.per_word * self.width);
        let words = &mut state[self.word as usize..(self.word + self.words) as usize];
        for i in 0..words.len() {
            let above = words.get(i + 1).map_or(0, |w| w & low_bits(self.width));
            let old = (words[i] >> self.shift) & chunk;
            let new = (old >> self.width) | (above << ((self.per_word - 1) * self.width));
            words[i] = (words[i] & !(chunk << self.shift)) | (new << self.shift);
        }
    }
}

/// Where a channel lives; its length is the object's scalar field.
#[derive(Clone, Debug)]
pub(crate) struct ChannelLayout {
    pub(crate) capacity: u32,
    pub(crate) lanes: Vec<Lane>,
}

/// The places of all parts of a state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// Of each word, how many bits are used, from the lowest on.
    used: Vec<u32>,
    pub(crate) locations: Vec<Field>,
    /// Of each object: its value, the number of its holder plus one, or its length.
    pub(crate) scalars: Vec<Field>,
    pub(crate) channels: Vec<Option<ChannelLayout>>,
    pub(crate) observer: Option<Field>,
    /// The number of the process that has control, plus one, where some location holds.
    pub(crate) control: Option<Field>,
}

impl Layout {
    pub(crate) fn new(
        processes: &[Process],
        objects: &[Object],
        transitions: &[Transition],
        observer: Option<&Observer>,
    ) -> Self {
        let mut bits = Allocator::default();
        let mut layout = Layout {
            locations: vec![Field::default(); processes.len()],
            scalars: vec![Field::default(); objects.len()],
            channels: vec![None; objects.len()],
            ..Layout::default()
        };
        for part in order(processes, objects.len(), transitions) {
            match part {
                Part::Process(i) => layout.locations[i] = bits.field(processes[i].locations.len() as u64 - 1, 0),
                Part::Object(i) => {
                    let (scalar, channel) = bits.object(&objects[i].kind, processes.len());
                    (layout.scalars[i], layout.channels[i]) = (scalar, channel);
                }
            }
        }
        layout.observer = observer.map(|o| bits.field(o.locations.len() as u64 - 1, 0));
        let holds = processes.iter().flat_map(|p| &p.locations).any(|l| l.hold != Hold::No);
        layout.control = holds.then(|| bits.field(processes.len() as u64, 0));
        layout.used = bits.used;
        if layout.used.is_empty() {
            layout.used.push(0);
        }
        layout
    }

    /// Of each word, how many bits are used, from the lowest on.
    pub(crate) fn used(&self) -> &[u32] {
        &self.used
    }

    pub(crate) fn words(&self) -> usize {
        self.used.len()
    }

    pub(crate) fn bits(&self) -> u64 {
        64 * self.used.len() as u64
    }

    pub(crate) fn location(&self, process: ProcessId, state: &[u64]) -> LocationId {
        LocationId(self.location_field(process).get(state) as u32)
    }

    /// The field of a process; the observer counts as one more process, after all others.
    pub(crate) fn location_field(&self, process: ProcessId) -> Field {
        let own = self.locations.get(process.index()).copied();
        own.or(self.observer).expect("there is a process or an observer of this number")
    }

    pub(crate) fn channel(&self, object: ObjectId) -> &ChannelLayout {
        self.channels[object.index()].as_ref().expect("validation lets only channels be sent to")
    }
}

/// Hands out bits, first fit among the last few words.
#[derive(Default)]
struct Allocator {
    used: Vec<u32>,
}

impl Allocator {
    const LOOK_BACK: usize = 8;

    fn object(&mut self, kind: &Kind, processes: usize) -> (Field, Option<ChannelLayout>) {
        let (top, base) = match kind {
            Kind::Variable(d) => (d.size() - 1, d.lo()),
            Kind::Lock => (processes as u64, 0),
            Kind::Semaphore { max } | Kind::Counter { max } => (u64::from(*max), 0),
            Kind::Channel(c) => (u64::from(c.capacity), 0),
        };
        let scalar = self.field(top, base);
        let channel = match kind {
            Kind::Channel(c) => {
                let lanes = c.fields.iter().map(|d| self.lane(d, c.capacity)).collect();
                Some(ChannelLayout { capacity: c.capacity, lanes })
            }
            _ => None,
        };
        (scalar, channel)
    }

    fn field(&mut self, top: u64, base: i64) -> Field {
        let width = bits_for(top);
        let (word, shift) = self.take(width);
        Field { word, shift, mask: low_bits(width), base }
    }

    fn lane(&mut self, domain: &Domain, capacity: u32) -> Lane {
        let width = bits_for(domain.size() - 1);
        let total = u64::from(width) * u64::from(capacity);
        if total <= 64 {
            let (word, shift) = self.take(total as u32);
            return Lane { word, words: 1, shift, width, per_word: capacity.max(1), base: domain.lo() };
        }
        let per_word = 64 / width;
        let words = capacity.div_ceil(per_word);
        let word = self.used.len() as u32;
        self.used.resize(self.used.len() + words as usize, 64);
        Lane { word, words, shift: 0, width, per_word, base: domain.lo() }
    }

    fn take(&mut self, width: u32) -> (u32, u32) {
        if width == 0 {
            return (0, 0);
        }
        let from = self.used.len().saturating_sub(Self::LOOK_BACK);
        let fit = (from..self.used.len()).find(|&w| self.used[w] + width <= 64);
        let word = fit.unwrap_or_else(|| {
            self.used.push(0);
            self.used.len() - 1
        });
        let shift = self.used[word];
        self.used[word] += width;
        (word as u32, shift)
    }
}

fn bits_for(top: u64) -> u32 {
    64 - top.leading_zeros()
}

fn low_bits(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}
