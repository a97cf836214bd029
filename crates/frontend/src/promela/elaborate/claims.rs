//! The steps of a `never` claim: when each can be taken, and where it leads.
//!
//! The claim takes a step on the initial state already, and afterwards one on every state that is reached. A claim that
//! cannot step is given up, as SPIN does.

use std::collections::BTreeSet;

use model::Proposition;

use super::scope::Scope;
use super::term::Term;
use super::{Checked, idle};
use crate::Diagnostic;
use crate::promela::ir::{Action, Edge, EdgeId, Expr, Graph, Hold, NodeId, Unary};

/// Why a claim is not asked.
pub(super) enum Refusal {
    /// The claim has no end: it speaks of infinite runs only.
    NoEnd,
    /// It cannot be followed.
    Because(Diagnostic),
}

impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Self {
        Refusal::Because(diagnostic)
    }
}

/// A claim on its way to an automaton.
pub(super) struct Claims<'w, 'p> {
    pub(super) scope: Scope<'w, 'p>,
    pub(super) graph: &'w Graph,
    /// That something can go on without a timeout.
    pub(super) busy: Proposition,
}

impl Claims<'_, '_> {
    pub(super) fn end(&self) -> NodeId {
        NodeId(self.graph.nodes.len().saturating_sub(1) as u32)
    }

    /// Whether the claim may come to its end, or to a label that begins with `end`.
    pub(super) fn reaches_end(&self) -> bool {
        let mut reached = BTreeSet::from([NodeId(0)]);
        loop {
            let before = reached.len();
            for edge in &self.graph.edges {
                if reached.contains(&edge.from) {
                    reached.insert(edge.to);
                    // A failed assertion is an error too.
                    if matches!(edge.action, Action::Assert(_)) {
                        return true;
                    }
                }
            }
            if reached.len() == before {
                return reached.iter().any(|n| self.graph.nodes[n.0 as usize].end);
            }
        }
    }

    pub(super) fn too_large(&self) -> Refusal {
        let message = "the claim is too large to be followed".to_owned();
        Refusal::Because(Diagnostic::error(self.scope.span, message))
    }

    /// When an edge can be taken and where it leads, at once through what follows in an `atomic`.
    pub(super) fn step(&self, edge: &Edge, conditions: &mut Vec<Proposition>) -> Result<(Condition, NodeId), Refusal> {
        let formula = self.formula(edge, conditions)?;
        Ok((formula, self.through(edge).last().map_or(edge.to, |e| e.to)))
    }

    /// The assertions and empty statements that follow at once.
    fn through(&self, edge: &Edge) -> Vec<&Edge> {
        let next = |e: &Edge| (!e.yields).then(|| self.following(e.to)).flatten();
        std::iter::successors(next(edge), |e| next(e)).take(self.graph.nodes.len()).collect()
    }

    /// The one of them that follows where the claim arrives with control.
    fn following(&self, node: NodeId) -> Option<&Edge> {
        let held = self.graph.nodes[node.0 as usize].hold != Hold::No;
        let mut leaving = self.graph.edges.iter().filter(|e| held && e.from == node);
        let only = leaving.next().filter(|_| leaving.next().is_none())?;
        matches!(only.action, Action::Assert(_) | Action::Skip).then_some(only)
    }

    /// When an edge, or what follows it at once, violates an assertion: and the first of these assertions.
    pub(super) fn violation<'s>(
        &'s self,
        edge: &'s Edge,
        formula: Condition,
        conditions: &mut Vec<Proposition>,
    ) -> Result<Option<(Condition, &'s Edge)>, Refusal> {
        let (mut wrong, mut first) = (Vec::new(), None);
        for next in std::iter::once(edge).chain(self.through(edge)) {
            if let Action::Assert(e) = &next.action {
                wrong.push(Condition::Not(Box::new(self.base(e, conditions)?)));
                first = first.or(Some(next));
            }
        }
        Ok(first.map(|first| (Condition::And(vec![formula, Condition::Or(wrong)]), first)))
    }

    fn formula(&self, edge: &Edge, conditions: &mut Vec<Proposition>) -> Result<Condition, Refusal> {
        let mut all = Vec::new();
        match &edge.guard {
            None => {}
            Some(Expr::Unary(Unary::Not, e)) if matches!(**e, Expr::Executable(_)) => {
                let Expr::Executable(edges) = &**e else { unreachable!("it was just seen") };
                all.push(Condition::Not(Box::new(self.executable(edges, conditions)?)));
            }
            Some(guard) => all.push(self.base(guard, conditions)?),
        }
        match &edge.action {
            Action::Skip | Action::Assert(_) => {}
            Action::Test(e) => all.push(self.base(e, conditions)?),
            _ => {
                let message = "a claim only looks: this statement has no place in it".to_owned();
                return Err(Diagnostic::error(edge.span, message).into());
            }
        }
        Ok(Condition::And(all))
    }

    fn executable(&self, edges: &[EdgeId], conditions: &mut Vec<Proposition>) -> Result<Condition, Refusal> {
        let formula = |e: &EdgeId| self.formula(&self.graph.edges[e.0 as usize], conditions);
        Ok(Condition::Or(edges.iter().map(formula).collect::<Result<_, _>>()?))
    }

    /// A condition on positions, numbered.
    fn base(&self, e: &Expr, conditions: &mut Vec<Proposition>) -> Checked<Condition> {
        Ok(match self.scope.watched(e)? {
            idle::Condition::State(term) => state(term, conditions),
            idle::Condition::Idle { idle, busy } => {
                let goes_on = numbered(self.busy.clone(), conditions);
                let stands = Condition::Not(Box::new(goes_on.clone()));
                let (idle, busy) = (state(idle, conditions), state(busy, conditions));
                Condition::Or(vec![Condition::And(vec![stands, idle]), Condition::And(vec![goes_on, busy])])
            }
        })
    }
}

/// A condition on states.
fn state(term: Term, conditions: &mut Vec<Proposition>) -> Condition {
    match term.value() {
        Some(0) => Condition::Or(Vec::new()),
        Some(_) => Condition::And(Vec::new()),
        None => numbered(Proposition::State(term.expr), conditions),
    }
}

fn numbered(proposition: Proposition, conditions: &mut Vec<Proposition>) -> Condition {
    let known = conditions.iter().position(|c| *c == proposition);
    Condition::Base(known.unwrap_or_else(|| {
        conditions.push(proposition);
        conditions.len() - 1
    }))
}

/// A combination of conditions.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    Base(usize),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}
