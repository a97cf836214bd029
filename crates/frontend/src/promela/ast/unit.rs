//! What a file consists of.

use model::Span;

use super::{Expr, Name, Sequence};

/// A whole model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Its parts, in order.
    pub units: Vec<Unit>,
}

/// A part of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Unit {
    Mtype(Mtype),
    Typedef(Typedef),
    Vars(Vec<VarDecl>),
    /// Also `init`, as a proctype of that name without parameters, active once.
    Proctype(Proctype),
    Never(Claim),
    Ltl(Ltl),
    Trace(Trace),
}

/// `mtype:subtype = { a, b }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mtype {
    /// The name of a type of its own.
    pub subtype: Option<Name>,
    /// Its constants, as written.
    pub constants: Vec<Name>,
}

/// `typedef name { ... }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typedef {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<VarDecl>,
}

/// The declaration of one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarDecl {
    /// How it takes part in states.
    pub visibility: Visibility,
    /// Its type.
    pub ty: Type,
    /// Its name.
    pub name: Name,
    /// `: width` of an `unsigned`.
    pub width: Option<Expr>,
    /// `[size]` of an array.
    pub size: Option<Expr>,
    /// Its first value.
    pub init: Option<Init>,
}

/// How a variable takes part in states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names are keywords")]
pub enum Visibility {
    #[default]
    Plain,
    Hidden,
    Show,
    Local,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are keywords")]
pub enum Type {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned,
    Chan,
    /// `mtype`, or `mtype:subtype`.
    Mtype(Option<Name>),
    /// A `typedef`.
    Named(Name),
}

/// The first value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Init {
    /// `= expression`.
    Value(Expr),
    /// `= { a, b }`.
    List(Vec<Expr>),
    /// `= [capacity] of { types }`.
    Channel(Expr, Vec<Type>),
}

/// A proctype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proctype {
    /// Its name.
    pub name: Name,
    /// `D_proctype`.
    pub deterministic: bool,
    /// How many run from the start: `active` without a number is one; nothing without `active`.
    pub active: Option<Expr>,
    /// Its parameters.
    pub parameters: Vec<VarDecl>,
    /// Its priority.
    pub priority: Option<Expr>,
    /// Under which condition it may take steps.
    pub provided: Option<Expr>,
    /// What it does.
    pub body: Sequence,
}

/// A `never` claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its name.
    pub name: Option<Name>,
    /// What it does.
    pub body: Sequence,
    /// Where `never` stands.
    pub span: Span,
}

/// `trace` or `notrace`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Whether it must not happen.
    pub negated: bool,
    /// What it does.
    pub body: Sequence,
    /// Where the keyword stands.
    pub span: Span,
}

/// `ltl name { formula }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ltl {
    /// Its name.
    pub name: Option<Name>,
    /// The formula.
    pub formula: Formula,
    /// Where it stands.
    pub span: Span,
}

/// A formula of linear temporal logic.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Formula {
    /// A condition without temporal operators.
    Atom(Expr),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Equivalent(Box<Formula>, Box<Formula>),
    Next(Box<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    WeakUntil(Box<Formula>, Box<Formula>),
    Release(Box<Formula>, Box<Formula>),
}
