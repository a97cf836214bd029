//! What each process contributes to a joint step: the edges that need others, as they were before they were joined.
//!
//! A transition has one guard and one command for all who take part. Whoever must say *whose* condition is false, or
//! that an edge never finds a partner at all, asks here. Steps that a process takes alone are not kept: they are their
//! transitions.

use std::sync::Arc;

use crate::{ActionId, Builder, Edge, ProcessId, System, TransitionId};

/// Edges with an action or with one end of a rendezvous, and the transitions that they became parts of.
#[derive(Debug, Default)]
pub(crate) struct Joints {
    /// Every one of them has its label.
    edges: Vec<Edge>,
    /// Of each transition the positions of its parts in `edges`; none for a step that was not joined.
    parts: Vec<Vec<u32>>,
    actions: Vec<Action>,
}

#[derive(Debug)]
struct Action {
    name: String,
    members: Vec<ProcessId>,
}

impl Joints {
    /// The edges of `builder` that need others, with `label` for each, and the edges that each transition is made of:
    /// numbers that are no edges of that sort are left out.
    pub(crate) fn new(
        builder: &Builder,
        label: impl Fn(&Edge) -> Option<Arc<str>>,
        origins: impl Iterator<Item = Vec<usize>>,
    ) -> Arc<Self> {
        let mut position = vec![None; builder.edges.len()];
        let mut edges = Vec::new();
        for (edge, position) in builder.edges.iter().zip(&mut position) {
            if let Some(label) = label(edge) {
                *position = Some(edges.len() as u32);
                edges.push(edge.clone().label(&*label));
            }
        }
        let kept = |i: &usize| position.get(*i).copied().flatten();
        let parts = origins.map(|o| o.iter().filter_map(kept).collect()).collect();
        Arc::new(Self { edges, parts, actions: actions(builder) })
    }
}

fn actions(builder: &Builder) -> Vec<Action> {
    let action = |name: &String| Action { name: name.clone(), members: Vec::new() };
    let mut actions: Vec<Action> = builder.actions.iter().map(action).collect();
    for (p, known) in builder.alphabets.iter().enumerate() {
        known.iter().for_each(|a| actions[a.index()].members.push(ProcessId::new(p)));
    }
    actions
}

impl System {
    /// All edges that need others, whether or not they ever find them, in the order of declaration. Each has a label.
    pub fn joint_edges(&self) -> &[Edge] {
        &self.joints.edges
    }

    /// The edges that were joined into a transition, in the order of their processes; none if a process takes it alone
    /// or if it was given as a whole.
    pub fn parts(&self, t: TransitionId) -> impl Iterator<Item = &Edge> {
        self.joints.parts[t.index()].iter().map(|&i| &self.joints.edges[i as usize])
    }

    /// The name of an action.
    pub fn action(&self, action: ActionId) -> &str {
        &self.joints.actions[action.index()].name
    }

    /// The processes that know an action, whether or not they have an edge with it: it happens with all of them only.
    pub fn members(&self, action: ActionId) -> &[ProcessId] {
        &self.joints.actions[action.index()].members
    }
}
