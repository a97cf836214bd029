//! Processes with resolved names.

use model::Span;

use super::{BlockId, Code, Pat, Statement};

/// `c?x!e -> P`.
#[derive(Debug)]
pub(in crate::csp) struct Prefix {
    pub(in crate::csp) event: Code,
    pub(in crate::csp) fields: Vec<FieldCode>,
    /// What follows, to be evaluated when the event has happened.
    pub(in crate::csp) then: BlockId,
}

/// A part of a communication.
#[derive(Debug)]
pub(in crate::csp) struct FieldCode {
    pub(in crate::csp) mode: FieldMode,
    pub(in crate::csp) span: Span,
}

/// What it does.
#[derive(Debug)]
pub(in crate::csp) enum FieldMode {
    Input(Pat, Option<Code>),
    Nondeterministic(Pat, Option<Code>),
    Output(Code),
}

/// An operator between two processes.
#[derive(Debug)]
pub(in crate::csp) enum Combine {
    External,
    Internal,
    Sliding,
    Sequential,
    Interrupt,
    Interleave,
    Parallel(Code),
    Alphabetised(Code, Code),
    Exception(Code),
    Linked(Pairs),
    SynchronisingExternal(Code),
    SynchronisingInterrupt(Code),
}

/// `a <- b | statements`.
#[derive(Debug)]
pub(in crate::csp) struct Pairs {
    pub(in crate::csp) pairs: Vec<(Code, Code)>,
    pub(in crate::csp) statements: Vec<Statement>,
}

/// A replicated operator.
#[derive(Debug)]
pub(in crate::csp) struct Replicated {
    pub(in crate::csp) operator: Replicate,
    pub(in crate::csp) statements: Vec<Statement>,
    pub(in crate::csp) body: Code,
}

/// Which one.
#[derive(Debug)]
pub(in crate::csp) enum Replicate {
    External,
    Internal,
    Interleave,
    Sequential,
    Parallel(Code),
    Alphabetised(Code),
    Linked(Pairs),
    SynchronisingExternal(Code),
}
