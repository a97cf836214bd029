//! Why the reading of a formula ends early.

use crate::Diagnostic;

/// Either the file is damaged, or this formula is not one that is read.
pub(super) enum Stop {
    Malformed(Box<Diagnostic>),
    Refused(String),
}

impl Stop {
    pub(super) fn refused(reason: impl Into<String>) -> Self {
        Self::Refused(reason.into())
    }

    /// A number leaves the range that predicates have.
    pub(super) fn overflow() -> Self {
        Self::refused("a number of the formula does not fit into 64 bits")
    }
}

impl From<Diagnostic> for Stop {
    fn from(d: Diagnostic) -> Self {
        Self::Malformed(Box::new(d))
    }
}
