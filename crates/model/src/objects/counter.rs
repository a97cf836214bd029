//! Counters and semaphores: gained, taken from, read, tested.
//!
//! Taking is defined while there are enough tokens; gaining beyond the maximum is a fault. For dependency in a value
//! both orders are simply run.
//!
//! Might be the first to interfere, with maximum `M`: operations that are independent with
//! - a test can lead to every value that passes as the current one does, a read leads nowhere;
//! - gaining `k` can lead to every value where it is a fault (above `M - k`), if it is one now, else to every other;
//! - taking `k` can lead to every value where it is defined (`k` and above), if it is defined now, else to every other.

use super::operation::{Operation, Output};
use super::relations::{Relations, disagree};
use Operation::{Gain, Read, Take};

/// A counter or semaphore with the values `0..=max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The greatest value.
    pub max: u32,
}

impl Counter {
    /// The meaning of an operation, where it is defined: its output and the new value.
    pub fn apply(&self, op: Operation, value: i64) -> Option<(Output, i64)> {
        Some(match op {
            Read => (Output::Value(value), value),
            Operation::Test(test) => (Output::Value(i64::from(test.holds(value))), value),
            Gain(k) if value + i64::from(k) > self.max() => (Output::Fault(0), value),
            Gain(k) => (Output::Nothing, value + i64::from(k)),
            Take(k) if value < i64::from(k) => return None,
            Take(k) => (Output::Nothing, value - i64::from(k)),
            _ => unreachable!("{op:?} is no operation on a counter"),
        })
    }

    fn max(&self) -> i64 {
        i64::from(self.max)
    }

    /// Whether the operation tells or changes something for some value.
    fn matters(&self, op: Operation) -> bool {
        match op {
            Gain(k) | Take(k) => 1 <= k && k <= self.max,
            _ => true,
        }
    }

    /// Whether the operation changes this value.
    fn changes(&self, op: Operation, value: i64) -> bool {
        self.apply(op, value).is_some_and(|(_, after)| after != value)
    }
}

impl Relations for Counter {
    fn is_defined(&self, op: Operation, value: i64) -> bool {
        !matches!(op, Take(k) if value < i64::from(k))
    }

    fn dependent(&self, a: Operation, b: Operation, value: i64) -> bool {
        disagree(|v| self.apply(a, v), |v| self.apply(b, v), value)
    }

    /// Producers and consumers are dependent whatever the value, because other producers may move it; producers among
    /// themselves, and consumers, only where both cannot happen.
    fn uniformly_dependent(&self, a: Operation, b: Operation, value: i64) -> bool {
        match (a, b) {
            (Gain(_), Gain(_)) | (Take(_), Take(_)) => self.dependent(a, b, value),
            (Read | Operation::Test(_), op) | (op, Read | Operation::Test(_)) if !self.changes(op, value) => false,
            _ => self.can_be_dependent(a, b),
        }
    }

    fn can_be_dependent(&self, a: Operation, b: Operation) -> bool {
        match (a, b) {
            (Read | Operation::Test(_), Read | Operation::Test(_)) => false,
            (Operation::Test(t), Gain(k) | Take(k)) | (Gain(k) | Take(k), Operation::Test(t)) => {
                t.flips(i64::from(k), 0, self.max())
            }
            _ => self.matters(a) && self.matters(b),
        }
    }

    fn do_not_accord(&self, a: Operation, b: Operation) -> bool {
        self.can_be_dependent(a, b)
    }

    /// What is independent with taking, by this relation, only takes, and leaves it not defined if it is not.
    fn may_interfere_first_uniformly(&self, op: Operation, other: Operation, value: i64) -> bool {
        match (op, other) {
            (Take(k), Take(_)) if value < i64::from(k) => false,
            _ => self.can_be_dependent(op, other),
        }
    }

    /// Only gaining before taking can be what makes the taking possible.
    fn order_matters(&self, first: Operation, then: Operation) -> bool {
        match (first, then) {
            (Take(_), Take(_) | Gain(_)) | (Gain(_), Gain(_)) => false,
            _ => self.can_be_dependent(first, then),
        }
    }

    fn may_interfere_first(&self, op: Operation, other: Operation, value: i64) -> bool {
        let related = || self.can_be_dependent(op, other);
        match (op, other) {
            (Operation::Test(t), Gain(k)) => t.flips_from(value, i64::from(k), 0, self.max()),
            (Operation::Test(t), Take(k)) => t.flips_from(value, -i64::from(k), 0, self.max()),
            // A gain that is a fault can only be disturbed by a take that makes room, one that is none never by a take.
            (Gain(k), _) if value + i64::from(k) > self.max() => matches!(other, Take(_)) && related(),
            (Gain(_), Take(_)) => false,
            (Take(k), _) if value < i64::from(k) => matches!(other, Gain(_)) && related(),
            (Gain(_) | Take(_), _) => related(),
            _ => self.changes(other, value) && related(),
        }
    }
}
