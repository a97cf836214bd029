//! Strong fairness in a component that is complete: where a set is offered and nobody takes from it, a fair run cannot
//! stay; what is left falls apart into smaller components, which are looked at in the same way.

use std::collections::HashMap;

use evidence::{Budget, Reason};
use model::TransitionId;

use super::product::{Marks, Product, STAY};
use crate::components::components;
use crate::store::{StateIndex, Store, hash};

/// The steps from a node to nodes that are stored: with all edges of the automaton, whatever a search left out.
pub(super) fn steps_between(
    product: &Product<'_>,
    store: &Store,
    node: StateIndex,
    found: &mut impl FnMut(TransitionId, Marks, StateIndex),
) -> Marks {
    let (state, place) = product.parts(store.get(node));
    let (mut enabled, mut next) = (Vec::new(), vec![0; product.words()]);
    if product.list(state, &mut enabled).is_err() {
        return 0;
    }
    let offered = product.offered(store.get(node), &enabled);
    if enabled.is_empty() && product.may_stay() {
        enabled.push(STAY);
    }
    for t in enabled {
        let Ok(reading) = product.fire(t, state, &mut next) else { continue };
        let fair = product.fairness_of(t, offered);
        let mut edge = 0;
        while let Some((after, marks, target)) = product.edge(place, reading, edge) {
            edge = after;
            product.set_place(&mut next, target);
            if let Some(to) = store.find(&next, hash(&next)) {
                found(t, marks | fair, to);
            }
        }
    }
    offered
}

/// A part of a component that some graph keeps.
struct Graph {
    nodes: Vec<StateIndex>,
    /// By position, what is offered there, and the steps to other positions.
    offered: Vec<Marks>,
    steps: Vec<Vec<(usize, Marks)>>,
}

/// Nodes, in order, among which a fair run with all required marks can stay for ever, with the marks that it must have.
pub(super) fn fair_part(
    product: &Product<'_>,
    store: &Store,
    nodes: Vec<StateIndex>,
    budget: &Budget,
) -> Result<Option<(Vec<StateIndex>, Marks)>, Reason> {
    let graph = Graph::new(product, store, nodes, budget)?;
    let mut open = vec![(0..graph.nodes.len()).collect::<Vec<usize>>()];
    let mut inside = Inside::new(graph.nodes.len());
    while let Some(part) = open.pop() {
        budget.check(store.bytes() + graph.bytes())?;
        for component in components(&part, graph.nodes.len(), |n, i| graph.steps[n].get(i).map(|(to, _)| *to)) {
            inside.set(&component);
            let Some(done) = graph.done(&component, &inside) else { continue };
            let offered = component.iter().fold(0, |all, &n| all | graph.offered[n]);
            if done & product.required() != product.required() {
                continue;
            }
            let unpaid = product.owed(offered) & !done;
            if unpaid == 0 {
                let mut nodes: Vec<StateIndex> = component.iter().map(|&n| graph.nodes[n]).collect();
                nodes.sort_unstable();
                return Ok(Some((nodes, product.required() | product.owed(offered))));
            }
            open.push(component.into_iter().filter(|&n| graph.offered[n] & unpaid == 0).collect());
        }
    }
    Ok(None)
}

/// Membership in a set of positions: those that were stamped last.
struct Inside {
    stamps: Vec<u32>,
    last: u32,
}

impl Inside {
    fn new(len: usize) -> Self {
        Self { stamps: vec![0; len], last: 0 }
    }

    fn set(&mut self, members: &[usize]) {
        self.last += 1;
        members.iter().for_each(|&n| self.stamps[n] = self.last);
    }

    fn contains(&self, n: usize) -> bool {
        self.stamps[n] == self.last
    }
}

impl Graph {
    fn new(product: &Product<'_>, store: &Store, nodes: Vec<StateIndex>, budget: &Budget) -> Result<Self, Reason> {
        let position: HashMap<StateIndex, usize> = nodes.iter().enumerate().map(|(i, n)| (*n, i)).collect();
        let (mut offered, mut steps, mut kept) = (Vec::new(), Vec::new(), 0);
        for (i, &node) in nodes.iter().enumerate() {
            if i % 256 == 0 {
                budget.check(store.bytes() + Self::NODE * i as u64 + Self::STEP * kept)?;
            }
            let mut own = Vec::new();
            offered.push(steps_between(product, store, node, &mut |_, marks, to| {
                own.extend(position.get(&to).map(|&to| (to, marks)));
            }));
            kept += own.len() as u64;
            steps.push(own);
        }
        Ok(Self { nodes, offered, steps })
    }

    /// About how many bytes a node and a step take, with what is needed to find components.
    const NODE: u64 = 128;
    const STEP: u64 = 32;

    fn bytes(&self) -> u64 {
        Self::NODE * self.nodes.len() as u64 + Self::STEP * self.steps.iter().map(|s| s.len() as u64).sum::<u64>()
    }

    /// What the steps within a component do, if there are any.
    fn done(&self, component: &[usize], inside: &Inside) -> Option<Marks> {
        let steps = component.iter().flat_map(|&n| &self.steps[n]);
        steps.filter(|(to, _)| inside.contains(*to)).map(|(_, marks)| *marks).reduce(|a, b| a | b)
    }
}
