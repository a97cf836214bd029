//! `D_proctype`: that two statements are executable at once is an error.

use crate::promela::ir::{Action, Binary, Edge, EdgeId, Expr, Graph, Hold, NodeId};

/// Adds to each node with several edges an assertion that fails where two of them are executable. The numbers of the
/// other edges stay.
pub(super) fn demand(graph: &mut Graph) {
    for (at, node) in graph.nodes.iter().enumerate() {
        let from = NodeId(at as u32);
        let leaving: Vec<EdgeId> =
            (0..graph.edges.len()).filter(|e| graph.edges[*e].from == from).map(|e| EdgeId(e as u32)).collect();
        // A `d_step` is deterministic by its nature.
        let Some(guard) = two_of(&leaving).filter(|_| node.hold != Hold::Step) else { continue };
        graph.edges.push(Edge {
            from,
            to: from,
            yields: false,
            in_step: false,
            guard: Some(guard),
            action: Action::Assert(Expr::Const(0)),
            text: "non-determinism in D_proctype".into(),
            span: node.span,
            home: node.span,
        });
    }
}

/// Whether two of these edges are executable: one of them, and one behind it.
fn two_of(edges: &[EdgeId]) -> Option<Expr> {
    let both = |at: usize| {
        let (one, later) = (Expr::Executable(vec![edges[at]]), Expr::Executable(edges[at + 1..].to_vec()));
        Expr::Binary(Binary::And, Box::new(one), Box::new(later))
    };
    let pairs = (0..edges.len().saturating_sub(1)).map(both);
    pairs.reduce(|a, b| Expr::Binary(Binary::Or, Box::new(a), Box::new(b)))
}
