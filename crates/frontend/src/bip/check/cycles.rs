//! No compound type contains itself, and no connector connects itself: instances would never end.

use std::collections::HashMap;

use crate::Diagnostic;
use crate::bip::ast::{Component, CompoundType, Connector, Model, PackageId};
use crate::bip::names::ComponentType;

/// The first cycle of each kind, if there is one.
pub(super) fn of_compounds(model: &Model) -> Vec<Diagnostic> {
    let packages = (0..model.packages.len()).map(|id| PackageId(id as u32));
    let nodes: Vec<Node<'_>> =
        packages.flat_map(|id| model.package(id).compounds.iter().map(move |compound| (id, compound))).collect();
    let numbers: HashMap<_, usize> = nodes.iter().enumerate().map(|(n, node)| (key(node), n)).collect();
    let number = |node: &Node<'_>, component: &Component| {
        let (home, found) = model.component_type(node.0, &component.component_type)?;
        let ComponentType::Compound(compound) = found else { return None };
        numbers.get(&key(&(home, compound))).copied()
    };
    let inner = |node: &Node<'_>| -> Vec<(usize, usize)> {
        let components = node.1.components.iter().enumerate();
        components.filter_map(|(at, component)| Some((number(node, component)?, at))).collect()
    };
    let graph: Vec<Vec<(usize, usize)>> = nodes.iter().map(inner).collect();
    let contained = cycle(&graph).map(|(node, at)| {
        let component = &nodes[node].1.components[at];
        let message = format!("the compound type `{}` contains itself", component.component_type.name.text);
        Diagnostic::error(component.component_type.span, message).label("contained again here")
    });
    contained.into_iter().chain(nodes.iter().filter_map(|(_, compound)| of_connectors(compound))).collect()
}

type Node<'m> = (PackageId, &'m CompoundType);

fn key<'m>(node: &Node<'m>) -> (PackageId, &'m str) {
    (node.0, &node.1.name.text)
}

/// The first connector that connects itself through others, if there is one.
fn of_connectors(compound: &CompoundType) -> Option<Diagnostic> {
    let numbers: HashMap<_, usize> = compound.connectors.iter().enumerate().map(|(n, c)| (&c.name.text, n)).collect();
    let inner = |connector: &Connector| -> Vec<(usize, usize)> {
        let owners = connector.ports.iter().enumerate();
        owners.filter_map(|(at, port)| Some((*numbers.get(&port.owner.text)?, at))).collect()
    };
    let graph: Vec<Vec<(usize, usize)>> = compound.connectors.iter().map(inner).collect();
    let (node, at) = cycle(&graph)?;
    let port = &compound.connectors[node].ports[at];
    let message = format!("the connector `{}` is connected to itself", port.owner.text);
    Some(Diagnostic::error(port.span, message).label("connected again here"))
}

/// An edge that closes a cycle, as its node and its mark: depth first, without recursion.
fn cycle(graph: &[Vec<(usize, usize)>]) -> Option<(usize, usize)> {
    /// How far a node has been looked at.
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; graph.len()];
    for root in 0..graph.len() {
        let mut path = vec![(root, 0)];
        while let Some((node, edge)) = path.pop() {
            if states[node] == State::Done {
                continue;
            }
            states[node] = State::Open;
            let Some(&(next, mark)) = graph[node].get(edge) else {
                states[node] = State::Done;
                continue;
            };
            if states[next] == State::Open {
                return Some((node, mark));
            }
            path.push((node, edge + 1));
            path.push((next, 0));
        }
    }
    None
}
