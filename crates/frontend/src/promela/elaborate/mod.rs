//! From a resolved program to a system.

mod facts;
mod ground;
mod plan;
mod scalar;
mod term;
mod translate;
mod walk;

use model::Span;

use crate::Diagnostic;

/// A result, or what is wrong with the model.
type Checked<T> = Result<T, Diagnostic>;

/// Refuses a model.
fn refuse<T>(span: Span, message: String) -> Checked<T> {
    Err(Diagnostic::error(span, message))
}
