//! The tokens of Promela and of its preprocessor. The operators of temporal logic that are words (`U`, `until`, `always`)
//! are words like any other: only `ltl` blocks know what they mean.

use logos::Logos;
use model::Span;

use crate::Diagnostic;
use crate::name::{Text, Words};

/// The kind of a token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0b\x0c\u{feff}]+")]
#[logos(skip r"\\[ \t]*\r?\n")]
#[logos(skip r"//(\\\r?\n|[^\n])*")]
pub(super) enum Kind {
    /// Skipped by the lexer; only a comment without end becomes visible, as a mistake.
    #[token("/*", block_comment)]
    BlockComment,
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex(r"[0-9]+")]
    Int,
    #[regex(r"'([^'\\\n]|\\[^\n])'")]
    Char,
    #[regex(r#""([^"\\\n]|\\[^\n]|\\\n)*""#)]
    String,
    #[token("bit")]
    BitType,
    #[token("bool")]
    BoolType,
    #[token("byte")]
    ByteType,
    #[token("pid")]
    PidType,
    #[token("short")]
    ShortType,
    #[token("int")]
    IntType,
    #[token("unsigned")]
    UnsignedType,
    #[token("chan")]
    ChanType,
    #[token("mtype")]
    Mtype,
    #[token("active")]
    Active,
    #[token("assert")]
    Assert,
    #[token("atomic")]
    Atomic,
    #[token("break")]
    Break,
    #[token("D_proctype")]
    DProctype,
    #[token("d_step")]
    DStep,
    #[token("do")]
    Do,
    #[token("else")]
    Else,
    #[token("empty")]
    Empty,
    #[token("enabled")]
    Enabled,
    #[token("eval")]
    Eval,
    #[token("false")]
    False,
    #[token("fi")]
    Fi,
    #[token("for")]
    For,
    #[token("full")]
    Full,
    #[token("get_priority")]
    GetPriority,
    #[token("goto")]
    Goto,
    #[token("hidden")]
    Hidden,
    #[token("if")]
    If,
    #[token("init")]
    Init,
    #[token("inline")]
    Inline,
    #[token("len")]
    Len,
    #[token("local")]
    Local,
    #[token("ltl")]
    Ltl,
    #[token("nempty")]
    Nempty,
    #[token("never")]
    Never,
    #[token("nfull")]
    Nfull,
    #[token("notrace")]
    Notrace,
    #[token("np_")]
    NonProgress,
    #[token("od")]
    Od,
    #[token("of")]
    Of,
    #[token("pc_value")]
    PcValue,
    #[token("printf")]
    Printf,
    #[token("printm")]
    Printm,
    #[token("priority")]
    Priority,
    #[token("proctype")]
    Proctype,
    #[token("provided")]
    Provided,
    #[token("return")]
    Return,
    #[token("run")]
    Run,
    #[token("select")]
    Select,
    #[token("set_priority")]
    SetPriority,
    #[token("show")]
    Show,
    #[token("skip")]
    Skip,
    #[token("timeout")]
    Timeout,
    #[token("trace")]
    Trace,
    #[token("true")]
    True,
    #[token("typedef")]
    Typedef,
    #[token("unless")]
    Unless,
    #[token("xr")]
    Xr,
    #[token("xs")]
    Xs,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token(",")]
    Comma,
    /// `;`, written or meant by the end of a line.
    #[token(";")]
    Semicolon,
    #[token("->")]
    Arrow,
    #[token("<->")]
    Equivalent,
    #[token(":")]
    Colon,
    #[token("::")]
    Option,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
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
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("+")]
    Plus,
    #[token("++")]
    Increment,
    #[token("-")]
    Minus,
    #[token("--")]
    Decrement,
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
    /// `!`: sending, or negation.
    #[token("!")]
    Bang,
    #[token("!!")]
    BangBang,
    /// `?`: receiving; the preprocessor chooses with it.
    #[token("?")]
    Question,
    #[token("??")]
    QuestionQuestion,
    #[token("&")]
    BitAnd,
    #[token("|")]
    BitOr,
    #[token("^")]
    BitXor,
    #[token("~")]
    Complement,
    #[token("#")]
    Hash,
    #[token("##")]
    HashHash,
    /// Characters that mean nothing; a mistake only where the preprocessor leaves them.
    #[regex(r"'([^'\\\n]|\\[^\n])([^'\\\n]|\\[^\n])+'")]
    Bad,
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

/// What lies between a token and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Break {
    /// Both are on one line.
    None,
    /// A comment of several lines: it ends a statement, but not a directive.
    Comment,
    /// The end of a line.
    Line,
}

/// A token. It owns its text, because not every one is a part of the source.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) text: Text,
    /// Its place in the joined text; what a macro or an `inline` gave stands where that was used.
    pub(super) span: Span,
    /// Where a message about it points: what an `inline` gave is in its body.
    pub(super) written: Span,
    /// Where a statement stands that begins with it: one of an `inline` in its body, whatever the arguments are.
    pub(super) home: Span,
    pub(super) before: Break,
    /// The macro that gave it.
    pub(super) from: Option<Text>,
}

impl Token {
    /// Whether it is a word, keywords included: the preprocessor does not know these.
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }
}

/// The tokens of one file, which is this part of the joined text.
pub(super) fn tokens(text: &str, part: Span, words: &mut Words) -> Vec<Token> {
    let (file, mut out, mut last) = (&text[part.range()], Vec::new(), 0);
    for (kind, range) in Kind::lexer(file).spanned() {
        let start = part.start as usize;
        let found = file[range.clone()].trim_end();
        let span = Span::new(start + range.start, start + range.start + found.len());
        // The first token of a file begins a line.
        let before = if out.is_empty() { Break::Line } else { gap(&file[last..range.start]) };
        last = range.end;
        let (kind, text) = (kind.unwrap_or(Kind::Bad), words.intern(found));
        out.push(Token { kind, text, span, written: span, home: span, before, from: None });
    }
    out
}

/// What lies in the blanks and comments between two tokens.
fn gap(mut text: &str) -> Break {
    let mut found = Break::None;
    while let Some(first) = text.chars().next() {
        let (length, here) = match first {
            '\n' => return Break::Line,
            '/' if text.starts_with("/*") => {
                let end = text[2..].find("*/").map_or(text.len(), |at| at + 4);
                (end, if text[..end].contains('\n') { Break::Comment } else { Break::None })
            }
            // A line comment lasts to the end of its line, which then follows; or a continuation hides that.
            '/' => (
                text.match_indices('\n').map(|(at, _)| at).find(|at| !continued(&text[..*at])).unwrap_or(text.len()),
                Break::None,
            ),
            '\\' => (text.find('\n').map_or(text.len(), |at| at + 1), Break::None),
            other => (other.len_utf8(), Break::None),
        };
        found = found.max(here);
        text = &text[length..];
    }
    found
}

/// Whether a line goes on in the next one.
fn continued(line: &str) -> bool {
    line.strip_suffix('\r').unwrap_or(line).ends_with('\\')
}

/// What is wrong with characters that mean nothing.
pub(super) fn no_token(what: &str, span: Span) -> Diagnostic {
    if what.starts_with("/*") {
        let open = Span { start: span.start, end: span.start + 2 };
        return Diagnostic::error(open, "this comment never ends").label("opened here").help("close it with `*/`");
    }
    let visible = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
    let shown: String = what.chars().take(10).map(visible).collect();
    let help = match what.chars().next() {
        Some('"') => "a text ends with another `\"`, on the same line",
        Some('\'') => "a character stands alone between two `'`; texts stand between `\"`",
        Some('\\') => "`\\` continues a line only as its last character",
        _ => "names consist of the letters a-z and A-Z, digits and `_`",
    };
    Diagnostic::error(span, format!("`{shown}` means nothing here")).label("unexpected").help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(String, Break)> {
        let found = tokens(text, Span::new(0, text.len()), &mut Words::default());
        found.into_iter().map(|token| (token.text.to_string(), token.before)).collect()
    }

    #[test]
    fn line_breaks_are_seen() {
        let expected = [
            ("a", Break::Line),
            ("b", Break::None),
            ("c", Break::Line),
            ("d", Break::Comment),
            ("e", Break::None),
            ("f", Break::Line),
            ("g", Break::Line),
        ];
        let text = "\n a /* x */ b // c \\\n still\n c /* \n */ d \\\n e // x\r\n f /* \n */ \n /* */ g";
        assert_eq!(lines(text), expected.map(|(word, before)| (word.to_owned(), before)));
    }

    #[test]
    fn ranges_and_texts_are_taken_apart() {
        let words = |text: &str| lines(text).into_iter().map(|(word, _)| word).collect::<Vec<_>>();
        assert_eq!(words("1..N"), ["1", "..", "N"]);
        assert_eq!(words(r#"q??<'\''>>"a\"b""#), ["q", "??", "<", r"'\''", ">>", r#""a\"b""#]);
        assert_eq!(words("x-->y<->z"), ["x", "--", ">", "y", "<->", "z"]);
    }
}
