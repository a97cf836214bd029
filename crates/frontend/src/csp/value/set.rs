//! Sets: listed where they can be, by description where they are infinite or recursive.

use std::rc::Rc;

use super::Value;
use crate::csp::code::TypeId;

/// A set.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::csp) enum Set {
    /// In increasing order.
    Finite(Rc<[Value]>),
    /// The numbers from one on.
    From(i64),
    /// All numbers.
    Int,
    /// All characters.
    Char,
    /// All processes.
    Proc,
    /// A datatype that is infinite, or that is being computed.
    Type(TypeId),
    /// All sequences over a set.
    Sequences(Rc<Set>),
    /// All subsets of an infinite set.
    Subsets(Rc<Set>),
    /// Tuples over sets of which one is not listed.
    Tuples(Rc<[Set]>),
    /// Dotted values over sets of which one is not listed.
    Dots(Rc<[Set]>),
}

impl Set {
    pub(in crate::csp) fn new(mut values: Vec<Value>) -> Self {
        values.sort_unstable();
        values.dedup();
        Self::Finite(values.into())
    }

    /// Its elements, if they are listed.
    pub(in crate::csp) fn listed(&self) -> Option<&Rc<[Value]>> {
        match self {
            Self::Finite(values) => Some(values),
            _ => None,
        }
    }
}
