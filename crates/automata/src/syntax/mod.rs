//! Formulas as they are written: a plain tree, nothing rewritten. The evaluator on lassos reads this form.

mod lex;
mod parse;

use std::fmt;

pub use parse::{ParseError, Parsed, parse, parse_with};

/// An atomic proposition, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom(pub u32);

impl Atom {
    /// Its place in a table of atoms.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A formula of linear temporal logic over numbered atoms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ltl {
    /// True or false.
    Constant(bool),
    /// An atomic proposition.
    Atom(Atom),
    /// Negation, or a temporal operator on one formula.
    Unary(Unary, Box<Ltl>),
    /// A connective or a temporal operator on two formulas.
    Binary(Binary, Box<Ltl>, Box<Ltl>),
}

/// The operators on one formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// It is false.
    Not,
    /// At the next position.
    Next,
    /// At some position, now or later.
    Eventually,
    /// At all positions from now on.
    Always,
}

/// The operators on two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// Both.
    And,
    /// One at least.
    Or,
    /// The second, if the first.
    Implies,
    /// Both or none.
    Iff,
    /// Exactly one.
    Xor,
    /// The first up to the second, which comes.
    Until,
    /// The first up to the second, or for ever.
    WeakUntil,
    /// The second up to and including the first, or for ever.
    Release,
    /// The second up to and including the first, which comes.
    StrongRelease,
}

impl Ltl {
    /// The operator applied to this formula.
    pub fn under(self, op: Unary) -> Ltl {
        Ltl::Unary(op, Box::new(self))
    }

    /// The operator between this formula and another.
    pub fn with(self, op: Binary, other: Ltl) -> Ltl {
        Ltl::Binary(op, Box::new(self), Box::new(other))
    }
}

impl Unary {
    fn symbol(self) -> &'static str {
        match self {
            Unary::Not => "!",
            Unary::Next => "X",
            Unary::Eventually => "F",
            Unary::Always => "G",
        }
    }
}

impl Binary {
    fn symbol(self) -> &'static str {
        match self {
            Binary::And => "&",
            Binary::Or => "|",
            Binary::Implies => "->",
            Binary::Iff => "<->",
            Binary::Xor => "xor",
            Binary::Until => "U",
            Binary::WeakUntil => "W",
            Binary::Release => "R",
            Binary::StrongRelease => "M",
        }
    }
}

/// Atoms are written `p0`, `p1`, ...
impl fmt::Display for Ltl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ltl::Constant(true) => f.write_str("true"),
            Ltl::Constant(false) => f.write_str("false"),
            Ltl::Atom(a) => write!(f, "p{}", a.0),
            Ltl::Unary(op, a) => write!(f, "{}({a})", op.symbol()),
            Ltl::Binary(op, a, b) => write!(f, "({a} {} {b})", op.symbol()),
        }
    }
}
