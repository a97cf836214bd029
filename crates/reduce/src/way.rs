//! The way back: which run of the original net each transition of the reduced net stands for.
//!
//! Runs are nodes of a shared graph of concatenations, so that chains of agglomerations stay small. Two things come
//! on top: what was fired before the reduced net begins, and, for a dead marking, what can still be fired in the
//! original net when the reduced net is dead. Each block of the latter was written down by one use of a rule. The last
//! block comes first, for it leads to a dead marking of the net that the last use began with.

use model::views::{Net, NetTransitionId, PlaceId};

use crate::arcs::Arcs;

/// A node of the graph of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

#[derive(Clone, Copy, Debug)]
enum Node {
    Leaf(NetTransitionId),
    Sequence(NodeId, NodeId),
    Repeat(NodeId, u32),
    /// Nothing at all, in the place of something that is only looked at.
    Nothing(NodeId),
}

/// A run that is fired as long as there are tokens for it.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    pub(crate) node: NodeId,
    pub(crate) pre: Arcs,
}

/// The runs behind the transitions of a reduced net.
#[derive(Clone, Debug, Default)]
pub(crate) struct Way {
    nodes: Vec<Node>,
    first: Vec<(NodeId, u32)>,
    rests: Vec<Vec<Rest>>,
}

impl Way {
    pub(crate) fn leaf(&mut self, t: NetTransitionId) -> NodeId {
        self.push(Node::Leaf(t))
    }

    pub(crate) fn sequence(&mut self, first: NodeId, then: NodeId) -> NodeId {
        self.push(Node::Sequence(first, then))
    }

    pub(crate) fn repeat(&mut self, node: NodeId, times: u32) -> NodeId {
        if times == 1 { node } else { self.push(Node::Repeat(node, times)) }
    }

    /// Nothing is fired where the node stood.
    pub(crate) fn nothing(&mut self, instead_of: NodeId) -> NodeId {
        self.push(Node::Nothing(instead_of))
    }

    fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(u32::try_from(self.nodes.len() - 1).expect("growth is limited, so there are fewer than 2^32 nodes"))
    }

    /// The reduced net begins after these firings.
    pub(crate) fn fire_first(&mut self, node: NodeId, times: u32) {
        self.first.push((node, times));
    }

    /// When the reduced net is dead, these are fired to exhaustion, one after the other.
    pub(crate) fn fire_rest(&mut self, block: Vec<Rest>) {
        self.rests.push(block);
    }

    /// An original transition at the beginning of a run, for the name.
    pub(crate) fn head(&self, mut node: NodeId) -> (NetTransitionId, bool) {
        let mut alone = true;
        loop {
            match self.nodes[node.0 as usize] {
                Node::Leaf(t) => return (t, alone),
                Node::Sequence(first, _) | Node::Repeat(first, _) | Node::Nothing(first) => {
                    (node, alone) = (first, false)
                }
            }
        }
    }
}

/// A run of the original net that grows.
#[derive(Debug)]
pub(crate) struct Replay<'a> {
    way: &'a Way,
    net: &'a Net,
    marking: Vec<u64>,
    run: Vec<NetTransitionId>,
    limit: usize,
}

impl<'a> Replay<'a> {
    /// Starts where the reduced net starts.
    pub(crate) fn new(way: &'a Way, net: &'a Net, limit: usize) -> Option<Self> {
        let mut replay = Self { way, net, marking: net.initial_marking(), run: Vec::new(), limit };
        for &(node, times) in &way.first {
            replay.fire(node, times)?;
        }
        Some(replay)
    }

    /// Fires what a node stands for; `None` if the run becomes too long, or is none.
    pub(crate) fn fire(&mut self, node: NodeId, times: u32) -> Option<()> {
        let mut stack = vec![(node, times)];
        while let Some((node, times)) = stack.pop() {
            if times > 1 {
                stack.push((node, times - 1));
            }
            match self.way.nodes[node.0 as usize] {
                Node::Leaf(t) => self.fire_one(t)?,
                Node::Sequence(first, then) => stack.extend([(then, 1), (first, 1)]),
                Node::Repeat(inner, times) => stack.push((inner, times)),
                Node::Nothing(_) => {}
            }
        }
        Some(())
    }

    fn fire_one(&mut self, t: NetTransitionId) -> Option<()> {
        if !self.net.is_enabled(t, &self.marking) {
            return None;
        }
        for &(p, weight) in self.net.pre(t) {
            self.marking[p.index()] -= u64::from(weight);
        }
        for &(p, weight) in self.net.post(t) {
            self.marking[p.index()] += u64::from(weight);
        }
        self.run.push(t);
        (self.run.len() <= self.limit).then_some(())
    }

    /// Fires what is still enabled in the original net when the reduced net is dead.
    pub(crate) fn exhaust(&mut self) -> Option<()> {
        for rest in self.way.rests.iter().rev().flatten() {
            while self.covers(&rest.pre) {
                self.fire(rest.node, 1)?;
            }
        }
        Some(())
    }

    fn covers(&self, pre: &[(PlaceId, u32)]) -> bool {
        pre.iter().all(|&(p, weight)| self.marking[p.index()] >= u64::from(weight))
    }

    pub(crate) fn finish(self) -> Vec<NetTransitionId> {
        self.run
    }
}
