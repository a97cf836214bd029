//! Words of the usual text forms of formulas (those of Spot, Owl and SPIN). What a letter means depends on where it
//! stands: `F`, `G` and `X` before a formula are operators even when glued to it (`GFa`), `U`, `W`, `R`, `V` and `M`
//! after one are.

use super::{Binary, Unary};

/// What may begin a formula.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Start<'a> {
    /// A constant.
    Constant(bool),
    /// A name.
    Name(&'a str),
    /// An operator before a formula.
    Prefix(Unary),
    /// An opening parenthesis.
    Open,
}

const PREFIXES: [(&str, Unary); 9] = [
    ("!", Unary::Not),
    ("~", Unary::Not),
    ("[]", Unary::Always),
    ("<>", Unary::Eventually),
    ("()", Unary::Next),
    ("X", Unary::Next),
    ("F", Unary::Eventually),
    ("G", Unary::Always),
    ("¬", Unary::Not),
];

const INFIXES: [(&str, Binary); 25] = [
    ("&&", Binary::And),
    ("&", Binary::And),
    ("/\\", Binary::And),
    ("||", Binary::Or),
    ("|", Binary::Or),
    ("\\/", Binary::Or),
    ("<-->", Binary::Iff),
    ("<->", Binary::Iff),
    ("<=>", Binary::Iff),
    ("-->", Binary::Implies),
    ("->", Binary::Implies),
    ("=>", Binary::Implies),
    ("xor", Binary::Xor),
    ("^", Binary::Xor),
    ("U", Binary::Until),
    ("W", Binary::WeakUntil),
    ("R", Binary::Release),
    ("V", Binary::Release),
    ("M", Binary::StrongRelease),
    ("and", Binary::And),
    ("or", Binary::Or),
    ("until", Binary::Until),
    ("release", Binary::Release),
    ("weakuntil", Binary::WeakUntil),
    ("implies", Binary::Implies),
];

/// A position in the text.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Where the next word begins.
    pub(super) fn position(&mut self) -> usize {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.at
    }

    /// Whether nothing is left.
    pub(super) fn at_end(&mut self) -> bool {
        self.position() == self.text.len()
    }

    fn rest(&mut self) -> &'a str {
        let at = self.position();
        &self.text[at..]
    }

    /// Takes the symbol, if it is next.
    pub(super) fn take(&mut self, symbol: &str) -> bool {
        let found = self.rest().starts_with(symbol);
        if found {
            self.at += symbol.len();
        }
        found
    }

    /// The next word, where a formula should begin.
    pub(super) fn start(&mut self) -> Option<Start<'a>> {
        let rest = self.rest();
        if let Some(&(symbol, op)) = PREFIXES.iter().find(|(s, _)| rest.starts_with(s)) {
            self.at += symbol.len();
            return Some(Start::Prefix(op));
        }
        if self.take("(") {
            return Some(Start::Open);
        }
        if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let end = rest[1..].find(quote)?;
            self.at += end + 2;
            return Some(Start::Name(&rest[1..=end]));
        }
        let word = &rest[..name_length(rest)];
        self.at += word.len();
        match word {
            "" => None,
            "true" | "tt" | "1" => Some(Start::Constant(true)),
            "false" | "ff" | "0" => Some(Start::Constant(false)),
            _ => Some(Start::Name(word)),
        }
    }

    /// The operator that comes next, without taking it.
    pub(super) fn infix(&mut self) -> Option<(Binary, usize)> {
        let rest = self.rest();
        let word = name_length(rest);
        let found = INFIXES.iter().find(|(s, _)| {
            let letter = s.starts_with(|c: char| c.is_ascii_alphabetic());
            rest.starts_with(s) && (!letter || s.len() == 1 || s.len() == word)
        });
        found.map(|&(s, op)| (op, s.len()))
    }

    /// Steps over what [`Self::infix`] found.
    pub(super) fn skip(&mut self, length: usize) {
        self.at += length;
    }
}

fn name_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '@' | '#'))).unwrap_or(text.len())
}
