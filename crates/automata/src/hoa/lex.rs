//! Words of the format, with their lines.

use std::ops::Range;

use super::HoaError;

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `name:`.
    Header(&'a str),
    /// An identifier.
    Word(&'a str),
    /// `@name`.
    Alias(&'a str),
    /// A quoted text, its escapes resolved.
    Text(String),
    /// A number.
    Number(u32),
    /// One of `[](){}&|!`.
    Sign(char),
    /// `--BODY--`, `--END--` or `--ABORT--`.
    Mark(&'a str),
}

/// The words of a text, one looked at ahead.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    /// The word looked at, and where it begins.
    ahead: Option<Token<'a>>,
    start: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Result<Self, HoaError> {
        let mut lexer = Self { text, at: 0, line: 1, ahead: None, start: 0 };
        lexer.ahead = lexer.scan()?;
        Ok(lexer)
    }

    /// An error at the word looked at.
    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T, HoaError> {
        Err(HoaError { line: self.line, place: self.place(), message: message.into() })
    }

    /// Where the word looked at stands.
    pub(super) fn place(&self) -> Range<usize> {
        self.start..self.at
    }

    /// The word looked at.
    pub(super) fn peek(&self) -> Option<&Token<'a>> {
        self.ahead.as_ref()
    }

    /// Takes the word looked at.
    pub(super) fn next(&mut self) -> Result<Option<Token<'a>>, HoaError> {
        let next = self.scan()?;
        Ok(std::mem::replace(&mut self.ahead, next))
    }

    /// Takes the sign, if it is there.
    pub(super) fn take(&mut self, sign: char) -> Result<bool, HoaError> {
        let found = self.ahead == Some(Token::Sign(sign));
        if found {
            self.next()?;
        }
        Ok(found)
    }

    /// Takes the sign, which must be there.
    pub(super) fn expect(&mut self, sign: char) -> Result<(), HoaError> {
        if self.take(sign)? { Ok(()) } else { self.error(format!("expected `{sign}`")) }
    }

    /// Takes a number, which must be there.
    pub(super) fn number(&mut self) -> Result<u32, HoaError> {
        match self.ahead {
            Some(Token::Number(n)) => {
                self.next()?;
                Ok(n)
            }
            _ => self.error("expected a number"),
        }
    }

    /// Takes a number, if it is there.
    pub(super) fn optional_number(&mut self) -> Result<Option<u32>, HoaError> {
        if matches!(self.ahead, Some(Token::Number(_))) { self.number().map(Some) } else { Ok(None) }
    }

    /// Steps over everything up to and including the mark, whatever it is, for the sake of the next automaton.
    pub(super) fn skip_past_end(&mut self) {
        while self.ahead.is_some() {
            let end = matches!(self.ahead, Some(Token::Mark("--END--" | "--ABORT--")));
            // What cannot be read is stepped over too.
            self.ahead = loop {
                match self.scan() {
                    Ok(token) => break token,
                    Err(_) => self.step(),
                }
            };
            if end {
                return;
            }
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Steps over one character.
    fn step(&mut self) {
        if let Some(c) = self.rest().chars().next() {
            self.advance(c.len_utf8());
        }
    }

    fn advance(&mut self, bytes: usize) -> &'a str {
        let taken = &self.text[self.at..self.at + bytes];
        self.line += taken.bytes().filter(|b| *b == b'\n').count();
        self.at += bytes;
        taken
    }

    fn skip_blanks(&mut self) -> Result<(), HoaError> {
        loop {
            let rest = self.rest();
            self.advance(rest.len() - rest.trim_start().len());
            if !self.rest().starts_with("/*") {
                return Ok(());
            }
            self.skip_comment()?;
        }
    }

    /// Comments nest.
    fn skip_comment(&mut self) -> Result<(), HoaError> {
        self.start = self.at;
        let mut depth = 0usize;
        loop {
            let rest = self.rest();
            if rest.starts_with("/*") {
                depth += 1;
                self.advance(2);
            } else if rest.starts_with("*/") {
                depth -= 1;
                self.advance(2);
            } else if rest.is_empty() {
                return self.error("a comment does not end");
            } else {
                self.step();
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn scan(&mut self) -> Result<Option<Token<'a>>, HoaError> {
        self.skip_blanks()?;
        self.start = self.at;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(None) };
        if let Some(mark) = ["--BODY--", "--END--", "--ABORT--"].into_iter().find(|m| rest.starts_with(m)) {
            self.advance(mark.len());
            return Ok(Some(Token::Mark(mark)));
        }
        match first {
            '[' | ']' | '(' | ')' | '{' | '}' | '&' | '|' | '!' => {
                self.advance(1);
                Ok(Some(Token::Sign(first)))
            }
            '"' => self.quoted().map(Some),
            '@' => {
                self.advance(1);
                let length = self.word_length();
                Ok(Some(Token::Alias(self.advance(length))))
            }
            '0'..='9' => {
                let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let digits = self.advance(length);
                digits.parse().map(|n| Some(Token::Number(n))).or_else(|_| self.error("the number is too large"))
            }
            _ if first.is_ascii_alphabetic() || first == '_' => {
                let length = self.word_length();
                let word = self.advance(length);
                let header = self.rest().starts_with(':');
                self.advance(usize::from(header));
                Ok(Some(if header { Token::Header(word) } else { Token::Word(word) }))
            }
            _ => self.error(format!("`{first}` begins no word")),
        }
    }

    fn word_length(&self) -> usize {
        let rest = self.rest();
        rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))).unwrap_or(rest.len())
    }

    fn quoted(&mut self) -> Result<Token<'a>, HoaError> {
        let mut text = String::new();
        let mut escaped = false;
        for (i, c) in self.rest().char_indices().skip(1) {
            match c {
                _ if escaped => {
                    text.push(c);
                    escaped = false;
                }
                '\\' => escaped = true,
                '"' => {
                    self.advance(i + 1);
                    return Ok(Token::Text(text));
                }
                _ => text.push(c),
            }
        }
        self.error("a quoted text does not end")
    }
}
