//! Formulas: what says no more than what must always be true is an invariant, all else is about runs.

use model::{Binary, Expr as Code, Ltl as Temporal, Proposition};

use super::idle::Condition;
use super::scope::Scope;
use super::term::Term;
use super::{Checked, refuse};
use crate::promela::ast::Formula;
use crate::promela::ir::{Ltl, Unary};

/// The most parts of a formula: `<->` says both of its operands twice.
const MAX_PARTS: usize = 1 << 14;

/// What a formula asks.
pub(super) enum Meaning {
    /// That a condition is true in every state.
    Always(Code),
    /// More.
    Runs(Temporal),
}

/// The meaning of a formula; `busy` tells whether something can go on without a timeout.
pub(super) fn meaning(scope: Scope<'_, '_>, ltl: &Ltl, busy: &Proposition) -> Checked<Meaning> {
    let atoms = ltl.atoms.iter().map(|e| scope.watched(e)).collect::<Checked<Vec<_>>>()?;
    let mut walk = Walk { atoms: &atoms, busy, at: 0, parts: 0 };
    if let Some(condition) = walk.always(&ltl.formula) {
        return Ok(Meaning::Always(condition.expr));
    }
    walk.at = 0;
    match walk.temporal(&ltl.formula) {
        Some(formula) => Ok(Meaning::Runs(formula)),
        None => refuse(ltl.span, format!("the formula `{}` is too large without `<->`", ltl.name)),
    }
}

/// Walks a formula, atom by atom.
struct Walk<'a> {
    atoms: &'a [Condition],
    busy: &'a Proposition,
    /// The next atom.
    at: usize,
    parts: usize,
}

impl Walk<'_> {
    /// The condition that must always be true for a formula to be so.
    fn always(&mut self, formula: &Formula) -> Option<Term> {
        match formula {
            Formula::Always(inner) => self.state(inner),
            Formula::Not(inner) => match &**inner {
                Formula::Eventually(inner) => self.state(inner).map(not),
                _ => None,
            },
            Formula::And(a, b) => {
                let a = self.always(a)?;
                self.always(b).map(|b| a.and(b))
            }
            _ => None,
        }
    }

    /// The condition on states that a formula without temporal operators is.
    fn state(&mut self, formula: &Formula) -> Option<Term> {
        Some(match formula {
            Formula::Atom(_) => {
                self.at += 1;
                match &self.atoms[self.at - 1] {
                    Condition::State(condition) => condition.clone(),
                    Condition::Idle { .. } => return None,
                }
            }
            Formula::Not(a) => not(self.state(a)?),
            Formula::And(a, b) => self.state(a)?.and(self.state(b)?),
            Formula::Or(a, b) => self.state(a)?.or(self.state(b)?),
            Formula::Implies(a, b) => not(self.state(a)?).or(self.state(b)?),
            Formula::Equivalent(a, b) => self.state(a)?.relate(Binary::Eq, self.state(b)?),
            _ => return None,
        })
    }

    /// A formula about runs; nothing if it is too large. Conditions are taken apart where no part of them can be a
    /// fault: `i < 2 && a[i]` must stay together.
    fn temporal(&mut self, formula: &Formula) -> Option<Temporal> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return None;
        }
        let before = self.at;
        if let Some(condition) = self.state(formula) {
            let whole = matches!(formula, Formula::Atom(_) | Formula::Equivalent(..));
            if whole || !condition.safe || condition.value().is_some() {
                return Some(Temporal::state(condition.expr));
            }
        }
        self.at = before;
        self.operator(formula)
    }

    fn operator(&mut self, formula: &Formula) -> Option<Temporal> {
        let one = |s: &mut Self, a: &Formula| s.temporal(a).map(Box::new);
        Some(match formula {
            Formula::Atom(_) => {
                self.at += 1;
                let Condition::Idle { idle, busy } = &self.atoms[self.at - 1] else {
                    unreachable!("any other atom is a condition on states")
                };
                let goes_on = Temporal::Atom(self.busy.clone());
                match (idle.value(), busy.value()) {
                    (Some(1), Some(0)) => goes_on.negate(),
                    (Some(0), Some(1)) => goes_on,
                    _ => {
                        let part = |when: Temporal, then: &Term| {
                            Temporal::And(Box::new(when), Box::new(Temporal::state(then.expr.clone())))
                        };
                        let (stands, moves) = (part(goes_on.clone().negate(), idle), part(goes_on, busy));
                        Temporal::Or(Box::new(stands), Box::new(moves))
                    }
                }
            }
            Formula::Not(a) => Temporal::Not(one(self, a)?),
            Formula::Next(a) => Temporal::Next(one(self, a)?),
            Formula::Always(a) => Temporal::Always(one(self, a)?),
            Formula::Eventually(a) => Temporal::Eventually(one(self, a)?),
            Formula::And(a, b) => Temporal::And(one(self, a)?, one(self, b)?),
            Formula::Or(a, b) => Temporal::Or(one(self, a)?, one(self, b)?),
            Formula::Implies(a, b) => Temporal::Or(Box::new(self.temporal(a)?.negate()), one(self, b)?),
            Formula::Until(a, b) => Temporal::Until(one(self, a)?, one(self, b)?),
            Formula::Release(a, b) => Temporal::Release(one(self, a)?, one(self, b)?),
            Formula::WeakUntil(a, b) => {
                let (a, b) = (one(self, a)?, one(self, b)?);
                Temporal::Release(b.clone(), Box::new(Temporal::Or(a, b)))
            }
            Formula::Equivalent(a, b) => {
                let before = self.at;
                let both = Temporal::And(one(self, a)?, one(self, b)?);
                self.at = before;
                let (a, b) = (self.temporal(a)?.negate(), self.temporal(b)?.negate());
                Temporal::Or(Box::new(both), Box::new(Temporal::And(Box::new(a), Box::new(b))))
            }
        })
    }
}

fn not(term: Term) -> Term {
    Term::unary(Unary::Not, term)
}
