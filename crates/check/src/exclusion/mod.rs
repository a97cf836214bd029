//! Decides whether a certificate shows that no reachable marking of a net satisfies a goal. Integer arithmetic only.

mod goal;
mod induction;
mod lemma;
mod propagation;
mod sets;

use evidence::Exclusion;
use model::nets::Goal;
use model::views::Net;

use crate::certificate::{CertificateError, ensure};
use goal::{Formula, clauses};
use induction::Induction;
use lemma::Checker;
use propagation::Clauses;

/// What is said of a certificate with a place, a transition or a variable that is not there.
const OUT_OF_RANGE: &str = "it speaks of something that is not there";

/// Checks that no reachable marking of the net satisfies the goal.
pub fn check_exclusion(net: &Net, goal: &Goal, certificate: &Exclusion) -> Result<(), CertificateError> {
    let checker = Checker::new(net, certificate)?;
    for (number, lemma) in certificate.lemmas.iter().enumerate() {
        ensure(checker.lemma(lemma).is_some(), || format!("its lemma number {number} does not follow"))?;
    }
    let Formula { clauses, variables } = clauses(net, goal, &certificate.atoms)?;
    let mut all = Clauses::new(variables);
    let listed = [&certificate.invariant, &certificate.consequences, &certificate.learned];
    let mut listed = listed.into_iter().flatten().chain(certificate.lemmas.iter().map(|lemma| &lemma.clause));
    ensure(listed.all(|clause| all.has(clause)), || OUT_OF_RANGE.to_owned())?;
    certificate.lemmas.iter().for_each(|lemma| all.add(&lemma.clause));
    Induction::new(net, &certificate.atoms).check(certificate, &mut all)?;
    clauses.iter().for_each(|clause| all.add(clause));
    all.follow("learned clause", &certificate.learned)?;
    ensure(all.implies(&[]), || "it does not exclude the goal".to_owned())
}
