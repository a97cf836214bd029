//! How far a marking is from a goal: an estimate that guides walks and searches, and decides nothing.

use model::nets::{Goal, Predicate};

/// Zero exactly where the predicate holds: what a comparison lacks, added up over conjunctions, the least of
/// disjunctions.
pub(super) fn distance(predicate: &Predicate, tokens: &[u64]) -> u64 {
    match predicate {
        Predicate::Constant(true) => 0,
        Predicate::Constant(false) => u64::MAX,
        Predicate::AtMostZero(expression) => u64::try_from(expression.value(tokens).max(0)).unwrap_or(u64::MAX),
        Predicate::All(parts) => parts.iter().fold(0, |sum: u64, part| sum.saturating_add(distance(part, tokens))),
        Predicate::Any(parts) => parts.iter().map(|part| distance(part, tokens)).min().unwrap_or(u64::MAX),
    }
}

/// The same for a goal in a marking that enables so many transitions; for a maximum, what it lacks to a great number.
pub(super) fn to_goal(goal: &Goal, tokens: &[u64], enabled: usize) -> u64 {
    match goal {
        Goal::Dead => enabled as u64,
        Goal::Satisfies(predicate) => distance(predicate, tokens),
        Goal::Maximum(expression) => {
            const GREAT: i128 = 1 << 62;
            u64::try_from((GREAT - expression.value(tokens)).max(0)).unwrap_or(u64::MAX)
        }
    }
}
