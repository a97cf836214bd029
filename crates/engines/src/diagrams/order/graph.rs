//! The graph of components and of the groups that move together: a component is adjacent to the groups it belongs to.
//!
//! A group is the participants of one or more rules. Groups of fewer than two draw nobody together, and are left out.

use model::views::{ComponentId, Network, Rule};

/// A component or a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Vertex(u32);

impl Vertex {
    pub(super) fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("a network has fewer than 2^32 components and rules"))
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The members of a group, and how many rules it stands for.
type Group = (Vec<Vertex>, u64);

/// The graph. The neighbours of a vertex are sorted by their degrees: small and local things come first.
pub(super) struct Graph {
    components: usize,
    neighbours: Vec<Vec<Vertex>>,
    /// How many rules each group stands for.
    weights: Vec<u64>,
}

impl Graph {
    pub(super) fn new(network: &Network) -> Self {
        Self::of_groups(network.components().len(), groups(network))
    }

    /// The graph as if some components, in increasing order, took part in nothing.
    pub(super) fn without(&self, some: &[ComponentId]) -> Self {
        let stays = |v: &Vertex| some.binary_search(&ComponentId::new(v.index())).is_err();
        let groups = self.groups().map(|(members, rules)| (members.iter().copied().filter(stays).collect(), rules));
        Self::of_groups(self.components, groups.filter(|(members, _): &Group| members.len() > 1).collect())
    }

    fn of_groups(components: usize, groups: Vec<Group>) -> Self {
        let mut neighbours = vec![Vec::new(); components];
        let mut weights = Vec::new();
        for (members, rules) in groups {
            let group = Vertex::new(neighbours.len());
            members.iter().for_each(|v| neighbours[v.index()].push(group));
            neighbours.push(members);
            weights.push(rules);
        }
        let degrees: Vec<usize> = neighbours.iter().map(Vec::len).collect();
        for row in &mut neighbours {
            row.sort_by_key(|v| (degrees[v.index()], *v));
        }
        Self { components, neighbours, weights }
    }

    /// How many vertices there are.
    pub(super) fn len(&self) -> usize {
        self.neighbours.len()
    }

    pub(super) fn neighbours(&self, v: Vertex) -> &[Vertex] {
        &self.neighbours[v.index()]
    }

    pub(super) fn degree(&self, v: Vertex) -> usize {
        self.neighbours(v).len()
    }

    /// The vertices that are components, in their order.
    pub(super) fn components(&self) -> impl Iterator<Item = Vertex> + use<> {
        (0..self.components).map(Vertex::new)
    }

    /// The component that a vertex is, if it is one.
    pub(super) fn component(&self, v: Vertex) -> Option<ComponentId> {
        (v.index() < self.components).then(|| ComponentId::new(v.index()))
    }

    /// The members of each group, and how many rules it stands for.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&[Vertex], u64)> {
        self.neighbours[self.components..].iter().map(Vec::as_slice).zip(self.weights.iter().copied())
    }
}

/// The groups, by their members.
fn groups(network: &Network) -> Vec<Group> {
    let members = |rule: &Rule| rule.participants.iter().map(|&(c, _)| Vertex::new(c.index())).collect::<Vec<_>>();
    let mut all: Vec<Vec<Vertex>> = network.rules().iter().map(members).filter(|g| g.len() > 1).collect();
    all.sort_unstable();
    all.chunk_by(|a, b| a == b).map(|equal| (equal[0].clone(), equal.len() as u64)).collect()
}
