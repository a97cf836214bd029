//! Rewriting to an equivalent formula whose automaton is smaller.
//!
//! The rules are those that the translators of the literature share (Somenzi and Bloem; Etessami and Holzmann;
//! Babiak, Křetínský, Řehák and Strejček): eventual and universal formulas leave temporal operators, `X` moves up,
//! operators with a common operand join, and what implication shows to be redundant goes. They are written for `F`,
//! `U`, `M` and conjunction; `G`, `R`, `W` and disjunction take their mirror image through negation.

mod conjunction;
mod temporal;

use super::{Formula, Kind, Node, Pool};

impl Pool {
    /// An equivalent formula, simplified.
    pub fn simplify(&mut self, f: Formula) -> Formula {
        if let Some(&known) = self.simplified.get(&f) {
            return known;
        }
        let result = match self.node(f).clone() {
            Node::True | Node::False | Node::Literal(..) => f,
            Node::And(parts) => {
                let parts = parts.iter().map(|p| self.simplify(*p)).collect();
                self.simple_and(parts)
            }
            Node::Or(parts) => {
                let parts = parts.iter().map(|p| self.simplify(*p)).collect();
                self.simple_or(parts)
            }
            Node::Next(a) => self.below_one(a, Self::simple_next),
            Node::Eventually(a) => self.below_one(a, Self::simple_eventually),
            Node::Always(a) => self.below_one(a, Self::simple_always),
            Node::Until(a, b) => self.below_two(a, b, Self::simple_until),
            Node::WeakUntil(a, b) => self.below_two(a, b, Self::simple_weak_until),
            Node::Release(a, b) => self.below_two(a, b, Self::simple_release),
            Node::StrongRelease(a, b) => self.below_two(a, b, Self::simple_strong_release),
        };
        self.simplified.insert(f, result);
        self.simplified.insert(result, result);
        result
    }

    fn below_one(&mut self, a: Formula, make: fn(&mut Self, Formula) -> Formula) -> Formula {
        let a = self.simplify(a);
        make(self, a)
    }

    fn below_two(&mut self, a: Formula, b: Formula, make: fn(&mut Self, Formula, Formula) -> Formula) -> Formula {
        let (a, b) = (self.simplify(a), self.simplify(b));
        make(self, a, b)
    }

    /// Whether the formula is both eventual and universal: the same truth at every position.
    fn is_timeless(&self, f: Formula) -> bool {
        self.kind(f).is(Kind::EVENTUAL | Kind::UNIVERSAL)
    }

    fn is_eventual(&self, f: Formula) -> bool {
        self.kind(f).is(Kind::EVENTUAL)
    }

    fn is_universal(&self, f: Formula) -> bool {
        self.kind(f).is(Kind::UNIVERSAL)
    }

    /// The conjuncts: of anything but a conjunction, itself.
    fn conjuncts(&self, f: Formula) -> Vec<Formula> {
        match self.node(f) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![f],
        }
    }

    /// The disjuncts: of anything but a disjunction, itself.
    fn disjuncts(&self, f: Formula) -> Vec<Formula> {
        match self.node(f) {
            Node::Or(parts) => parts.to_vec(),
            _ => vec![f],
        }
    }

    /// Disjunction, by mirroring, with one rule of its own: timeless disjuncts go below an `F` beside them, so that
    /// the choice between them is made once and late.
    fn simple_or(&mut self, parts: Vec<Formula>) -> Formula {
        let negated = parts.iter().map(|p| self.not(*p)).collect();
        let joined = self.simple_and(negated);
        let f = self.not(joined);
        let parts = self.disjuncts(f);
        let (timeless, rest): (Vec<_>, Vec<_>) = parts.iter().copied().partition(|p| self.is_timeless(*p));
        let inside = |f: Formula, pool: &Self| match *pool.node(f) {
            Node::Eventually(a) => Some(a),
            _ => None,
        };
        let all_join = timeless.len() > 1 && timeless.iter().any(|p| inside(*p, self).is_some());
        match rest.iter().position(|p| inside(*p, self).is_some()) {
            Some(i) if !timeless.is_empty() => {
                let body = inside(rest[i], self).expect("it was found as an F");
                let body = self.late(std::iter::once(body).chain(timeless).collect());
                let others = rest.iter().copied().enumerate().filter(|(j, _)| *j != i).map(|(_, p)| p);
                let parts: Vec<_> = others.chain([body]).collect();
                self.or(parts)
            }
            None if all_join => {
                let body = self.late(timeless);
                self.or(rest.into_iter().chain([body]))
            }
            _ => f,
        }
    }

    /// `F` of the disjunction, inner `F`s taken off.
    fn late(&mut self, parts: Vec<Formula>) -> Formula {
        let bare: Vec<_> = parts
            .iter()
            .map(|p| match *self.node(*p) {
                Node::Eventually(a) => a,
                _ => *p,
            })
            .collect();
        let body = self.or(bare);
        self.eventually(body)
    }

    fn mirrored(&mut self, a: Formula, make: fn(&mut Self, Formula) -> Formula) -> Formula {
        let a = self.not(a);
        let made = make(self, a);
        self.not(made)
    }

    fn mirrored_two(&mut self, a: Formula, b: Formula, make: fn(&mut Self, Formula, Formula) -> Formula) -> Formula {
        let (a, b) = (self.not(a), self.not(b));
        let made = make(self, a, b);
        self.not(made)
    }

    fn simple_always(&mut self, a: Formula) -> Formula {
        self.mirrored(a, Self::simple_eventually)
    }

    fn simple_release(&mut self, a: Formula, b: Formula) -> Formula {
        self.mirrored_two(a, b, Self::simple_until)
    }

    fn simple_weak_until(&mut self, a: Formula, b: Formula) -> Formula {
        self.mirrored_two(a, b, Self::simple_strong_release)
    }
}
