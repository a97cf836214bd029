//! The truth of a formula on a lasso: a word that runs through a stem once and through a cycle for ever.
//!
//! This is the yardstick of the translation and the judge of counterexamples, so it is the definition itself: every
//! subformula is a row of truth values, one a position, and the temporal operators are their one-step equations, solved
//! from the end. It imports nothing of formulas in normal form or of automata.

use crate::syntax::{Atom, Binary, Ltl, Unary};

/// The shape of a lasso. Positions are numbered from 0; after the last comes the first of the cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    stem: usize,
    length: usize,
}

impl Shape {
    /// A stem and a cycle of these lengths; there is no lasso without a cycle.
    pub fn new(stem: usize, cycle: usize) -> Option<Self> {
        (cycle > 0).then_some(Self { stem, length: stem + cycle })
    }

    /// The number of positions.
    pub fn positions(self) -> usize {
        self.length
    }

    /// The position where the cycle begins.
    pub fn cycle_start(self) -> usize {
        self.stem
    }

    /// The position after this one.
    pub fn successor(self, position: usize) -> usize {
        if position + 1 == self.length { self.stem } else { position + 1 }
    }
}

/// Whether the formula is true of the lasso, given where its atoms are true.
pub fn satisfies(formula: &Ltl, shape: Shape, holds: &impl Fn(Atom, usize) -> bool) -> bool {
    truth(formula, shape, holds)[0]
}

/// Where on the lasso the formula is true: one value a position.
pub fn truth(formula: &Ltl, shape: Shape, holds: &impl Fn(Atom, usize) -> bool) -> Vec<bool> {
    match formula {
        Ltl::Constant(value) => vec![*value; shape.length],
        Ltl::Atom(atom) => (0..shape.length).map(|i| holds(*atom, i)).collect(),
        Ltl::Unary(op, a) => unary(*op, &truth(a, shape, holds), shape),
        Ltl::Binary(op, a, b) => binary(*op, &truth(a, shape, holds), &truth(b, shape, holds), shape),
    }
}

fn unary(op: Unary, a: &[bool], shape: Shape) -> Vec<bool> {
    match op {
        Unary::Not => a.iter().map(|x| !x).collect(),
        Unary::Next => (0..shape.length).map(|i| a[shape.successor(i)]).collect(),
        Unary::Eventually => solve(shape, false, |i, later| a[i] || later),
        Unary::Always => solve(shape, true, |i, later| a[i] && later),
    }
}

fn binary(op: Binary, a: &[bool], b: &[bool], shape: Shape) -> Vec<bool> {
    let pointwise = |f: fn(bool, bool) -> bool| (0..shape.length).map(|i| f(a[i], b[i])).collect();
    match op {
        Binary::And => pointwise(|a, b| a && b),
        Binary::Or => pointwise(|a, b| a || b),
        Binary::Implies => pointwise(|a, b| !a || b),
        Binary::Iff => pointwise(|a, b| a == b),
        Binary::Xor => pointwise(|a, b| a != b),
        Binary::Until => solve(shape, false, |i, later| b[i] || (a[i] && later)),
        Binary::WeakUntil => solve(shape, true, |i, later| b[i] || (a[i] && later)),
        Binary::Release => solve(shape, true, |i, later| b[i] && (a[i] || later)),
        Binary::StrongRelease => solve(shape, false, |i, later| b[i] && (a[i] || later)),
    }
}

/// The least (from false) or greatest (from true) solution of `x[i] = step(i, x[successor(i)])`: two sweeps backwards
/// suffice, the first of which settles the cycle's first position.
fn solve(shape: Shape, assumed: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
    let mut x = vec![assumed; shape.length];
    for _ in 0..2 {
        for i in (0..shape.length).rev() {
            x[i] = step(i, x[shape.successor(i)]);
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;

    /// Truth at every position of the stem `p` and cycle `q`, given as letters in which the atoms `a`, `b` occur.
    fn row(formula: &str, stem: &[&str], cycle: &[&str]) -> Vec<bool> {
        let parsed = parse(formula).expect("the formula is well-formed");
        let word: Vec<&str> = stem.iter().chain(cycle).copied().collect();
        let shape = Shape::new(stem.len(), cycle.len()).expect("there is a cycle");
        truth(&parsed.formula, shape, &|a, i| word[i].contains(parsed.atoms[a.index()].as_str()))
    }

    #[test]
    fn operators_mean_what_they_say() {
        let (stem, cycle) = (["a", "a", "b"], ["", "ab"]);
        let of = |formula: &str| row(formula, &stem, &cycle);
        assert_eq!(of("a U b"), [true, true, true, false, true]);
        assert_eq!(of("a W b"), [true, true, true, false, true]);
        assert_eq!(of("b R a"), [false, false, false, false, true]);
        assert_eq!(of("X b"), [false, true, false, true, false]);
        assert_eq!(of("G F (a & b)"), [true; 5]);
        assert_eq!(of("F G a"), [false; 5]);
        assert_eq!(of("(a xor b) U !(a | b)"), [true, true, true, true, false]);
    }

    #[test]
    fn weak_operators_may_wait_for_ever() {
        let of = |formula: &str| row(formula, &[], &["a"]);
        assert_eq!(
            (of("a W b"), of("a U b"), of("b R a"), of("b M a")),
            (vec![true], vec![false], vec![true], vec![false])
        );
    }
}
