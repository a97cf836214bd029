//! What threads share, each kind with a type of its own: nobody sends to a lock. Steps take only what is of their model;
//! expressions, which the builder below takes as well, no longer know whose they are.

use std::sync::atomic::{AtomicU64, Ordering};

use model::{Binary, Expr, ObjectId};

/// An object of one model. Objects are numbered in each model anew: the serial number is unlike that of any other object in
/// any model, so that what belongs to another model is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Handle {
    pub(crate) object: ObjectId,
    pub(crate) serial: u64,
}

impl Handle {
    /// A handle of an object that has none yet.
    pub(crate) fn new(object: ObjectId) -> Self {
        static MADE: AtomicU64 = AtomicU64::new(0);
        Self { object, serial: MADE.fetch_add(1, Ordering::Relaxed) }
    }
}

/// A mutual exclusion lock. It knows who holds it: releasing it is for that thread only, and acquiring it twice blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lock(pub(crate) Handle);

/// A counting semaphore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Semaphore(pub(crate) Handle);

/// A first-in first-out queue: sending blocks while it is full, receiving while it is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Queue {
    pub(crate) handle: Handle,
    /// Whether messages carry a number.
    pub(crate) numbered: bool,
}

/// A shared variable of a small range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variable(pub(crate) Handle);

impl Lock {
    /// Whether nobody holds it.
    pub fn is_free(self) -> Expr {
        Expr::Free(self.0.object.into())
    }
}

impl Semaphore {
    /// How many permits there are.
    pub fn permits(self) -> Expr {
        Expr::read(self.0.object)
    }
}

impl Queue {
    /// How many messages there are.
    pub fn len(self) -> Expr {
        Expr::Len(self.handle.object.into())
    }

    /// Whether there is no message.
    pub fn is_empty(self) -> Expr {
        Expr::Empty(self.handle.object.into())
    }

    /// Whether no message fits any more.
    pub fn is_full(self) -> Expr {
        Expr::Full(self.handle.object.into())
    }
}

impl Variable {
    /// Its value.
    pub fn value(self) -> Expr {
        Expr::read(self.0.object)
    }

    /// Whether it has this value.
    pub fn is(self, value: impl Into<Expr>) -> Expr {
        self.value().is(value)
    }

    /// Whether its value is at most this.
    pub fn at_most(self, value: impl Into<Expr>) -> Expr {
        self.value().op(Binary::Le, value)
    }

    /// Whether its value is at least this.
    pub fn at_least(self, value: impl Into<Expr>) -> Expr {
        self.value().op(Binary::Ge, value)
    }

    /// Its value and this together.
    pub fn plus(self, value: impl Into<Expr>) -> Expr {
        self.value().op(Binary::Add, value)
    }
}

impl From<Variable> for Expr {
    fn from(variable: Variable) -> Self {
        variable.value()
    }
}
