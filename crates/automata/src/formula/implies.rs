//! Implication between formulas, decided by their syntax: `true` is a proof, `false` is none.

use super::{Formula, Kind, Node, Pool};

impl Pool {
    /// Whether the syntax shows that every word of `f` is a word of `g`.
    pub fn implies(&mut self, f: Formula, g: Formula) -> bool {
        if f == g || f == Self::FALSE || g == Self::TRUE {
            return true;
        }
        if f == Self::TRUE || g == Self::FALSE {
            return false;
        }
        if let Some(&known) = self.implications.get(&(f, g)) {
            return known;
        }
        let (left, right) = (self.node(f).clone(), self.node(g).clone());
        let shown = self.by_connectives(&left, &right, f, g)
            || self.by_left(&left, g)
            || self.by_right(&right, f)
            || self.by_pairs(&left, &right);
        self.implications.insert((f, g), shown);
        shown
    }

    fn all(&mut self, pairs: &[(Formula, Formula)]) -> bool {
        pairs.iter().all(|(f, g)| self.implies(*f, *g))
    }

    fn by_connectives(&mut self, left: &Node, right: &Node, f: Formula, g: Formula) -> bool {
        if let Node::Or(parts) = left {
            return parts.iter().all(|p| self.implies(*p, g));
        }
        if let Node::And(parts) = right {
            return parts.iter().all(|p| self.implies(f, *p));
        }
        let weaker = matches!(left, Node::And(parts) if parts.iter().any(|p| self.implies(*p, g)));
        weaker || matches!(right, Node::Or(parts) if parts.iter().any(|p| self.implies(f, *p)))
    }

    /// What `f` makes true now, or later where `g` is content with later.
    fn by_left(&mut self, left: &Node, g: Formula) -> bool {
        let later = self.kind(g).is(Kind::EVENTUAL);
        match *left {
            Node::Next(a) => later && self.implies(a, g),
            Node::Eventually(a) => later && self.implies(a, g),
            Node::Always(a) => self.implies(a, g),
            Node::Until(a, b) => self.implies(b, g) && (later || self.implies(a, g)),
            Node::WeakUntil(a, b) => self.all(&[(a, g), (b, g)]),
            Node::Release(_, b) => self.implies(b, g),
            Node::StrongRelease(a, b) => self.implies(b, g) || (later && self.implies(a, g)),
            _ => false,
        }
    }

    /// What makes `g` true now, or for ever where `f` lasts.
    fn by_right(&mut self, right: &Node, f: Formula) -> bool {
        let lasts = self.kind(f).is(Kind::UNIVERSAL);
        match *right {
            Node::Next(a) => lasts && self.implies(f, a),
            Node::Eventually(a) => self.implies(f, a),
            Node::Always(a) => lasts && self.implies(f, a),
            Node::Until(_, b) => self.implies(f, b),
            Node::WeakUntil(a, b) => self.implies(f, b) || (lasts && self.implies(f, a)),
            Node::Release(a, b) => self.implies(f, b) && (lasts || self.implies(f, a)),
            Node::StrongRelease(a, b) => self.all(&[(f, a), (f, b)]),
            _ => false,
        }
    }

    /// Monotony of the operators.
    fn by_pairs(&mut self, left: &Node, right: &Node) -> bool {
        match (left, right) {
            (Node::Next(a), Node::Next(b)) => self.implies(*a, *b),
            (Node::Until(a, b), Node::Until(c, d) | Node::WeakUntil(c, d))
            | (Node::WeakUntil(a, b), Node::WeakUntil(c, d))
            | (Node::Release(a, b), Node::Release(c, d))
            | (Node::StrongRelease(a, b), Node::StrongRelease(c, d) | Node::Release(c, d)) => {
                self.all(&[(*a, *c), (*b, *d)])
            }
            // b holds up to a moment of a and b together.
            (Node::StrongRelease(a, b), Node::Until(c, d))
            | (Node::StrongRelease(a, b) | Node::Release(a, b), Node::WeakUntil(c, d)) => {
                self.implies(*b, *c) && (self.implies(*a, *d) || self.implies(*b, *d))
            }
            // a holds up to a moment of b.
            (Node::Until(a, b) | Node::WeakUntil(a, b), Node::Release(c, d))
            | (Node::Until(a, b), Node::StrongRelease(c, d)) => self.all(&[(*a, *d), (*b, *d), (*b, *c)]),
            _ => false,
        }
    }
}
