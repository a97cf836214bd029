//! What threads share, each kind with a type of its own: nobody sends to a lock. Steps take only what is of their model, and
//! so do the terms in them.

use std::sync::atomic::{AtomicU64, Ordering};

use model::{Binary, Expr, ObjectId};

use crate::term::Term;

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
    pub fn is_free(self) -> Term {
        Term::of(self.0, "lock", |object| Expr::Free(object.into()))
    }
}

impl Semaphore {
    /// How many permits there are.
    pub fn permits(self) -> Term {
        Term::of(self.0, "semaphore", Expr::read)
    }
}

impl Queue {
    /// How many messages there are.
    pub fn len(self) -> Term {
        Term::of(self.handle, "queue", |object| Expr::Len(object.into()))
    }

    /// Whether there is no message.
    pub fn is_empty(self) -> Term {
        Term::of(self.handle, "queue", |object| Expr::Empty(object.into()))
    }

    /// Whether no message fits any more.
    pub fn is_full(self) -> Term {
        Term::of(self.handle, "queue", |object| Expr::Full(object.into()))
    }
}

impl Variable {
    /// Its value.
    pub fn value(self) -> Term {
        Term::of(self.0, "variable", Expr::read)
    }

    /// Whether it has this value.
    pub fn is(self, value: impl Into<Term>) -> Term {
        self.value().is(value)
    }

    /// Whether its value is at most this.
    pub fn at_most(self, value: impl Into<Term>) -> Term {
        self.value().op(Binary::Le, value)
    }

    /// Whether its value is at least this.
    pub fn at_least(self, value: impl Into<Term>) -> Term {
        self.value().op(Binary::Ge, value)
    }

    /// Its value and this together.
    pub fn plus(self, value: impl Into<Term>) -> Term {
        self.value().op(Binary::Add, value)
    }
}

impl From<Variable> for Term {
    fn from(variable: Variable) -> Self {
        variable.value()
    }
}

impl From<Variable> for Expr {
    fn from(variable: Variable) -> Self {
        variable.value().into()
    }
}
