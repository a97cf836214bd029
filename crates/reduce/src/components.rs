//! Strongly connected components of a graph (Tarjan), without recursion.

/// The component of each node. Components are numbered against the arcs: what an arc leads to has a smaller number.
#[derive(Debug)]
pub(crate) struct Components {
    pub(crate) of: Vec<u32>,
    size: Vec<u32>,
}

impl Components {
    /// Whether a node shares its component with others.
    pub(crate) fn is_shared(&self, node: usize) -> bool {
        self.size[self.of[node] as usize] > 1
    }
}

/// The components of a graph: `successor` gives the end of each arc of a node, by number.
pub(crate) fn components(nodes: usize, successor: impl Fn(usize, usize) -> Option<usize>) -> Components {
    let mut search = Search {
        successor,
        index: vec![0; nodes],
        low: vec![0; nodes],
        component: vec![OPEN; nodes],
        stack: Vec::new(),
        size: Vec::new(),
        seen: 0,
    };
    for node in 0..nodes {
        search.from(node);
    }
    Components { of: search.component, size: search.size }
}

/// The node has no component yet.
const OPEN: u32 = u32::MAX;

/// An index of 0 means: not seen.
struct Search<S> {
    successor: S,
    index: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    stack: Vec<usize>,
    size: Vec<u32>,
    seen: u32,
}

impl<S: Fn(usize, usize) -> Option<usize>> Search<S> {
    fn from(&mut self, root: usize) {
        if self.index[root] != 0 {
            return;
        }
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some(&mut (node, ref mut next)) = path.last_mut() {
            let i = *next;
            *next += 1;
            match (self.successor)(node, i) {
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
