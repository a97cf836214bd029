//! A `never` claim with acceptance as an automaton: a state for each of its nodes. What leaves a node with an `accept`
//! label is accepting, as is every step on a state in which a process is at such a label. At its end, or at an `end` label,
//! a claim accepts all that follows; where it cannot step it accepts nothing.

use automata::Automaton;
use automata::automaton::{Cube, Edge, Label, Marks, State};
use model::{Acceptor, ClaimPlace, Expr as Code, Proposition};

use super::claims::{Claims, Condition, Refusal};
use crate::promela::ir::{self, NodeId};

/// The most conditions that a claim may look at.
const MAX_ATOMS: usize = 64;
/// The most products of the condition of a step.
const MAX_PRODUCTS: usize = 1 << 12;

/// The most statements of a place that its name tells.
const TOLD: usize = 3;

/// The marks of accepting steps.
const ACCEPTING: Marks = Marks(1);

impl Claims<'_, '_> {
    /// The automaton. `labelled` tells whether a process is at an `accept` label.
    pub(super) fn acceptor(&self, labelled: Option<Code>) -> Result<Acceptor, Refusal> {
        let mut conditions: Vec<Proposition> = labelled.into_iter().map(Proposition::State).collect();
        let labelled = (!conditions.is_empty()).then_some(Condition::Base(0));
        let mut edges = vec![Vec::new(); self.graph.nodes.len().max(1)];
        let mut failures: Vec<&ir::Edge> = Vec::new();
        let ends = |node: u32| self.graph.nodes.get(node as usize).is_none_or(|n| n.end);
        for edge in self.graph.edges.iter().filter(|e| !ends(e.from.0)) {
            let (when, to) = self.step(edge, &mut conditions)?;
            let accept = self.graph.nodes[edge.from.0 as usize].accept;
            let from = &mut edges[edge.from.0 as usize];
            // What is asserted on the way must be so, or else the claim is at an end of its own.
            let wrong = self.violation(edge, when.clone(), &mut conditions)?;
            let wrong = wrong.map(|(wrong, assertion)| {
                failures.push(assertion);
                (wrong, NodeId((self.graph.nodes.len().max(1) + failures.len() - 1) as u32))
            });
            for (when, to) in [(when, to)].into_iter().chain(wrong) {
                for (when, marks) in marked(when, accept, labelled.as_ref()) {
                    let products = products(&when, true).filter(|_| conditions.len() <= MAX_ATOMS);
                    let products = products.ok_or_else(|| self.too_large())?;
                    if !products.is_empty() {
                        from.push(Edge { label: Label(products.into()), marks, target: State(to.0) });
                    }
                }
            }
        }
        edges.resize(edges.len() + failures.len(), Vec::new());
        for (node, leaving) in edges.iter_mut().enumerate().filter(|(node, _)| ends(*node as u32)) {
            leaving.push(Edge { label: Label::always(), marks: ACCEPTING, target: State(node as u32) });
        }
        let automaton = Automaton { atoms: conditions.len(), sets: 1, initial: State(0), edges };
        let places = self.places().chain(failures.into_iter().map(failure)).collect();
        Ok(Acceptor { atoms: conditions, automaton, places })
    }

    /// The statements that leave a node, if they are few.
    fn statements(&self, node: NodeId) -> String {
        let all: Vec<&str> = self.graph.edges.iter().filter(|e| e.from == node).map(|e| &*e.text).collect();
        if all.len() > TOLD { format!("{} :: ...", all[..TOLD].join(" :: ")) } else { all.join(" :: ") }
    }

    /// What the nodes are called.
    fn places(&self) -> impl Iterator<Item = ClaimPlace> {
        let end = self.end();
        self.graph.nodes.iter().zip(0..).map(move |(node, number)| {
            let name = match node.labels.first() {
                _ if NodeId(number) == end => "its end".to_owned(),
                Some(label) => format!("`{label}`"),
                None => format!("`{}`", self.statements(NodeId(number))),
            };
            ClaimPlace { name, span: node.span }
        })
    }
}

/// Where a claim is when an assertion of it is violated.
fn failure(assertion: &ir::Edge) -> ClaimPlace {
    ClaimPlace { name: format!("`{}`, which is violated", assertion.text), span: assertion.home }
}

/// A step, apart where a process is at an `accept` label and where none is.
fn marked(when: Condition, accept: bool, labelled: Option<&Condition>) -> Vec<(Condition, Marks)> {
    match labelled {
        _ if accept => vec![(when, ACCEPTING)],
        None => vec![(when, Marks::default())],
        Some(labelled) => {
            let unlabelled = Condition::Not(Box::new(labelled.clone()));
            let with = Condition::And(vec![when.clone(), labelled.clone()]);
            vec![(with, ACCEPTING), (Condition::And(vec![when, unlabelled]), Marks::default())]
        }
    }
}

/// A condition, or its negation, as a sum of products; nothing if it is too large.
fn products(condition: &Condition, positive: bool) -> Option<Vec<Cube>> {
    match (condition, positive) {
        (Condition::Base(atom), _) => {
            let bit = 1u64.checked_shl(*atom as u32)?;
            Some(vec![if positive { Cube { positive: bit, negative: 0 } } else { Cube { positive: 0, negative: bit } }])
        }
        (Condition::Not(inner), _) => products(inner, !positive),
        (Condition::And(parts), true) | (Condition::Or(parts), false) => {
            let mut all = vec![Cube::TRUE];
            for part in parts {
                let part = products(part, positive)?;
                let mut next: Vec<Cube> = Vec::new();
                for cube in all.iter().flat_map(|a| part.iter().filter_map(|b| a.and(*b))) {
                    add(&mut next, cube);
                }
                all = Some(next).filter(|n| n.len() <= MAX_PRODUCTS)?;
            }
            Some(all)
        }
        (Condition::Or(parts), true) | (Condition::And(parts), false) => {
            let mut any = Vec::new();
            for part in parts {
                products(part, positive)?.into_iter().for_each(|cube| add(&mut any, cube));
            }
            Some(any).filter(|a| a.len() <= MAX_PRODUCTS)
        }
    }
}

/// Adds a product unless it is part of another one.
fn add(products: &mut Vec<Cube>, cube: Cube) {
    let within = |a: &Cube, b: &Cube| a.positive & b.positive == b.positive && a.negative & b.negative == b.negative;
    if !products.iter().any(|p| within(&cube, p)) {
        products.retain(|p| !within(p, &cube));
        products.push(cube);
    }
}
