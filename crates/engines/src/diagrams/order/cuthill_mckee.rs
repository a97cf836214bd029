//! Cuthill and McKee's order (1969) of each part, reversed, which George found never to be worse.

use super::graph::{Graph, Vertex};
use super::sweep::by_parts;

/// Breadth first from one end. The neighbours of a vertex come by increasing degree because the graph has them so.
pub(super) fn order(graph: &Graph) -> Vec<Vertex> {
    by_parts(graph, |sweep, seed, order| {
        let (start, _) = sweep.ends(seed);
        sweep.run(start);
        order.extend(sweep.reached().iter().rev());
    })
}
