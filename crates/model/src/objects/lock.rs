//! Locks: acquired when free, released by their holder, tested for being free.
//!
//! Releasing is always defined; by a process that does not hold the lock it is a fault.
//!
//! Might be the first to interfere: only a release that is a fault leaves the lock to others, who may pass it on among
//! themselves, until its own process acquires it. Whatever else is independent leaves the lock as it is.

use super::operation::{Operation, Output};
use super::relations::{Relations, disagree};
use crate::ProcessId;
use Operation::{Acquire, Read, Release};

/// A lock; its scalar is the number of its holder plus one, zero when it is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lock;

impl Lock {
    /// The meaning of an operation, where it is defined: its output and the new holder.
    pub fn apply(&self, op: Operation, holder: i64) -> Option<(Output, i64)> {
        Some(match op {
            Read => (Output::Value(holder), holder),
            Operation::Test(test) => (Output::Value(i64::from(test.holds(holder))), holder),
            Acquire(_) if holder != 0 => return None,
            Acquire(p) => (Output::Nothing, scalar(p)),
            Release(p) if holder == scalar(p) => (Output::Nothing, 0),
            Release(_) => (Output::Fault(0), holder),
            _ => unreachable!("{op:?} is no operation on a lock"),
        })
    }
}

fn scalar(process: ProcessId) -> i64 {
    i64::from(process.0) + 1
}

impl Relations for Lock {
    fn is_defined(&self, op: Operation, holder: i64) -> bool {
        !matches!(op, Acquire(_)) || holder == 0
    }

    fn dependent(&self, a: Operation, b: Operation, holder: i64) -> bool {
        disagree(|v| self.apply(a, v), |v| self.apply(b, v), holder)
    }

    fn uniformly_dependent(&self, a: Operation, b: Operation, holder: i64) -> bool {
        self.dependent(a, b, holder)
    }

    fn can_be_dependent(&self, a: Operation, b: Operation) -> bool {
        match (a, b) {
            (Release(p), Release(q)) => p == q,
            _ => !(a.only_reads() && b.only_reads()),
        }
    }

    fn do_not_accord(&self, a: Operation, b: Operation) -> bool {
        match (a, b) {
            (Acquire(p), Release(q)) | (Release(q), Acquire(p)) => p == q,
            _ => self.can_be_dependent(a, b),
        }
    }

    fn may_interfere_first_uniformly(&self, op: Operation, other: Operation, holder: i64) -> bool {
        self.may_interfere_first(op, other, holder)
    }

    /// Nobody acquires after another, or releases what another has, without a fault.
    fn order_matters(&self, first: Operation, then: Operation) -> bool {
        match (first, then) {
            (Acquire(_), Acquire(_)) | (Release(_), Release(_)) => false,
            (Acquire(p), Release(q)) => p == q,
            _ => self.can_be_dependent(first, then),
        }
    }

    fn may_interfere_first(&self, op: Operation, other: Operation, holder: i64) -> bool {
        match op {
            Release(p) if holder != scalar(p) => other == Acquire(p),
            _ => self.is_defined(other, holder) && self.dependent(op, other, holder),
        }
    }
}
