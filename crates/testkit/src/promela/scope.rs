//! What is declared where a statement stands.

use super::values::Kind;

/// Something with a number in it: a variable, a field, or a cell of an array that is still to be chosen.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The text up to the index.
    pub(super) prefix: String,
    /// The size of the array.
    pub(super) size: Option<usize>,
    /// The text behind the index.
    pub(super) suffix: String,
    /// Its type.
    pub(super) kind: Kind,
}

impl Place {
    /// A variable.
    pub(super) fn plain(name: impl Into<String>, kind: Kind) -> Self {
        Self { prefix: name.into(), size: None, suffix: String::new(), kind }
    }
}

/// What can go through channels of one sort.
#[derive(Clone, Debug)]
pub(super) struct Protocol {
    /// The fields of messages.
    pub(super) fields: Vec<Field>,
    /// Whether such channels have room.
    pub(super) buffered: bool,
}

/// A field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// A number.
    Number(Kind),
    /// A channel of this protocol.
    Channel(usize),
}

/// A channel, or a variable that holds one.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    /// Its text.
    pub(super) name: String,
    /// The number of its protocol.
    pub(super) protocol: usize,
    /// Whether it can be assigned to.
    pub(super) variable: bool,
}

/// A proctype that can be run.
#[derive(Clone, Debug)]
pub(super) struct Runnable {
    /// Its name.
    pub(super) name: String,
    /// Its parameters.
    pub(super) parameters: Vec<Field>,
}

/// All that is in scope.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) places: Vec<Place>,
    pub(super) channels: Vec<Channel>,
    pub(super) protocols: Vec<Protocol>,
    pub(super) runnables: Vec<Runnable>,
    /// A variable for loops.
    pub(super) counter: Option<String>,
    /// The labels that the process will have.
    pub(super) labels: Vec<String>,
    /// Labels of a process that is there from the start, as others see them: `P0[0]@L0`.
    pub(super) remote: Vec<String>,
    /// Names of inlines with a place and a value as parameters.
    pub(super) inlines: Vec<String>,
}
