//! Strongly connected components of a net as a graph of places and transitions (Tarjan), without recursion.

use model::views::{NetTransitionId, PlaceId};

use crate::work::Work;

/// The component of each place. Components are numbered against the arcs: what an arc leads to has a smaller number.
#[derive(Debug)]
pub(crate) struct Components {
    pub(crate) of_place: Vec<u32>,
    size: Vec<u32>,
}

impl Components {
    /// Whether a token can come back to a place.
    pub(crate) fn is_cyclic(&self, p: PlaceId) -> bool {
        self.size[self.of_place[p.index()] as usize] > 1
    }
}

/// The components of the places that are left.
pub(crate) fn components(work: &Work) -> Components {
    let (places, transitions) = work.numbers();
    let nodes = places + transitions;
    let mut search = Search {
        work,
        places,
        index: vec![0; nodes],
        low: vec![0; nodes],
        component: vec![OPEN; nodes],
        stack: Vec::new(),
        size: Vec::new(),
        seen: 0,
    };
    for p in work.places() {
        search.from(p.index());
    }
    search.component.truncate(places);
    Components { of_place: search.component, size: search.size }
}

/// The node has no component yet.
const OPEN: u32 = u32::MAX;

/// Nodes are the places, then the transitions. An index of 0 means: not seen.
struct Search<'a> {
    work: &'a Work,
    places: usize,
    index: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    stack: Vec<usize>,
    size: Vec<u32>,
    seen: u32,
}

impl Search<'_> {
    fn successor(&self, node: usize, i: usize) -> Option<usize> {
        if node < self.places {
            let &(t, _) = self.work.consumers(PlaceId::new(node)).get(i)?;
            Some(self.places + t.index())
        } else {
            let &(p, _) = self.work.post(NetTransitionId::new(node - self.places)).get(i)?;
            Some(p.index())
        }
    }

    fn from(&mut self, root: usize) {
        if self.index[root] != 0 {
            return;
        }
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some(&mut (node, ref mut next)) = path.last_mut() {
            let i = *next;
            *next += 1;
            match self.successor(node, i) {
                Some(to) if self.index[to] == 0 => {
                    self.enter(to);
                    path.push((to, 0));
                }
                Some(to) if self.component[to] == OPEN => self.low[node] = self.low[node].min(self.index[to]),
                Some(_) => {}
                None => {
                    path.pop();
                    self.leave(node, path.last().map(|&(parent, _)| parent));
                }
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.seen += 1;
        (self.index[node], self.low[node]) = (self.seen, self.seen);
        self.stack.push(node);
    }

    fn leave(&mut self, node: usize, parent: Option<usize>) {
        if let Some(parent) = parent {
            self.low[parent] = self.low[parent].min(self.low[node]);
        }
        if self.low[node] != self.index[node] {
            return;
        }
        let start = self.stack.iter().rposition(|&n| n == node).expect("the root of a component is on the stack");
        let number = self.size.len() as u32;
        self.size.push((self.stack.len() - start) as u32);
        for member in self.stack.drain(start..) {
            self.component[member] = number;
        }
    }
}
