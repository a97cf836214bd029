//! Walking over the tokens of one file: looking ahead, expecting, describing what was found instead.

use std::ops::{Deref, DerefMut};

use model::Span;

use crate::Diagnostic;
use crate::csp::ast::{Name, Text};
use crate::csp::limits;
use crate::csp::token::{Kind, Token};
use crate::cursor::Cursor;
use crate::name::Words;
use crate::sources::Sources;

/// A part of the tree, or the mistake that prevents it.
pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// The parser of one file: its methods are spread over the files of this folder, one part of the grammar each.
pub(super) struct Parser<'s> {
    sources: &'s Sources,
    cursor: Cursor<'s, Token>,
    depth: u32,
    /// How far prefixes, guards and `else if` have nested the tree on the way down to here.
    pub(super) steps: u32,
    /// Whether newlines mean nothing here: between brackets.
    free: bool,
    /// Whether `>` ends a sequence here: directly between `<` and `>`.
    pub(super) in_sequence: bool,
    words: Words,
}

impl<'s> Deref for Parser<'s> {
    type Target = Cursor<'s, Token>;

    fn deref(&self) -> &Self::Target {
        &self.cursor
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.cursor
    }
}

impl<'s> Parser<'s> {
    pub(super) fn new(sources: &'s Sources, tokens: Vec<Token>) -> Self {
        let cursor = Cursor::new(sources.text(), tokens);
        let (free, in_sequence, words) = (false, false, Words::default());
        Self { sources, cursor, depth: 0, steps: 0, free, in_sequence, words }
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        self.at(Kind::Word) && self.text(0) == word
    }

    /// Whether the next token touches the one before it.
    pub(super) fn touches(&self) -> bool {
        self.last_span().end == self.span().start
    }

    /// Whether the next token begins a line.
    pub(super) fn first(&self) -> bool {
        self.current().first
    }

    /// Whether the next token begins a line where that means something.
    pub(super) fn fresh_line(&self) -> bool {
        !self.free && self.first()
    }

    /// The column of the next token, in bytes.
    pub(super) fn column(&self) -> usize {
        self.sources.column(self.span())
    }

    /// Whether the token after the next one touches it.
    pub(super) fn next_touches(&self) -> bool {
        self.rest().get(1).is_some_and(|t| t.span.start == self.span().end)
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
        let text = self.intern(self.text(0));
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
        self.words.intern(word)
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
            _ => format!("`{}`", self.text(0)),
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
            Kind::Word if matches!(self.text(0), "skip" | "stop") => Some("processes that end are `SKIP` and `STOP`"),
            _ if self.at_symbol() && self.fresh_line() => Some(
                "a line that begins like this begins a declaration; put the operator at the end of the line before",
            ),
            _ => None,
        }
    }
}
