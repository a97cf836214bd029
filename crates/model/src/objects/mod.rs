//! The object library: the kinds of shared objects, their operations, and the dependency relations of these.

mod channel;
mod counter;
mod lock;
mod operation;
mod relations;
mod variable;

pub use channel::Channel;
pub use counter::Counter;
pub use lock::Lock;
pub use operation::{Comparison, Operation, Output, Test};
pub use relations::{Relations, Shape};
pub use variable::Variable;

use crate::{Domain, ProcessId, Span};

/// What an object is, and so which operations it has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A variable of a finite domain: read, tested, assigned.
    Variable(Domain),
    /// A mutual exclusion lock that knows its holder.
    Lock,
    /// A counting semaphore with values `0..=max`.
    Semaphore {
        /// The greatest value; signalling beyond it is a fault.
        max: u32,
    },
    /// A counter with values `0..=max`: a place of a Petri net.
    Counter {
        /// The greatest value; adding beyond it is a fault.
        max: u32,
    },
    /// A first-in first-out channel.
    Channel(ChannelType),
}

/// The shape of a channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChannelType {
    /// How many messages fit; 0 means rendezvous: sending and receiving is one joint transition.
    pub capacity: u32,
    /// Whether any message may be lost when it is sent (a full lossy channel loses it for certain).
    pub lossy: bool,
    /// The domains of the fields of a message.
    pub fields: Vec<Domain>,
}

/// A shared object.
#[derive(Clone, Debug)]
pub struct Object {
    /// The name in the model, such as `fork[2]` or `Phil[0].tries`.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Its value in the initial state.
    pub initial: Value,
    /// Where it is declared.
    pub span: Option<Span>,
}

impl Object {
    /// What is said where an index misses an object that is there for that only: it has a single value, and its name is
    /// that of what is asked for, with what is wrong behind it in parentheses, as in `q (no channel)`.
    pub(crate) fn missing(&self) -> Option<(&str, &str)> {
        let Kind::Variable(Domain::Range { lo: 0, hi: 0 }) = self.kind else { return None };
        self.name.strip_suffix(')')?.split_once(" (")
    }
}

/// The value of an object, unpacked.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// Of a variable, counter or semaphore.
    Int(i64),
    /// Of a lock: who holds it.
    Lock(Option<ProcessId>),
    /// Of a channel: its messages, the oldest first.
    Queue(Vec<Vec<i64>>),
}

impl Kind {
    /// The word for it in messages.
    pub fn noun(&self) -> &'static str {
        match self {
            Kind::Variable(_) => "variable",
            Kind::Lock => "lock",
            Kind::Semaphore { .. } => "semaphore",
            Kind::Counter { .. } => "counter",
            Kind::Channel(_) => "channel",
        }
    }

    /// The value when nobody gives one: a free lock, an empty channel, zero where that is allowed.
    pub fn default_value(&self) -> Value {
        match self {
            Kind::Variable(d) => Value::Int(d.default_value()),
            Kind::Lock => Value::Lock(None),
            Kind::Semaphore { .. } | Kind::Counter { .. } => Value::Int(0),
            Kind::Channel(_) => Value::Queue(Vec::new()),
        }
    }

    /// Whether an object of this kind can hold `value`.
    pub fn admits(&self, value: &Value) -> bool {
        match (self, value) {
            (Kind::Variable(d), Value::Int(v)) => d.contains(*v),
            (Kind::Semaphore { max } | Kind::Counter { max }, Value::Int(v)) => (0..=i64::from(*max)).contains(v),
            (Kind::Lock, Value::Lock(_)) => true,
            (Kind::Channel(c), Value::Queue(q)) => {
                q.len() <= c.capacity as usize
                    && q.iter()
                        .all(|m| m.len() == c.fields.len() && m.iter().zip(&c.fields).all(|(v, d)| d.contains(*v)))
            }
            _ => false,
        }
    }
}
