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
    Token { kind: Kind::Semicolon, text: Text::from(""), span, written, before, from: None }
}

/// What is known about the place at hand.
#[derive(Default)]
struct Lines {
    braces: u32,
    parentheses: u32,
    /// The braces in which lines mean nothing: those of a formula, or of names.
    plain: Option<u32>,
    /// Whether the next braces are such ones.
    expected: bool,
    /// Within the head of a `for`, or right behind it.
    head: bool,
    /// Names that no statement ends with: types, proctypes, inlines.
    names: HashSet<Text>,
}

impl Lines {
    /// Whether a statement ends between two tokens.
    fn ends(&self, last: &Token, next: &Token) -> bool {
        let inside = self.braces > 0 && self.parentheses == 0 && self.plain.is_none() && !self.head;
        inside && next.before != Break::None && self.can_end(last) && !needless(last.kind, next.kind)
    }

    fn can_end(&self, last: &Token) -> bool {
        match last.kind {
            Kind::Word => !self.names.contains(&last.text),
            Kind::Int | Kind::Char | Kind::True | Kind::False | Kind::Skip => true,
            Kind::Close | Kind::CloseBracket | Kind::CloseBrace => true,
            Kind::Break | Kind::Fi | Kind::Od | Kind::Else | Kind::Timeout | Kind::NonProgress => true,
            Kind::Increment | Kind::Decrement => true,
            _ => false,
        }
    }

    /// Goes on behind a token.
    fn pass(&mut self, token: &Token, last: Option<&Token>) {
        if let Some(Kind::Typedef | Kind::Proctype | Kind::DProctype | Kind::Inline) = last.map(|last| last.kind) {
            self.names.insert(token.text.clone());
        }
        match token.kind {
            Kind::OpenBrace => self.open(),
            Kind::CloseBrace => self.close(),
            Kind::Open => self.parentheses += 1,
            Kind::Close => self.parentheses = self.parentheses.saturating_sub(1),
            Kind::For => self.head = true,
            // Only whole units begin with these: whatever is open was forgotten.
            Kind::Active | Kind::Proctype | Kind::DProctype | Kind::Init | Kind::Never => *self = self.forgotten(),
            Kind::Typedef | Kind::Inline => *self = self.forgotten(),
            Kind::Ltl => *self = Self { expected: true, ..self.forgotten() },
            Kind::Mtype => self.expected = true,
            Kind::Word | Kind::Colon | Kind::Is => {}
            _ => self.expected = false,
        }
    }

    fn open(&mut self) {
        (self.parentheses, self.head) = (0, false);
        self.braces += 1;
        if self.expected {
            self.plain.get_or_insert(self.braces);
        }
        self.expected = false;
    }

    fn close(&mut self) {
        self.plain = self.plain.filter(|plain| *plain < self.braces);
        self.braces = self.braces.saturating_sub(1);
        self.parentheses = 0;
    }

    fn forgotten(&mut self) -> Self {
        Self { names: std::mem::take(&mut self.names), ..Self::default() }
    }
}

/// Whether a separator would change nothing, or `unless` belongs to the block before it.
fn needless(last: Kind, next: Kind) -> bool {
    match next {
        Kind::CloseBrace | Kind::Fi | Kind::Od | Kind::Option | Kind::Semicolon | Kind::Arrow => true,
        Kind::Unless => last == Kind::CloseBrace,
        _ => false,
    }
}
