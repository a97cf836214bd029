//! Acceptance conditions. Without `Fin` a condition is a conjunction of disjunctions of `Inf`, and "one of these sets
//! infinitely often" is one set: their union.

use super::HoaError;
use super::lex::{Lexer, Token};
use crate::automaton::Marks;

/// The sets that a disjunction of `Inf` speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Clause {
    /// Edges in these count,
    inside: Marks,
    /// and edges outside of these.
    outside: Marks,
}

/// A condition as a conjunction: an edge is in acceptance set `i` if it counts for clause `i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    clauses: Vec<Clause>,
    /// The sets that the file speaks of.
    pub(super) sets: u32,
}

impl Condition {
    /// The number of acceptance sets of the automaton.
    pub(super) fn count(&self) -> u32 {
        self.clauses.len() as u32
    }

    /// The marks of an edge, from those in the file.
    pub(super) fn marks(&self, given: Marks) -> Marks {
        let counts = |c: &Clause| given.0 & c.inside.0 != 0 || !given.0 & c.outside.0 != 0;
        let counting = self.clauses.iter().enumerate().filter(|(_, c)| counts(c));
        counting.fold(Marks::default(), |marks, (i, _)| marks.with(i as u32))
    }
}

/// How deep parentheses may nest.
const DEEPEST: usize = 200;

/// Reads what follows `Acceptance:`; `name` is what the file calls it.
pub(super) fn condition(lexer: &mut Lexer<'_>, name: &str) -> Result<Condition, HoaError> {
    let sets = lexer.number()?;
    if sets > Marks::MOST {
        return lexer.error(format!("more than {} acceptance sets", Marks::MOST));
    }
    let clauses = disjunction(lexer, sets, 0).map_err(|mut error| {
        if !name.is_empty() {
            error.message += &format!(" (the acceptance is `{name}`)");
        }
        error
    })?;
    Ok(Condition { clauses, sets })
}

fn disjunction(lexer: &mut Lexer<'_>, sets: u32, depth: usize) -> Result<Vec<Clause>, HoaError> {
    let mut left = conjunction(lexer, sets, depth)?;
    while lexer.take('|')? {
        let right = conjunction(lexer, sets, depth)?;
        let mut both = Vec::new();
        for (a, b) in left.iter().flat_map(|a| right.iter().map(move |b| (a, b))) {
            add(&mut both, Clause { inside: a.inside.union(b.inside), outside: a.outside.union(b.outside) });
        }
        left = fitting(lexer, both)?;
    }
    Ok(left)
}

fn conjunction(lexer: &mut Lexer<'_>, sets: u32, depth: usize) -> Result<Vec<Clause>, HoaError> {
    let mut left = primary(lexer, sets, depth)?;
    while lexer.take('&')? {
        for clause in primary(lexer, sets, depth)? {
            add(&mut left, clause);
        }
        left = fitting(lexer, left)?;
    }
    Ok(left)
}

fn fitting(lexer: &Lexer<'_>, clauses: Vec<Clause>) -> Result<Vec<Clause>, HoaError> {
    if clauses.len() <= Marks::MOST as usize { Ok(clauses) } else { lexer.error("the acceptance is too complex") }
}

/// Adds a clause unless a stronger one is there; weaker ones go.
fn add(clauses: &mut Vec<Clause>, clause: Clause) {
    let stronger = |a: &Clause, b: &Clause| b.inside.contains(a.inside) && b.outside.contains(a.outside);
    if !clauses.iter().any(|c| stronger(c, &clause)) {
        clauses.retain(|c| !stronger(&clause, c));
        clauses.push(clause);
    }
}

fn primary(lexer: &mut Lexer<'_>, sets: u32, depth: usize) -> Result<Vec<Clause>, HoaError> {
    if depth > DEEPEST {
        return lexer.error("the acceptance nests too deeply");
    }
    if lexer.take('(')? {
        let inside = disjunction(lexer, sets, depth + 1)?;
        lexer.expect(')')?;
        return Ok(inside);
    }
    match lexer.peek() {
        Some(Token::Word("t")) => {
            lexer.next()?;
            Ok(Vec::new())
        }
        Some(Token::Word("f")) => {
            lexer.next()?;
            Ok(vec![Clause { inside: Marks::default(), outside: Marks::default() }])
        }
        Some(Token::Word("Inf")) => {
            lexer.next()?;
            infinitely_often(lexer, sets)
        }
        Some(Token::Word("Fin")) => lexer.error("acceptance with `Fin` is not generalised Büchi"),
        _ => lexer.error("expected an acceptance condition"),
    }
}

fn infinitely_often(lexer: &mut Lexer<'_>, sets: u32) -> Result<Vec<Clause>, HoaError> {
    lexer.expect('(')?;
    let complement = lexer.take('!')?;
    let set = lexer.number()?;
    if set >= sets {
        return lexer.error(format!("there is no acceptance set {set}"));
    }
    lexer.expect(')')?;
    let (set, none) = (Marks::default().with(set), Marks::default());
    Ok(vec![if complement { Clause { inside: none, outside: set } } else { Clause { inside: set, outside: none } }])
}
