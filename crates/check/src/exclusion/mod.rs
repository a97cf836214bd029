//! Decides whether a certificate shows that no reachable marking of a net satisfies a goal. Integer arithmetic only.

mod goal;
mod induction;
mod lemma;
mod propagation;
mod sets;

use std::fmt;

use evidence::{Atom, Exclusion};
use model::nets::Goal;
use model::views::Net;

use goal::{Formula, clauses};
use induction::Induction;
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
    /// This clause of the invariant does not hold in the beginning.
    Initial(usize),
    /// This clause of the invariant is not kept by this transition.
    NotKept(usize, usize),
    /// This consequence does not follow by unit propagation.
    Consequence(usize),
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
            Self::Initial(number) => {
                write!(f, "clause number {number} of its invariant does not hold in the beginning")
            }
            Self::NotKept(number, t) => {
                write!(f, "nothing shows that transition number {t} keeps clause number {number} of its invariant")
            }
            Self::Consequence(number) => write!(f, "its consequence number {number} does not follow"),
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
    let Formula { clauses, variables } = clauses(net, goal, &certificate.atoms)?;
    let mut all = Clauses::new(variables);
    let listed = [&certificate.invariant, &certificate.consequences, &certificate.learned];
    let mut listed = listed.into_iter().flatten().chain(certificate.lemmas.iter().map(|lemma| &lemma.clause));
    if !listed.all(|clause| all.has(clause)) {
        return Err(ExclusionError::OutOfRange);
    }
    certificate.lemmas.iter().for_each(|lemma| all.add(&lemma.clause));
    Induction::new(net, &certificate.atoms).check(certificate, &mut all)?;
    clauses.iter().for_each(|clause| all.add(clause));
    all.follow(&certificate.learned).map_err(ExclusionError::Learned)?;
    if all.implies(&[]) { Ok(()) } else { Err(ExclusionError::NotContradictory) }
}

/// The places of an atom's set.
fn fed_set(atom: &Atom) -> Option<&[usize]> {
    match atom {
        Atom::Fed(set) => Some(set),
        Atom::AtMost { .. } | Atom::Firings { .. } => None,
    }
}
