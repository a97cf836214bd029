//! Martin's state dependency digraph: no cycle, no deadlock.
//!
//! Its nodes are local states in which a component cannot move alone. An edge goes from a state of `i` to a state of `k`
//! that the pair reaches together, if some rule that `i` offers needs `k` and `k` refuses (in the paper two components
//! take part in each rule; with more, each participant that refuses gets an edge), unless the two can do another rule
//! without anybody else. In a deadlock every rule that a component offers is refused by somebody: if each component
//! offers something, an edge leaves each, so that there is a cycle.
//!
//! Edges depend on little more than the classes of pair reachability: the graph goes from states to classes, from
//! classes to classes of the other side, and on to states, and stays linear in the numbers of states.

use std::collections::HashMap;

use evidence::{Budget, Reason};
use model::views::{ComponentId, Network, StateId};

use super::kinds::Kind;
use super::pairs::Reach;
use super::survey::Survey;
use crate::tokens::rows::Rows;

/// The most edges between classes that are looked at, and that there may be.
const EDGES: usize = 1 << 26;

/// What the digraph says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cycles {
    /// There is no cycle, and so no deadlock.
    Acyclic,
    /// A cycle of ungranted requests: not a proof of anything.
    Cycle(Vec<(ComponentId, StateId)>),
    /// Nothing, and why.
    Inapplicable(String),
}

/// Looks for a cycle of ungranted requests.
pub fn cycle(network: &Network, threads: usize, budget: &Budget) -> Result<Cycles, Reason> {
    look(&Survey::new(network, true, threads, budget)?, budget)
}

pub(super) fn look(survey: &Survey<'_>, budget: &Budget) -> Result<Cycles, Reason> {
    if survey.network().components().is_empty() {
        return Ok(Cycles::Inapplicable("there are no components".to_owned()));
    }
    if survey.reaches().any(|r| r.is_none()) {
        return Ok(Cycles::Inapplicable("a pair of components has too many joint states".to_owned()));
    }
    let left: Vec<Vec<StateId>> = survey.network().component_ids().map(|c| survey.left(c, true).alive).collect();
    if let Some((c, s)) = idle(survey, &left) {
        let state = survey.network().component(c).show_state(s);
        return Ok(Cycles::Inapplicable(format!("a component asks for nothing: {state}")));
    }
    budget.check(0)?;
    let Some(digraph) = Digraph::new(survey, &left, budget)? else {
        return Ok(Cycles::Inapplicable("the digraph is too large".to_owned()));
    };
    let Some(node) = digraph.on_cycle() else { return Ok(Cycles::Acyclic) };
    let state = |n: usize| (n < survey.wiring.states()).then(|| survey.wiring.local(n));
    Ok(Cycles::Cycle(digraph.shortest(node).into_iter().filter_map(state).collect()))
}

/// A state in which a component offers nothing that a rule uses.
fn idle(survey: &Survey<'_>, left: &[Vec<StateId>]) -> Option<(ComponentId, StateId)> {
    survey.network().component_ids().find_map(|c| {
        let form = &survey.classes.forms[survey.classes.class(c)];
        let numbering = survey.classes.numbering(c);
        let offers_nothing = |s: &&StateId| form.moves(numbering.states[s.index()] as usize).is_empty();
        left[c.index()].iter().find(offers_nothing).map(|&s| (c, s))
    })
}

/// Nodes are the local states, by number, and then for each side of each pair the classes of its states, once as what
/// they ask for and once as what they are asked.
struct Digraph {
    nodes: usize,
    edges: Rows<u32>,
}

/// The classes of the states of a kind by which edges are told apart, and between which there are edges.
struct Requests {
    /// By side and state of the form.
    class: [Vec<u32>; 2],
    classes: [usize; 2],
    /// By the side that asks: the classes between which there is an edge.
    edges: [Vec<(u32, u32)>; 2],
}

impl Digraph {
    /// `None` if it is too large.
    fn new(survey: &Survey<'_>, left: &[Vec<StateId>], budget: &Budget) -> Result<Option<Self>, Reason> {
        let mut requests = Vec::with_capacity(survey.kinds.kinds.len());
        let mut work = 0;
        for (kind, reach) in survey.kinds.kinds.iter().zip(survey.reaches()) {
            budget.check(0)?;
            let Some(of) = Requests::new(survey, kind, reach.expect("no pair is too large"), &mut work) else {
                return Ok(None);
            };
            requests.push(of);
        }
        let between =
            survey.kinds.pairs.iter().map(|p| requests[p.kind].edges[0].len() + requests[p.kind].edges[1].len());
        if between.sum::<usize>() > EDGES {
            return Ok(None);
        }
        let mut edges: Vec<(usize, u32)> = Vec::new();
        let mut nodes = survey.wiring.states();
        for pair in &survey.kinds.pairs {
            budget.check(16 * edges.len() as u64)?;
            let requests = &requests[pair.kind];
            let asks = [nodes, nodes + requests.classes[0]];
            let asked = asks.map(|first| first + requests.classes[0] + requests.classes[1]);
            nodes += 2 * (requests.classes[0] + requests.classes[1]);
            for side in [0, 1] {
                let c = pair.members[side];
                let numbering = survey.classes.numbering(c);
                for &s in &left[c.index()] {
                    let class = requests.class[side][numbering.states[s.index()] as usize] as usize;
                    let state = survey.wiring.state(c, s);
                    edges.push((state, (asks[side] + class) as u32));
                    edges.push((asked[side] + class, state as u32));
                }
                let between = requests.edges[side].iter();
                edges.extend(between.map(|&(a, b)| (asks[side] + a as usize, (asked[1 - side] + b as usize) as u32)));
            }
        }
        Ok(Some(Self { nodes, edges: Rows::bucket(nodes, &edges) }))
    }

    /// A node on a cycle, by depth-first search.
    fn on_cycle(&self) -> Option<usize> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; self.nodes];
        let mut path: Vec<(usize, usize)> = Vec::new();
        for root in 0..self.nodes {
            if marks[root] != Mark::New {
                continue;
            }
            marks[root] = Mark::Open;
            path.push((root, 0));
            while let Some((node, next)) = path.last_mut() {
                let Some(&to) = self.edges.row(*node).get(*next) else {
                    marks[*node] = Mark::Done;
                    path.pop();
                    continue;
                };
                *next += 1;
                match marks[to as usize] {
                    Mark::Open => return Some(to as usize),
                    Mark::Done => {}
                    Mark::New => {
                        marks[to as usize] = Mark::Open;
                        path.push((to as usize, 0));
                    }
                }
            }
        }
        None
    }

    /// A shortest cycle through a node that is on one.
    fn shortest(&self, start: usize) -> Vec<usize> {
        let mut before = vec![usize::MAX; self.nodes];
        let mut order = vec![start];
        let mut next = 0;
        while before[start] == usize::MAX {
            let node = order[next];
            next += 1;
            for &to in self.edges.row(node) {
                if before[to as usize] == usize::MAX {
                    before[to as usize] = node;
                    order.push(to as usize);
                }
            }
        }
        let mut cycle = vec![start];
        let mut node = before[start];
        while node != start {
            cycle.push(node);
            node = before[node];
        }
        cycle.reverse();
        cycle
    }
}

impl Requests {
    /// `None` if there are too many combinations of classes.
    fn new(survey: &Survey<'_>, kind: &Kind, reach: &Reach, work: &mut usize) -> Option<Self> {
        // A state matters by its class and by what it offers of the joint events.
        let mut classes: [HashMap<(u32, Vec<bool>), u32>; 2] = [HashMap::new(), HashMap::new()];
        let mut class = [Vec::new(), Vec::new()];
        for side in [0, 1] {
            let form = &survey.classes.forms[kind.classes[side]];
            for s in 0..form.len() {
                let event = |j: &(u32, u32, bool)| if side == 0 { j.0 } else { j.1 };
                let offers = kind.joint.iter().map(|j| !form.moves_with(s, event(j)).is_empty()).collect();
                let fresh = classes[side].len() as u32;
                class[side].push(*classes[side].entry((reach.class[side][s], offers)).or_insert(fresh));
            }
        }
        *work += classes[0].len() * classes[1].len();
        if *work > EDGES {
            return None;
        }
        let mut edges = [Vec::new(), Vec::new()];
        for ((a, offers_a), &first) in &classes[0] {
            for ((b, offers_b), &second) in &classes[1] {
                let both = |k: usize| offers_a[k] && offers_b[k];
                let agree = (0..kind.joint.len()).any(|k| kind.joint[k].2 && both(k));
                if agree || !reach.meets.has(*a as usize, *b as usize) {
                    continue;
                }
                let ungranted = |x: &[bool], y: &[bool]| x.iter().zip(y).any(|(x, y)| *x && !*y);
                if ungranted(offers_a, offers_b) {
                    edges[0].push((first, second));
                }
                if ungranted(offers_b, offers_a) {
                    edges[1].push((second, first));
                }
            }
        }
        edges.iter_mut().for_each(|edges| edges.sort_unstable());
        Some(Self { class, classes: classes.map(|c| c.len()), edges })
    }
}
