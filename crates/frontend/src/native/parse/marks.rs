//! What the parser learns about the layout: marks on tokens, for the formatter. The same `?` may ask for a message or
//! choose between two values; only the grammar knows.

use std::collections::HashMap;

use model::Span;

use crate::native::token::Token;

/// How a token takes part in the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Mark {
    /// Begins an item or a step: a line of its own.
    Start,
    /// Opens or closes a block of lines.
    Open,
    Close,
    /// Stands in such a block, on the line before it or on one of its own, as its author likes.
    Free,
    /// No space on either side.
    Tight,
    /// No space on its left.
    Left,
    /// No space on its right.
    Right,
    /// The arrow of a step, and the first word after its target.
    Arrow,
    Clause,
}

/// Marks by the place of the token.
#[derive(Debug, Default)]
pub(in crate::native) struct Marks(HashMap<u32, Mark>);

impl Marks {
    /// No marks yet, and room for some on these tokens.
    pub(super) fn new(tokens: &[Token]) -> Self {
        Self(HashMap::with_capacity(tokens.len() / 4))
    }

    pub(super) fn set(&mut self, span: Span, mark: Mark) {
        self.0.insert(span.start, mark);
    }

    /// The mark of the token at this place.
    pub(in crate::native) fn get(&self, span: Span) -> Option<Mark> {
        self.0.get(&span.start).copied()
    }
}
