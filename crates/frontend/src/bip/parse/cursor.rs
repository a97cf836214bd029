//! Walking over the tokens of one package: expecting, describing what was found instead, and going on after a mistake.

use std::ops::{Deref, DerefMut};

use model::Span;

use crate::Diagnostic;
use crate::bip::ast::{Name, Text};
use crate::bip::limits;
use crate::bip::token::{Kind, Token};
use crate::cursor::Cursor;
use crate::name::Words;
use crate::native::nearest::suggestion;

/// A part of the tree, or the mistake that prevents it.
pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// The parser of one package: its methods are spread over the files of this folder, one part of the grammar each.
pub(super) struct Parser<'t, 'r> {
    cursor: Cursor<'t, Token>,
    depth: u32,
    words: &'r mut Words,
    reports: &'r mut Vec<Diagnostic>,
}

impl<'t> Deref for Parser<'t, '_> {
    type Target = Cursor<'t, Token>;

    fn deref(&self) -> &Self::Target {
        &self.cursor
    }
}

impl DerefMut for Parser<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.cursor
    }
}

impl<'t, 'r> Parser<'t, 'r> {
    pub(super) fn new(
        text: &'t str,
        tokens: Vec<Token>,
        words: &'r mut Words,
        reports: &'r mut Vec<Diagnostic>,
    ) -> Self {
        Self { cursor: Cursor::new(text, tokens), depth: 0, words, reports }
    }

    /// Whether the next token is this word, which means something only here.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.at(Kind::Word) && self.text(0) == word
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
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
        let text = self.intern();
        Ok(Name { text, span: self.bump() })
    }

    /// The text of the next token.
    pub(super) fn intern(&mut self) -> Text {
        let word = self.text(0);
        self.words.intern(word)
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

    /// `(a, b, c)`, or `()`.
    pub(super) fn parenthesised<T>(&mut self, part: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let open = self.expect(Kind::Open, "`(`")?;
        let parts = if self.at(Kind::Close) { Vec::new() } else { self.list(part)? };
        self.close(open, Kind::Close, "`,` or `)`")?;
        Ok(parts)
    }

    /// The bracket that ends what `open` began.
    pub(super) fn close(&mut self, open: Span, kind: Kind, what: &str) -> Parsed<Span> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        let help = format!("it would close the `{}` before it", self.text_of(open));
        Err(self.unexpected(what)).map_err(|mut e| {
            e.help.get_or_insert(help);
            e
        })
    }

    /// Runs `f` one level deeper; parentheses and `if` cannot nest for ever.
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

    /// "expected `what`, found ...".
    pub(super) fn unexpected(&self, what: &str) -> Box<Diagnostic> {
        let found = match self.kind(0) {
            Kind::TextEnd => "the end of the text".to_owned(),
            _ => format!("`{}`", self.text(0).chars().take(40).collect::<String>()),
        };
        let error = Diagnostic::error(self.span(), format!("expected {what}, found {found}")).label("unexpected");
        Box::new(error.maybe_help(self.hint(what).map(str::to_owned)))
    }

    /// "expected `what`, found ..." where only these words may stand.
    pub(super) fn unexpected_word(&self, what: &str, words: &[&'static str]) -> Box<Diagnostic> {
        let error = self.unexpected(what);
        let help = suggestion(self.text(0), words.iter().copied()).filter(|_| self.at(Kind::Word));
        Box::new(error.maybe_help(help))
    }

    /// What often goes wrong with such a token.
    fn hint(&self, what: &str) -> Option<&'static str> {
        match self.kind(0) {
            Kind::Is => Some("`==` compares, `=` assigns"),
            _ if what.starts_with("the name") && self.keyword() && declares(self.kind(1)) => {
                Some("this word belongs to the language; choose another name")
            }
            _ => None,
        }
    }

    /// Whether the next token is a word of the language.
    fn keyword(&self) -> bool {
        !self.at(Kind::Word) && self.text(0).starts_with(|c: char| c.is_ascii_lowercase())
    }

    /// How many mistakes were reported.
    pub(super) fn mistakes(&self) -> usize {
        self.reports.len()
    }

    pub(super) fn report(&mut self, mistake: Diagnostic) {
        // What is missing at the end of the text is missing for everything that is open there.
        let fresh = self.reports.last().is_none_or(|last| last.span != mistake.span);
        if fresh && !self.tired() {
            self.reports.push(mistake);
        }
    }

    /// Whether to give up: there are enough messages.
    pub(super) fn tired(&self) -> bool {
        self.reports.len() >= limits::DIAGNOSTICS
    }

    /// What `part` gives; if it fails, the mistake is reported, and the parser goes on where `begins` says so.
    pub(super) fn recovering<T>(
        &mut self,
        begins: impl Fn(&Self) -> bool,
        part: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Option<T> {
        let start = self.position();
        match part(self) {
            Ok(part) => Some(part),
            Err(mistake) => {
                self.report(*mistake);
                if self.position() == start {
                    self.bump();
                }
                while !self.at(Kind::TextEnd) && !begins(self) {
                    self.bump();
                }
                None
            }
        }
    }
}

/// Whether the token before this one was probably meant to be a new name.
fn declares(next: Kind) -> bool {
    matches!(next, Kind::Open | Kind::Comma | Kind::Is)
}
