//! What is asked of a program: its end states, its `never` claims, and the formulas that say what must always be true.

use model::{Expr as Code, NamedProperty, Property, Span, System};

use super::Checked;
use super::claims::{Claims, Refusal};
use super::scope::Scope;
use super::term::Term;
use super::world::World;
use crate::Diagnostic;
use crate::promela::Options;
use crate::promela::ast::Formula;
use crate::promela::ir::{Expr, Ltl, Unary};

/// All questions.
pub(super) struct Asked<'w, 'p> {
    pub(super) world: &'w World<'p>,
    pub(super) system: &'w System,
    pub(super) options: &'w Options,
}

impl<'w, 'p> Asked<'w, 'p> {
    /// All properties, and remarks about what cannot be asked.
    pub(super) fn all(&self) -> (Vec<NamedProperty>, Vec<Diagnostic>) {
        let program = self.world.ground.program;
        let (mut properties, mut warnings) = (Vec::new(), Vec::new());
        if !self.options.ignore_end_states {
            properties.push(named("deadlock-free", Property::DeadlockFree, None));
        }
        for claim in &program.claims {
            match (Claims { system: self.system, scope: self.scope(claim.span), graph: &claim.graph }).observer() {
                Ok(observer) => properties.push(named(&claim.name, Property::Safety(observer), Some(claim.span))),
                Err(Refusal::NoEnd) => {}
                Err(Refusal::Because(diagnostic)) => warnings.push(diagnostic),
            }
            if claim.graph.nodes.iter().any(|n| n.accept) {
                let message = format!("the acceptance cycles of `{}` are not looked for", claim.name);
                warnings.push(Diagnostic::warning(claim.span, message).label("needs the LTL engine"));
            }
        }
        for formula in &program.formulas {
            match self.invariant(formula) {
                Ok(Some(e)) => properties.push(named(&formula.name, Property::Invariant(e), Some(formula.span))),
                Ok(None) => {
                    let message = format!("the formula `{}` is not checked", formula.name);
                    warnings.push(Diagnostic::warning(formula.span, message).label("needs the LTL engine"));
                }
                Err(diagnostic) => warnings.push(Diagnostic { severity: crate::Severity::Warning, ..diagnostic }),
            }
        }
        if properties.is_empty() {
            // Assertions and other errors are found on the way to any answer.
            properties.push(named("no-errors", Property::Invariant(Code::TRUE), None));
        }
        (properties, warnings)
    }

    fn scope(&self, span: Span) -> Scope<'w, 'p> {
        Scope { world: self.world, seat: None, timeout: false, span }
    }

    /// What a formula says of all states, if that is all it says.
    fn invariant(&self, ltl: &Ltl) -> Checked<Option<Code>> {
        let mut atoms = ltl.atoms.iter();
        let scope = self.scope(ltl.span);
        Ok(Always { scope, atoms: &mut atoms }.always(&ltl.formula)?.map(|t| t.expr))
    }
}

fn named(name: &str, property: Property, span: Option<Span>) -> NamedProperty {
    NamedProperty { name: name.to_owned(), property, expect: None, span }
}

/// Walks a formula, atom by atom.
struct Always<'a, 'w, 'p, I> {
    scope: Scope<'w, 'p>,
    atoms: &'a mut I,
}

impl<'e, I: Iterator<Item = &'e Expr>> Always<'_, '_, '_, I> {
    /// The condition that must always be true for a formula to be so.
    fn always(&mut self, formula: &Formula) -> Checked<Option<Term>> {
        Ok(match formula {
            Formula::Always(inner) => self.state(inner)?,
            Formula::Not(inner) => match &**inner {
                Formula::Eventually(inner) => self.state(inner)?.map(not),
                _ => None,
            },
            Formula::And(a, b) => match self.always(a)? {
                Some(a) => self.always(b)?.map(|b| a.and(b)),
                None => None,
            },
            _ => None,
        })
    }

    /// The condition that a formula without temporal operators is.
    fn state(&mut self, formula: &Formula) -> Checked<Option<Term>> {
        let both = |s: &mut Self, a: &Formula, b: &Formula, f: fn(Term, Term) -> Term| -> Checked<Option<Term>> {
            Ok(match (s.state(a)?, s.state(b)?) {
                (Some(a), Some(b)) => Some(f(a, b)),
                _ => None,
            })
        };
        Ok(match formula {
            Formula::Atom(_) => {
                let atom = self.atoms.next().expect("every atom of a formula is resolved");
                Some(self.scope.condition(atom)?)
            }
            Formula::Not(a) => self.state(a)?.map(not),
            Formula::And(a, b) => both(self, a, b, Term::and)?,
            Formula::Or(a, b) => both(self, a, b, Term::or)?,
            Formula::Implies(a, b) => both(self, a, b, |a, b| not(a).or(b))?,
            Formula::Equivalent(a, b) => both(self, a, b, |a, b| a.relate(model::Binary::Eq, b))?,
            _ => None,
        })
    }
}

fn not(term: Term) -> Term {
    Term::unary(Unary::Not, term)
}
