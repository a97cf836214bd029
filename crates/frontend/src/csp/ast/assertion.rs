//! Assertions: what the author claims of processes.

use model::Span;

use super::{Expr, Name};

/// `assert [not] claim [options]`.
#[derive(Debug)]
pub struct Assertion {
    /// Whether the claim is denied.
    pub negated: bool,
    /// What is claimed.
    pub claim: Claim,
    /// How the author wants it checked.
    pub options: Vec<CheckOption>,
    /// From the claim's first word to its end.
    pub span: Span,
}

/// What an assertion claims.
#[derive(Debug)]
pub enum Claim {
    /// `Spec [T= Impl`.
    Refines {
        /// What is allowed.
        specification: Expr,
        /// What is compared.
        semantics: Semantics,
        /// What is there.
        implementation: Expr,
    },
    /// `P :[deadlock free [F]]`.
    Has {
        /// The process.
        process: Expr,
        /// Its property.
        property: Property,
        /// What is looked at, if the author said.
        semantics: Option<Semantics>,
    },
}

/// A property of one process.
#[derive(Debug)]
pub enum Property {
    /// `:[deadlock free]`.
    DeadlockFree,
    /// `:[divergence free]` or `:[livelock free]`.
    DivergenceFree,
    /// `:[deterministic]`.
    Deterministic,
    /// `:[has trace] <a, b>`.
    HasTrace(Expr),
}

/// A semantic model of CSP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    /// `T`.
    Traces,
    /// `F`.
    Failures,
    /// `FD`.
    FailuresDivergences,
    /// `V`.
    Revivals,
    /// `VD`.
    RevivalsDivergences,
    /// `R`.
    Refusals,
    /// `RD`.
    RefusalsDivergences,
}

impl Semantics {
    /// All of them.
    pub const ALL: [Semantics; 7] = [
        Semantics::Traces,
        Semantics::Failures,
        Semantics::FailuresDivergences,
        Semantics::Revivals,
        Semantics::RevivalsDivergences,
        Semantics::Refusals,
        Semantics::RefusalsDivergences,
    ];

    /// As it is written in `[T=` and `[F]`.
    pub fn letters(self) -> &'static str {
        match self {
            Semantics::Traces => "T",
            Semantics::Failures => "F",
            Semantics::FailuresDivergences => "FD",
            Semantics::Revivals => "V",
            Semantics::RevivalsDivergences => "VD",
            Semantics::Refusals => "R",
            Semantics::RefusalsDivergences => "RD",
        }
    }
}

/// How an assertion is to be checked.
#[derive(Debug)]
pub enum CheckOption {
    /// `:[partial order reduce [precise]]`, with the method if one is named.
    PartialOrderReduce(Option<Name>),
    /// `:[tau priority over]: S`: internal steps go before these events.
    TauPriority(Expr),
}
