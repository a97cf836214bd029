//! Hubs: components that belong to far more groups than others do, as the one operator of many pumps.
//!
//! A hub is far from most of its partners wherever it is, and through it everybody seems to be near everybody. So the
//! others are also put in order as if it were not there; it comes in the midst of its partners then.

use model::views::ComponentId;

use super::graph::{Graph, Vertex};

/// A hub belongs to more than this many times as many groups as a component does on average.
const MANY: usize = 4;

/// The hubs of a graph.
pub(super) fn hubs(graph: &Graph) -> Vec<ComponentId> {
    let (components, memberships) =
        graph.components().fold((0, 0), |(count, sum), v| (count + 1, sum + graph.degree(v)));
    let is_hub = |v: &Vertex| graph.degree(*v) * components > MANY * memberships;
    graph.components().filter(is_hub).filter_map(|v| graph.component(v)).collect()
}

/// The same order of all others, but each hub where the median of its partners is. The graph is the one with the hubs.
pub(super) fn amid_partners(graph: &Graph, hubs: &[ComponentId], order: &[ComponentId]) -> Vec<ComponentId> {
    let mut places = vec![None; order.len()];
    let others = order.iter().copied().filter(|c| hubs.binary_search(c).is_err());
    for (place, c) in others.clone().enumerate() {
        places[c.index()] = Some(place);
    }
    let median = |&hub: &ComponentId| {
        let groups = graph.neighbours(Vertex::new(hub.index())).iter();
        let mut partners: Vec<usize> =
            groups.flat_map(|&g| graph.neighbours(g)).filter_map(|v| places[v.index()]).collect();
        partners.sort_unstable();
        (partners.get(partners.len() / 2).copied().unwrap_or(0), hub)
    };
    let mut waiting: Vec<(usize, ComponentId)> = hubs.iter().map(median).collect();
    waiting.sort_unstable_by(|a, b| b.cmp(a));
    let mut next = Vec::with_capacity(order.len());
    for (place, c) in others.enumerate() {
        while let Some((_, hub)) = waiting.pop_if(|(median, _)| *median <= place) {
            next.push(hub);
        }
        next.push(c);
    }
    next.extend(waiting.into_iter().rev().map(|(_, hub)| hub));
    next
}
