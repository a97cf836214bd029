//! Decides whether a certificate shows that no reachable marking of a net satisfies a goal. Integer arithmetic only.

mod goal;
mod lemma;
mod propagation;
mod sets;

use std::fmt;

use evidence::{Atom, Exclusion};
use model::nets::Goal;
use model::views::Net;

use goal::clauses;
use lemma::Checker;
use propagation::Clauses;

/// What is wrong with a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExclusionError {
    /// It speaks of a place, a transition, a fact or a variable that is not there.
    OutOfRange,
    /// This fact is none of the net.
    Fact(usize),
    /// The set of this atom is marked in the beginning.
    Atom(usize),
    /// The negation of this lemma is not refuted.
    Lemma(usize),
    /// This learned clause does not follow by unit propagation.
    Learned(usize),
    /// The clauses do not contradict each other by unit propagation.
    NotContradictory,
    /// Goals of this kind are not excluded by certificates.
    Unsupported,
}

impl fmt::Display for ExclusionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfRange => f.write_str("it speaks of something that is not there"),
            Self::Fact(number) => write!(f, "its fact number {number} is none of the net"),
            Self::Atom(number) => write!(f, "the set of its atom number {number} is marked in the beginning"),
            Self::Lemma(number) => write!(f, "its lemma number {number} does not follow"),
            Self::Learned(number) => write!(f, "its learned clause number {number} does not follow"),
            Self::NotContradictory => f.write_str("it does not exclude the goal"),
            Self::Unsupported => f.write_str("goals of this kind are not excluded by certificates"),
        }
    }
}

impl std::error::Error for ExclusionError {}

/// Checks that no reachable marking of the net satisfies the goal.
pub fn check_exclusion(net: &Net, goal: &Goal, certificate: &Exclusion) -> Result<(), ExclusionError> {
    let checker = Checker::new(net, certificate)?;
    for (number, lemma) in certificate.lemmas.iter().enumerate() {
        checker.lemma(lemma).ok_or(ExclusionError::Lemma(number))?;
    }
    let mut all = Clauses::default();
    for clause in clauses(net, goal, &certificate.atoms)? {
        all.add(&clause);
    }
    certificate.lemmas.iter().for_each(|lemma| all.add(&lemma.clause));
    for (number, clause) in certificate.learned.iter().enumerate() {
        if !all.implies(clause) {
            return Err(ExclusionError::Learned(number));
        }
        all.add(clause);
    }
    if all.implies(&[]) { Ok(()) } else { Err(ExclusionError::NotContradictory) }
}

/// The places of an atom's set.
fn fed_set(atom: &Atom) -> Option<&[usize]> {
    match atom {
        Atom::Fed(set) => Some(set),
        Atom::AtMost { .. } | Atom::Firings { .. } => None,
    }
}
