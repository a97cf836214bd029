//! Model errors: what a transition may do that has no meaning. A search reports them as violations, with their trace.

use crate::arrays::split_cell;
use crate::{ObjectId, ProcessId, System};

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
    /// A message that is handed over in a rendezvous, or lost, has a field that the channel's messages cannot hold.
    /// Only [`System::told`] gives this one.
    Message {
        /// The channel, or the first one of the array.
        channel: ObjectId,
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
    /// An intermediate result does not fit into 64 bits, or a shift is by more bits than there are.
    Arithmetic,
    /// A lock is released by a process that does not hold it.
    NotHeld {
        /// The lock.
        object: ObjectId,
    },
    /// An assertion failed.
    Assertion,
    /// A process cannot go on in the middle of a deterministic step.
    Blocked {
        /// The process.
        process: ProcessId,
    },
    /// Something happened that whoever made the model did not foresee; what it is only they know by this number.
    Unforeseen(u32),
}

impl Fault {
    /// The fault in the model's own names.
    pub fn show(&self, system: &System) -> String {
        let name = |o: ObjectId| &system.object(o).name;
        match *self {
            Fault::OutOfRange { object, value } => {
                format!("the value {value} is outside the range of `{}`", name(object))
            }
            Fault::Message { channel, value } => {
                // The first cell also stands for an array, all of whose cells have the same fields.
                let (array, cell) = split_cell(name(channel));
                let channel = if cell.iter().all(|&k| k == 0) { array } else { name(channel) };
                format!("the value {value} is outside the range of `{channel}`")
            }
            Fault::Overflow { object } => format!("`{}` exceeds its maximum", name(object)),
            Fault::Index { first, index } => {
                if let Some((what, why)) = system.object(first).missing() {
                    return format!("`{what}`: {why}");
                }
                let (array, dims) = split_cell(name(first));
                match dims.len() {
                    // The index is made of several, none of which need be that number.
                    2.. => format!("an index of `{array}` is outside the array"),
                    _ => format!("the index {index} is outside the array `{array}`"),
                }
            }
            Fault::DivisionByZero => "division by zero".to_owned(),
            Fault::Arithmetic => "an intermediate result does not fit into 64 bits".to_owned(),
            Fault::NotHeld { object } => format!("`{}` is released by a process that does not hold it", name(object)),
            Fault::Assertion => "an assertion fails".to_owned(),
            Fault::Blocked { process } => {
                format!("`{}` is blocked in the middle of a deterministic step", system.process(process).name)
            }
            Fault::Unforeseen(number) => format!("something happens that the model does not foresee (number {number})"),
        }
    }
}
