//! Walking over the tokens: looking ahead, expecting, reporting, and going on after a mistake.

use std::ops::{Deref, DerefMut};

use model::Span;

use super::body::BODY_WORDS;
use super::items::ITEM_WORDS;
use super::marks::{Mark, Marks};
use crate::Diagnostic;
use crate::cursor::Cursor;
use crate::native::ast::Name;
use crate::native::limits;
use crate::native::nearest::suggestion;
use crate::native::report::{Checked, Reported, Reports};
use crate::native::token::{Kind, Token};

/// The parser: its methods are spread over the files of this folder, one part of the grammar each.
pub(super) struct Parser<'t, 'r> {
    cursor: Cursor<'t, Token>,
    depth: u32,
    /// Whether temporal operators are operators here, and not names.
    pub(super) temporal: bool,
    reports: &'r mut Reports,
    /// Only the formatter wants marks.
    marks: Option<&'r mut Marks>,
    /// Whether arithmetic is written without spaces here: in indices and bounds.
    pub(super) compact: bool,
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
    pub(super) fn new(text: &'t str, tokens: &[Token], reports: &'r mut Reports) -> Self {
        let tokens = tokens.iter().copied().filter(|t| !t.kind.is_comment()).collect();
        let cursor = Cursor::new(text, tokens);
        Self { cursor, depth: 0, temporal: false, reports, marks: None, compact: false }
    }

    /// The same parser, leaving marks.
    pub(super) fn marking(mut self, marks: &'r mut Marks) -> Self {
        self.marks = Some(marks);
        self
    }

    /// Marks the next token.
    pub(super) fn mark(&mut self, mark: Mark) {
        let span = self.span();
        if let Some(marks) = &mut self.marks {
            marks.set(span, mark);
        }
    }

    /// Marks the next token, if `condition` holds.
    pub(super) fn mark_if(&mut self, condition: bool, mark: Mark) {
        if condition {
            self.mark(mark);
        }
    }

    /// Whether a line ends between here and the next token of this kind.
    pub(super) fn breaks_before(&self, kind: Kind) -> bool {
        let (rest, start) = (self.rest(), self.span());
        let end = rest.iter().find(|t| t.kind == kind).or(rest.last()).map_or(start.end, |t| t.span.start);
        self.text_of(Span { end, ..start }).contains('\n')
    }

    /// Runs `f` where arithmetic is written without spaces, or with them.
    pub(super) fn compactly<T>(&mut self, compact: bool, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.compact, compact);
        let result = f(self);
        self.compact = before;
        result
    }

    /// Whether the next token is this word.
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

    pub(super) fn expect(&mut self, kind: Kind, what: &str) -> Checked<Span> {
        if self.at(kind) { Ok(self.bump()) } else { Err(self.unexpected(what)) }
    }

    /// A name; `what` says of what.
    pub(super) fn name(&mut self, what: &str) -> Checked<Name<'t>> {
        if !self.at(Kind::Word) {
            return Err(self.unexpected(what));
        }
        if matches!(self.text(0), "true" | "false" | "_" | "when" | "do" | "sync") {
            let message = format!("`{}` cannot be used as a name", self.text(0));
            return Err(self.report(Diagnostic::error(self.span(), message).label(format!("expected {what}"))));
        }
        let text = self.text(0);
        Ok(Name { text, span: self.bump() })
    }

    /// A name between backquotes.
    pub(super) fn quoted(&mut self) -> Name<'t> {
        let text = self.text(0).trim_matches('`');
        Name { text, span: self.bump() }
    }

    /// One or more of something, with commas between.
    pub(super) fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Checked<T>) -> Checked<Vec<T>> {
        let mut out = vec![one(self)?];
        while self.eat(Kind::Comma) {
            out.push(one(self)?);
        }
        Ok(out)
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.reports.push(diagnostic)
    }

    /// Notes that what stands between `start` and here could not be parsed.
    pub(super) fn unread(&mut self, start: usize) {
        let skipped = self.cursor.passed(start).iter().filter(|t| t.kind == Kind::Word);
        self.reports.skip(skipped.map(|t| self.cursor.text_of(t.span)));
        // What is left over before or behind it may have taken the next keyword for a name.
        self.reports.skip(ITEM_WORDS.iter().chain(&BODY_WORDS).copied());
    }

    /// Whether to give up: there are enough messages.
    pub(super) fn tired(&self) -> bool {
        self.reports.full()
    }

    /// Reports that something else was expected here.
    pub(super) fn unexpected(&mut self, what: &str) -> Reported {
        let found = match self.kind(0) {
            Kind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.text(0).chars().take(40).collect::<String>()),
        };
        let message = format!("expected {what}, found {found}");
        self.report(Diagnostic::error(self.span(), message).label(format!("expected {what}")))
    }

    /// Reports a word that stands before another, where only these words may, if it is nearly one of them.
    pub(super) fn misspelt(&mut self, words: &[&'static str], noun: &str) -> Checked<()> {
        if !(self.at(Kind::Word) && self.kind(1) == Kind::Word) || words.contains(&self.text(0)) {
            return Ok(());
        }
        let Some(help) = suggestion(self.text(0), words.iter().copied()) else { return Ok(()) };
        let what = Diagnostic::error(self.span(), format!("there is no {noun} `{}`", self.text(0)));
        Err(self.report(what.label(format!("unknown {noun}")).help(help)))
    }

    /// Runs `f` one level deeper; a text that is nested too deeply is refused.
    pub(super) fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        if self.depth >= limits::NESTING {
            let message = format!("this is nested deeper than {} levels", limits::NESTING);
            let what = Diagnostic::error(self.span(), message).label("too deep");
            return Err(self.report(what.help("name parts of it with `const`, or split it")));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    pub(super) fn at_end(&mut self) -> Checked<()> {
        if self.at(Kind::End) { Ok(()) } else { Err(self.unexpected("nothing more")) }
    }

    /// Goes on to the next token, outside of any braces opened on the way, at which `stop` is true.
    pub(super) fn skip_until(&mut self, stop: impl Fn(&Self) -> bool) {
        let mut open = 0u32;
        while !self.at(Kind::End) {
            match self.kind(0) {
                _ if open == 0 && stop(self) => return,
                Kind::OpenBrace => open += 1,
                Kind::CloseBrace => open = open.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    /// Whether the parentheses that open here hold a list: nothing, or commas at their own level.
    pub(super) fn tuple_ahead(&self) -> bool {
        let mut open = 0u32;
        if self.kind(1) == Kind::Close {
            return true;
        }
        for token in self.rest() {
            match token.kind {
                Kind::Open | Kind::OpenBracket | Kind::OpenBrace => open += 1,
                Kind::Close | Kind::CloseBracket | Kind::CloseBrace => open -= 1,
                Kind::Comma if open == 1 => return true,
                _ => {}
            }
            if open == 0 {
                return false;
            }
        }
        false
    }
}
