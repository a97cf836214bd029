//! What has to wait for what: the transitive closure of priority rules, each of which may count in some states only.
//!
//! For every pair it keeps the least sets of guards under which one waits for the other.

use std::collections::HashMap;

use model::Expr;

use super::limits;
use super::sym::all;

/// Rules between things that are numbered.
pub(super) struct Order {
    edges: Vec<Vec<Edge>>,
    guards: Vec<Expr>,
}

#[derive(Clone)]
struct Edge {
    high: usize,
    guard: Option<u32>,
    /// Whether it is a rule of the author, and not maximal progress.
    rule: bool,
}

/// One way in which a thing waits for another.
pub(super) struct Way {
    /// What it waits for.
    pub(super) high: usize,
    /// When it does.
    pub(super) when: Vec<Expr>,
}

/// There are too many ways in which one thing waits for another.
pub(super) struct TooMany;

type Guards = Vec<u32>;

impl Order {
    /// No rules between so many things.
    pub(super) fn new(things: usize) -> Self {
        Self { edges: vec![Vec::new(); things], guards: Vec::new() }
    }

    /// A guard for rules, by its number; `None` always holds.
    pub(super) fn guard(&mut self, conjuncts: Vec<Expr>) -> Option<u32> {
        let guard = all(conjuncts);
        if guard == Expr::TRUE {
            return None;
        }
        let known = self.guards.iter().position(|g| *g == guard);
        let at = known.unwrap_or_else(|| {
            self.guards.push(guard);
            self.guards.len() - 1
        });
        Some(at as u32)
    }

    /// `low` waits for `high` where the guard holds.
    pub(super) fn rule(&mut self, low: usize, high: usize, guard: Option<u32>) {
        self.edges[low].push(Edge { high, guard, rule: true });
    }

    /// `low` always waits for `high` by maximal progress: a way needs a rule besides.
    pub(super) fn progress(&mut self, low: usize, high: usize) {
        self.edges[low].push(Edge { high, guard: None, rule: false });
    }

    /// All ways in which a thing waits for others by at least one rule; for itself, if rules are cyclic.
    pub(super) fn above(&self, low: usize) -> Result<Vec<Way>, TooMany> {
        let mut found: HashMap<(usize, bool), Vec<Guards>> = HashMap::new();
        let mut order = Vec::new();
        let mut open: Vec<(usize, bool, Guards)> = vec![(low, false, Guards::new())];
        let mut steps = 0;
        while let Some((at, ruled, guards)) = open.pop() {
            for edge in &self.edges[at] {
                let (key, guards) = ((edge.high, ruled || edge.rule), joined(&guards, edge.guard));
                let least = found.entry(key).or_default();
                if least.iter().any(|g| subset(g, &guards)) {
                    continue;
                }
                if least.is_empty() {
                    order.push(key);
                }
                least.retain(|g| !subset(&guards, g));
                least.push(guards.clone());
                open.push((key.0, key.1, guards));
                steps += 1;
                if steps > limits::WAYS {
                    return Err(TooMany);
                }
            }
        }
        order.sort_unstable();
        let ruled = order.into_iter().filter(|(_, ruled)| *ruled);
        Ok(ruled
            .flat_map(|key| found[&key].iter().map(move |g| (key.0, g)))
            .map(|(high, g)| self.way(high, g))
            .collect())
    }

    fn way(&self, high: usize, guards: &Guards) -> Way {
        Way { high, when: guards.iter().map(|&g| self.guards[g as usize].clone()).collect() }
    }
}

fn joined(guards: &Guards, more: Option<u32>) -> Guards {
    let mut out = guards.clone();
    if let Some(guard) = more
        && let Err(at) = out.binary_search(&guard)
    {
        out.insert(at, guard);
    }
    out
}

fn subset(small: &Guards, large: &Guards) -> bool {
    small.iter().all(|g| large.binary_search(g).is_ok())
}

#[cfg(test)]
mod tests {
    use super::Order;
    use model::{Expr, ObjectId};

    #[test]
    fn ways_are_chains_of_rules_with_their_least_guards() {
        let mut order = Order::new(4);
        let guard = order.guard(vec![Expr::read(ObjectId(0))]);
        order.rule(0, 1, guard);
        order.rule(1, 2, None);
        order.rule(0, 2, guard);
        order.progress(2, 3);
        let ways = order.above(0).map(|w| w.iter().map(|w| (w.high, w.when.len())).collect::<Vec<_>>());
        assert_eq!(ways.ok(), Some(vec![(1, 1), (2, 1), (3, 1)]));
        // Maximal progress alone is no rule.
        assert!(order.above(2).is_ok_and(|ways| ways.is_empty()));
        order.rule(3, 0, None);
        assert!(order.above(0).is_ok_and(|ways| ways.iter().any(|w| w.high == 0 && w.when.len() == 1)));
    }
}
