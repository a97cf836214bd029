//! A program in which every name has its meaning: variables are columns of numbers, proctypes are graphs of statements.
//!
//! Nothing of the syntax is left: `else`, `unless`, `for`, `select`, `goto`, `break` are edges, typedefs are flattened,
//! constants are numbers. What depends on how many processes run (their numbers, their channels) is left to `elaborate`.

mod expr;
mod graph;

pub use crate::name::Text;
pub use expr::{Argument, Binary, Column, Expr, Look, Query, Slot, Unary};
pub use graph::{Action, Edge, EdgeId, Event, Graph, Hold, Node, NodeId, Receive, Send};

use model::Span;

use super::ast::Formula;

/// A resolved program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The constants of all `mtype`s: those of subtype `s` are `mtypes[s]`, the first being the plain one. Their values
    /// count from 1 within each type, in the order in which SPIN numbers them.
    pub mtypes: Vec<Mtype>,
    /// The global variables.
    pub globals: Vec<Variable>,
    /// The proctypes in the order of the text, `init` among them.
    pub proctypes: Vec<Proctype>,
    /// The `never` claims.
    pub claims: Vec<Claim>,
    /// The `trace` or `notrace` assertion: there may be one.
    pub trace: Option<Trace>,
    /// The `ltl` formulas, their atoms resolved: `Formula::Atom`s of the tree are numbered left to right into `atoms`.
    pub formulas: Vec<Ltl>,
}

/// One `mtype`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mtype {
    /// The subtype's name; nothing for the plain one.
    pub name: Option<Text>,
    /// Its constants; the value of `constants[i]` is `i + 1`.
    pub constants: Vec<Text>,
}

/// The number of a proctype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProctypeId(pub u32);

/// What a number can be; what is written is wrapped to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// 0 or 1.
    Bit,
    /// 0 or 1, shown as `false` and `true`.
    Bool,
    /// 0 to 255, shown as `false` and `true` if it is never anything else: truth values in arrays, and those that are a
    /// message of their own, are bytes to SPIN.
    ByteBool,
    /// 0 to 255.
    Byte,
    /// A process number, 0 to 255.
    Pid,
    /// 16 bits, signed.
    Short,
    /// 32 bits, signed.
    Int,
    /// This many bits, unsigned.
    Unsigned(u8),
    /// A channel; 0 is none.
    Chan,
    /// A constant of this `mtype` (by its number in [`Program::mtypes`]), or 0.
    Mtype(u32),
}

impl Scalar {
    /// The type that SPIN has for elements of arrays, and for messages of one field: bits are bytes there.
    pub(super) fn in_byte(self) -> Self {
        match self {
            Scalar::Bit => Scalar::Byte,
            Scalar::Bool => Scalar::ByteBool,
            wide => wide,
        }
    }
}

/// A variable without structure, or one field of all elements of a variable with structure: `a[3].b[2]` of type byte is
/// the column `a.b` of bytes with the sizes 3 and 2, six numbers, the last index running fastest.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name, fields joined by dots, without indices. Names of one scope are unique: those of nested blocks
    /// that would clash have a mark added.
    pub name: Text,
    /// What its numbers are.
    pub scalar: Scalar,
    /// The sizes of its dimensions; none for a plain variable.
    pub sizes: Vec<u32>,
    /// What it holds when it comes into being.
    pub initial: Initial,
    /// Whether it was declared `hidden`.
    pub hidden: bool,
    /// Where it is declared.
    pub span: Span,
}

/// What a variable holds when it comes into being.
#[derive(Clone, Debug)]
pub enum Initial {
    /// Each cell this value, evaluated when the process is created (globals: from the globals before it).
    Each(Expr),
    /// The cells one by one, all of them.
    List(Vec<Expr>),
    /// Each cell a channel of its own.
    Channels {
        /// The most messages; 0 for a rendezvous.
        capacity: u32,
        /// The flattened fields.
        fields: Vec<Scalar>,
    },
}

/// A proctype.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// Its name; `init` for that.
    pub name: Text,
    /// How many run from the start.
    pub active: u32,
    /// Its variables; the first ones are its parameters.
    pub locals: Vec<Variable>,
    /// How many parameters it has.
    pub parameters: u32,
    /// Under which condition it may take steps.
    pub provided: Option<Expr>,
    /// What it does.
    pub graph: Graph,
    /// The statements that no way leads to, and that the graph does not have: their texts, and where they stand.
    pub unreached: Vec<(Text, Span)>,
    /// Where it is declared.
    pub span: Span,
}

/// A `never` claim: a graph whose edges are tests, assertions and skips.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name.
    pub name: Text,
    /// The claim; `Node::end` of its last node says that it is fulfilled.
    pub graph: Graph,
    /// Where it is declared.
    pub span: Span,
}

/// A `trace` or `notrace` assertion: a graph whose edges are events.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Whether it must not happen.
    pub negated: bool,
    /// The automaton.
    pub graph: Graph,
    /// Where it is declared.
    pub span: Span,
}

impl Trace {
    /// What it is called: its keyword.
    pub fn name(&self) -> &'static str {
        if self.negated { "notrace" } else { "trace" }
    }
}

/// A formula.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// Its name.
    pub name: Text,
    /// Its shape.
    pub formula: Formula,
    /// What its atoms mean, left to right.
    pub atoms: Vec<Expr>,
    /// Where it is declared.
    pub span: Span,
}
