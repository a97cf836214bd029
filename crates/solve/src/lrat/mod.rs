//! From what a solver learned to a proof that is checked without search: an LRAT refutation, trimmed.
//!
//! The solver says which clauses it learned, in order; each follows from those before it by unit propagation. A proof
//! with hints also says which clauses the propagation needs, so that a checker need not look for them.
//!
//! As in DRAT-trim (Wetzler, Heule and Hunt, 2014) the learned clauses are first added one after the other, with the
//! literals that hold for good kept up to date, until those contradict a clause. Then they are taken away again, last one
//! first, and only what is needed for the contradiction, or for something later that is needed, is looked at: its
//! negation is propagated, with preference for clauses that are needed anyway. The literals that hold for good are
//! steps of the proof by themselves, so that their derivation is not repeated in the hints of everything that uses
//! them. They form a block of the trail for each learned clause, so that taking one away means to cut the trail.

mod backward;
mod clauses;
mod propagation;

use crate::sat::Literal;
use backward::Trimmer;

/// A refutation of some clauses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Elaborated {
    /// The given clauses that are used, by number, in increasing order.
    pub used: Vec<usize>,
    /// Clauses that follow, the last one empty. Clauses are numbered from zero: first those of `used`, then the steps.
    pub steps: Vec<Step>,
}

/// A clause that follows by unit propagation from the clauses named, taken in this order: each leaves one literal that
/// is not false, which is not true either, and the last one none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The clause.
    pub clause: Vec<Literal>,
    /// The numbers of earlier clauses.
    pub hints: Vec<usize>,
}

/// A refutation of the given clauses with the help of learned ones, each of which follows from the given ones and the
/// learned ones before it by unit propagation. `None` if they do not lead to a contradiction in this way, or if `stop`
/// said so.
pub fn elaborate(given: &[Vec<Literal>], learned: &[Vec<Literal>], stop: &dyn Fn() -> bool) -> Option<Elaborated> {
    let mut trimmer = Trimmer::new(given, learned);
    trimmer.forward(stop)?;
    trimmer.backward(stop)?;
    Some(trimmer.elaborated())
}
