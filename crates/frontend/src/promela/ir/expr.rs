//! Resolved expressions. Their arithmetic is that of C's `int`, 32 bits wide and wrapping.

pub use crate::promela::ast::{Binary, Query, Unary};

use super::{EdgeId, NodeId, ProctypeId};

/// Which variable: a global one, or one of the process at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Column {
    /// A number in [`super::Program::globals`].
    Global(u32),
    /// A number in [`super::Proctype::locals`].
    Local(u32),
}

/// One cell of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// The variable.
    pub column: Column,
    /// One index for each of its dimensions.
    pub indices: Vec<Expr>,
}

/// A resolved expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A number; constants of `mtype`s too.
    Const(i64),
    /// The value of a variable.
    Read(Slot),
    /// An operator on one operand.
    Unary(Unary, Box<Expr>),
    /// An operator on two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `(condition -> a : b)`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A question to the channel that the slot holds.
    Query(Query, Slot),
    /// Whether the channel that the slot holds has a message that matches first, or (true) anywhere.
    Poll(Slot, bool, Vec<Argument>),
    /// The number of the process at hand.
    Pid,
    /// How many processes there are.
    ProcessCount,
    /// Which process took the last step.
    Last,
    /// Whether nothing else is executable.
    Timeout,
    /// Whether no process is at a progress label.
    NonProgress,
    /// Whether the process with this number could take a step.
    Enabled(Box<Expr>),
    /// Where the process with this number is.
    PcValue(Box<Expr>),
    /// A look into another process of a proctype: the only one, or the one with this number.
    Remote(ProctypeId, Option<Box<Expr>>, Box<Look>),
    /// Whether one of these edges of the same graph is executable (made by `else` and `unless`).
    Executable(Vec<EdgeId>),
}

/// What is looked at in another process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Look {
    /// Whether it is at a label: at this node of its graph.
    At(NodeId),
    /// A local variable of it (its column is `Local`; its indices are of the process at hand).
    Variable(Slot),
}

/// A field of a message to be received.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// Written to a variable.
    Bind(Slot),
    /// Must have this value.
    Match(Expr),
    /// `_`, or nothing written at all.
    Ignore,
}

impl Argument {
    /// The variable that the field is written to.
    pub fn bound(&self) -> Option<&Slot> {
        if let Argument::Bind(slot) = self { Some(slot) } else { None }
    }
}
