//! The tokens of LoLA's nets: words, punctuation, comments in braces.

use model::Span;

use crate::Diagnostic;

/// The words that are no names.
pub(crate) const KEYWORDS: &[&str] =
    &["PLACE", "MARKING", "SAFE", "TRANSITION", "CONSUME", "PRODUCE", "STRONG", "WEAK", "FAIR", "SORT", "FUNCTION"];

/// Whether names may contain a character.
pub(crate) fn is_name_char(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, ',' | ';' | ':' | '(' | ')' | '{' | '}')
}

/// A piece of the text; empty at its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
}

impl Token<'_> {
    /// For messages.
    pub(super) fn shown(&self) -> String {
        match self.text {
            "" => "the end of the file".to_owned(),
            text => format!("`{}`", text.chars().take(60).collect::<String>()),
        }
    }
}

/// The tokens of a text, one of them read ahead.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    ahead: Token<'a>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Result<Self, Diagnostic> {
        let mut tokens = Self { text, at: 0, ahead: Token { text: "", span: Span::new(0, 0) } };
        tokens.next()?;
        Ok(tokens)
    }

    /// The next token, which stays.
    pub(super) fn peek(&self) -> Token<'a> {
        self.ahead
    }

    pub(super) fn next(&mut self) -> Result<Token<'a>, Diagnostic> {
        let following = self.scan()?;
        Ok(std::mem::replace(&mut self.ahead, following))
    }

    /// Takes the next token if it is this one.
    pub(super) fn accept(&mut self, text: &str) -> Result<bool, Diagnostic> {
        let fits = self.ahead.text == text;
        if fits {
            self.next()?;
        }
        Ok(fits)
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<(), Diagnostic> {
        if self.accept(text)? {
            return Ok(());
        }
        Err(Diagnostic::error(self.ahead.span, format!("expected `{text}`, found {}", self.ahead.shown())))
    }

    fn scan(&mut self) -> Result<Token<'a>, Diagnostic> {
        self.skip_space()?;
        let rest = &self.text[self.at..];
        let len = match rest.find(|c| !is_name_char(c)) {
            Some(0) => rest.chars().next().map_or(0, char::len_utf8),
            Some(end) => end,
            None => rest.len(),
        };
        let span = Span::new(self.at, self.at + len);
        self.at += len;
        Ok(Token { text: &rest[..len], span })
    }

    fn skip_space(&mut self) -> Result<(), Diagnostic> {
        loop {
            let rest = self.text[self.at..].trim_start();
            self.at = self.text.len() - rest.len();
            if !rest.starts_with('{') {
                return Ok(());
            }
            let Some(end) = rest.find('}') else {
                return Err(Diagnostic::error(Span::new(self.at, self.at + 1), "a comment is not closed"));
            };
            self.at += end + 1;
        }
    }
}
