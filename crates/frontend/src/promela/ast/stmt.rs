//! Statements.

use model::Span;

use super::{Argument, Expr, Name, Text, VarDecl, VarRef};

/// Statements in a row. Separators (`;`, `->`) carry no meaning.
pub type Sequence = Vec<Stmt>;

/// A statement with its labels and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    /// The labels in front of it.
    pub labels: Vec<Name>,
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands; what a macro or an `inline` gave stands where that was used.
    pub span: Span,
    /// The same, but what an `inline` gave stands in its body.
    pub home: Span,
}

/// What a statement is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// Declarations of variables.
    Vars(Vec<VarDecl>),
    /// `xr` (true) or `xs` (false) with the channels.
    Exclusive(bool, Vec<VarRef>),
    /// An expression that must be true; `run` too.
    Expr(Expr),
    /// `else`.
    Else,
    /// An assignment.
    Assign(VarRef, Assignment),
    /// `q!...` or `q!!...`.
    Send(Send),
    /// `q?...` and its kin.
    Receive(Receive),
    /// `if`, with its options.
    If(Vec<Sequence>),
    /// `do`, with its options.
    Do(Vec<Sequence>),
    /// `main unless escape`: mostly blocks, which have no labels here.
    Unless(Box<Stmt>, Box<Stmt>),
    /// `atomic { ... }`.
    Atomic(Sequence),
    /// `d_step { ... }`.
    DStep(Sequence),
    /// `{ ... }`, or the body of an `inline`: a scope of its own.
    Block(Sequence),
    /// `goto label`.
    Goto(Name),
    /// `break`.
    Break,
    /// `assert(...)`.
    Assert(Expr),
    /// `printf("...", ...)`: the text without its quotes.
    Printf(Text, Vec<Expr>),
    /// `printm(...)`.
    Printm(Expr),
    /// `for (variable : range) { ... }`.
    For(VarRef, Range, Sequence),
    /// `select (variable : from .. to)`.
    Select(VarRef, Expr, Expr),
    /// `set_priority(pid, priority)`.
    SetPriority(Expr, Expr),
}

/// What is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assignment {
    /// `= expression`.
    Value(Expr),
    /// `++`.
    Increment,
    /// `--`.
    Decrement,
}

/// What a `for` runs through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Range {
    /// `: from .. to`.
    Between(Expr, Expr),
    /// `in` an array, or a channel.
    In(VarRef),
}

/// Sending a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Send {
    /// The channel.
    pub channel: VarRef,
    /// `!!`: in its place in numerical order.
    pub sorted: bool,
    /// The fields.
    pub values: Vec<Expr>,
}

/// Receiving a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receive {
    /// The channel.
    pub channel: VarRef,
    /// `??`: the first message that matches, wherever it stands.
    pub anywhere: bool,
    /// `<...>`: the message stays in the channel.
    pub keep: bool,
    /// The fields.
    pub arguments: Vec<Argument>,
}
