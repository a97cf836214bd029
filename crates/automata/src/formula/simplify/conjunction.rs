//! Rules for conjunctions of simplified formulas: redundant and contradictory conjuncts, and pairs that join.

use super::super::{Formula, Node, Pool};

/// Longer conjunctions stay as they are: their parts are not compared with one another.
const MOST_COMPARED: usize = 100;

impl Pool {
    pub(super) fn simple_and(&mut self, parts: Vec<Formula>) -> Formula {
        let mut parts: Vec<Formula> = {
            let joined = self.and(parts);
            self.conjuncts(joined)
        };
        loop {
            if parts.len() < 2 || parts.len() > MOST_COMPARED {
                return self.and(parts);
            }
            if self.contradictory(&parts) {
                return Self::FALSE;
            }
            parts = self.irredundant(&parts);
            let Some(changed) = self.join_below_next(&parts).or_else(|| self.join_pair(&parts)) else {
                return self.and(parts);
            };
            let joined = self.and(changed);
            parts = self.conjuncts(joined);
        }
    }

    fn contradictory(&mut self, parts: &[Formula]) -> bool {
        parts.iter().any(|f| {
            let not_f = self.not(*f);
            parts.iter().any(|g| self.implies(*g, not_f))
        })
    }

    /// Without conjuncts that another implies. Of two that imply each other the first stays.
    fn irredundant(&mut self, parts: &[Formula]) -> Vec<Formula> {
        let mut kept: Vec<Formula> = Vec::new();
        for &f in parts {
            if !kept.iter().any(|g| self.implies(*g, f)) {
                kept.retain(|g| !self.implies(f, *g));
                kept.push(f);
            }
        }
        kept
    }

    /// `Xa & Xb` is `X(a & b)`, and timeless conjuncts go along.
    fn join_below_next(&mut self, parts: &[Formula]) -> Option<Vec<Formula>> {
        let below: Vec<_> = parts.iter().filter_map(|f| self.below_next(*f)).collect();
        let timeless: Vec<_> = parts.iter().copied().filter(|f| self.is_timeless(*f)).collect();
        if below.is_empty() || below.len() + timeless.len() < 2 {
            return None;
        }
        let rest: Vec<_> =
            parts.iter().copied().filter(|f| self.below_next(*f).is_none() && !self.is_timeless(*f)).collect();
        let inside = self.simple_and(below.into_iter().chain(timeless).collect());
        let next = self.simple_next(inside);
        Some(rest.into_iter().chain([next]).collect())
    }

    fn below_next(&self, f: Formula) -> Option<Formula> {
        match self.node(f) {
            Node::Next(a) => Some(*a),
            _ => None,
        }
    }

    /// Replaces the first pair that a rule joins.
    fn join_pair(&mut self, parts: &[Formula]) -> Option<Vec<Formula>> {
        for (i, &f) in parts.iter().enumerate() {
            for (j, &g) in parts.iter().enumerate() {
                if i == j {
                    continue;
                }
                if let Some(joined) = self.joined(f, g) {
                    let rest = parts.iter().copied().enumerate().filter(|(k, _)| *k != i && *k != j);
                    return Some(rest.map(|(_, p)| p).chain([joined]).collect());
                }
            }
        }
        None
    }

    /// The conjunction of the two as one formula, tried in this order only.
    fn joined(&mut self, f: Formula, g: Formula) -> Option<Formula> {
        match (self.node(f).clone(), self.node(g).clone()) {
            (Node::Always(a), Node::Always(b)) if !self.is_eventual(a) && !self.is_eventual(b) => {
                let both = self.simple_and(vec![a, b]);
                Some(self.simple_always(both))
            }
            (Node::Eventually(a), Node::Eventually(b)) => match (self.node(a).clone(), self.node(b).clone()) {
                (Node::Always(c), Node::Always(d)) => {
                    let both = self.simple_and(vec![c, d]);
                    let lasting = self.simple_always(both);
                    Some(self.simple_eventually(lasting))
                }
                _ => None,
            },
            (Node::Until(a, b), Node::Until(c, d) | Node::WeakUntil(c, d)) if b == d => {
                let both = self.simple_and(vec![a, c]);
                Some(self.simple_until(both, b))
            }
            (Node::WeakUntil(a, b), Node::WeakUntil(c, d)) if b == d => {
                let both = self.simple_and(vec![a, c]);
                Some(self.simple_weak_until(both, b))
            }
            (Node::WeakUntil(a, b), Node::Eventually(c)) if b == c => Some(self.simple_until(a, b)),
            (Node::StrongRelease(a, b), Node::StrongRelease(c, d) | Node::Release(c, d)) if a == c => {
                let both = self.simple_and(vec![b, d]);
                Some(self.simple_strong_release(a, both))
            }
            (Node::Release(a, b), Node::Release(c, d)) if a == c => {
                let both = self.simple_and(vec![b, d]);
                Some(self.simple_release(a, both))
            }
            (Node::Release(a, b), Node::Eventually(c)) if a == c => Some(self.simple_strong_release(a, b)),
            (Node::Eventually(a), Node::Always(b)) => {
                let not_b = self.not(b);
                self.first_failure_satisfies(a, not_b).then(|| self.simple_strong_release(a, b))
            }
            (Node::Next(a), _) if a == self.always(g) => Some(a),
            (_, Node::Or(parts)) => self.propagated(f, g, &parts),
            _ => None,
        }
    }

    /// `f & (g | h)` is `f & h` where `f` excludes `g`.
    fn propagated(&mut self, f: Formula, g: Formula, parts: &[Formula]) -> Option<Formula> {
        let rest: Vec<_> = {
            let negated: Vec<_> = parts.iter().map(|p| (*p, self.not(*p))).collect();
            negated.into_iter().filter(|(_, no)| !self.implies(f, *no)).map(|(p, _)| p).collect()
        };
        if rest.len() == parts.len() {
            return None;
        }
        let rest = self.or(rest);
        debug_assert_ne!(rest, g, "a disjunct was taken away");
        Some(self.and([f, rest]))
    }
}
