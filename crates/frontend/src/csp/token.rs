//! The tokens of CSPm. Each knows whether a line begins before it: newlines end declarations, but only where the next
//! token cannot go on with the last one, so it is the parser who decides.

use logos::Logos;
use model::Span;

use super::limits;
use crate::Diagnostic;

/// The kind of a token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0b\x0c\u{feff}]+")]
#[logos(skip r"--[^\n]*")]
pub(super) enum Kind {
    /// Skipped by the lexer; only a comment without end becomes visible, as a mistake.
    #[token("{-", block_comment)]
    BlockComment,
    #[regex(r"[A-Za-z][A-Za-z0-9_]*'*")]
    Word,
    #[regex(r"[0-9]+")]
    Number,
    #[regex(r#"'([^'\\\n]|\\[^\n])'"#)]
    Char,
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    String,
    #[token("_")]
    Wildcard,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("and")]
    And,
    #[token("or")]
    Or,
    #[token("not")]
    Not,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("let")]
    Let,
    #[token("within")]
    Within,
    #[token("channel")]
    Channel,
    #[token("datatype")]
    Datatype,
    #[token("subtype")]
    Subtype,
    #[token("nametype")]
    Nametype,
    #[token("assert")]
    Assert,
    #[token("transparent")]
    Transparent,
    #[token("external")]
    External,
    #[token("include")]
    Include,
    #[token("module")]
    Module,
    #[token("exports")]
    Exports,
    #[token("endmodule")]
    EndModule,
    #[token("instance")]
    Instance,
    #[token("Timed")]
    Timed,
    /// The beginning of a refinement: `[T=`.
    #[regex(r"\[(T|F|FD|V|VD|R|RD)=")]
    Refines,
    /// The beginning of a property: `:[`.
    #[token(":[")]
    OpenProperty,
    #[token("=")]
    Is,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<=")]
    AtMost,
    #[token(">=")]
    AtLeast,
    /// Less than, or the beginning of a sequence.
    #[token("<")]
    Less,
    /// Greater than, or the end of a sequence.
    #[token(">")]
    Greater,
    #[token("<>")]
    EmptySequence,
    #[token("<-")]
    From,
    #[token("<->")]
    Link,
    #[token("->")]
    Arrow,
    #[token("=>")]
    MapsTo,
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
    #[token("^")]
    Concat,
    #[token("#")]
    Length,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("::")]
    Scope,
    #[token("?")]
    Question,
    #[token("!")]
    Bang,
    #[token("$")]
    Dollar,
    #[token("@")]
    At,
    #[token("@@")]
    DoubleAt,
    #[token("|")]
    Bar,
    #[token("&")]
    Guard,
    #[token(";")]
    Semicolon,
    #[token("[]")]
    Box,
    #[token("|~|")]
    Internal,
    #[token("[>")]
    Sliding,
    #[token("/\\")]
    Interrupt,
    #[token("|||")]
    Interleave,
    #[token("||")]
    Parallel,
    /// Hiding, or the beginning of a function without a name.
    #[token("\\")]
    Backslash,
    #[token("|\\")]
    Project,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("{|")]
    OpenProductions,
    #[token("|}")]
    CloseProductions,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("[[")]
    OpenRename,
    #[token("]]")]
    CloseRename,
    #[token("[|")]
    OpenParallel,
    #[token("|]")]
    CloseParallel,
    #[token("|>")]
    CloseException,
    #[token("[+")]
    OpenPlus,
    #[token("+]")]
    ClosePlus,
    #[token("/+")]
    OpenInterrupt,
    #[token("+\\")]
    CloseInterrupt,
    /// `include "file"`, before the tokens of that file; made by `includes`.
    Included,
    /// After the tokens of an included file.
    IncludedEnd,
    /// After the last token; made by the parser.
    End,
}

/// Skips a `{- -}` comment, which may hold others; a mistake if it has no end.
fn block_comment(lexer: &mut logos::Lexer<'_, Kind>) -> logos::FilterResult<(), ()> {
    let rest = lexer.remainder().as_bytes();
    let (mut depth, mut at) = (1u32, 0);
    while depth > 0 && at < rest.len() {
        match &rest[at..] {
            [b'-', b'}', ..] => (depth, at) = (depth - 1, at + 2),
            [b'{', b'-', ..] => (depth, at) = (depth + 1, at + 2),
            _ => at += 1,
        }
    }
    lexer.bump(at);
    if depth == 0 { logos::FilterResult::Skip } else { logos::FilterResult::Error(()) }
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// Whether it is the first of its line.
    pub(super) first: bool,
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
        Token { kind: Kind::End, span, first: true }
    }
}

/// Appends the tokens of one file, which is this part of the joined text; what is no token is reported and left out.
pub(super) fn tokens(text: &str, part: Span, reports: &mut Vec<Diagnostic>) -> Vec<Token> {
    let (mut out, mut before) = (Vec::new(), part.start as usize);
    for (kind, range) in Kind::lexer(&text[part.range()]).spanned() {
        let span = Span::new(part.start as usize + range.start, part.start as usize + range.end);
        let first = before == part.start as usize || text.as_bytes()[before..span.start as usize].contains(&b'\n');
        before = span.end as usize;
        match kind {
            Ok(kind) => out.push(Token { kind, span, first }),
            Err(()) => reports.push(no_token(text, span)),
        }
        if reports.len() >= limits::DIAGNOSTICS || out.len() > limits::TOKENS {
            break;
        }
    }
    out
}

fn no_token(text: &str, span: Span) -> Diagnostic {
    let what = text.get(span.range()).unwrap_or_default();
    if what.starts_with("{-") {
        let open = Span { start: span.start, end: span.start + 2 };
        return Diagnostic::error(open, "this comment never ends").label("opened here").help("close it with `-}`");
    }
    let visible = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
    let shown: String = what.chars().take(10).map(visible).collect();
    let help = match what.chars().next() {
        Some('"') => "a text ends with another `\"`, on the same line",
        Some('\'') => "a character stands between two `'`",
        Some('~') => "internal choice is `|~|`",
        _ => "names consist of the letters a-z and A-Z, digits, `_` and primes at the end",
    };
    Diagnostic::error(span, format!("`{shown}` means nothing here")).label("unexpected").help(help)
}
