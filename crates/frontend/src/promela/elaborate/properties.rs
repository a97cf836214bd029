//! What is asked of a program: its end states, its `trace`, its `never` claims and formulas, and the cycles that its labels tell of.

use model::{Claim, Expr as Code, Ltl, NamedProperty, Property, Span, System, Temporal};

use super::Checked;
use super::claims::{Claims, Refusal};
use super::formulas::{Meaning, meaning};
use super::idle::busy;
use super::scope::Scope;
use super::world::World;
use crate::fairness::to_takers;
use crate::promela::Options;
use crate::promela::ir::{self, Node};
use crate::{Diagnostic, Severity};

/// A question of the text that has no meaning here.
#[derive(Clone, Debug)]
pub struct Unasked {
    /// Its name.
    pub name: String,
    /// Its keyword.
    pub kind: &'static str,
    /// Why it has none.
    pub why: Diagnostic,
}

/// The name of the property that no run passes through states labelled `accept` for ever.
const ACCEPTANCE_FREE: &str = "acceptance-free";
/// The name of the property that every endless run passes through states labelled `progress` for ever.
const PROGRESS: &str = "progress";

/// All questions.
pub(super) struct Asked<'w, 'p> {
    pub(super) world: &'w World<'p>,
    pub(super) system: &'w System,
    pub(super) options: &'w Options,
}

impl<'w, 'p> Asked<'w, 'p> {
    /// All properties, and what cannot be asked.
    pub(super) fn all(&self) -> (Vec<NamedProperty>, Vec<Unasked>) {
        let program = self.world.ground.program;
        let (mut properties, mut unasked) = (Vec::new(), Vec::new());
        if !self.options.ignore_end_states {
            properties.push(named("deadlock-free", Property::DeadlockFree, None));
        }
        // Assertions and other errors.
        if self.options.ignore_end_states || !self.system.is_lawful() {
            properties.push(named("no-errors", Property::Invariant(Code::TRUE), None));
        }
        for claim in &program.claims {
            match self.claim(claim) {
                Ok(property) => properties.push(named(&claim.name, property, Some(claim.span))),
                Err(Refusal::NoEnd) => {
                    let what = format!("`{}` asks nothing: it neither ends nor has a label of acceptance", claim.name);
                    let help = "what a claim accepts must not happen: an `accept` label before what may repeat for ever, or its closing brace";
                    self.world.remarks.borrow_mut().push(Diagnostic::warning(claim.span, what).help(help));
                }
                Err(Refusal::Because(why)) => unasked.push(Unasked::new(&claim.name, "never", why)),
            }
        }
        if let (Some(trace), Some(follower)) = (&program.trace, &self.world.follower) {
            properties.push(named(trace.name(), Property::Invariant(follower.holds().expr), Some(trace.span)));
        }
        for formula in &program.formulas {
            match self.formula(formula) {
                Ok(property) => properties.push(named(&formula.name, property, Some(formula.span))),
                Err(why) => unasked.push(Unasked::new(&formula.name, "ltl", why)),
            }
        }
        properties.extend(self.acceptance_free());
        properties.extend(self.progress());
        (properties, unasked)
    }

    fn scope(&self, span: Span) -> Scope<'w, 'p> {
        Scope { world: self.world, seat: None, timeout: false, span }
    }

    /// A claim asks nothing if it has no end, and neither it nor a process has a label of acceptance.
    fn claim(&self, claim: &ir::Claim) -> Result<Property, Refusal> {
        let claims = Claims { scope: self.scope(claim.span), graph: &claim.graph, busy: busy(self.system) };
        let labelled = self.labelled(|n| n.accept);
        if labelled.is_none() && !claim.graph.nodes.iter().any(|n| n.accept) {
            claims.reaches_end().then_some(()).ok_or(Refusal::NoEnd)?;
        }
        claims.acceptor(labelled).map(|acceptor| self.of_runs(Claim::Never(acceptor), true))
    }

    fn formula(&self, formula: &ir::Ltl) -> Checked<Property> {
        Ok(match meaning(self.scope(formula.span), formula, &busy(self.system))? {
            Meaning::Always(condition) => Property::Invariant(condition),
            Meaning::Runs(formula) => self.of_runs(Claim::Always(formula), true),
        })
    }

    /// That no run is at labels of acceptance again and again, or for good, where there are such labels.
    fn acceptance_free(&self) -> Option<NamedProperty> {
        let there = self.labelled(|n| n.accept).or(self.writes(|n| n.accept).then_some(Code::Const(0)))?;
        let again = recurring(Ltl::state(there));
        let property = self.of_runs(Claim::Always(again.negate()), true);
        Some(named(ACCEPTANCE_FREE, property, None))
    }

    /// That endless runs are at labels of progress again and again, where there are such labels. What has come to its end
    /// need not progress.
    fn progress(&self) -> Option<NamedProperty> {
        let asked = self.options.non_progress || self.writes(|n| n.progress);
        let there = self.labelled(|n| n.progress).or(asked.then_some(Code::Const(0)))?;
        Some(named(PROGRESS, self.of_runs(Claim::Always(recurring(Ltl::state(there))), false), None))
    }

    fn of_runs(&self, claim: Claim, finite: bool) -> Property {
        let fairness = self.options.fairness.map(|strength| to_takers(self.system, strength));
        Property::Temporal(Temporal { claim, fairness: fairness.unwrap_or_default(), finite })
    }

    /// Whether the text has a node of a kind, though nobody may ever be seen there.
    fn writes(&self, kind: impl Fn(&Node) -> bool) -> bool {
        self.world.ground.program.proctypes.iter().any(|p| p.graph.nodes.iter().any(&kind))
    }

    /// Whether some process is at a node of a kind; nothing if there is no such node.
    fn labelled(&self, kind: impl Fn(&Node) -> bool) -> Option<Code> {
        let somewhere = self.scope(Span::new(0, 0)).labelled(kind);
        (somewhere.value() != Some(0)).then_some(somewhere.expr)
    }
}

impl Unasked {
    fn new(name: &str, kind: &'static str, why: Diagnostic) -> Self {
        Self { name: name.to_owned(), kind, why: Diagnostic { severity: Severity::Warning, ..why } }
    }
}

/// Again and again.
fn recurring(formula: Ltl) -> Ltl {
    Ltl::Always(Box::new(Ltl::Eventually(Box::new(formula))))
}

fn named(name: &str, property: Property, span: Option<Span>) -> NamedProperty {
    NamedProperty { name: name.to_owned(), property, expect: None, span }
}
