//! Model errors: what a transition may do that has no meaning. A search reports them as violations, with their trace.

use crate::{ObjectId, System};

/// Why evaluating a guard or a command has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// A value was written that the object, or the field of its messages, cannot hold.
    OutOfRange {
        /// The variable or channel.
        object: ObjectId,
        /// The value.
        value: i64,
    },
    /// A counter or semaphore would exceed its maximum.
    Overflow {
        /// The counter or semaphore.
        object: ObjectId,
    },
    /// An index selects no cell of its array.
    Index {
        /// The first cell of the array.
        first: ObjectId,
        /// The index.
        index: i64,
    },
    /// Division or remainder by zero.
    DivisionByZero,
    /// An intermediate result does not fit into 64 bits.
    Arithmetic,
    /// A lock is released by a process that does not hold it.
    NotHeld {
        /// The lock.
        object: ObjectId,
    },
    /// An assertion failed.
    Assertion,
}

impl Fault {
    /// The fault in the model's own names.
    pub fn show(&self, system: &System) -> String {
        let name = |o: ObjectId| &system.object(o).name;
        match *self {
            Fault::OutOfRange { object, value } => {
                format!("the value {value} is outside the range of `{}`", name(object))
            }
            Fault::Overflow { object } => format!("`{}` exceeds its maximum", name(object)),
            Fault::Index { first, index } => {
                let array = name(first).split('[').next().unwrap_or_default();
                format!("the index {index} is outside the array `{array}`")
            }
            Fault::DivisionByZero => "division by zero".to_owned(),
            Fault::Arithmetic => "an intermediate result does not fit into 64 bits".to_owned(),
            Fault::NotHeld { object } => format!("`{}` is released by a process that does not hold it", name(object)),
            Fault::Assertion => "an assertion fails".to_owned(),
        }
    }
}
