//! Up-sets: the transitions without one of which a goal cannot become true.

use model::nets::{Goal, Linear, Predicate};
use model::views::NetTransitionId;

use crate::tokens::wiring::Wiring;

/// A goal, prepared for stubborn sets.
#[derive(Debug)]
pub(super) enum Question<'g> {
    /// A dead marking.
    Dead,
    /// A marking that satisfies a predicate.
    Formula(Formula<'g>),
    /// A maximum: the transitions that raise it are the up-set for each value that is more than the current one.
    Maximum(Vec<NetTransitionId>),
}

/// A predicate with the transitions that can make its comparisons true.
#[derive(Debug)]
pub(super) enum Formula<'g> {
    Constant(bool),
    AtMostZero(&'g Linear, Vec<NetTransitionId>),
    All(Vec<Formula<'g>>),
    Any(Vec<Formula<'g>>),
}

impl<'g> Question<'g> {
    pub(super) fn new(goal: &'g Goal, wiring: &Wiring<'_>) -> Self {
        match goal {
            Goal::Dead => Question::Dead,
            Goal::Satisfies(predicate) => Question::Formula(Formula::new(predicate, wiring)),
            Goal::Maximum(expression) => Question::Maximum(changing(expression, wiring, |change| change > 0)),
        }
    }
}

impl<'g> Formula<'g> {
    fn new(predicate: &'g Predicate, wiring: &Wiring<'_>) -> Self {
        let all = |parts: &'g [Predicate]| parts.iter().map(|part| Formula::new(part, wiring)).collect();
        match predicate {
            Predicate::Constant(value) => Formula::Constant(*value),
            Predicate::AtMostZero(e) => Formula::AtMostZero(e, changing(e, wiring, |change| change < 0)),
            Predicate::All(parts) => Formula::All(all(parts)),
            Predicate::Any(parts) => Formula::Any(all(parts)),
        }
    }

    pub(super) fn holds(&self, tokens: &[u64]) -> bool {
        match self {
            Formula::Constant(value) => *value,
            Formula::AtMostZero(expression, _) => expression.value(tokens) <= 0,
            Formula::All(parts) => parts.iter().all(|part| part.holds(tokens)),
            Formula::Any(parts) => parts.iter().any(|part| part.holds(tokens)),
        }
    }

    /// The size of the up-set, roughly.
    fn size(&self) -> usize {
        match self {
            Formula::Constant(_) => 0,
            Formula::AtMostZero(_, lowering) => lowering.len(),
            Formula::All(parts) => parts.iter().map(Formula::size).min().unwrap_or(0),
            Formula::Any(parts) => parts.iter().map(Formula::size).sum(),
        }
    }

    /// The parts of which each has an up-set for the whole, where that is false: any false part of a conjunction will do.
    pub(super) fn choices<'s>(&'s self, tokens: &[u64]) -> Vec<&'s Formula<'g>> {
        const MOST: usize = 4;
        let Formula::All(parts) = self else { return vec![self] };
        let mut wrong: Vec<&Formula<'g>> = parts.iter().filter(|part| !part.holds(tokens)).collect();
        wrong.sort_by_key(|part| part.size());
        wrong.truncate(MOST);
        wrong
    }

    /// Adds an up-set in a marking where this is false.
    pub(super) fn up(&self, tokens: &[u64], out: &mut Vec<NetTransitionId>) {
        match self {
            Formula::Constant(_) => {}
            Formula::AtMostZero(_, lowering) => out.extend_from_slice(lowering),
            Formula::All(parts) => {
                let wrong = parts.iter().filter(|part| !part.holds(tokens));
                wrong.min_by_key(|part| part.size()).expect("the conjunction is false").up(tokens, out);
            }
            Formula::Any(parts) => parts.iter().for_each(|part| part.up(tokens, out)),
        }
    }
}

/// The transitions that change an expression in one direction.
fn changing(expression: &Linear, wiring: &Wiring<'_>, wanted: impl Fn(i128) -> bool) -> Vec<NetTransitionId> {
    let net = wiring.net;
    let mut changes: Vec<(NetTransitionId, i128)> = Vec::new();
    for &(p, factor) in expression.terms() {
        let around = net.producers(p).iter().chain(net.consumers(p)).map(|&(t, _)| t);
        let mut around: Vec<NetTransitionId> = around.collect();
        around.sort_unstable();
        around.dedup();
        for t in around {
            let effect = wiring.effect(t);
            if let Ok(i) = effect.binary_search_by_key(&p, |&(q, _)| q) {
                changes.push((t, i128::from(factor) * i128::from(effect[i].1)));
            }
        }
    }
    changes.sort_unstable_by_key(|&(t, _)| t);
    let sums = changes.chunk_by(|a, b| a.0 == b.0).map(|same| (same[0].0, same.iter().map(|c| c.1).sum::<i128>()));
    sums.filter(|&(_, change)| wanted(change)).map(|(t, _)| t).collect()
}
