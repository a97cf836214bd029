//! A place in a list of tokens: looking ahead and going on. The parsers of the textual languages are built around it;
//! what they report, and how they go on after a mistake, is their own.

use model::Span;

/// A token: what the lexer found, and where.
pub(crate) trait Token: Copy {
    /// What it can be.
    type Kind: Copy + PartialEq;

    fn kind(&self) -> Self::Kind;

    fn span(&self) -> Span;

    /// The token after the last one.
    fn end(span: Span) -> Self;
}

/// A place in a list of tokens, which ends with a token of its own.
pub(crate) struct Cursor<'t, T> {
    text: &'t str,
    tokens: Vec<T>,
    next: usize,
}

impl<'t, T: Token> Cursor<'t, T> {
    pub(crate) fn new(text: &'t str, mut tokens: Vec<T>) -> Self {
        // The end is where the last token ends, so that "expected ..." points behind what is there.
        let end = tokens.last().map_or(0, |t| t.span().end);
        tokens.push(T::end(Span { start: end, end }));
        Self { text, tokens, next: 0 }
    }

    /// The tokens from the next one on, the end included.
    pub(crate) fn rest(&self) -> &[T] {
        &self.tokens[self.next..]
    }

    /// The tokens from an earlier position up to here.
    pub(crate) fn passed(&self, start: usize) -> &[T] {
        &self.tokens[start..self.next]
    }

    /// The token `ahead` places further; behind the end there is only the end.
    fn token(&self, ahead: usize) -> &T {
        &self.tokens[(self.next + ahead).min(self.tokens.len() - 1)]
    }

    /// The next token.
    pub(crate) fn current(&self) -> &T {
        self.token(0)
    }

    /// The kind of the token `ahead` places further.
    pub(crate) fn kind(&self, ahead: usize) -> T::Kind {
        self.token(ahead).kind()
    }

    pub(crate) fn at(&self, kind: T::Kind) -> bool {
        self.kind(0) == kind
    }

    /// The text of the token `ahead` places further.
    pub(crate) fn text(&self, ahead: usize) -> &'t str {
        self.text_of(self.token(ahead).span())
    }

    pub(crate) fn text_of(&self, span: Span) -> &'t str {
        self.text.get(span.range()).unwrap_or_default()
    }

    pub(crate) fn span(&self) -> Span {
        self.current().span()
    }

    /// The place of the token before the next one.
    pub(crate) fn last_span(&self) -> Span {
        self.tokens[self.next.saturating_sub(1)].span()
    }

    /// From `start` to the last token.
    pub(crate) fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.last_span().end.max(start.end) }
    }

    pub(crate) fn position(&self) -> usize {
        self.next
    }

    /// Back to an earlier position.
    pub(crate) fn rewind(&mut self, position: usize) {
        self.next = position;
    }

    /// Goes to the next token and returns the place of the one passed; the end is never passed.
    pub(crate) fn bump(&mut self) -> Span {
        let span = self.span();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        span
    }

    pub(crate) fn eat(&mut self, kind: T::Kind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }
}
