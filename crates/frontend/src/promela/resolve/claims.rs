//! `never` claims, `trace` assertions and `ltl` formulas.

use std::collections::HashSet;

use model::Span;

use super::flow::Builder;
use super::graph::{Body, Context, NO_EVENT};
use super::reports::Reports;
use super::scope::{Place, ScopeId};
use super::tables::{Others, Tables};
use super::view::{Role, View};
use crate::Diagnostic;
use crate::name::{Name, Text};
use crate::promela::ast::{Expr, Formula, Ltl, Program, Sequence, Unit};
use crate::promela::ir;

/// Resolves what watches the processes.
pub(super) struct Watchers<'t> {
    pub(super) tables: &'t Tables,
    pub(super) others: &'t Others,
    pub(super) reports: &'t mut Reports,
}

impl Watchers<'_> {
    /// Adds those of a program.
    pub(super) fn add(&mut self, program: &Program, result: &mut ir::Program) {
        for unit in &program.units {
            match unit {
                Unit::Never(claim) => {
                    let name = named(claim.name.as_ref(), "never", result.claims.len());
                    let graph = self.graph(&claim.body, Role::Claim, claim.span);
                    result.claims.push(ir::Claim { name, graph, span: claim.span });
                }
                Unit::Trace(trace) if result.trace.is_none() => {
                    let graph = self.graph(&trace.body, Role::Trace, trace.span);
                    self.check_events(&graph);
                    result.trace = Some(ir::Trace { negated: trace.negated, graph, span: trace.span });
                }
                Unit::Trace(trace) => {
                    let what = "there is another `trace` or `notrace`: a model may have one";
                    self.reports.push(Diagnostic::error(trace.span, what));
                }
                Unit::Ltl(ltl) => {
                    let name = named(ltl.name.as_ref(), "ltl", result.formulas.len());
                    let formula = self.formula(ltl, name);
                    result.formulas.push(formula);
                }
                _ => {}
            }
        }
        self.check_names(result);
    }

    fn graph(&mut self, body: &Sequence, role: Role, span: Span) -> ir::Graph {
        let watched = HashSet::new();
        let (flow, locals) = Builder::new(self.tables, &watched, self.reports).body(body, span);
        if let Some(variable) = locals.variables.first() {
            let what = format!("`{}` is declared in a claim, but claims have no memory of their own", variable.name);
            let help = "declare it outside of the claim";
            self.reports.push(Diagnostic::error(variable.span, what).help(help));
        }
        let body = Body::new(flow, self.reports);
        Context { tables: self.tables, locals: &locals, others: self.others, role }.graph(&body, self.reports)
    }

    /// A trace waits for events, and for nothing else.
    fn check_events(&mut self, graph: &ir::Graph) {
        let is_event = |e: &ir::Edge| matches!(e.action, ir::Action::Event(_)) && e.guard.is_none();
        for edge in graph.edges.iter().filter(|e| !is_event(e)) {
            self.reports.push(Diagnostic::error(edge.span, NO_EVENT));
        }
    }

    fn formula(&mut self, ltl: &Ltl, name: Text) -> ir::Ltl {
        let mut atoms = Vec::new();
        collect(&ltl.formula, &mut atoms);
        let place = self.tables.globals.scopes.place(ScopeId::default());
        let atoms = atoms.into_iter().filter_map(|a| self.atom(a, place)).collect();
        ir::Ltl { name, formula: ltl.formula.clone(), atoms, span: ltl.span }
    }

    fn atom(&mut self, atom: &Expr, place: Place) -> Option<ir::Expr> {
        let (tables, others) = (self.tables, Some(self.others));
        View { tables, locals: None, role: Role::Nobody, place, others, reports: self.reports }.number(atom).ok()
    }

    /// Claims and formulas are chosen by name.
    fn check_names(&mut self, program: &ir::Program) {
        let claims = program.claims.iter().map(|c| (&c.name, c.span));
        let formulas = program.formulas.iter().map(|f| (&f.name, f.span));
        let mut seen = HashSet::new();
        for (name, span) in claims.chain(formulas) {
            if !seen.insert(name) {
                let what = format!("there is another claim of the name `{name}`");
                self.reports.push(Diagnostic::error(span, what));
            }
        }
    }
}

/// The given name, or one made of a keyword and a number.
fn named(name: Option<&Name>, keyword: &str, number: usize) -> Text {
    name.map_or_else(|| format!("{keyword}_{number}").into(), |n| n.text.clone())
}

/// The atoms of a formula, left to right.
fn collect<'f>(formula: &'f Formula, atoms: &mut Vec<&'f Expr>) {
    match formula {
        Formula::Atom(expr) => atoms.push(expr),
        Formula::Not(a) | Formula::Next(a) | Formula::Always(a) | Formula::Eventually(a) => collect(a, atoms),
        Formula::And(a, b)
        | Formula::Or(a, b)
        | Formula::Implies(a, b)
        | Formula::Equivalent(a, b)
        | Formula::Until(a, b)
        | Formula::WeakUntil(a, b)
        | Formula::Release(a, b) => {
            collect(a, atoms);
            collect(b, atoms);
        }
    }
}
