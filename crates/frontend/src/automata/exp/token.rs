//! The tokens of `.exp`: words, strings, signs; comments are `(* ... *)` and from `--` to the end of the line.

use model::Span;

use crate::Diagnostic;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword, a gate or the name of a file.
    Word,
    /// Between double quotes; the text is what stands between them, escapes included.
    Quoted,
    Sign,
    End,
}

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) span: Span,
}

/// Longer signs first. Those of other languages are known so that they can be refused by name.
const SIGNS: &[&str] = &[
    "|||", "||", "|[", "]|", "[|", "|]", "[[", "]]", "->", "<-", "|", "(", ")", "[", "]", ",", "*", "#", "\\", "{",
    ">", "}",
];

impl Token<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Sign) && self.text == text
    }

    /// For messages.
    pub(super) fn shown(&self) -> String {
        let text: String = self.text.chars().take(60).collect();
        match self.kind {
            Kind::End => "the end of the file".to_owned(),
            Kind::Quoted => format!("`\"{text}\"`"),
            Kind::Word | Kind::Sign => format!("`{text}`"),
        }
    }
}

/// The tokens of a text, an end after the last one; and the comments.
pub(super) fn tokens(text: &str) -> Result<(Vec<Token<'_>>, Vec<Token<'_>>), Diagnostic> {
    let (mut tokens, mut comments) = (Vec::new(), Vec::new());
    let mut at = 0;
    loop {
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        if rest.is_empty() {
            tokens.push(Token { kind: Kind::End, text: "", span: Span::new(at, at) });
            return Ok((tokens, comments));
        }
        if let Some((inner, length)) = comment(rest, at)? {
            let text = &rest[inner];
            comments.push(Token { kind: Kind::Sign, text, span: Span::new(at, at + length) });
            at += length;
            continue;
        }
        let (kind, text, length) = token(rest, at)?;
        tokens.push(Token { kind, text, span: Span::new(at, at + length) });
        at += length;
    }
}

/// What a comment at the start of a text says, and its length.
fn comment(rest: &str, at: usize) -> Result<Option<(std::ops::Range<usize>, usize)>, Diagnostic> {
    if rest.starts_with("--") {
        let length = rest.find('\n').unwrap_or(rest.len());
        return Ok(Some((2..length, length)));
    }
    if !rest.starts_with("(*") {
        return Ok(None);
    }
    let inner = rest[2..].find("*)");
    let inner = inner.ok_or_else(|| Diagnostic::error(Span::new(at, at + 2), "a comment is not closed"))?;
    Ok(Some((2..inner + 2, inner + 4)))
}

fn token(rest: &str, at: usize) -> Result<(Kind, &str, usize), Diagnostic> {
    if let Some(inner) = rest.strip_prefix('"') {
        let end = closing_quote(inner).ok_or_else(|| {
            Diagnostic::error(Span::new(at, at + 1), "a text is not closed").label("expected `\"` on this line")
        })?;
        return Ok((Kind::Quoted, &inner[..end], end + 2));
    }
    let word = word_length(rest);
    if word > 0 {
        return Ok((Kind::Word, &rest[..word], word));
    }
    if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        return Ok((Kind::Sign, &rest[..sign.len()], sign.len()));
    }
    let c = rest.chars().next().expect("the rest is not empty");
    let message = format!("the character `{}` has no meaning here", c.escape_debug());
    Err(Diagnostic::error(Span::new(at, at + c.len_utf8()), message).help("gates and labels may be put between `\"`"))
}

fn closing_quote(inner: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        match c {
            '\n' => return None,
            '"' if !escaped => return Some(at),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    None
}

/// Letters, digits and underscores; dots, slashes and hyphens within, as the names of files have them.
fn word_length(rest: &str) -> usize {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let bytes = rest.as_bytes();
    let mut end = 0;
    while end < bytes.len() {
        let joins = matches!(bytes[end], b'.' | b'/' | b'-')
            && (end > 0 || bytes[end] != b'-')
            && bytes.get(end + 1).is_some_and(|b| is_plain(*b) || (bytes[end] != b'-' && matches!(b, b'.' | b'/')));
        if !is_plain(bytes[end]) && !joins {
            break;
        }
        end += 1;
    }
    end
}
