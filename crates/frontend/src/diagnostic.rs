//! Messages for the person who wrote the model: where, what, what was expected, what to try.

use model::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// There is no model.
    Error,
    /// There is a model, but perhaps not the intended one.
    Warning,
}

/// One message about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The mistake in one sentence.
    pub message: String,
    /// The offending part of the text.
    pub span: Span,
    /// What to write beneath the underlined text: what was expected there.
    pub label: String,
    /// What to try.
    pub help: Option<String>,
}
