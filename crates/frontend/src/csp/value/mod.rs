//! Values of CSPm.
//!
//! Dotted values are flat: `c.(A.0).1` is the channel, the constructor and two numbers. How many of them belong together
//! follows from what channels and constructors carry, so nothing is lost, and equal values are equal however they were
//! put together. Sets are in order, so that equal sets are equal, too.

mod closure;
mod sequence;
mod set;
mod show;

use std::rc::Rc;

use super::code::{Builtin, HeadId};
use super::process::TermId;

pub(super) use closure::{Cell, Function, Group, Target};
pub(super) use sequence::Sequence;
pub(super) use set::Set;
pub(super) use show::show;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Value {
    /// Of a variable that has no value yet.
    Unset,
    Int(i64),
    Bool(bool),
    Char(char),
    /// A channel or a constructor.
    Head(HeadId),
    /// At least two, none of them dotted.
    Dot(Rc<[Value]>),
    Tuple(Rc<[Value]>),
    Sequence(Sequence),
    Set(Set),
    /// Keys in increasing order.
    Map(Rc<[(Value, Value)]>),
    Process(TermId),
    /// A set of pairs as a function: from a value to the set of its partners.
    Image(Rc<[(Value, Value)]>),
    Builtin(Builtin),
    Function(Rc<Function>),
    /// The definitions of a `let`.
    Group(Rc<Group>),
}

impl Value {
    /// The parts of a dotted value; of any other, just the value.
    pub(super) fn atoms(&self) -> &[Value] {
        match self {
            Value::Dot(atoms) => atoms,
            other => std::slice::from_ref(other),
        }
    }

    /// The dotted value of these atoms, of which there is at least one.
    pub(super) fn dotted(atoms: &[Value]) -> Value {
        match atoms {
            [one] => one.clone(),
            _ => Value::Dot(atoms.into()),
        }
    }

    /// A text as the sequence of its characters.
    pub(super) fn text(text: &str) -> Value {
        Value::Sequence(Sequence::new(text.chars().map(Value::Char).collect()))
    }

    /// The set of these values.
    pub(super) fn set(values: Vec<Value>) -> Value {
        Value::Set(Set::new(values))
    }

    /// What kind of value it is, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Unset => "nothing",
            Value::Int(_) => "a number",
            Value::Bool(_) => "a truth value",
            Value::Char(_) => "a character",
            Value::Head(_) => "a channel or constructor",
            Value::Dot(_) => "a dotted value",
            Value::Tuple(_) => "a tuple",
            Value::Sequence(_) => "a sequence",
            Value::Set(_) => "a set",
            Value::Map(_) => "a map",
            Value::Process(_) => "a process",
            Value::Image(_) | Value::Builtin(_) | Value::Function(_) => "a function",
            Value::Group(_) => "a list of definitions",
        }
    }
}
