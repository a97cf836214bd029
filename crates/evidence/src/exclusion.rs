//! A certificate that no reachable marking of a net satisfies a goal, checkable with integer arithmetic alone.
//!
//! Every reachable marking `M`, with the numbers of firings `x` of a run to it, solves `M = m0 + C·x` with `M >= 0` and
//! `x >= 0`, keeps every marked trap marked, and takes no token from a set of places before one was put there. Lemmas
//! are clauses that follow from this: the negation of a lemma is a linear system with a given refutation. With the
//! clauses of the goal they are contradictory, which the learned clauses show: each follows from those before it by unit
//! propagation, and so does the empty clause in the end.
//!
//! Where that does not suffice, there are clauses of an *inductive invariant* as well: they hold in the beginning, and no
//! transition leads from a reachable marking where all of them hold to one where one of them does not. A bound of tokens
//! after a transition is another bound before it, so that each of these steps is one clause about one marking, which
//! follows by unit propagation from lemmas, invariant and what is listed as following from them.

use serde::{Deserialize, Serialize};

/// A propositional variable and its sign, as `number + 1` or its negative. The first variables are the atoms; then
/// come the names of the goal's subformulas, in the order in which they are met.
pub type Sign = i64;

/// The certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exclusion {
    /// What holds of all runs.
    pub facts: Vec<Fact>,
    /// What the propositional variables mean.
    pub atoms: Vec<Atom>,
    /// Clauses that hold of all runs.
    pub lemmas: Vec<Lemma>,
    /// Clauses, over bounds of tokens, that hold in the beginning and that every transition keeps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invariant: Vec<Vec<Sign>>,
    /// Clauses that follow from the lemmas and the invariant by unit propagation, in this order: with them, so does every
    /// step of the induction.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consequences: Vec<Vec<Sign>>,
    /// Clauses that follow from all these and the goal by unit propagation, in this order.
    pub learned: Vec<Vec<Sign>>,
}

/// A set of places, by number, that confines all runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fact {
    /// It is marked in the beginning, and whatever takes from it puts into it: it always has a token.
    Trap(Vec<usize>),
    /// It is empty in the beginning, and whatever puts into it takes from it: nothing ever takes from it.
    Siphon(Vec<usize>),
}

/// The meaning of a propositional variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Atom {
    /// The weighted sum of tokens is at most the bound.
    AtMost {
        /// The weights, by place, in increasing order.
        terms: Vec<(usize, i64)>,
        /// The bound.
        bound: i64,
    },
    /// The transition fires at most so often.
    Firings {
        /// The transition, by number.
        transition: usize,
        /// The bound.
        bound: i64,
    },
    /// Some transition that puts into this set of places, and takes nothing from it, fires. The set is empty in the
    /// beginning, so that otherwise nothing takes from it.
    Fed(Vec<usize>),
}

/// A clause, and the refutation of its negation: the weighted inequalities and equations add up to a sum in which no
/// place and no transition has a negative factor, and which would have to be less than zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lemma {
    /// The clause.
    pub clause: Vec<Sign>,
    /// The factor of the equation `M(p) - C(p)·x = m0(p)` of each place.
    pub equation: Vec<(usize, i64)>,
    /// The factors, more than zero, of inequalities.
    pub inequalities: Vec<(Source, i64)>,
}

/// Where an inequality of a refutation comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// What the negation of a literal of the clause says about sums: a bound of tokens, or that a feeder fires.
    Negated(Sign),
    /// By the negation of a literal, this transition does not fire.
    Idle(Sign, usize),
    /// A trap has a token.
    Marked(usize),
    /// By a siphon, this transition does not fire.
    Starved(usize, usize),
}
