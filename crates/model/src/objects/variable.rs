//! Variables: read, tested, written, added to, complemented.
//!
//! Every operation is always defined; what leaves the domain is a fault that names the value. For most pairs both
//! orders are simply run. *Write* takes a value that is not known, so it stands for all of them.
//!
//! Might be the first to interfere, from `v`: operations that are independent with
//! - a test can lead to every value that passes as `v` does (by assignments);
//! - an assignment of `c` can lead to `c` (by the same assignment), and nowhere else;
//! - adding `k`, if it is no fault in `v`, can lead to every value where it is none (by adding), else nowhere;
//! - complementing can lead to the other value (by complementing);
//! - a read or a write lead nowhere.

use super::operation::{Operation, Output, Test};
use super::relations::{Relations, disagree};
use Operation::{Add, Assign, Complement, Read, Write};

/// A variable with the values `lo..=hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The least value.
    pub lo: i64,
    /// The greatest value.
    pub hi: i64,
}

impl Variable {
    /// The meaning of an operation: its output and the new value. Only `Write` takes an input: the value, or nothing
    /// for one outside the domain.
    pub fn apply(&self, op: Operation, input: Option<i64>, value: i64) -> (Output, i64) {
        let set = |new: i64| if self.holds(new) { (Output::Nothing, new) } else { (Output::Fault(new), value) };
        match op {
            Read => (Output::Value(value), value),
            Operation::Test(test) => (Output::Value(i64::from(test.holds(value))), value),
            Write => input.map_or((Output::Fault(0), value), set),
            Assign(constant) => set(constant),
            Add(delta) => set(value.saturating_add(delta)),
            Complement => (Output::Nothing, self.lo + self.hi - value),
            _ => unreachable!("{op:?} is no operation on a variable"),
        }
    }

    fn holds(&self, value: i64) -> bool {
        self.lo <= value && value <= self.hi
    }

    fn size(&self) -> i64 {
        self.hi - self.lo + 1
    }

    fn varies(&self, test: Test) -> bool {
        !test.is_constant_on(self.lo, self.hi)
    }

    /// Whether the operation changes some value, or is a fault that depends on it.
    fn matters(&self, op: Operation) -> bool {
        self.size() > 1
            && match op {
                Assign(constant) => self.holds(constant),
                Add(delta) => delta != 0,
                _ => true,
            }
    }

    /// Whether adding `delta` is possible for some value.
    fn fits(&self, delta: i64) -> bool {
        delta.unsigned_abs() < self.size().unsigned_abs()
    }

    /// Whether adding `delta` is possible for this value.
    fn can_add(&self, delta: i64, value: i64) -> bool {
        self.holds(value.saturating_add(delta))
    }
}

impl Relations for Variable {
    fn is_defined(&self, _: Operation, _: i64) -> bool {
        true
    }

    fn dependent(&self, a: Operation, b: Operation, value: i64) -> bool {
        if a == Write || b == Write {
            return self.can_be_dependent(a, b);
        }
        disagree(|v| Some(self.apply(a, None, v)), |v| Some(self.apply(b, None, v)), value)
    }

    /// Adding with equal signs stays conditional: where the order matters, the two are a fault one after the other.
    fn uniformly_dependent(&self, a: Operation, b: Operation, value: i64) -> bool {
        match (a, b) {
            (Add(k), Add(j)) if (k > 0) == (j > 0) => self.dependent(a, b, value),
            (Read | Operation::Test(_), Add(k)) | (Add(k), Read | Operation::Test(_)) if !self.can_add(k, value) => {
                false
            }
            _ => self.can_be_dependent(a, b),
        }
    }

    fn can_be_dependent(&self, a: Operation, b: Operation) -> bool {
        if !self.matters(a) || !self.matters(b) {
            return false;
        }
        match (a, b) {
            (Read | Operation::Test(_), Read | Operation::Test(_)) | (Complement, Complement) => false,
            (Read, Add(k)) | (Add(k), Read) => self.fits(k),
            (Operation::Test(t), Add(k)) | (Add(k), Operation::Test(t)) => t.flips(k, self.lo, self.hi),
            (Operation::Test(t), _) | (_, Operation::Test(t)) => self.varies(t),
            (Assign(c), Assign(d)) => c != d,
            (Add(k), Add(j)) => self.fits(k) || self.fits(j),
            _ => true,
        }
    }

    fn do_not_accord(&self, a: Operation, b: Operation) -> bool {
        self.can_be_dependent(a, b)
    }

    fn order_matters(&self, first: Operation, then: Operation) -> bool {
        !matches!((first, then), (Add(_), Add(_))) && self.can_be_dependent(first, then)
    }

    fn may_interfere_first(&self, op: Operation, other: Operation, value: i64) -> bool {
        let flips = |test: Test| match other {
            Assign(c) => self.holds(c) && test.holds(c) != test.holds(value),
            Add(k) => test.flips_from(value, k, self.lo, self.hi),
            _ => self.can_be_dependent(op, other),
        };
        match op {
            Operation::Test(test) => flips(test),
            Assign(c) if self.holds(c) => self.dependent(op, other, value) || self.dependent(op, other, c),
            Add(k) if self.can_add(k, value) => self.can_be_dependent(op, other),
            Complement => self.can_be_dependent(op, other),
            _ => self.dependent(op, other, value),
        }
    }
}
