//! The control flow of a proctype in the system: which of its nodes become locations, and which statements are merged.
//!
//! A statement inside `atomic` or `d_step` that is followed by one that can never block leaves no state between the two
//! for anybody to see: both become one transition. What may block keeps its location, and the system's own control does
//! the rest.

use std::collections::{BTreeMap, HashSet};

use model::{LocationId, Span};

use super::walk::{edge_expressions, walk};
use crate::promela::ir::{Action, Edge, EdgeId, Expr, Graph, Hold, Look, NodeId, Proctype};

/// The most statements that are merged into one transition.
const MAX_CHAIN: usize = 256;

/// The most statements of a merged step that its name tells.
const TOLD: usize = 3;

/// Statements that happen at once.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// The statements; only the first may block.
    pub(super) edges: Vec<EdgeId>,
    /// Where they lead.
    pub(super) to: NodeId,
    /// Whether control is not kept there.
    pub(super) yields: bool,
}

impl Chain {
    /// The statements as the user wrote them.
    pub(super) fn label(&self, edges: &[Edge]) -> String {
        let text = |e: &EdgeId| &*edges[e.0 as usize].text;
        let mut label: Vec<&str> = self.edges.iter().take(TOLD).map(text).collect();
        if self.edges.len() > TOLD {
            label.push("...");
        }
        label.join("; ")
    }
}

/// The control flow of a proctype.
pub(super) struct Control {
    /// The nodes that are locations, in order.
    pub(super) nodes: Vec<NodeId>,
    /// Their names, no two the same.
    pub(super) names: Vec<String>,
    locations: BTreeMap<NodeId, LocationId>,
    /// What can happen, in the order in which it is tried.
    pub(super) chains: Vec<Chain>,
    /// Whether the end of the body can be reached.
    pub(super) ends: bool,
    /// Whether it creates processes.
    pub(super) runs: bool,
    /// The nodes from which processes may still be created.
    pub(super) running: HashSet<NodeId>,
}

impl Control {
    pub(super) fn new(proctype: &Proctype, merge: bool) -> Self {
        let graph = &proctype.graph;
        // Where a condition must hold for every step, every step may block.
        let merge = merge && proctype.provided.is_none();
        let leaving = leaving(graph);
        let mut reached: Vec<NodeId> = vec![NodeId(0)];
        let mut seen: HashSet<NodeId> = reached.iter().copied().collect();
        let mut chains = BTreeMap::new();
        while let Some(node) = reached.pop() {
            for &edge in &leaving[node.0 as usize] {
                let chain = chain(graph, &leaving, edge, merge);
                if seen.insert(chain.to) {
                    reached.push(chain.to);
                }
                chains.insert(edge, chain);
            }
        }
        let mut nodes: Vec<NodeId> = seen.into_iter().collect();
        nodes.sort_unstable();
        let locations = nodes.iter().enumerate().map(|(l, n)| (*n, LocationId::new(l))).collect();
        let end = NodeId(graph.nodes.len().saturating_sub(1) as u32);
        let runs = chains.keys().any(|e| matches!(graph.edges[e.0 as usize].action, Action::Run(..)));
        let (ends, names) = (nodes.contains(&end), names(graph, &nodes));
        let running = if runs { running(graph) } else { HashSet::new() };
        Control { nodes, names, locations, chains: chains.into_values().collect(), ends, runs, running }
    }

    /// All that can happen, with where it stands, each once.
    pub(super) fn statements(&self, proctype: &Proctype) -> Vec<(String, Span)> {
        let edges = &proctype.graph.edges;
        let mut all: Vec<(String, Span)> =
            self.chains.iter().map(|c| (c.label(edges), edges[c.edges[0].0 as usize].home)).collect();
        let mut seen = HashSet::new();
        all.retain(|one| seen.insert(one.clone()));
        all
    }

    /// The location of a node, if a process can be seen there.
    pub(super) fn location(&self, node: NodeId) -> Option<LocationId> {
        self.locations.get(&node).copied()
    }
}

/// The edges that leave each node, in order.
fn leaving(graph: &Graph) -> Vec<Vec<EdgeId>> {
    let mut leaving = vec![Vec::new(); graph.nodes.len().max(1)];
    for (e, edge) in graph.edges.iter().enumerate() {
        leaving[edge.from.0 as usize].push(EdgeId(e as u32));
    }
    leaving
}

fn chain(graph: &Graph, leaving: &[Vec<EdgeId>], first: EdgeId, merge: bool) -> Chain {
    let edge = |e: EdgeId| &graph.edges[e.0 as usize];
    let mut chain = Chain { edges: vec![first], to: edge(first).to, yields: edge(first).yields };
    let mut passed: HashSet<NodeId> = HashSet::from([edge(first).from]);
    // After sending in a rendezvous control goes to the receiver, so a send is never followed at once.
    let follows = merge && !matches!(edge(first).action, Action::Send(_));
    while follows && !chain.yields && chain.edges.len() < MAX_CHAIN && passed.insert(chain.to) {
        let Some(next) = certain(graph, &leaving[chain.to.0 as usize], chain.to) else { break };
        chain.edges.push(next);
        (chain.to, chain.yields) = (edge(next).to, edge(next).yields);
    }
    chain
}

/// The statement that certainly follows where a process arrives with control, if there is one that never blocks.
fn certain(graph: &Graph, leaving: &[EdgeId], node: NodeId) -> Option<EdgeId> {
    let held = match graph.nodes[node.0 as usize].hold {
        Hold::No => false,
        Hold::Atomic => leaving.len() == 1 && !looks_at_places(&graph.edges[leaving[0].0 as usize]),
        Hold::Step => true,
    };
    let first = leaving.first().copied().filter(|_| held)?;
    never_blocks(&graph.edges[first.0 as usize]).then_some(first)
}

/// Whether a statement asks where processes are, and so where its own process is by now.
fn looks_at_places(edge: &Edge) -> bool {
    let mut looks = false;
    for e in edge_expressions(edge) {
        walk(e, &mut |e| match e {
            Expr::PcValue(_) => looks = true,
            Expr::Remote(_, _, look) => looks |= matches!(**look, Look::At(_)),
            _ => {}
        });
    }
    looks
}

fn never_blocks(edge: &Edge) -> bool {
    let mut waits = edge.guard.is_some();
    for e in edge_expressions(edge) {
        walk(e, &mut |e| waits |= matches!(e, Expr::Timeout));
    }
    let certain = match &edge.action {
        Action::Skip | Action::Assign(..) | Action::Assert(_) => true,
        Action::Test(e) => matches!(e, Expr::Const(c) if *c != 0),
        Action::Send(_) | Action::Receive(_) | Action::Run(..) | Action::Event(_) => false,
    };
    certain && !waits
}

/// The nodes from which a `run` can still be reached.
pub(super) fn running(graph: &Graph) -> HashSet<NodeId> {
    let mut running: HashSet<NodeId> =
        graph.edges.iter().filter(|e| matches!(e.action, Action::Run(..))).map(|e| e.from).collect();
    loop {
        let before = running.len();
        for edge in graph.edges.iter().rev() {
            if running.contains(&edge.to) {
                running.insert(edge.from);
            }
        }
        if running.len() == before {
            return running;
        }
    }
}

fn names(graph: &Graph, nodes: &[NodeId]) -> Vec<String> {
    let end = graph.nodes.len().saturating_sub(1) as u32;
    let mut used = HashSet::new();
    let name = |node: &NodeId| {
        let label = graph.nodes[node.0 as usize].labels.first();
        match label {
            _ if node.0 == end => "-end-".to_owned(),
            Some(label) if used.insert(label.clone()) => label.to_string(),
            Some(label) => format!("{label} ({})", node.0),
            None => format!("({})", node.0),
        }
    };
    nodes.iter().map(name).collect()
}

/// Whether a process that arrives at a node keeps control.
pub(super) fn hold(hold: Hold) -> model::Hold {
    match hold {
        Hold::No => model::Hold::No,
        Hold::Atomic => model::Hold::Atomic,
        Hold::Step => model::Hold::Step,
    }
}
