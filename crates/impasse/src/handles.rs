//! What threads share, each kind with a type of its own: nobody sends to a lock.

use model::{Binary, Expr, ObjectId};

/// A mutual exclusion lock. It knows who holds it: releasing it is for that thread only, and acquiring it twice blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lock(pub(crate) ObjectId);

/// A counting semaphore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Semaphore(pub(crate) ObjectId);

/// A first-in first-out queue: sending blocks while it is full, receiving while it is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Queue {
    pub(crate) object: ObjectId,
    /// Whether messages carry a number.
    pub(crate) numbered: bool,
}

/// A shared variable of a small range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variable(pub(crate) ObjectId);

impl Lock {
    /// Whether nobody holds it.
    pub fn is_free(self) -> Expr {
        Expr::Free(self.0.into())
    }
}

impl Semaphore {
    /// How many permits there are.
    pub fn permits(self) -> Expr {
        Expr::read(self.0)
    }
}

impl Queue {
    /// How many messages there are.
    pub fn len(self) -> Expr {
        Expr::Len(self.object.into())
    }

    /// Whether there is no message.
    pub fn is_empty(self) -> Expr {
        Expr::Empty(self.object.into())
    }

    /// Whether no message fits any more.
    pub fn is_full(self) -> Expr {
        Expr::Full(self.object.into())
    }
}

impl Variable {
    /// Its value.
    pub fn value(self) -> Expr {
        Expr::read(self.0)
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
