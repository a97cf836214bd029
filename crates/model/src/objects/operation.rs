//! Operations on one object, as the dependency relations see them: what a transition does to a cell, and what it
//! learns from it.
//!
//! Operations are *refined* (section 3.4.2 of Godefroid's thesis): a test that tells only whether a value is below five
//! is disturbed by less than a read, and adding commutes where writing does not. Everything is said about the object's
//! *scalar*: the value of a variable, counter or semaphore, the holder of a lock plus one (zero when it is free), the
//! length of a channel. So `Read` is also the thesis' *Length*, and its *Empty* and *Full* are tests.

use crate::ProcessId;

/// What a transition does to one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// Learns the scalar; of a channel, perhaps more of its messages than their number.
    Read,
    /// Learns whether the scalar passes a test.
    Test(Test),
    /// Gives a variable a value that is not known beforehand.
    Write,
    /// Gives a variable this value; outside its domain that is a fault.
    Assign(i64),
    /// Adds a constant, which may be negative, to a variable; leaving its domain is a fault.
    Add(i64),
    /// Swaps the two values of a variable.
    Complement,
    /// Takes a lock for a process; not defined while somebody holds it.
    Acquire(ProcessId),
    /// Gives back a lock for a process; a fault unless that process holds it.
    Release(ProcessId),
    /// Adds tokens to a counter or semaphore; exceeding its maximum is a fault.
    Gain(u32),
    /// Takes tokens from a counter or semaphore; not defined while there are fewer.
    Take(u32),
    /// Appends a message to a channel; not defined while the channel is full.
    Send,
    /// Takes the first message of a channel; not defined while there is none, or none that matches.
    Receive,
    /// Anything at all: dependent with every operation on the object.
    Any,
}

impl Operation {
    /// Whether nobody holds a lock.
    pub const FREE: Operation = Operation::Test(Test::EMPTY);
    /// Whether a channel holds no message.
    pub const EMPTY: Operation = Operation::Test(Test::EMPTY);

    /// A test of the scalar.
    pub fn test(comparison: Comparison, constant: i64) -> Operation {
        Operation::Test(Test::new(comparison, constant))
    }

    /// Whether a channel of this capacity can take no more messages.
    pub fn full(capacity: u32) -> Operation {
        Operation::test(Comparison::Eq, i64::from(capacity))
    }

    /// Whether the operation never changes the object.
    pub fn only_reads(self) -> bool {
        matches!(self, Operation::Read | Operation::Test(_))
    }
}

/// What an operation tells the transition that performs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// Nothing.
    Nothing,
    /// The value read, the message received, or one for a test that is passed and zero for one that is not.
    Value(i64),
    /// A model error, with the offending value where the fault names one.
    Fault(i64),
}

/// How a test compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Comparison {
    /// The comparison that holds exactly when this one does not.
    #[must_use]
    pub fn complement(self) -> Self {
        match self {
            Comparison::Eq => Comparison::Ne,
            Comparison::Ne => Comparison::Eq,
            Comparison::Lt => Comparison::Ge,
            Comparison::Le => Comparison::Gt,
            Comparison::Gt => Comparison::Le,
            Comparison::Ge => Comparison::Lt,
        }
    }

    /// The comparison with its two sides swapped.
    #[must_use]
    pub fn mirror(self) -> Self {
        match self {
            Comparison::Eq | Comparison::Ne => self,
            Comparison::Lt => Comparison::Gt,
            Comparison::Le => Comparison::Ge,
            Comparison::Gt => Comparison::Lt,
            Comparison::Ge => Comparison::Le,
        }
    }
}

/// A comparison of the scalar with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Test {
    comparison: Comparison,
    constant: i64,
}

/// A closed interval of integers, empty if its first bound is the greater one.
type Interval = (i64, i64);

impl Test {
    /// The scalar is zero: a free lock, an empty channel.
    pub const EMPTY: Test = Test { comparison: Comparison::Eq, constant: 0 };
    /// Scalars have at most 33 bits: constants beyond this decide nothing more, and cannot overflow below.
    const FAR: i64 = 1 << 40;

    /// The test `scalar comparison constant`.
    pub fn new(comparison: Comparison, constant: i64) -> Self {
        Self { comparison, constant: constant.clamp(-Self::FAR, Self::FAR) }
    }

    /// The test that is passed exactly when this one is not.
    #[must_use]
    pub fn complement(self) -> Self {
        Self { comparison: self.comparison.complement(), ..self }
    }

    /// Whether the same values from `lo` to `hi` pass both tests.
    pub fn agrees_with(self, other: Test, lo: i64, hi: i64) -> bool {
        [lo, hi].into_iter().all(|v| self.holds(v) == other.holds(v) && self.run(v, lo, hi) == other.run(v, lo, hi))
    }

    /// Whether a value passes.
    pub fn holds(self, value: i64) -> bool {
        match self.comparison {
            Comparison::Eq => value == self.constant,
            Comparison::Ne => value != self.constant,
            Comparison::Lt => value < self.constant,
            Comparison::Le => value <= self.constant,
            Comparison::Gt => value > self.constant,
            Comparison::Ge => value >= self.constant,
        }
    }

    /// The values of `domain` before, inside and after an interval that the test tells apart from all others.
    fn pieces(self, (lo, hi): Interval) -> [Interval; 3] {
        let c = self.constant;
        let (a, b) = match self.comparison {
            Comparison::Eq | Comparison::Ne => (c, c),
            Comparison::Lt | Comparison::Ge => (lo, c - 1),
            Comparison::Le | Comparison::Gt => (lo, c),
        };
        let inside = (a.clamp(lo, hi + 1), b.clamp(lo - 1, hi));
        if inside.0 > inside.1 {
            return [(lo, hi), (1, 0), (1, 0)];
        }
        [(lo, inside.0 - 1), inside, (inside.1 + 1, hi)]
    }

    /// Whether all values from `lo` to `hi` pass, or none does.
    pub fn is_constant_on(self, lo: i64, hi: i64) -> bool {
        self.pieces((lo, hi)).contains(&(lo, hi))
    }

    /// The longest interval around `value`, within `lo..=hi`, on which the test does not change.
    pub fn run(self, value: i64, lo: i64, hi: i64) -> (i64, i64) {
        let pieces = self.pieces((lo, hi));
        *pieces.iter().find(|(a, b)| (*a..=*b).contains(&value)).expect("the pieces cover the domain")
    }

    /// Whether adding `delta` turns the test over for some value that passes as `value` does, all within `lo..=hi`.
    pub fn flips_from(self, value: i64, delta: i64, lo: i64, hi: i64) -> bool {
        let [before, inside, after] = self.pieces((lo, hi));
        if (inside.0..=inside.1).contains(&value) {
            meets(inside, delta, before) || meets(inside, delta, after)
        } else {
            meets(before, delta, inside) || meets(after, delta, inside)
        }
    }

    /// Whether adding `delta` turns the test over for some value, all within `lo..=hi`.
    pub fn flips(self, delta: i64, lo: i64, hi: i64) -> bool {
        let [before, inside, after] = self.pieces((lo, hi));
        [(before, inside), (inside, before), (inside, after), (after, inside)]
            .into_iter()
            .any(|(from, to)| meets(from, delta, to))
    }
}

/// Whether adding `delta` leads from some value of one interval into another.
fn meets(from: Interval, delta: i64, to: Interval) -> bool {
    let shifted = (from.0.saturating_add(delta), from.1.saturating_add(delta));
    from.0 <= from.1 && to.0 <= to.1 && shifted.0.max(to.0) <= shifted.1.min(to.1)
}
