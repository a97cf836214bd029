//! The tokens of BIP 2. The words of its extension to time are words like any other: only the parser knows where they
//! mean something, so that `at` or `unit` stay usable as names.

use logos::Logos;
use model::Span;

use super::limits;
use crate::{Diagnostic, cursor};

/// The kind of a token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0b\x0c\u{feff}]+")]
#[logos(skip r"//[^\n]*")]
pub(super) enum Kind {
    /// Skipped by the lexer; only a comment without end becomes visible, as a mistake.
    #[token("/*", block_comment)]
    BlockComment,
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex(r"[0-9]+")]
    Int,
    #[regex(r"[0-9]+\.[0-9]*([eE][+-]?[0-9]+)?")]
    #[regex(r"\.[0-9]+([eE][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+")]
    Float,
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    String,
    #[token("int")]
    IntType,
    #[token("bool")]
    BoolType,
    #[token("float")]
    FloatType,
    #[token("string")]
    StringType,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("package")]
    Package,
    #[token("use")]
    Use,
    #[token("end")]
    End,
    #[token("const")]
    Const,
    #[token("data")]
    Data,
    #[token("extern")]
    Extern,
    #[token("type")]
    Type,
    #[token("function")]
    Function,
    #[token("operator")]
    Operator,
    #[token("refine")]
    Refine,
    #[token("as")]
    As,
    #[token("port")]
    Port,
    #[token("atom")]
    Atom,
    #[token("connector")]
    Connector,
    #[token("compound")]
    Compound,
    #[token("component")]
    Component,
    #[token("export")]
    Export,
    #[token("place")]
    Place,
    #[token("initial")]
    Initial,
    #[token("on")]
    On,
    #[token("internal")]
    Internal,
    #[token("from")]
    From,
    #[token("to")]
    To,
    #[token("provided")]
    Provided,
    #[token("do")]
    Do,
    #[token("priority")]
    Priority,
    #[token("define")]
    Define,
    #[token("up")]
    Up,
    #[token("down")]
    Down,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("fi")]
    Fi,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("'")]
    Quote,
    #[token("@")]
    At,
    #[token("=")]
    Is,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    AtMost,
    #[token(">")]
    Greater,
    #[token(">=")]
    AtLeast,
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
    #[token("&&")]
    And,
    #[token("||")]
    Or,
    #[token("!")]
    Not,
    #[token("&")]
    BitAnd,
    #[token("|")]
    BitOr,
    #[token("^")]
    BitXor,
    #[token("~")]
    Complement,
    /// After the last token; made by the parser.
    TextEnd,
}

/// Skips a comment; a mistake if it has no end.
fn block_comment(lexer: &mut logos::Lexer<'_, Kind>) -> logos::FilterResult<(), ()> {
    let rest = lexer.remainder();
    match rest.find("*/") {
        Some(at) => {
            lexer.bump(at + 2);
            logos::FilterResult::Skip
        }
        None => {
            lexer.bump(rest.len());
            logos::FilterResult::Error(())
        }
    }
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

impl cursor::Token for Token {
    type Kind = Kind;

    fn kind(&self) -> Kind {
        self.kind
    }

    fn span(&self) -> Span {
        self.span
    }

    fn end(span: Span) -> Self {
        Token { kind: Kind::TextEnd, span }
    }
}

/// The tokens of one file, which is this part of the joined text; what is no token is reported and left out.
pub(super) fn tokens(text: &str, part: Span, reports: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut out = Vec::new();
    for (kind, range) in Kind::lexer(&text[part.range()]).spanned() {
        let span = Span::new(part.start as usize + range.start, part.start as usize + range.end);
        match kind {
            Ok(kind) => out.push(Token { kind, span }),
            Err(()) => reports.push(no_token(text, span)),
        }
        if out.len() > limits::TOKENS {
            let message = format!("the package is longer than {} tokens", limits::TOKENS);
            reports.push(Diagnostic::error(span, message).label("one too many"));
        }
        if reports.len() >= limits::DIAGNOSTICS || out.len() > limits::TOKENS {
            break;
        }
    }
    out
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
        Some('"') => "a text ends with another `\"`, on the same line",
        Some('[' | ']') => "the language has no arrays, and `define` groups ports with `(` and `)`",
        _ => "names consist of the letters a-z and A-Z, digits and `_`",
    };
    Diagnostic::error(span, format!("`{shown}` means nothing here")).label("unexpected").help(help)
}
