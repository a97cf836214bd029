//! Words of a text with their places, for the syntax trees that own their text.

use std::sync::Arc;

use model::Span;

/// A word of the text; equal words share their memory.
pub type Text = Arc<str>;

/// A word with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The word.
    pub text: Text,
    /// Where it stands.
    pub span: Span,
}
