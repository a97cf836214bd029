//! Walking over the tokens of a model: expecting, describing what was found instead, and going on after a mistake.
//!
//! The tokens to come lie on a stack, so that an `inline` can put its body there.

use std::collections::{HashMap, HashSet};

use model::Span;

use super::inline::{Call, Inline};
use crate::Diagnostic;
use crate::name::{Name, Text, Words};
use crate::promela::limits;
use crate::promela::token::{Break, Kind, Token};

/// A part of the tree, or the mistake that prevents it.
pub(super) type Part<T> = Result<T, Box<Diagnostic>>;

/// The parser: its methods are spread over the files of this folder, one part of the grammar each.
pub(super) struct Parser {
    /// The tokens to come, the next one last. The end of the text is the first and never taken.
    tokens: Vec<Token>,
    /// The token before the next one.
    last: Token,
    /// Where the lines of the main text end.
    lines: Vec<u32>,
    depth: u32,
    words: Words,
    reports: Vec<Diagnostic>,
    pub(super) warnings: Vec<Diagnostic>,
    /// Whether a mistake was followed by nothing that could be understood: what is missing there is no news.
    lost: bool,
    /// The braces that are open, and those that a mistake left open.
    braces: u32,
    unclosed: u32,
    /// Within an `ltl` block.
    pub(super) temporal: bool,
    /// The types so far that are structures.
    pub(super) typedefs: HashSet<Text>,
    /// The proctypes so far.
    pub(super) proctypes: HashSet<Text>,
    /// Those of the whole text: formulas may come before them.
    pub(super) all_proctypes: HashSet<Text>,
    pub(super) inlines: HashMap<Text, Inline>,
    /// The calls of inlines around the place at hand.
    pub(super) calls: Vec<Call>,
    /// How many tokens inlines gave.
    pub(super) given: usize,
}

impl Parser {
    pub(super) fn new(mut tokens: Vec<Token>, mut words: Words, text: &str) -> Self {
        // The end is where the last token ends, so that "expected ..." points behind what is there.
        let end = tokens.last().map_or(0, |t| t.span.end);
        let span = Span { start: end, end };
        let lines = text.match_indices('\n').map(|(at, _)| at as u32).chain([text.len() as u32]).collect();
        let text = words.intern("");
        let end = Token { kind: Kind::TextEnd, text, span, written: span, home: span, before: Break::Line, from: None };
        let declares = |token: &Token| matches!(token.kind, Kind::Proctype | Kind::DProctype);
        let declared = tokens.windows(2).filter(|pair| declares(&pair[0]));
        let all_proctypes = declared.map(|pair| pair[1].text.clone()).collect();
        tokens.push(end.clone());
        tokens.reverse();
        Self {
            tokens,
            last: end,
            lines,
            depth: 0,
            words,
            reports: Vec::new(),
            warnings: Vec::new(),
            lost: false,
            braces: 0,
            unclosed: 0,
            temporal: false,
            typedefs: HashSet::new(),
            proctypes: HashSet::new(),
            all_proctypes,
            inlines: HashMap::new(),
            calls: Vec::new(),
            given: 0,
        }
    }

    /// Everything that was reported.
    pub(super) fn finish(self) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        (self.reports, self.warnings)
    }

    /// The token `ahead` places further; behind the end there is only the end.
    pub(super) fn token(&self, ahead: usize) -> &Token {
        &self.tokens[self.tokens.len().saturating_sub(1 + ahead)]
    }

    pub(super) fn kind(&self, ahead: usize) -> Kind {
        self.token(ahead).kind
    }

    pub(super) fn at(&self, kind: Kind) -> bool {
        self.kind(0) == kind
    }

    /// The text of the next token.
    pub(super) fn text(&self) -> &str {
        &self.token(0).text
    }

    pub(super) fn span(&self) -> Span {
        self.token(0).span
    }

    /// The kind of the token before the next one.
    pub(super) fn last_kind(&self) -> Kind {
        self.last.kind
    }

    /// The token before the next one.
    pub(super) fn last(&self) -> &Token {
        &self.last
    }

    /// The text of the token before the next one.
    pub(super) fn last_text(&self) -> &str {
        &self.last.text
    }

    /// From `start` to the last token.
    pub(super) fn since(&self, start: Span) -> Span {
        start.to(self.last.span)
    }

    /// Goes to the next token and returns the place of the one passed; the end is never passed.
    pub(super) fn bump(&mut self) -> Span {
        self.last = self.token(0).clone();
        match self.last.kind {
            Kind::OpenBrace => self.braces += 1,
            Kind::CloseBrace => self.braces = self.braces.saturating_sub(1),
            _ => {}
        }
        if self.tokens.len() > 1 {
            self.tokens.pop();
        }
        self.last.span
    }

    pub(super) fn eat(&mut self, kind: Kind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Whether the next token is this word, which means something only here.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.at(Kind::Word) && self.text() == word
    }

    /// What `part` makes of these tokens, which are put in front of those to come; after a mistake, what is left of
    /// them is dropped.
    pub(super) fn inserted<T>(&mut self, tokens: Vec<Token>, part: impl FnOnce(&mut Self) -> Part<T>) -> Part<T> {
        let (before, braces) = (self.tokens.len(), self.braces);
        self.tokens.extend(tokens.into_iter().rev());
        let result = part(self);
        if result.is_err() {
            self.tokens.truncate(before);
            self.braces = braces;
        }
        result
    }

    /// How many tokens are to come, the end included.
    pub(super) fn remaining(&self) -> usize {
        self.tokens.len()
    }

    /// The token that must come next; `what` says so in words.
    pub(super) fn expect(&mut self, kind: Kind, what: &str) -> Part<Span> {
        if self.at(kind) { Ok(self.bump()) } else { Err(self.unexpected(what)) }
    }

    /// A name; `what` says of what.
    pub(super) fn name(&mut self, what: &str) -> Part<Name> {
        if !self.at(Kind::Word) {
            return Err(self.unexpected(what));
        }
        let text = self.token(0).text.clone();
        Ok(Name { text, span: self.bump() })
    }

    /// A word that is not in the text.
    pub(super) fn intern(&mut self, word: &str) -> Text {
        self.words.intern(word)
    }

    /// One or more of them, between commas.
    pub(super) fn list<T>(&mut self, mut part: impl FnMut(&mut Self) -> Part<T>) -> Part<Vec<T>> {
        let mut out = vec![part(self)?];
        while self.eat(Kind::Comma) {
            out.push(part(self)?);
        }
        Ok(out)
    }

    /// `(part)`.
    pub(super) fn parenthesised<T>(&mut self, part: impl FnOnce(&mut Self) -> Part<T>) -> Part<T> {
        let open = self.expect(Kind::Open, "`(`")?;
        let inner = self.nested(part)?;
        self.close(open, Kind::Close, "`)`")?;
        Ok(inner)
    }

    /// The bracket that ends what `open` began.
    pub(super) fn close(&mut self, open: Span, kind: Kind, what: &str) -> Part<Span> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        let opened = match kind {
            Kind::Close => "(",
            Kind::CloseBracket => "[",
            Kind::CloseBrace => "{",
            Kind::Fi => "if",
            Kind::Od => "do",
            _ => "<",
        };
        let mut error = self.unexpected(what);
        if self.span().start >= open.end {
            let line = match self.line(open) {
                Some(line) if self.line(self.span()) != Some(line) => format!(" of line {line}"),
                _ => " before it".to_owned(),
            };
            let closing = what.rsplit(' ').next().unwrap_or(what);
            error.help.get_or_insert(format!("{closing} would close the `{opened}`{line}"));
        }
        Err(error)
    }

    /// The line of a place in the main text.
    fn line(&self, span: Span) -> Option<usize> {
        let line = self.lines.partition_point(|end| *end < span.start);
        (line < self.lines.len()).then_some(line + 1)
    }

    /// Runs `f` one level deeper; statements and parentheses cannot nest for ever.
    pub(super) fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Part<T>) -> Part<T> {
        if self.depth == limits::NESTING {
            let message = format!("nested more than {} levels deep", limits::NESTING);
            return Err(self.here(message, "one level too many"));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// A mistake at the next token.
    pub(super) fn here(&self, message: String, label: &str) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(self.token(0).written, message).label(label))
    }

    /// "expected `what`, found ...".
    pub(super) fn unexpected(&self, what: &str) -> Box<Diagnostic> {
        let token = self.token(0);
        let found = match token.kind {
            Kind::TextEnd => "the end of the text".to_owned(),
            Kind::Semicolon if token.text.is_empty() => "the end of the line".to_owned(),
            _ => format!("`{}`", token.text.chars().take(40).collect::<String>()),
        };
        let origin = token.from.as_ref().map(|name| format!(", which the macro `{name}` gives"));
        let message = format!("expected {what}, found {found}{}", origin.unwrap_or_default());
        let label = match self.calls.last() {
            Some(call) if token.written != token.span => format!("unexpected where the inline `{}` is used", call.name),
            _ => "unexpected".to_owned(),
        };
        let error = self.here(message, &label);
        Box::new(error.maybe_help(self.hint(what).map(str::to_owned)))
    }

    /// Reports a mistake, unless it was said before.
    pub(super) fn report(&mut self, mistake: Diagnostic) {
        let known = self.reports.iter().any(|report| report.span == mistake.span);
        if !known && !self.lost && !self.tired() {
            self.reports.push(mistake);
        }
    }

    /// Whether to give up: there are enough messages.
    pub(super) fn tired(&self) -> bool {
        self.reports.len() >= limits::DIAGNOSTICS
    }

    /// Whether nothing that could be understood followed a mistake, up to the next unit.
    pub(super) fn lost(&self) -> bool {
        self.lost
    }

    /// Leaves the tokens up to one that `ends` at this level: brackets are passed as a whole.
    fn skip(&mut self, ends: impl Fn(Kind) -> bool) {
        let (mut braces, mut branches) = (0_u32, 0_u32);
        while !self.at(Kind::TextEnd) && !begins_unit(self.kind(0)) {
            let kind = self.kind(0);
            if braces == 0 && ends(kind) && (branches == 0 || kind == Kind::CloseBrace) {
                return;
            }
            match kind {
                Kind::OpenBrace => braces += 1,
                Kind::CloseBrace => braces = braces.saturating_sub(1),
                Kind::If | Kind::Do => branches += 1,
                Kind::Fi | Kind::Od => branches = branches.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
        self.lost = true;
    }

    /// Reports a mistake in a statement and goes to its end.
    pub(super) fn skip_statement(&mut self, mistake: Diagnostic) {
        self.report(mistake);
        // The end of a line was perhaps not meant to be one of the statement.
        if self.at(Kind::Semicolon) && self.text().is_empty() {
            self.bump();
        }
        let ends = |kind| matches!(kind, Kind::Semicolon | Kind::CloseBrace | Kind::Fi | Kind::Od | Kind::Option);
        self.skip(ends);
    }

    /// Reports a mistake in a choice and goes behind its end.
    pub(super) fn skip_choice(&mut self, mistake: &Diagnostic, end: Kind) {
        self.report(mistake.clone());
        self.skip(|kind| kind == end || kind == Kind::CloseBrace);
        self.eat(end);
    }

    /// Reports a mistake outside of all bodies and goes to the next unit.
    pub(super) fn skip_unit(&mut self, mistake: Diagnostic, start: usize) {
        self.report(mistake);
        if self.remaining() == start {
            self.bump();
        }
        while !self.at(Kind::TextEnd) && !begins_unit(self.kind(0)) {
            if self.braces == 0 && (self.eat(Kind::Semicolon) || self.last.kind == Kind::CloseBrace) {
                break;
            }
            self.bump();
        }
        (self.unclosed, self.braces, self.lost) = (self.braces, 0, false);
    }

    /// Passes a brace that belongs to a unit with a mistake.
    pub(super) fn late_brace(&mut self) -> bool {
        let late = self.at(Kind::CloseBrace) && self.unclosed > 0;
        if late {
            self.unclosed -= 1;
            self.bump();
        }
        late
    }
}

/// Whether only a unit begins with such a token, whatever stands before it.
pub(super) fn begins_unit(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Active
            | Kind::Proctype
            | Kind::DProctype
            | Kind::Init
            | Kind::Never
            | Kind::Trace
            | Kind::Notrace
            | Kind::Ltl
            | Kind::Inline
            | Kind::Typedef
    )
}
