//! FORCE (Aloul, Markov and Sakallah, 2003): every group has its centre of gravity, every component moves to the mean
//! of the centres of its groups, and the components are sorted again by where they are then.

use model::views::{ComponentId, Network};

use super::graph::Graph;
use super::span;

/// How many rounds in a row may bring nothing before it ends.
const PATIENCE: u32 = 3;

/// The best order met from this one on, by span; `settle` has the last word in every round. The number of rounds grows
/// with the logarithm of the size.
pub(super) fn refine(
    network: &Network,
    graph: &Graph,
    start: &[ComponentId],
    settle: impl Fn(Vec<ComponentId>) -> Vec<ComponentId>,
) -> Vec<ComponentId> {
    let rounds = 10 + 3 * (start.len() + 1).ilog2();
    let (mut best, mut order) = (start.to_vec(), start.to_vec());
    let mut least = span(network, &best);
    let mut idle = 0;
    for _ in 0..rounds {
        order = settle(drawn_together(graph, &order));
        let now = span(network, &order);
        if now < least {
            (least, best, idle) = (now, order.clone(), 0);
        } else {
            idle += 1;
        }
        if idle == PATIENCE {
            break;
        }
    }
    best
}

/// One round. Components at the same place, and those without groups, keep their order and their places.
fn drawn_together(graph: &Graph, order: &[ComponentId]) -> Vec<ComponentId> {
    let mut places = vec![0.0; order.len()];
    for (place, c) in order.iter().enumerate() {
        places[c.index()] = place as f64;
    }
    let mut pulls = vec![(0.0, 0.0); order.len()];
    for (members, rules) in graph.groups() {
        let (sum, weight) = (members.iter().map(|v| places[v.index()]).sum::<f64>(), rules as f64);
        let centre = sum / members.len() as f64;
        for v in members {
            let (pull, total) = &mut pulls[v.index()];
            *pull += centre * weight;
            *total += weight;
        }
    }
    let target = |c: ComponentId| match pulls[c.index()] {
        (_, 0.0) => places[c.index()],
        (pull, total) => pull / total,
    };
    let mut next = order.to_vec();
    next.sort_by(|&a, &b| target(a).total_cmp(&target(b)));
    next
}
