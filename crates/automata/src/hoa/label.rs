//! Labels: boolean expressions over numbered atoms and aliases.

use std::collections::HashMap;

use super::HoaError;
use super::lex::{Lexer, Token};
use crate::automaton::Label;
use crate::bdd::{Bdd, Manager, Metered, Var};

/// How deep parentheses and negations may nest.
const DEEPEST: usize = 500;
/// Work for all labels of an automaton.
const WORK: u64 = 5_000_000;

/// Reads labels, given the atoms and aliases of an automaton.
#[derive(Debug)]
pub(super) struct Labels {
    m: Manager,
    /// The number of atoms.
    pub(super) atoms: u32,
    aliases: HashMap<String, Bdd>,
    /// The largest number of an atom used so far, plus one.
    pub(super) used: u32,
}

impl Labels {
    pub(super) fn new() -> Self {
        // Until `AP:` says otherwise aliases may speak of all atoms that there can be.
        Self { m: Manager::new(WORK), atoms: 64, aliases: HashMap::new(), used: 0 }
    }

    /// Reads what follows `Alias:`.
    pub(super) fn alias(&mut self, lexer: &mut Lexer<'_>) -> Result<(), HoaError> {
        let Some(Token::Alias(name)) = lexer.next()? else { return lexer.error("expected an alias") };
        let function = self.expression(lexer, 0)?;
        if self.aliases.insert(name.to_owned(), function).is_some() {
            return lexer.error(format!("the alias `@{name}` is defined twice"));
        }
        Ok(())
    }

    /// Reads an expression.
    pub(super) fn label(&mut self, lexer: &mut Lexer<'_>) -> Result<Bdd, HoaError> {
        self.expression(lexer, 0)
    }

    /// The valuation with this number, as implicit labels count them.
    pub(super) fn valuation(&mut self, lexer: &Lexer<'_>, number: u64) -> Result<Bdd, HoaError> {
        let mut all = Bdd::TRUE;
        for atom in (0..self.atoms).rev() {
            let part = self.m.literal(Var(atom), number >> atom & 1 == 1);
            let part = metered(lexer, part)?;
            let both = self.m.and(part, all);
            all = metered(lexer, both)?;
        }
        Ok(all)
    }

    /// The function as a label; none if it is never true.
    pub(super) fn finish(&mut self, lexer: &Lexer<'_>, function: Bdd) -> Result<Option<Label>, HoaError> {
        let label = Label::from_function(&mut self.m, function);
        metered(lexer, label).map(|label| Some(label).filter(|l| !l.0.is_empty()))
    }

    fn expression(&mut self, lexer: &mut Lexer<'_>, depth: usize) -> Result<Bdd, HoaError> {
        let mut left = self.term(lexer, depth)?;
        while lexer.take('|')? {
            let right = self.term(lexer, depth)?;
            let either = self.m.or(left, right);
            left = metered(lexer, either)?;
        }
        Ok(left)
    }

    fn term(&mut self, lexer: &mut Lexer<'_>, depth: usize) -> Result<Bdd, HoaError> {
        let mut left = self.factor(lexer, depth)?;
        while lexer.take('&')? {
            let right = self.factor(lexer, depth)?;
            let both = self.m.and(left, right);
            left = metered(lexer, both)?;
        }
        Ok(left)
    }

    fn factor(&mut self, lexer: &mut Lexer<'_>, depth: usize) -> Result<Bdd, HoaError> {
        if depth > DEEPEST {
            return lexer.error("the label nests too deeply");
        }
        if lexer.take('!')? {
            let inner = self.factor(lexer, depth + 1)?;
            let not = self.m.without(Bdd::TRUE, inner);
            return metered(lexer, not);
        }
        if lexer.take('(')? {
            let inner = self.expression(lexer, depth + 1)?;
            lexer.expect(')')?;
            return Ok(inner);
        }
        match lexer.next()? {
            Some(Token::Word("t")) => Ok(Bdd::TRUE),
            Some(Token::Word("f")) => Ok(Bdd::FALSE),
            Some(Token::Number(atom)) if atom < self.atoms => {
                self.used = self.used.max(atom + 1);
                let literal = self.m.literal(Var(atom), true);
                metered(lexer, literal)
            }
            Some(Token::Number(atom)) => lexer.error(format!("there is no atom {atom}")),
            Some(Token::Alias(name)) => match self.aliases.get(name) {
                Some(function) => Ok(*function),
                None => lexer.error(format!("there is no alias `@{name}`")),
            },
            _ => lexer.error("expected a label"),
        }
    }

    /// Both.
    pub(super) fn and(&mut self, lexer: &Lexer<'_>, a: Bdd, b: Bdd) -> Result<Bdd, HoaError> {
        let both = self.m.and(a, b);
        metered(lexer, both)
    }
}

fn metered<T>(lexer: &Lexer<'_>, result: Metered<T>) -> Result<T, HoaError> {
    result.or_else(|_| lexer.error("the labels are too complex"))
}
