//! Depth-first search through the rules: a chain of components that hand things on stays a chain.

use super::graph::{Graph, Vertex};
use super::sweep::by_parts;

/// From one end of each part, small groups and components of few groups first; hubs wait.
pub(super) fn order(graph: &Graph) -> Vec<Vertex> {
    let mut met = vec![false; graph.len()];
    by_parts(graph, |sweep, seed, order| {
        let mut stack = vec![sweep.ends(seed).0];
        while let Some(v) = stack.pop() {
            if !std::mem::replace(&mut met[v.index()], true) {
                order.push(v);
                stack.extend(graph.neighbours(v).iter().rev().filter(|w| !met[w.index()]));
            }
        }
    })
}
