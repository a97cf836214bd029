//! Words of a text with their places, for the syntax trees that own their text.

use std::collections::HashSet;
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

/// The words so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words(HashSet<Text>);

impl Words {
    /// The word, in the memory that it shares.
    pub(crate) fn intern(&mut self, word: &str) -> Text {
        if let Some(known) = self.0.get(word) {
            return known.clone();
        }
        let new: Text = Arc::from(word);
        self.0.insert(new.clone());
        new
    }
}
