//! The way back: which run of the original net each transition of the reduced net stands for.
//!
//! Runs are nodes of a shared graph of concatenations, so that chains of agglomerations stay small. Two things come
//! on top: what was fired before the reduced net begins, and, for a dead marking, what can still be fired in the
//! original net when the reduced net is dead. Each block of the latter was written down by one use of a rule. The last
//! block comes first, for it leads to a dead marking of the net that the last use began with.

use std::collections::VecDeque;

use model::views::{Net, NetTransitionId, PlaceId};

use crate::arcs::weight;

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
    /// One of two, depending on whether there are tokens in a group.
    Choice {
        marked: GroupId,
        yes: NodeId,
        no: NodeId,
    },
    /// Tokens are moved to where they are needed, within a pool, before something is fired.
    Gather {
        order: u32,
        then: NodeId,
    },
}

/// Places of the original net that became one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupId(u32);

#[derive(Clone, Copy, Debug)]
enum Group {
    One(PlaceId),
    Both(GroupId, GroupId),
}

/// Places between which tokens move as one likes.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    pub(crate) members: Vec<GroupId>,
    /// By member: where a token can come from in one step, and by which run.
    pub(crate) sources: Vec<Vec<(usize, NodeId)>>,
}

/// What a transition needs of the members of a pool.
#[derive(Clone, Debug)]
struct Order {
    pool: usize,
    /// By number of the member, in increasing order.
    needs: Vec<(usize, u32)>,
}

/// A run that is fired as long as there are tokens for it.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    pub(crate) node: NodeId,
    pub(crate) pre: Vec<(GroupId, u32)>,
}

/// The runs behind the transitions of a reduced net.
#[derive(Clone, Debug, Default)]
pub(crate) struct Way {
    nodes: Vec<Node>,
    groups: Vec<Group>,
    pools: Vec<Pool>,
    orders: Vec<Order>,
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

    /// One of two runs, depending on whether a group has tokens.
    pub(crate) fn choice(&mut self, marked: GroupId, yes: NodeId, no: NodeId) -> NodeId {
        self.push(Node::Choice { marked, yes, no })
    }

    /// A run before which tokens of a pool are moved to where it needs them.
    pub(crate) fn gather(&mut self, pool: usize, needs: Vec<(usize, u32)>, then: NodeId) -> NodeId {
        self.orders.push(Order { pool, needs });
        let order = u32::try_from(self.orders.len() - 1).expect("there are no more orders than nodes");
        self.push(Node::Gather { order, then })
    }

    /// Adds a pool; its number.
    pub(crate) fn pool(&mut self, pool: Pool) -> usize {
        self.pools.push(pool);
        self.pools.len() - 1
    }

    /// The group of one place.
    pub(crate) fn group(&mut self, p: PlaceId) -> GroupId {
        self.push_group(Group::One(p))
    }

    /// Two groups as one.
    pub(crate) fn both(&mut self, a: GroupId, b: GroupId) -> GroupId {
        self.push_group(Group::Both(a, b))
    }

    fn push_group(&mut self, group: Group) -> GroupId {
        self.groups.push(group);
        GroupId(u32::try_from(self.groups.len() - 1).expect("each place joins a group once"))
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
                Node::Sequence(next, _)
                | Node::Repeat(next, _)
                | Node::Nothing(next)
                | Node::Choice { yes: next, .. }
                | Node::Gather { then: next, .. } => (node, alone) = (next, false),
            }
        }
    }
}

impl Pool {
    /// The nearest member that can spare a token, and the way of the token from there.
    fn path(&self, to: usize, spare: impl Fn(usize) -> bool) -> Option<(usize, Vec<NodeId>)> {
        let mut next: Vec<Option<(usize, NodeId)>> = vec![None; self.members.len()];
        let mut queue = VecDeque::from([to]);
        while let Some(member) = queue.pop_front() {
            if member != to && spare(member) {
                let step = |&(at, _): &(usize, NodeId)| next[at].filter(|_| at != to);
                let path = std::iter::successors(next[member], step).map(|(_, node)| node).collect();
                return Some((member, path));
            }
            for &(source, node) in &self.sources[member] {
                if source != to && next[source].is_none() {
                    next[source] = Some((member, node));
                    queue.push_back(source);
                }
            }
        }
        None
    }
}

/// Why a run of the reduced net is shown as none of the original one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unliftable {
    /// It would be longer than [`crate::MAX_RUN`].
    TooLong,
    /// This transition is not enabled where it should be fired: the given run is none, or a rule is wrong.
    NotARun(NetTransitionId),
    /// Tokens that should be there are missing: the given run is none, or a rule is wrong.
    EmptyPool,
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
    pub(crate) fn new(way: &'a Way, net: &'a Net, limit: usize) -> Result<Self, Unliftable> {
        let mut replay = Self { way, net, marking: net.initial_marking(), run: Vec::new(), limit };
        for &(node, times) in &way.first {
            replay.fire(node, times)?;
        }
        Ok(replay)
    }

    /// Fires what a node stands for.
    pub(crate) fn fire(&mut self, node: NodeId, times: u32) -> Result<(), Unliftable> {
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
                Node::Choice { marked, yes, no } => stack.push((if self.tokens(marked) > 0 { yes } else { no }, 1)),
                Node::Gather { order, then } => {
                    stack.push((then, 1));
                    let moves = self.moves(&self.way.orders[order as usize])?;
                    stack.extend(moves.into_iter().rev().map(|node| (node, 1)));
                }
            }
        }
        Ok(())
    }

    fn fire_one(&mut self, t: NetTransitionId) -> Result<(), Unliftable> {
        if !self.net.is_enabled(t, &self.marking) {
            return Err(Unliftable::NotARun(t));
        }
        for &(p, weight) in self.net.pre(t) {
            self.marking[p.index()] -= u64::from(weight);
        }
        for &(p, weight) in self.net.post(t) {
            self.marking[p.index()] += u64::from(weight);
        }
        self.run.push(t);
        if self.run.len() <= self.limit { Ok(()) } else { Err(Unliftable::TooLong) }
    }

    /// Fires what is still enabled in the original net when the reduced net is dead.
    pub(crate) fn exhaust(&mut self) -> Result<(), Unliftable> {
        for rest in self.way.rests.iter().rev().flatten() {
            while self.covers(&rest.pre) {
                self.fire(rest.node, 1)?;
            }
        }
        Ok(())
    }

    fn covers(&self, pre: &[(GroupId, u32)]) -> bool {
        pre.iter().all(|&(group, weight)| self.tokens(group) >= u64::from(weight))
    }

    /// The tokens of a group.
    fn tokens(&self, group: GroupId) -> u64 {
        let mut sum = 0;
        let mut stack = vec![group];
        while let Some(group) = stack.pop() {
            match self.way.groups[group.0 as usize] {
                Group::One(p) => sum += self.marking[p.index()],
                Group::Both(a, b) => stack.extend([a, b]),
            }
        }
        sum
    }

    /// How the tokens of a pool come to where they are needed.
    fn moves(&self, order: &Order) -> Result<Vec<NodeId>, Unliftable> {
        let pool = &self.way.pools[order.pool];
        let has = |&(member, need): &(usize, u32)| self.tokens(pool.members[member]) >= u64::from(need);
        if order.needs.iter().all(has) {
            return Ok(Vec::new());
        }
        let mut tokens: Vec<u64> = pool.members.iter().map(|&m| self.tokens(m)).collect();
        let mut moves = Vec::new();
        for &(member, need) in &order.needs {
            while tokens[member] < u64::from(need) {
                let spare = |i: usize| tokens[i] > u64::from(weight(&order.needs, i));
                let (from, path) = pool.path(member, spare).ok_or(Unliftable::EmptyPool)?;
                tokens[from] -= 1;
                tokens[member] += 1;
                moves.extend(path);
                if moves.len() > self.limit {
                    return Err(Unliftable::TooLong);
                }
            }
        }
        Ok(moves)
    }

    pub(crate) fn finish(self) -> Vec<NetTransitionId> {
        self.run
    }
}
