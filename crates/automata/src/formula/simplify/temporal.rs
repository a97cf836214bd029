//! Rules for `X`, `F`, `U` and `M` over simplified operands.

use super::super::{Formula, Node, Pool};

impl Pool {
    pub(super) fn simple_next(&mut self, a: Formula) -> Formula {
        if self.is_timeless(a) { a } else { self.next(a) }
    }

    pub(super) fn simple_eventually(&mut self, a: Formula) -> Formula {
        if self.is_eventual(a) {
            return a;
        }
        match self.node(a).clone() {
            Node::Next(b) => {
                let b = self.simple_eventually(b);
                self.simple_next(b)
            }
            Node::Until(_, b) => self.simple_eventually(b),
            Node::StrongRelease(b, c) => {
                let both = self.simple_and(vec![b, c]);
                self.simple_eventually(both)
            }
            Node::WeakUntil(b, c) => {
                let lasting = self.simple_always(b);
                let either = self.simple_or(vec![lasting, c]);
                self.simple_eventually(either)
            }
            Node::And(parts) => self.eventually_all(a, &parts),
            Node::Or(parts) => self.eventually_one(a, &parts),
            Node::Always(b) => self.eventually_always(a, b),
            _ => self.eventually(a),
        }
    }

    /// `F(a & e)` is `Fa & e` for timeless `e`.
    fn eventually_all(&mut self, a: Formula, parts: &[Formula]) -> Formula {
        let (timeless, rest): (Vec<_>, Vec<_>) = parts.iter().copied().partition(|p| self.is_timeless(*p));
        if timeless.is_empty() {
            return self.eventually(a);
        }
        let rest = self.simple_and(rest);
        let late = self.simple_eventually(rest);
        self.simple_and(timeless.into_iter().chain([late]).collect())
    }

    /// Below `F` and a disjunction, operators that only say "later" are redundant, and what is shorter for being
    /// `FG` by itself leaves.
    fn eventually_one(&mut self, a: Formula, parts: &[Formula]) -> Formula {
        let bare: Vec<_> = parts.iter().map(|p| self.without_later(*p)).collect();
        if bare != parts {
            let body = self.simple_or(bare);
            return self.simple_eventually(body);
        }
        for (i, &part) in parts.iter().enumerate() {
            if !matches!(self.node(part), Node::Always(_)) {
                continue;
            }
            let (plain, late) = (self.eventually(part), self.simple_eventually(part));
            if late != plain {
                let rest = parts.iter().copied().enumerate().filter(|(j, _)| *j != i).map(|(_, p)| p).collect();
                let rest = self.simple_or(rest);
                let rest = self.simple_eventually(rest);
                return self.simple_or(vec![rest, late]);
            }
        }
        self.eventually(a)
    }

    fn without_later(&mut self, f: Formula) -> Formula {
        match *self.node(f) {
            Node::Eventually(b) | Node::Until(_, b) => b,
            Node::StrongRelease(b, c) => self.simple_and(vec![b, c]),
            Node::Next(b) if self.is_universal(b) => b,
            _ => f,
        }
    }

    /// `FG`: conjuncts lose `X` and `G`; universal disjuncts leave `G`.
    fn eventually_always(&mut self, a: Formula, b: Formula) -> Formula {
        let parts = self.conjuncts(b);
        let bare: Vec<_> = parts.iter().map(|p| self.without_always(*p)).collect();
        if bare != parts {
            let body = self.simple_and(bare);
            let lasting = self.simple_always(body);
            return self.simple_eventually(lasting);
        }
        let (universal, rest): (Vec<_>, Vec<_>) = self.disjuncts(b).into_iter().partition(|p| self.is_universal(*p));
        if universal.is_empty() || rest.is_empty() {
            return self.eventually(a);
        }
        let rest = self.simple_or(rest);
        let lasting = self.simple_always(rest);
        let either = self.simple_or(universal.into_iter().chain([lasting]).collect());
        self.simple_eventually(either)
    }

    fn without_always(&mut self, f: Formula) -> Formula {
        match *self.node(f) {
            Node::Next(b) | Node::Always(b) => b,
            Node::Or(_) => {
                let parts = self.disjuncts(f);
                let bare: Vec<_> = parts
                    .iter()
                    .map(|p| match *self.node(*p) {
                        Node::Next(b) if self.is_universal(b) || self.is_eventual(b) => b,
                        _ => *p,
                    })
                    .collect();
                if bare == parts { f } else { self.simple_or(bare) }
            }
            _ => f,
        }
    }

    pub(super) fn simple_until(&mut self, a: Formula, b: Formula) -> Formula {
        let not_a = self.not(a);
        if a == Self::FALSE || self.is_eventual(b) || self.implies(a, b) {
            return b;
        }
        if self.implies(not_a, b) || self.first_failure_satisfies(not_a, b) {
            return self.simple_eventually(b);
        }
        if let Some(shorter) = self.until_by_next(a, b).or_else(|| self.until_by_right(a, b)) {
            return shorter;
        }
        if let Some(shorter) = self.until_by_left(a, b) {
            return shorter;
        }
        self.until(a, b)
    }

    /// `!x U (x & e)` is `F(x & e)` for eventual `e`: the first position where the left side fails will do.
    pub(super) fn first_failure_satisfies(&mut self, not_a: Formula, b: Formula) -> bool {
        self.conjuncts(b).into_iter().all(|c| self.is_eventual(c) || self.implies(not_a, c))
    }

    fn until_by_next(&mut self, a: Formula, b: Formula) -> Option<Formula> {
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Next(a), Node::Next(b)) => {
                let inside = self.simple_until(a, b);
                Some(self.simple_next(inside))
            }
            (_, Node::Next(b)) if self.is_timeless(a) => {
                let inside = self.simple_until(a, b);
                Some(self.simple_next(inside))
            }
            (Node::Next(a), _) => {
                let inside = self.simple_strong_release(b, a);
                let later = self.simple_next(inside);
                Some(self.simple_or(vec![b, later]))
            }
            _ => None,
        }
    }

    fn until_by_right(&mut self, a: Formula, b: Formula) -> Option<Formula> {
        match self.node(b).clone() {
            Node::Until(c, _) | Node::WeakUntil(c, _) if self.implies(a, c) => Some(b),
            Node::Until(c, d) if self.implies(c, a) => Some(self.simple_until(a, d)),
            Node::Or(parts) => {
                let lasting = self.simple_always(a);
                let rest: Vec<_> = parts.iter().copied().filter(|p| *p != lasting).collect();
                if rest.len() == parts.len() {
                    return None;
                }
                let rest = self.simple_or(rest);
                Some(self.simple_weak_until(a, rest))
            }
            Node::And(parts) if parts.contains(&a) => {
                let rest = parts.iter().copied().filter(|p| *p != a).collect();
                let rest = self.simple_and(rest);
                Some(self.simple_strong_release(rest, a))
            }
            Node::Always(_) if b == self.always(a) => Some(b),
            _ => None,
        }
    }

    fn until_by_left(&mut self, a: Formula, b: Formula) -> Option<Formula> {
        match self.node(a).clone() {
            Node::Until(c, d) | Node::WeakUntil(c, d) if self.implies(c, b) => Some(self.simple_until(d, b)),
            Node::Until(_, d) if self.implies(d, b) => Some(self.simple_or(vec![a, b])),
            Node::Or(parts) => {
                let rest: Vec<_> = parts.iter().copied().filter(|p| !self.implies(*p, b)).collect();
                let shorter = rest.len() < parts.len();
                let rest = self.or(rest);
                shorter.then(|| self.simple_until(rest, b))
            }
            Node::And(parts) => {
                let not_b = self.not(b);
                let rest: Vec<_> = parts.iter().copied().filter(|p| !self.implies(not_b, *p)).collect();
                let shorter = rest.len() < parts.len();
                let rest = self.and(rest);
                shorter.then(|| self.simple_until(rest, b))
            }
            _ => None,
        }
    }

    pub(super) fn simple_strong_release(&mut self, a: Formula, b: Formula) -> Formula {
        let not_b = self.not(b);
        if self.implies(b, a) {
            return b;
        }
        if self.implies(a, not_b) {
            return Self::FALSE;
        }
        if self.is_eventual(a) {
            return self.simple_and(vec![a, b]);
        }
        if b == Self::TRUE || self.is_universal(b) {
            let late = self.simple_eventually(a);
            return self.simple_and(vec![late, b]);
        }
        if let Some(shorter) = self.strong_release_by_next(a, b).or_else(|| self.strong_release_by_right(a, b)) {
            return shorter;
        }
        if let Some(shorter) = self.strong_release_by_left(a, b, not_b) {
            return shorter;
        }
        self.strong_release(a, b)
    }

    fn strong_release_by_next(&mut self, a: Formula, b: Formula) -> Option<Formula> {
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Next(a), Node::Next(b)) => {
                let inside = self.simple_strong_release(a, b);
                Some(self.simple_next(inside))
            }
            (Node::Next(a), _) => {
                let inside = self.simple_until(b, a);
                let later = self.simple_next(inside);
                Some(self.simple_and(vec![b, later]))
            }
            _ => None,
        }
    }

    fn strong_release_by_right(&mut self, a: Formula, b: Formula) -> Option<Formula> {
        match self.node(b).clone() {
            Node::StrongRelease(c, d) | Node::Release(c, d) if self.implies(a, c) => {
                Some(self.simple_strong_release(a, d))
            }
            Node::StrongRelease(c, _) if self.implies(c, a) => Some(b),
            Node::Or(parts) if parts.contains(&a) => {
                let rest = parts.iter().copied().filter(|p| *p != a).collect();
                let rest = self.simple_or(rest);
                Some(self.simple_until(rest, a))
            }
            _ => None,
        }
    }

    fn strong_release_by_left(&mut self, a: Formula, b: Formula, not_b: Formula) -> Option<Formula> {
        match self.node(a).clone() {
            Node::StrongRelease(_, d) if d == b => Some(a),
            Node::StrongRelease(c, d) | Node::Release(c, d) if self.implies(b, c) => {
                Some(self.simple_strong_release(d, b))
            }
            Node::And(parts) => {
                let rest: Vec<_> = parts.iter().copied().filter(|p| !self.implies(b, *p)).collect();
                let shorter = rest.len() < parts.len();
                let rest = self.and(rest);
                shorter.then(|| self.simple_strong_release(rest, b))
            }
            Node::Or(parts) => {
                let rest: Vec<_> = parts.iter().copied().filter(|p| !self.implies(*p, not_b)).collect();
                let shorter = rest.len() < parts.len();
                let rest = self.or(rest);
                shorter.then(|| self.simple_strong_release(rest, b))
            }
            _ => None,
        }
    }
}
