//! What a reader of a verdict must know: where the system that is checked can do more than the one that was written.

use model::Span;

/// Something that is not followed exactly.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Abstraction {
    /// Where it is written.
    pub(crate) span: Span,
    /// What is unknown, and what is done about it.
    pub(crate) message: String,
}
