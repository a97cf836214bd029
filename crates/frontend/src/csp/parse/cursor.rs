//! Walking over the tokens of one file: looking ahead, expecting, describing what was found instead.

use std::collections::HashSet;
use std::sync::Arc;

use model::Span;

use crate::Diagnostic;
use crate::csp::ast::{Name, Text};
use crate::csp::limits;
use crate::csp::token::{Kind, Token};
use crate::sources::Sources;

/// A part of the tree, or the mistake that prevents it.
pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// The parser of one file: its methods are spread over the files of this folder, one part of the grammar each.
pub(super) struct Parser<'s> {
    sources: &'s Sources,
    tokens: Vec<Token>,
    next: usize,
    depth: u32,
    /// How far prefixes, guards and `else if` have nested the tree on the way down to here.
    pub(super) steps: u32,
    /// Whether newlines mean nothing here: between brackets.
    free: bool,
    /// Whether `>` ends a sequence here: directly between `<` and `>`.
    pub(super) in_sequence: bool,
    words: HashSet<Text>,
}

impl<'s> Parser<'s> {
    pub(super) fn new(sources: &'s Sources, mut tokens: Vec<Token>) -> Self {
        // The end is where the last token ends, so that "expected ..." points behind what is there.
        let end = tokens.last().map_or(0, |t| t.span.end);
        tokens.push(Token { kind: Kind::End, span: Span { start: end, end }, first: true });
        let (free, in_sequence, words) = (false, false, HashSet::new());
        Self { sources, tokens, next: 0, depth: 0, steps: 0, free, in_sequence, words }
    }

    /// The kind of the token `ahead` places further.
    pub(super) fn kind(&self, ahead: usize) -> Kind {
        self.tokens.get(self.next + ahead).map_or(Kind::End, |t| t.kind)
    }

    pub(super) fn at(&self, kind: Kind) -> bool {
        self.kind(0) == kind
    }

    /// The text of the next token.
    pub(super) fn text(&self) -> &'s str {
        self.text_of(self.span())
    }

    fn text_of(&self, span: Span) -> &'s str {
        self.sources.text().get(span.range()).unwrap_or_default()
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        self.at(Kind::Word) && self.text() == word
    }

    pub(super) fn span(&self) -> Span {
        self.tokens[self.next].span
    }

    /// The place of the token before the next one.
    pub(super) fn last_span(&self) -> Span {
        self.tokens[self.next.saturating_sub(1)].span
    }

    /// From `start` to the last token.
    pub(super) fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.last_span().end.max(start.end) }
    }

    /// Whether the next token touches the one before it.
    pub(super) fn touches(&self) -> bool {
        self.last_span().end == self.span().start
    }

    /// Whether the next token begins a line.
    pub(super) fn first(&self) -> bool {
        self.tokens[self.next].first
    }

    /// Whether the next token begins a line where that means something.
    pub(super) fn fresh_line(&self) -> bool {
        !self.free && self.first()
    }

    pub(super) fn position(&self) -> usize {
        self.next
    }

    /// Back to an earlier position.
    pub(super) fn rewind(&mut self, position: usize) {
        self.next = position;
    }

    /// The column of the next token, in bytes.
    pub(super) fn column(&self) -> usize {
        self.sources.column(self.span())
    }

    /// Whether the token after the next one touches it.
    pub(super) fn next_touches(&self) -> bool {
        self.tokens.get(self.next + 1).is_some_and(|t| t.span.start == self.span().end)
    }

    /// Goes to the next token and returns the place of the one passed; the end is never passed.
    pub(super) fn bump(&mut self) -> Span {
        let span = self.span();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        span
    }

    pub(super) fn eat(&mut self, kind: Kind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// The token that must come next; `what` says so in words.
    pub(super) fn expect(&mut self, kind: Kind, what: &str) -> Parsed<Span> {
        if self.at(kind) { Ok(self.bump()) } else { Err(self.unexpected(what)) }
    }

    /// A name; `what` says of what.
    pub(super) fn name(&mut self, what: &str) -> Parsed<Name> {
        if !self.at(Kind::Word) {
            return Err(self.unexpected(what));
        }
        let text = self.intern(self.text());
        Ok(Name { text, span: self.bump() })
    }

    /// `a, b, c`.
    pub(super) fn names(&mut self, what: &str) -> Parsed<Vec<Name>> {
        self.list(|p| p.name(what))
    }

    /// One or more of them, between commas.
    pub(super) fn list<T>(&mut self, mut part: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut out = vec![part(self)?];
        while self.eat(Kind::Comma) {
            out.push(part(self)?);
        }
        Ok(out)
    }

    pub(super) fn intern(&mut self, word: &str) -> Text {
        if let Some(known) = self.words.get(word) {
            return known.clone();
        }
        let new: Text = Arc::from(word);
        self.words.insert(new.clone());
        new
    }

    /// Runs `f` one level deeper; brackets, `let` and the like cannot nest for ever.
    pub(super) fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == limits::NESTING {
            let message = format!("nested more than {} levels deep", limits::NESTING);
            return Err(Box::new(Diagnostic::error(self.span(), message).label("one level too many")));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// Counts a prefix, a guard or an `else if`.
    pub(super) fn step(&mut self) -> Parsed<()> {
        self.steps += 1;
        if self.steps > limits::STEPS {
            let message = format!("more than {} steps in a row", limits::STEPS);
            let what = Diagnostic::error(self.span(), message).label("one step too many");
            return Err(Box::new(what.help("give a name to a part of them")));
        }
        Ok(())
    }

    /// Runs `f` where newlines mean nothing, or something again; and `>` ends a sequence, or does not.
    pub(super) fn within<T>(
        &mut self,
        free: bool,
        sequence: bool,
        f: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let before = (self.free, self.in_sequence);
        (self.free, self.in_sequence) = (free, sequence);
        let result = self.nested(f);
        (self.free, self.in_sequence) = before;
        result
    }

    /// Runs `f` between brackets, the first of which comes next.
    pub(super) fn brackets<T>(&mut self, close: Kind, what: &str, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let open = self.bump();
        let result = self.within(true, false, f)?;
        self.close(open, close, what)?;
        Ok(result)
    }

    /// The bracket that ends what `open` began.
    pub(super) fn close(&mut self, open: Span, kind: Kind, what: &str) -> Parsed<Span> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        let line = self.sources.line(open);
        let place = if self.sources.line(self.span()) == line { String::new() } else { format!(" of line {line}") };
        let help = format!("it would close the `{}`{place}", self.text_of(open));
        Err(self.unexpected(what)).map_err(|mut e| {
            e.help.get_or_insert(help);
            e
        })
    }

    /// "expected `what`, found ...".
    pub(super) fn unexpected(&self, what: &str) -> Box<Diagnostic> {
        let found = match self.kind(0) {
            Kind::End => "the end of the text".to_owned(),
            Kind::IncludedEnd => "the end of an included file".to_owned(),
            _ => format!("`{}`", self.text()),
        };
        let found = if self.fresh_line() && self.at_symbol() { format!("a new line with {found}") } else { found };
        let error = Diagnostic::error(self.span(), format!("expected {what}, found {found}")).label("unexpected");
        Box::new(error.maybe_help(self.hint().map(str::to_owned)))
    }

    /// Whether the next token could go on with the last one, were it on the same line.
    fn at_symbol(&self) -> bool {
        matches!(self.kind(0), Kind::Less | Kind::Open | Kind::Minus)
    }

    /// What often goes wrong with such a token.
    fn hint(&self) -> Option<&'static str> {
        match self.kind(0) {
            Kind::Is => Some("`==` compares, `=` defines"),
            Kind::Bar if self.kind(1) == Kind::Bar => Some("interleaving is `|||`, alphabetised parallel `[A || B]`"),
            Kind::Word if matches!(self.text(), "skip" | "stop") => Some("processes that end are `SKIP` and `STOP`"),
            _ if self.at_symbol() && self.fresh_line() => Some(
                "a line that begins like this begins a declaration; put the operator at the end of the line before",
            ),
            _ => None,
        }
    }
}
