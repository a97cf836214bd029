//! Separators that are not written: the end of a line ends a statement, where a statement can end.
//!
//! SPIN 6.5 decides that by the token before the end of the line alone, so that `x = a` and, on the next line, `- b` are
//! two statements; only parentheses hold a statement together. The same is done here, to read what SPIN reads.

use std::collections::HashSet;

use model::Span;

use super::token::{Break, Kind, Token};
use crate::name::Text;

/// The tokens with the separators that ends of lines mean. Their text is empty.
pub(super) fn separate(tokens: Vec<Token>) -> Vec<Token> {
    let mut lines = Lines::default();
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len() + tokens.len() / 8);
    for token in tokens {
        if let Some(last) = out.last().filter(|last| lines.ends(last, &token)) {
            out.push(separator(last));
        }
        lines.pass(&token, out.last());
        out.push(token);
    }
    out
}

fn separator(last: &Token) -> Token {
    let end = |span: Span| Span { start: span.end, end: span.end };
    let (span, written, before) = (end(last.span), end(last.written), Break::None);
    Token { kind: Kind::Semicolon, text: Text::from(""), span, written, home: span, before, from: None }
}

/// What is known about the place at hand.
#[derive(Default)]
struct Lines {
    braces: u32,
    parentheses: u32,
    /// The braces in which lines mean nothing: those of a formula, or of names.
    plain: Option<u32>,
    /// Whether the next braces hold such things.
    expected: bool,
    /// Within the head of a `for`, or right behind it.
    head: bool,
    /// Names that no statement ends with: types and proctypes.
    names: HashSet<Text>,
    inlines: HashSet<Text>,
    /// Within the parentheses of a call of an inline, or right behind them.
    call: bool,
}

impl Lines {
    /// Whether a statement ends between two tokens.
    fn ends(&self, last: &Token, next: &Token) -> bool {
        let inside = self.braces > 0 && self.parentheses == 0 && self.plain.is_none() && !self.head;
        inside && next.before != Break::None && self.can_end(last) && !self.needless(last.kind, next.kind)
    }

    /// Whether a separator would change nothing, or `unless` belongs to the block before it.
    fn needless(&self, last: Kind, next: Kind) -> bool {
        match next {
            Kind::CloseBrace | Kind::Fi | Kind::Od | Kind::Option | Kind::Semicolon | Kind::Arrow => true,
            Kind::Unless => last == Kind::CloseBrace || last == Kind::Close && self.call,
            _ => false,
        }
    }

    fn can_end(&self, last: &Token) -> bool {
        match last.kind {
            Kind::Word => !self.names.contains(&last.text) && !self.inlines.contains(&last.text),
            Kind::Int | Kind::Char | Kind::True | Kind::False | Kind::Skip => true,
            Kind::Close | Kind::CloseBracket | Kind::CloseBrace => true,
            Kind::Break | Kind::Fi | Kind::Od | Kind::Else | Kind::Timeout | Kind::NonProgress => true,
            Kind::Increment | Kind::Decrement => true,
            _ => false,
        }
    }

    /// Goes on behind a token.
    fn pass(&mut self, token: &Token, last: Option<&Token>) {
        let last = last.map(|last| (last.kind, &last.text));
        match last {
            Some((Kind::Typedef | Kind::Proctype | Kind::DProctype, _)) => drop(self.names.insert(token.text.clone())),
            Some((Kind::Inline, _)) => drop(self.inlines.insert(token.text.clone())),
            Some((Kind::Word, name)) if token.kind == Kind::Open && self.parentheses == 0 => {
                self.call = self.inlines.contains(name);
            }
            _ => {}
        }
        let value = self.braces == 0 && matches!(last, Some((Kind::Is | Kind::Of, _)));
        match token.kind {
            Kind::OpenBrace => self.open(value || self.expected),
            Kind::CloseBrace => self.close(),
            Kind::Open => self.parentheses += 1,
            Kind::Close => self.parentheses = self.parentheses.saturating_sub(1),
            Kind::For => self.head = true,
            // Only whole units begin with these: whatever is open was forgotten.
            Kind::Active | Kind::Proctype | Kind::DProctype | Kind::Init | Kind::Never => *self = self.forgotten(),
            Kind::Typedef | Kind::Inline | Kind::Ltl => *self = self.forgotten(),
            _ => {}
        }
        self.expected = match token.kind {
            Kind::Mtype | Kind::Ltl => true,
            Kind::Word | Kind::Colon | Kind::Is => self.expected,
            _ => false,
        };
    }

    fn open(&mut self, plain: bool) {
        (self.parentheses, self.head) = (0, false);
        self.braces += 1;
        if plain {
            self.plain.get_or_insert(self.braces);
        }
    }

    fn close(&mut self) {
        self.plain = self.plain.filter(|plain| *plain < self.braces);
        self.braces = self.braces.saturating_sub(1);
        self.parentheses = 0;
    }

    fn forgotten(&mut self) -> Self {
        let (names, inlines) = (std::mem::take(&mut self.names), std::mem::take(&mut self.inlines));
        Self { names, inlines, ..Self::default() }
    }
}
