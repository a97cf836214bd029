//! The parts of expressions that make sense for processes only.

use model::Span;

use super::{Expr, Pattern, Statement};

/// `event fields -> then`.
#[derive(Debug)]
pub struct Prefix {
    /// The event or channel, as far as it is given by an expression.
    pub event: Expr,
    /// What is communicated, from left to right; a field sees the variables of those before it.
    pub fields: Vec<Field>,
    /// What happens then; it sees the variables of all fields.
    pub then: Expr,
}

/// One part of a communication.
#[derive(Debug)]
pub struct Field {
    /// What it does.
    pub kind: FieldKind,
    /// With its `?`, `!` or `$`.
    pub span: Span,
}

/// What a part of a communication does.
#[derive(Debug)]
pub enum FieldKind {
    /// `?p` or `?p:S`: the environment chooses.
    Input(Pattern, Option<Expr>),
    /// `$p` or `$p:S`: the process chooses.
    Nondeterministic(Pattern, Option<Expr>),
    /// `!e`; also `.e` after a restricted input.
    Output(Expr),
}

/// `condition & process`.
#[derive(Debug)]
pub struct Guard {
    /// What must hold.
    pub condition: Expr,
    /// What can happen then.
    pub process: Expr,
}

/// An operator between two processes.
#[derive(Debug)]
pub enum Combinator {
    /// `[]`
    External,
    /// `|~|`
    Internal,
    /// `[>`
    Sliding,
    /// `;`
    Sequential,
    /// `/\`
    Interrupt,
    /// `|||`
    Interleave,
    /// `[| A |]`
    Parallel(Box<Expr>),
    /// `[A || B]`
    Alphabetised(Box<(Expr, Expr)>),
    /// `[| A |>`
    Exception(Box<Expr>),
    /// `[a <-> b | statements]`
    Linked(Box<Pairs>),
    /// `[+ A +]`
    SynchronisingExternal(Box<Expr>),
    /// `/+ A +\`
    SynchronisingInterrupt(Box<Expr>),
}

/// A process and a set of events.
#[derive(Debug)]
pub struct Restricted {
    /// The process.
    pub process: Expr,
    /// The events.
    pub events: Expr,
}

/// `a <- b, c <- d | statements`, or the same with `<->`.
#[derive(Debug)]
pub struct Pairs {
    /// Left and right sides, at least one; they see the variables of the statements.
    pub pairs: Vec<(Expr, Expr)>,
    /// What they range over; often nothing.
    pub statements: Vec<Statement>,
}

/// An operator on as many processes as the statements say.
#[derive(Debug)]
pub struct Replicated {
    /// The operator.
    pub operator: Replicator,
    /// What it ranges over, at least one.
    pub statements: Vec<Statement>,
    /// The process; it sees the variables of the statements.
    pub body: Expr,
}

/// A replicated operator.
#[derive(Debug)]
pub enum Replicator {
    /// `[] x:S @ P`
    External,
    /// `|~| x:S @ P`
    Internal,
    /// `||| x:S @ P`
    Interleave,
    /// `; x:s @ P`, over a sequence.
    Sequential,
    /// `[| A |] x:S @ P`; `A` does not see `x`.
    Parallel(Box<Expr>),
    /// `|| x:S @ [A] P`; `A` sees `x`.
    Alphabetised(Box<Expr>),
    /// `[a <-> b | statements] x:s @ P`, over a sequence; the links see `x`.
    Linked(Box<Pairs>),
    /// `[+ A +] x:S @ P`
    SynchronisingExternal(Box<Expr>),
}
