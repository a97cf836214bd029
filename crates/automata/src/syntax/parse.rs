//! Text to formula: operator precedence, from loose to tight: `->` `<->` (right), `xor`, `|`, `&`, `U` `W` `R` `M`
//! (right), then the prefixes.

use std::fmt;

use super::lex::{Lexer, Start};
use super::{Atom, Binary, Ltl};

/// How deep formulas may nest, so that no text exhausts the stack.
const DEEPEST: usize = 1000;

/// A formula with the names of its atoms, in order of their first occurrence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The formula.
    pub formula: Ltl,
    /// `atoms[i]` is the name of atom `i`.
    pub atoms: Vec<String>,
}

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Where in the text, in bytes.
    pub at: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at byte {}", self.expected, self.at)
    }
}

impl std::error::Error for ParseError {}

/// Reads a formula.
pub fn parse(text: &str) -> Result<Parsed, ParseError> {
    let mut atoms = Vec::new();
    let formula = parse_with(text, &mut atoms)?;
    Ok(Parsed { formula, atoms })
}

/// Reads a formula over atoms that may be known already; new ones are added.
pub fn parse_with(text: &str, atoms: &mut Vec<String>) -> Result<Ltl, ParseError> {
    let mut parser = Parser { lexer: Lexer::new(text), atoms, depth: 0 };
    let (formula, _) = parser.formula(0)?;
    if parser.lexer.at_end() { Ok(formula) } else { Err(parser.expected("an operator or the end")) }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    atoms: &'a mut Vec<String>,
    depth: usize,
}

/// A formula and the height of its tree.
type Tall = (Ltl, usize);

impl Parser<'_> {
    fn expected(&mut self, expected: &'static str) -> ParseError {
        ParseError { at: self.lexer.position(), expected }
    }

    fn not_too_deep(&mut self, depth: usize) -> Result<usize, ParseError> {
        if depth > DEEPEST { Err(self.expected("a formula that nests less deeply")) } else { Ok(depth) }
    }

    /// A formula of operators at least as tight as `level`.
    fn formula(&mut self, level: u8) -> Result<Tall, ParseError> {
        let (mut left, mut height) = self.operand()?;
        while let Some((op, length)) = self.lexer.infix().filter(|(op, _)| tightness(*op).0 >= level) {
            self.lexer.skip(length);
            let (right, other) = self.nested(|p| p.formula(tightness(op).1))?;
            height = self.not_too_deep(1 + height.max(other))?;
            left = left.with(op, right);
        }
        Ok((left, height))
    }

    /// Reads a part, one level of the stack deeper.
    fn nested(&mut self, part: impl FnOnce(&mut Self) -> Result<Tall, ParseError>) -> Result<Tall, ParseError> {
        self.depth = self.not_too_deep(self.depth + 1)?;
        let read = part(self)?;
        self.depth -= 1;
        Ok(read)
    }

    fn operand(&mut self) -> Result<Tall, ParseError> {
        let at = self.lexer.position();
        match self.lexer.start() {
            Some(Start::Constant(value)) => Ok((Ltl::Constant(value), 1)),
            Some(Start::Name(name)) => Ok((Ltl::Atom(self.atom(name)), 1)),
            Some(Start::Prefix(op)) => {
                let (inside, height) = self.nested(Self::operand)?;
                Ok((inside.under(op), self.not_too_deep(1 + height)?))
            }
            Some(Start::Open) => {
                let inside = self.nested(|p| p.formula(0))?;
                if self.lexer.take(")") { Ok(inside) } else { Err(self.expected("`)`")) }
            }
            None => Err(ParseError { at, expected: "a formula" }),
        }
    }

    fn atom(&mut self, name: &str) -> Atom {
        let known = self.atoms.iter().position(|a| a == name);
        let index = known.unwrap_or_else(|| {
            self.atoms.push(name.to_owned());
            self.atoms.len() - 1
        });
        Atom(index as u32)
    }
}

/// How tight an operator binds, and how tight its right operand must.
fn tightness(op: Binary) -> (u8, u8) {
    match op {
        Binary::Implies | Binary::Iff => (1, 1),
        Binary::Xor => (2, 3),
        Binary::Or => (3, 4),
        Binary::And => (4, 5),
        Binary::Until | Binary::WeakUntil | Binary::Release | Binary::StrongRelease => (5, 5),
    }
}
