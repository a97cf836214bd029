//! Words, names and signs of a line.

use std::borrow::Cow;

use model::Span;

use crate::Diagnostic;

/// A name or number, with braces and escapes removed.
#[derive(Clone, Debug)]
pub(super) struct Word<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) span: Span,
}

/// Where in the text the reader is.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn span_from(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Goes to the next line that says something; where it starts.
    pub(super) fn line(&mut self) -> Option<usize> {
        loop {
            self.at = self.text.len() - self.rest().trim_start().len();
            if self.rest().is_empty() {
                return None;
            }
            if !self.rest().starts_with('#') {
                return Some(self.at);
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches([' ', '\t', '\r']).len();
    }

    /// Whether nothing is left on the line.
    pub(super) fn at_end(&mut self) -> bool {
        self.blanks();
        self.rest().is_empty() || self.rest().starts_with('\n')
    }

    /// Takes a sign if it comes next, perhaps after blanks.
    pub(super) fn accept(&mut self, sign: &str) -> bool {
        self.blanks();
        let fits = self.rest().starts_with(sign);
        if fits {
            self.at += sign.len();
        }
        fits
    }

    /// A name, plain or in braces, or a number; `None` if something else comes.
    pub(super) fn word(&mut self) -> Result<Option<Word<'a>>, Diagnostic> {
        self.blanks();
        if self.rest().starts_with('{') {
            return self.braced().map(Some);
        }
        let rest = self.rest();
        let len = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '_'))).unwrap_or(rest.len());
        if len == 0 {
            return Ok(None);
        }
        let start = self.at;
        self.at += len;
        Ok(Some(Word { text: Cow::Borrowed(&rest[..len]), span: self.span_from(start) }))
    }

    /// `{any text}`, where a backslash makes the next character an ordinary one.
    fn braced(&mut self) -> Result<Word<'a>, Diagnostic> {
        let start = self.at;
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '}' => {
                    self.at += at + 1;
                    return Ok(Word { text: text.into(), span: self.span_from(start) });
                }
                '\\' => text.extend(chars.next().map(|(_, c)| c)),
                c => text.push(c),
            }
        }
        Err(Diagnostic::error(Span::new(start, start + 1), "a name in braces is not closed"))
    }

    /// Passes over the rest of the line; names in braces may go on on the next.
    pub(super) fn skip_line(&mut self) -> Result<(), Diagnostic> {
        while !self.at_end() {
            if self.word()?.is_none() {
                self.at += self.rest().chars().next().map_or(0, char::len_utf8);
            }
        }
        Ok(())
    }

    /// The complaint that something else was expected here.
    pub(super) fn unexpected(&self, what: &str) -> Diagnostic {
        let next = self.rest().chars().next().filter(|c| *c != '\n');
        let found = next.map_or_else(|| "the end of the line".to_owned(), |c| format!("`{c}`"));
        let len = next.map_or(0, char::len_utf8);
        Diagnostic::error(Span::new(self.at, self.at + len), format!("expected {what}, found {found}"))
    }
}
