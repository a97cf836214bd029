//! A `never` claim as a deterministic observer, by subset construction: a location is the set of nodes that the claim
//! can be at after the present state; it is an error if the end of the claim is among them.
//!
//! The claim takes a step on the initial state already, so where the observer starts depends on that state. Afterwards it
//! takes one on every state that is reached. A claim that cannot step is given up, as SPIN does.

use std::collections::{BTreeSet, HashMap};

use model::{Expr as Code, LocationId, Observer, ObserverEdge, ObserverLocation, System};

use super::Checked;
use super::scope::Scope;
use super::term::Term;
use crate::Diagnostic;
use crate::promela::ir::{Action, Edge, EdgeId, Expr, Graph, Hold, NodeId, Unary};

/// The most conditions that the steps from one location may depend on.
const MAX_CONDITIONS: usize = 10;
/// The most locations.
const MAX_LOCATIONS: usize = 256;

/// Why there is no observer.
pub(super) enum Refusal {
    /// The claim has no end: it speaks of infinite runs only.
    NoEnd,
    /// It cannot be followed.
    Because(Diagnostic),
}

impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Self {
        Refusal::Because(Diagnostic { severity: crate::Severity::Warning, ..diagnostic })
    }
}

/// A claim on its way to an observer.
pub(super) struct Claims<'w, 'p> {
    pub(super) system: &'w System,
    pub(super) scope: Scope<'w, 'p>,
    pub(super) graph: &'w Graph,
}

/// Nodes that the claim can be at.
type Set = BTreeSet<NodeId>;

/// What a claim can do from a set of nodes: its conditions, and where it can be for each of their truth values.
struct Moves {
    conditions: Vec<Code>,
    /// By the number whose bits are the truth values.
    targets: Vec<Set>,
}

impl Claims<'_, '_> {
    /// The observer.
    pub(super) fn observer(&self) -> Result<Observer, Refusal> {
        if !self.reaches_end() {
            return Err(Refusal::NoEnd);
        }
        let start = self.start()?;
        let mut sets = vec![start.clone()];
        let mut numbers = HashMap::from([(start, 0)]);
        let mut edges = Vec::new();
        let mut at = 0;
        while at < sets.len() {
            if !self.is_error(&sets[at]) {
                let moves = self.moves(&sets[at])?;
                for (truths, target) in moves.targets.iter().enumerate() {
                    let next = *numbers.entry(target.clone()).or_insert_with(|| {
                        sets.push(target.clone());
                        sets.len() - 1
                    });
                    if next != at {
                        let when = conjunction(&moves.conditions, truths);
                        let (from, to) = (LocationId::new(at), LocationId::new(next));
                        edges.push(ObserverEdge { from, to, on: None, when, span: Some(self.scope.span) });
                    }
                }
            }
            if sets.len() > MAX_LOCATIONS {
                return Err(self.too_large());
            }
            at += 1;
        }
        let location = |set: &Set| ObserverLocation { name: show(set), error: self.is_error(set) };
        Ok(Observer { locations: sets.iter().map(location).collect(), initial: LocationId(0), edges })
    }

    fn end(&self) -> NodeId {
        NodeId(self.graph.nodes.len().saturating_sub(1) as u32)
    }

    fn is_error(&self, set: &Set) -> bool {
        set.contains(&self.end())
    }

    fn reaches_end(&self) -> bool {
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
                return reached.contains(&self.end());
            }
        }
    }

    fn too_large(&self) -> Refusal {
        let message = "the claim is too large to be followed".to_owned();
        Refusal::Because(Diagnostic::warning(self.scope.span, message).label("not checked"))
    }

    /// Where the claim can be after its step on the initial state.
    fn start(&self) -> Result<Set, Refusal> {
        let moves = self.moves(&Set::from([NodeId(0)]))?;
        let state = self.system.initial_state();
        let mut truths = 0;
        for (k, condition) in moves.conditions.iter().enumerate() {
            let holds = self.system.predicate(condition).holds(self.system, &state);
            truths |= usize::from(holds == Ok(true)) << k;
        }
        Ok(moves.targets[truths].clone())
    }

    fn moves(&self, set: &Set) -> Result<Moves, Refusal> {
        let mut conditions: Vec<Code> = Vec::new();
        let mut steps: Vec<(NodeId, Formula)> = Vec::new();
        for edge in self.graph.edges.iter().filter(|e| set.contains(&e.from)) {
            let (formula, to) = self.step(edge, &mut conditions)?;
            steps.push((to, formula.clone()));
            // What is asserted on the way must be so, or else the claim is at its end.
            if let Some(wrong) = self.violation(edge, formula, &mut conditions)? {
                steps.push((self.end(), wrong));
            }
        }
        if conditions.len() > MAX_CONDITIONS {
            return Err(self.too_large());
        }
        let target =
            |truths: usize| -> Set { steps.iter().filter(|(_, f)| f.holds(truths)).map(|(to, _)| *to).collect() };
        let targets = (0..1 << conditions.len()).map(target).collect();
        Ok(Moves { conditions, targets })
    }

    /// When an edge can be taken and where it leads, at once through what follows in an `atomic`.
    fn step(&self, edge: &Edge, conditions: &mut Vec<Code>) -> Result<(Formula, NodeId), Refusal> {
        let formula = self.formula(edge, conditions)?;
        let mut to = edge.to;
        for _ in 0..self.graph.nodes.len() {
            match self.following(to) {
                Some(next) => to = next.to,
                None => break,
            }
        }
        Ok((formula, to))
    }

    /// The assertion or empty statement that follows at once.
    fn following(&self, node: NodeId) -> Option<&Edge> {
        let held = self.graph.nodes[node.0 as usize].hold != Hold::No;
        let mut leaving = self.graph.edges.iter().filter(|e| held && e.from == node);
        let only = leaving.next().filter(|_| leaving.next().is_none())?;
        matches!(only.action, Action::Assert(_) | Action::Skip).then_some(only)
    }

    fn violation(&self, edge: &Edge, formula: Formula, conditions: &mut Vec<Code>) -> Result<Option<Formula>, Refusal> {
        let mut wrong = Vec::new();
        if let Action::Assert(e) = &edge.action {
            wrong.push(Formula::Not(Box::new(self.base(e, conditions)?)));
        }
        let mut to = edge.to;
        for _ in 0..self.graph.nodes.len() {
            let Some(next) = self.following(to) else { break };
            if let Action::Assert(e) = &next.action {
                wrong.push(Formula::Not(Box::new(self.base(e, conditions)?)));
            }
            to = next.to;
        }
        Ok((!wrong.is_empty()).then(|| Formula::And(vec![formula, Formula::Or(wrong)])))
    }

    fn formula(&self, edge: &Edge, conditions: &mut Vec<Code>) -> Result<Formula, Refusal> {
        let mut all = Vec::new();
        match &edge.guard {
            None => {}
            Some(Expr::Unary(Unary::Not, e)) if matches!(**e, Expr::Executable(_)) => {
                let Expr::Executable(edges) = &**e else { unreachable!("it was just seen") };
                all.push(Formula::Not(Box::new(self.executable(edges, conditions)?)));
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
        Ok(Formula::And(all))
    }

    fn executable(&self, edges: &[EdgeId], conditions: &mut Vec<Code>) -> Result<Formula, Refusal> {
        let formula = |e: &EdgeId| self.formula(&self.graph.edges[e.0 as usize], conditions);
        Ok(Formula::Or(edges.iter().map(formula).collect::<Result<_, _>>()?))
    }

    /// A condition on states, numbered.
    fn base(&self, e: &Expr, conditions: &mut Vec<Code>) -> Checked<Formula> {
        let term: Term = self.scope.condition(e)?;
        if let Some(value) = term.value() {
            return Ok(if value != 0 { Formula::And(Vec::new()) } else { Formula::Or(Vec::new()) });
        }
        let number = conditions.iter().position(|c| *c == term.expr).unwrap_or_else(|| {
            conditions.push(term.expr);
            conditions.len() - 1
        });
        Ok(Formula::Condition(number))
    }
}

/// A combination of conditions.
#[derive(Clone, Debug)]
enum Formula {
    Condition(usize),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

impl Formula {
    /// Whether it is true; the bits say which conditions are.
    fn holds(&self, truths: usize) -> bool {
        match self {
            Formula::Condition(k) => truths >> k & 1 != 0,
            Formula::Not(f) => !f.holds(truths),
            Formula::And(all) => all.iter().all(|f| f.holds(truths)),
            Formula::Or(any) => any.iter().any(|f| f.holds(truths)),
        }
    }
}

fn conjunction(conditions: &[Code], truths: usize) -> Code {
    let one = |(k, c): (usize, &Code)| if truths >> k & 1 != 0 { c.clone() } else { c.clone().negate() };
    let all = conditions.iter().enumerate().map(one);
    all.reduce(|a, b| a.op(model::Binary::And, b)).unwrap_or(Code::TRUE)
}

fn show(set: &Set) -> String {
    let nodes: Vec<String> = set.iter().map(|n| n.0.to_string()).collect();
    format!("{{{}}}", nodes.join(","))
}
