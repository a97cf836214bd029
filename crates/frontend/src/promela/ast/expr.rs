//! Expressions.

use model::Span;

use super::Name;

/// An expression with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands; what a macro or an `inline` gave stands where that was used.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A number, a character, `true`, `false` or `skip`.
    Const(i64),
    /// A variable, a constant of an `mtype`, or one of `_`, `_pid`, `_nr_pr`, `_last`, `_priority`.
    Ref(VarRef),
    /// An operator on one operand.
    Unary(Unary, Box<Expr>),
    /// An operator on two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `(condition -> a : b)`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len(q)` and its kin.
    Query(Query, VarRef),
    /// `q?[...]` or `q??[...]`.
    Poll(Box<Poll>),
    /// `timeout`.
    Timeout,
    /// `np_`.
    NonProgress,
    /// `run P(...)`.
    Run(Box<Run>),
    /// `enabled(pid)`.
    Enabled(Box<Expr>),
    /// `pc_value(pid)`.
    PcValue(Box<Expr>),
    /// `get_priority(pid)`.
    GetPriority(Box<Expr>),
    /// `P[pid]@label` or `P[pid]:variable`.
    Remote(Box<Remote>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Unary {
    Neg,
    Not,
    BitNot,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
}

/// What is asked of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Query {
    Len,
    Empty,
    Nempty,
    Full,
    Nfull,
}

/// `name`, `name[index]`, `name.field`, `name[index].field` ...
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarRef {
    /// The variable, or the field of what stands before it.
    pub name: Name,
    /// The index.
    pub index: Option<Box<Expr>>,
    /// What is taken of it.
    pub field: Option<Box<VarRef>>,
}

/// A test whether a message could be received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poll {
    /// The channel.
    pub channel: VarRef,
    /// `??`: any message in the channel will do.
    pub anywhere: bool,
    /// The fields.
    pub arguments: Vec<Argument>,
}

/// A field of a message to be received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A variable to be written, or a constant of an `mtype` to be matched: names are told apart later.
    Ref(VarRef),
    /// A constant to be matched.
    Const(i64, Span),
    /// `eval(...)`: a value to be matched.
    Eval(Expr),
}

/// The creation of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The proctype.
    pub proctype: Name,
    /// Its arguments.
    pub arguments: Vec<Expr>,
    /// Its priority.
    pub priority: Option<Expr>,
}

/// A look into another process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    /// Its proctype.
    pub proctype: Name,
    /// Its number.
    pub pid: Option<Expr>,
    /// What is looked at: a label (`@`), or a variable (`:`).
    pub what: Result<Name, VarRef>,
}
