//! Many goals, evaluated while a marking changes.
//!
//! A place knows the sums that it is part of, a sum keeps its value and knows the predicates that it decides, and those
//! count their true parts. A change costs what it concerns: thousands of small goals cost nothing where nothing happens.
//! Equal comparisons of several goals are kept once.

use std::collections::HashMap;

use model::nets::{Goal, Linear, Predicate};
use model::views::PlaceId;

use crate::tokens::live::Overflow;
use crate::tokens::rows::Rows;

/// `Σ c·M(p) + k`, and whether it is at most a threshold.
#[derive(Clone, Copy, Debug)]
struct Sum {
    value: i128,
    threshold: i128,
}

impl Sum {
    #[inline]
    fn holds(self) -> bool {
        self.value <= self.threshold
    }
}

/// A conjunction, a disjunction, or what stands for a goal: true if enough of its parts are.
#[derive(Clone, Copy, Debug)]
struct Node {
    holds: u32,
    needs: u32,
    /// The node that it is a part of, or the goal whose whole it is.
    above: Above,
}

#[derive(Clone, Copy, Debug)]
enum Above {
    Node(u32),
    Goal(u32),
}

/// The goals other than dead markings, and what is known of them in the current marking.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    terms: Rows<(u32, i64)>,
    sums: Vec<Sum>,
    parents: Rows<u32>,
    nodes: Vec<Node>,
    /// Of each goal of the task: its node, and the sum of a maximum.
    roots: HashMap<usize, (u32, Option<u32>)>,
    /// Goals that became true. Some may be false again.
    hits: Vec<u32>,
}

impl Watch {
    /// Watches some of the goals, in a marking. Those that are true at once are hits.
    pub(super) fn new(goals: &[Goal], open: &[usize], tokens: &[u64]) -> Self {
        let mut draft = Draft::default();
        let mut roots = HashMap::new();
        for &g in open {
            let root = draft.nodes.len() as u32;
            match &goals[g] {
                Goal::Dead => continue,
                Goal::Satisfies(predicate) => {
                    draft.node(1, Above::Goal(g as u32));
                    draft.predicate(predicate, root);
                    roots.insert(g, (root, None));
                }
                // Not even its negative could be written down.
                Goal::Maximum(expression) if expression.terms().iter().any(|&(_, f)| f == i64::MIN) => continue,
                Goal::Maximum(expression) => {
                    draft.node(1, Above::Goal(g as u32));
                    roots.insert(g, (root, Some(draft.maximum(expression, root))));
                }
            }
        }
        draft.finish(tokens, roots)
    }

    /// How many goals are watched.
    pub(super) fn len(&self) -> usize {
        self.roots.len()
    }

    /// Whether a goal is among them.
    pub(super) fn watches(&self, goal: usize) -> bool {
        self.roots.contains_key(&goal)
    }

    /// Where the truth of a goal is kept.
    pub(super) fn root(&self, goal: usize) -> u32 {
        self.roots[&goal].0
    }

    /// Whether the goal whose truth is kept there is true.
    #[inline]
    pub(super) fn is_true(&self, root: u32) -> bool {
        let node = &self.nodes[root as usize];
        node.holds >= node.needs
    }

    /// A place got this many more tokens.
    #[inline]
    pub(super) fn change(&mut self, p: PlaceId, change: i64) -> Result<(), Overflow> {
        for i in self.terms.range(p.index()) {
            let (s, factor) = *self.terms.at(i);
            let sum = &mut self.sums[s as usize];
            let before = sum.holds();
            sum.value = sum.value.checked_add(i128::from(factor) * i128::from(change)).ok_or(Overflow)?;
            if sum.holds() != before {
                self.flip(s, !before);
            }
        }
        Ok(())
    }

    fn flip(&mut self, sum: u32, holds: bool) {
        for i in self.parents.range(sum as usize) {
            let mut node = *self.parents.at(i);
            loop {
                let it = &mut self.nodes[node as usize];
                let before = it.holds >= it.needs;
                it.holds = if holds { it.holds + 1 } else { it.holds - 1 };
                if (it.holds >= it.needs) == before {
                    break;
                }
                match it.above {
                    Above::Node(above) => node = above,
                    Above::Goal(goal) => {
                        if holds {
                            self.hits.push(goal);
                        }
                        break;
                    }
                }
            }
        }
    }

    /// Whether some goal may have become true.
    #[inline]
    pub(super) fn has_hits(&self) -> bool {
        !self.hits.is_empty()
    }

    /// Forgets the hits of markings that were only passed through.
    #[inline]
    pub(super) fn forget_hits(&mut self) {
        self.hits.clear();
    }

    /// A goal that is true in the current marking and was not asked for since it became true.
    pub(super) fn next_hit(&mut self) -> Option<usize> {
        while let Some(goal) = self.hits.pop() {
            let root = self.nodes[self.roots[&(goal as usize)].0 as usize];
            if root.holds >= root.needs {
                return Some(goal as usize);
            }
        }
        None
    }

    /// The value of the expression of a maximum.
    pub(super) fn value(&self, goal: usize) -> i128 {
        let sum = self.roots[&goal].1.expect("the goal is a maximum");
        -self.sums[sum as usize].value
    }

    /// From now on a maximum is a hit only where it is more than this.
    pub(super) fn expect_more(&mut self, goal: usize, than: i128) {
        let s = self.roots[&goal].1.expect("the goal is a maximum");
        let sum = &mut self.sums[s as usize];
        let before = sum.holds();
        sum.threshold = sum.threshold.min(-than - 1);
        if before && !sum.holds() {
            self.flip(s, false);
        }
    }

    /// Becomes equal to another watch of the same goals, without allocating; the maxima keep what they expect.
    pub(super) fn copy_from(&mut self, other: &Self) {
        for (mine, its) in self.sums.iter_mut().zip(&other.sums) {
            mine.value = its.value;
        }
        self.nodes.copy_from_slice(&other.nodes);
        self.hits.clear();
    }

    pub(super) fn bytes(&self) -> u64 {
        let items = self.sums.len() * size_of::<Sum>() + self.nodes.len() * size_of::<Node>() + 40 * self.roots.len();
        self.terms.bytes() + self.parents.bytes() + items as u64
    }
}

/// The parts of a watch while goals are added.
#[derive(Default)]
struct Draft<'g> {
    known: HashMap<&'g Linear, u32>,
    /// The expression of each sum, its sign and its threshold.
    sums: Vec<(&'g Linear, bool, i128)>,
    parents: Vec<(usize, u32)>,
    nodes: Vec<Node>,
}

impl<'g> Draft<'g> {
    fn node(&mut self, needs: usize, above: Above) -> u32 {
        self.nodes.push(Node { holds: 0, needs: needs as u32, above });
        self.nodes.len() as u32 - 1
    }

    fn predicate(&mut self, predicate: &'g Predicate, above: u32) {
        match predicate {
            Predicate::Constant(value) => {
                // True if it needs no part, or one of none.
                self.node(usize::from(!value), Above::Node(above));
            }
            Predicate::AtMostZero(expression) => {
                let next = self.sums.len() as u32;
                let sum = *self.known.entry(expression).or_insert(next);
                if sum == next {
                    self.sums.push((expression, false, 0));
                }
                self.parents.push((sum as usize, above));
            }
            Predicate::All(parts) => {
                let node = self.node(parts.len(), Above::Node(above));
                parts.iter().for_each(|part| self.predicate(part, node));
            }
            Predicate::Any(parts) => {
                let node = self.node(1, Above::Node(above));
                parts.iter().for_each(|part| self.predicate(part, node));
            }
        }
    }

    /// A maximum is watched as its negative: hit at first by any value.
    fn maximum(&mut self, expression: &'g Linear, above: u32) -> u32 {
        let sum = self.sums.len() as u32;
        self.sums.push((expression, true, i128::MAX));
        self.parents.push((sum as usize, above));
        sum
    }

    fn finish(self, tokens: &[u64], roots: HashMap<usize, (u32, Option<u32>)>) -> Watch {
        let sign = |negative: bool| if negative { -1 } else { 1 };
        let terms: Vec<(usize, (u32, i64))> = self
            .sums
            .iter()
            .enumerate()
            .flat_map(|(s, &(linear, negative, _))| {
                let term = move |&(p, factor): &(PlaceId, i64)| (p.index(), (s as u32, factor * sign(negative)));
                linear.terms().iter().map(term)
            })
            .collect();
        let value = |&(linear, negative, threshold): &(&Linear, bool, i128)| Sum {
            value: linear.value(tokens) * i128::from(sign(negative)),
            threshold,
        };
        let sums: Vec<Sum> = self.sums.iter().map(value).collect();
        let parents = Rows::bucket(sums.len(), &self.parents);
        let terms = Rows::bucket(tokens.len(), &terms);
        let mut watch = Watch { terms, sums, parents, nodes: self.nodes, roots, hits: Vec::new() };
        watch.evaluate();
        watch
    }
}

impl Watch {
    /// Counts the true parts of every node from nothing: parts come after what they are part of.
    fn evaluate(&mut self) {
        for s in 0..self.sums.len() {
            if self.sums[s].holds() {
                self.parents.row(s).iter().for_each(|&node| self.nodes[node as usize].holds += 1);
            }
        }
        for n in (0..self.nodes.len()).rev() {
            let node = self.nodes[n];
            if node.holds < node.needs {
                continue;
            }
            match node.above {
                Above::Node(above) => self.nodes[above as usize].holds += 1,
                Above::Goal(goal) => self.hits.push(goal),
            }
        }
    }
}
