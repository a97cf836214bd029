//! Formulas: temporal operators above, predicates below. Whatever contains no temporal operator is one predicate.

use model::{Binary, Ltl};

use super::Elaborator;
use super::scope::Scope;
use crate::Diagnostic;
use crate::native::ast::{Expr, ExprKind, Infix, Prefix, Quantifier, Range};
use crate::native::report::{Checked, Reported};

impl Elaborator<'_> {
    /// A formula.
    pub(super) fn temporal<'a>(&mut self, e: &Expr<'a>, scope: &Scope<'a>) -> Checked<Ltl> {
        if !self.is_temporal(e)? {
            return Ok(Ltl::state(self.bool(e, scope)?.expr));
        }
        match &e.kind {
            ExprKind::Prefix(prefix, a) => {
                let a = Box::new(self.temporal(a, scope)?);
                Ok(match prefix {
                    Prefix::Always => Ltl::Always(a),
                    Prefix::Eventually => Ltl::Eventually(a),
                    Prefix::Next => Ltl::Next(a),
                })
            }
            ExprKind::Infix(infix, pair) => {
                let (a, b) = (Box::new(self.temporal(&pair.0, scope)?), Box::new(self.temporal(&pair.1, scope)?));
                Ok(match infix {
                    Infix::Until => Ltl::Until(a, b),
                    Infix::Release => Ltl::Release(a, b),
                })
            }
            ExprKind::Not(a) => Ok(self.temporal(a, scope)?.negate()),
            ExprKind::Implies(pair) => {
                let (a, b) = (self.temporal(&pair.0, scope)?, self.temporal(&pair.1, scope)?);
                Ok(Ltl::Or(Box::new(a.negate()), Box::new(b)))
            }
            ExprKind::Chain(first, rest) if matches!(rest[0].0, Binary::And | Binary::Or) => {
                let operands = std::iter::once(&**first).chain(rest.iter().map(|(_, e)| e));
                let parts = operands.map(|e| self.temporal(e, scope)).collect::<Checked<Vec<_>>>()?;
                Ok(balanced(rest[0].0, parts))
            }
            ExprKind::Choice(parts) => {
                let condition = self.temporal(&parts.0, scope)?;
                let (yes, no) = (self.temporal(&parts.1, scope)?, self.temporal(&parts.2, scope)?);
                let not = condition.clone().negate();
                let (yes, no) = (balanced(Binary::And, vec![condition, yes]), balanced(Binary::And, vec![not, no]));
                Ok(balanced(Binary::Or, vec![yes, no]))
            }
            ExprKind::Quantified(Quantifier::Forall, name, parts) => self.each(Binary::And, name.text, parts, scope),
            ExprKind::Quantified(Quantifier::Exists, name, parts) => self.each(Binary::Or, name.text, parts, scope),
            _ => Err(self.not_temporal(e)),
        }
    }

    fn not_temporal(&mut self, e: &Expr<'_>) -> Reported {
        let what = Diagnostic::error(e.span, "a temporal operator gives no value to calculate with");
        self.error(what.label("only formulas may contain it").help("join formulas by `&&`, `||`, `!` and `=>`"))
    }

    fn each<'a>(
        &mut self,
        op: Binary,
        name: &'a str,
        parts: &(Range<'a>, Expr<'a>),
        scope: &Scope<'a>,
    ) -> Checked<Ltl> {
        let (lo, hi) = self.constant_range(&parts.0, scope)?;
        self.ranged(if op == Binary::And { "forall" } else { "exists" }, parts.0.span(), lo <= hi);
        let mut formulas = Vec::new();
        for value in lo..=hi {
            // Formulas are kept as they are, constants too: they weigh more than predicates.
            self.work(8, parts.0.span())?;
            formulas.push(self.temporal(&parts.1, &scope.with(name, value))?);
        }
        if formulas.is_empty() {
            return Ok(Ltl::state((op == Binary::And).into()));
        }
        Ok(balanced(op, formulas))
    }

    /// Whether a temporal operator occurs; looking for it is work too.
    fn is_temporal(&mut self, e: &Expr<'_>) -> Checked<bool> {
        let mut open = vec![e];
        while let Some(e) = open.pop() {
            self.work(1, e.span)?;
            match &e.kind {
                ExprKind::Prefix(..) | ExprKind::Infix(..) => return Ok(true),
                ExprKind::Not(a) | ExprKind::Neg(a) => open.push(a),
                ExprKind::Extreme(_, pair) | ExprKind::Implies(pair) => open.extend([&pair.0, &pair.1]),
                ExprKind::Chain(first, rest) => {
                    open.extend(std::iter::once(&**first).chain(rest.iter().map(|(_, e)| e)))
                }
                ExprKind::Choice(parts) => open.extend([&parts.0, &parts.1, &parts.2]),
                ExprKind::Quantified(_, _, parts) => open.push(&parts.1),
                ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Place(_) | ExprKind::At(_) | ExprKind::Test(..) => {
                }
            }
        }
        Ok(false)
    }
}

/// Joins formulas, at least one, without making the formula deep.
fn balanced(op: Binary, mut parts: Vec<Ltl>) -> Ltl {
    if parts.len() == 1 {
        return parts.pop().expect("there is one");
    }
    let right = parts.split_off(parts.len().div_ceil(2));
    let (left, right) = (Box::new(balanced(op, parts)), Box::new(balanced(op, right)));
    if op == Binary::And { Ltl::And(left, right) } else { Ltl::Or(left, right) }
}
