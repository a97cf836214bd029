//! The relations between operations on one object that selective search lives on, for every kind of object.
//!
//! They are those of Godefroid's thesis, by the scalar of the object (see [`Operation`]), in constant time:
//!
//! - *dependent in a value* (Definition 3.18) and its weakly uniform variant (Definition 6.6);
//! - *can be dependent* (4.6) and *do not accord* (4.13): the same for some value, the latter where both are defined;
//! - *might be the first to interfere from a value* (4.26), which the thesis writes `op ▷s op'`. It takes for granted
//!   that every operation of the kind may occur, with every argument;
//! - *order matters*, for weak stubborn sets (note 4.31): the only one that is not symmetric and knows no faults.
//!
//! A model error counts as an output that the operation gives, with the object unchanged: an operation that turns a
//! fault on or off is dependent. A transition that is a fault must therefore be treated as enabled.
//!
//! A search that needs a weakly uniform relation (chapter 6) must use it for *all* it does: `uniformly_dependent` in
//! states, and for persistent sets `can_be_dependent`, which includes it; or `do_not_accord`, which includes it wherever
//! both operations are defined; or `may_interfere_first_uniformly`, which is `▷` by that relation.

use super::channel::Channel;
use super::counter::Counter;
use super::lock::Lock;
use super::operation::{Operation, Output};
use super::variable::Variable;
use super::{Kind, Object};

/// The dependency relations of a kind of object.
pub trait Relations {
    /// Whether the operation is defined for a scalar (a receive: if the first message matches).
    fn is_defined(&self, op: Operation, scalar: i64) -> bool;

    /// Whether two operations are dependent in a value.
    fn dependent(&self, a: Operation, b: Operation, scalar: i64) -> bool;

    /// The weakly uniform variant of [`Relations::dependent`], which it includes.
    fn uniformly_dependent(&self, a: Operation, b: Operation, scalar: i64) -> bool;

    /// Whether two operations are dependent in some value.
    fn can_be_dependent(&self, a: Operation, b: Operation) -> bool;

    /// Whether two operations are both defined and dependent in some value.
    fn do_not_accord(&self, a: Operation, b: Operation) -> bool;

    /// Whether from this value `other` might be the first operation to interfere with `op`: written `op ▷s other`.
    fn may_interfere_first(&self, op: Operation, other: Operation, scalar: i64) -> bool;

    /// [`Relations::may_interfere_first`] by the weakly uniform relation, which is larger. May say yes where that is not
    /// so, but only of operations that can be dependent.
    fn may_interfere_first_uniformly(&self, op: Operation, other: Operation, scalar: i64) -> bool {
        let _ = scalar;
        self.can_be_dependent(op, other)
    }

    /// Whether for some value `first` and then `then` can be performed, without a fault, and the other order, if it is
    /// no fault, is not possible or gives something else. May say yes where that is not so.
    fn order_matters(&self, first: Operation, then: Operation) -> bool {
        self.can_be_dependent(first, then)
    }
}

/// What the relations need to know of an object: its kind, and the bounds of its scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A variable.
    Variable(Variable),
    /// A lock.
    Lock(Lock),
    /// A counter or a semaphore.
    Counter(Counter),
    /// A channel.
    Channel(Channel),
}

impl Shape {
    /// The shape of an object.
    pub fn of(object: &Object) -> Self {
        match &object.kind {
            Kind::Variable(d) => Shape::Variable(Variable { lo: d.lo(), hi: d.hi() }),
            Kind::Lock => Shape::Lock(Lock),
            Kind::Semaphore { max } | Kind::Counter { max } => Shape::Counter(Counter { max: *max }),
            Kind::Channel(c) => Shape::Channel(Channel { capacity: c.capacity }),
        }
    }
}

/// Asks the kind's own file, unless an operation may be anything.
macro_rules! ask {
    ($shape:expr, [$($op:expr),*], $method:ident($($argument:expr),*)) => {
        $($op == Operation::Any)||* || match $shape {
            Shape::Variable(o) => o.$method($($argument),*),
            Shape::Lock(o) => o.$method($($argument),*),
            Shape::Counter(o) => o.$method($($argument),*),
            Shape::Channel(o) => o.$method($($argument),*),
        }
    };
}

impl Relations for Shape {
    fn is_defined(&self, op: Operation, scalar: i64) -> bool {
        ask!(self, [op], is_defined(op, scalar))
    }

    fn dependent(&self, a: Operation, b: Operation, scalar: i64) -> bool {
        ask!(self, [a, b], dependent(a, b, scalar))
    }

    fn uniformly_dependent(&self, a: Operation, b: Operation, scalar: i64) -> bool {
        ask!(self, [a, b], uniformly_dependent(a, b, scalar))
    }

    fn can_be_dependent(&self, a: Operation, b: Operation) -> bool {
        ask!(self, [a, b], can_be_dependent(a, b))
    }

    fn do_not_accord(&self, a: Operation, b: Operation) -> bool {
        ask!(self, [a, b], do_not_accord(a, b))
    }

    fn may_interfere_first(&self, op: Operation, other: Operation, scalar: i64) -> bool {
        ask!(self, [op, other], may_interfere_first(op, other, scalar))
    }

    fn may_interfere_first_uniformly(&self, op: Operation, other: Operation, scalar: i64) -> bool {
        ask!(self, [op, other], may_interfere_first_uniformly(op, other, scalar))
    }

    fn order_matters(&self, first: Operation, then: Operation) -> bool {
        ask!(self, [first, then], order_matters(first, then))
    }
}

/// Definition 3.18 for two operations without inputs, given as functions of the value: runs them both ways.
pub(super) fn disagree(
    a: impl Fn(i64) -> Option<(Output, i64)>,
    b: impl Fn(i64) -> Option<(Output, i64)>,
    value: i64,
) -> bool {
    match (a(value), b(value)) {
        (None, None) => false,
        (Some((_, after)), None) => b(after).is_some(),
        (None, Some((_, after))) => a(after).is_some(),
        (Some((out_a, after_a)), Some((out_b, after_b))) => match (a(after_b), b(after_a)) {
            (Some((out_a2, end_a)), Some((out_b2, end_b))) => (out_a, out_b, end_a) != (out_a2, out_b2, end_b),
            _ => true,
        },
    }
}
