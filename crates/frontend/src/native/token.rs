//! The tokens of the language. Keywords are words like any other: only the parser knows where they mean something, so
//! that `wait`, `free` or `next` stay usable as names.

use logos::Logos;
use model::Span;

use super::limits;
use super::report::{Checked, Reports};
use crate::{Diagnostic, MAX_TEXT};

/// The kind of a token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\u{feff}]+")]
pub(super) enum Kind {
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    /// A name of another language, as the places of a net have: only questions can use it, nothing here declares one.
    #[regex(r"`[^`\n]+`")]
    Quoted,
    #[regex(r"[0-9][A-Za-z0-9_]*")]
    Number,
    #[regex(r"//[^\n]*")]
    LineComment,
    #[token("/*", block_comment)]
    BlockComment,
    #[token("->")]
    Arrow,
    #[token("=>")]
    Implies,
    #[token(":=")]
    Assign,
    #[token("+=")]
    PlusAssign,
    #[token("-=")]
    MinusAssign,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<=")]
    AtMost,
    #[token(">=")]
    AtLeast,
    #[token("<>")]
    Diamond,
    #[token("[]")]
    Box,
    #[token("&&")]
    And,
    #[token("||")]
    Or,
    #[token("..")]
    DotDot,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("!")]
    Bang,
    #[token("?")]
    Question,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("=")]
    Is,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    /// After the last token; never made by the lexer.
    End,
}

/// Moves to the end of a `/* */` comment; `false` if it has none.
fn block_comment(lexer: &mut logos::Lexer<'_, Kind>) -> bool {
    match lexer.remainder().find("*/") {
        Some(at) => {
            lexer.bump(at + 2);
            true
        }
        None => {
            lexer.bump(lexer.remainder().len());
            false
        }
    }
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

impl crate::cursor::Token for Token {
    type Kind = Kind;

    fn kind(&self) -> Kind {
        self.kind
    }

    fn span(&self) -> Span {
        self.span
    }

    fn end(span: Span) -> Self {
        Token { kind: Kind::End, span }
    }
}

impl Kind {
    pub(super) fn is_comment(self) -> bool {
        matches!(self, Kind::LineComment | Kind::BlockComment)
    }
}

/// All tokens of a text, comments included. What is no token is reported and left out.
pub(super) fn tokens(text: &str, reports: &mut Reports) -> Checked<Vec<Token>> {
    if text.len() > MAX_TEXT {
        let message = format!("the text has {} bytes; at most {MAX_TEXT} are accepted", text.len());
        return Err(reports.push(Diagnostic::error(Span::new(0, 0), message).label("too long")));
    }
    if let Some(at) = text.find('\0') {
        let what = Diagnostic::error(Span::new(at, at + 1), "this is not a text: it contains a zero byte");
        return Err(reports.push(what.label("a zero byte").help("give a model in the language of `docs/language.md`")));
    }
    let mut out = Vec::new();
    for (kind, range) in Kind::lexer(text).spanned() {
        let span = Span::new(range.start, range.end);
        match kind {
            Ok(kind) if out.len() < limits::TOKENS => out.push(Token { kind, span }),
            Ok(_) => {
                let message = format!("the text is longer than {} tokens", limits::TOKENS);
                return Err(reports.push(Diagnostic::error(span, message).label("one too many")));
            }
            Err(()) => {
                reports.push(no_token(text, span));
            }
        }
        if reports.full() {
            return Err(super::report::Reported);
        }
    }
    Ok(out)
}

fn no_token(text: &str, span: Span) -> Diagnostic {
    let what = text.get(span.range()).unwrap_or_default();
    if what.starts_with("/*") {
        let open = Span { start: span.start, end: span.start + 2 };
        return Diagnostic::error(open, "this comment never ends").label("opened here").help("close it with `*/`");
    }
    let visible = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
    let shown: String = what.chars().take(10).map(visible).collect();
    let help = match what.chars().next() {
        Some('&') => "write `&&` for `and`",
        Some('|') => "write `||` for `or`",
        Some('"' | '\'') => "names are written without quotes",
        Some('#') => "comments begin with `//`",
        Some('`') => "a name between backquotes ends with another one, on the same line",
        _ => "names consist of the letters a-z and A-Z, digits and `_`",
    };
    Diagnostic::error(span, format!("`{shown}` means nothing here")).label("unexpected").help(help)
}
