//! Formulas as text that the parser reads again.

use std::fmt;

use super::{Formula, Node, Pool};

/// A formula that writes itself with the names of its atoms.
#[derive(Debug)]
pub struct Shown<'a> {
    pool: &'a Pool,
    formula: Formula,
    names: &'a [String],
}

impl Pool {
    /// The formula as text. Atoms without a name are `p0`, `p1`, ...
    pub fn show<'a>(&'a self, formula: Formula, names: &'a [String]) -> Shown<'a> {
        Shown { pool: self, formula, names }
    }
}

impl Shown<'_> {
    fn part(&self, formula: Formula) -> Shown<'_> {
        Shown { formula, ..*self }
    }

    fn list(&self, f: &mut fmt::Formatter<'_>, parts: &[Formula], symbol: &str) -> fmt::Result {
        for (i, part) in parts.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "(" } else { symbol }, self.part(*part))?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |f: &mut fmt::Formatter<'_>, a: &Formula, op: &str, b: &Formula| {
            write!(f, "({} {op} {})", self.part(*a), self.part(*b))
        };
        match self.pool.node(self.formula) {
            Node::True => f.write_str("true"),
            Node::False => f.write_str("false"),
            Node::Literal(atom, positive) => {
                f.write_str(if *positive { "" } else { "!" })?;
                match self.names.get(atom.index()) {
                    Some(name) => write!(f, "\"{name}\""),
                    None => write!(f, "p{}", atom.0),
                }
            }
            Node::And(parts) => self.list(f, parts, " & "),
            Node::Or(parts) => self.list(f, parts, " | "),
            Node::Next(a) => write!(f, "X{}", self.part(*a)),
            Node::Eventually(a) => write!(f, "F{}", self.part(*a)),
            Node::Always(a) => write!(f, "G{}", self.part(*a)),
            Node::Until(a, b) => pair(f, a, "U", b),
            Node::WeakUntil(a, b) => pair(f, a, "W", b),
            Node::Release(a, b) => pair(f, a, "R", b),
            Node::StrongRelease(a, b) => pair(f, a, "M", b),
        }
    }
}
