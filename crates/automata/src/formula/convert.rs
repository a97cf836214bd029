//! From formulas as written to negation normal form. Each part is made in both polarities at once: with `<->` and
//! `xor` below one another, going down twice would take exponential time.

use super::{Formula, Pool};
use crate::syntax::{Binary, Ltl, Unary};

impl Pool {
    /// The formula in negation normal form.
    pub fn add(&mut self, formula: &Ltl) -> Formula {
        self.both(formula)[0]
    }

    /// The formula and its negation.
    fn both(&mut self, formula: &Ltl) -> [Formula; 2] {
        match formula {
            Ltl::Constant(value) => [self.constant(*value), self.constant(!value)],
            Ltl::Atom(atom) => [self.literal(*atom, true), self.literal(*atom, false)],
            Ltl::Unary(op, a) => {
                let [yes, no] = self.both(a);
                match op {
                    Unary::Not => [no, yes],
                    Unary::Next => [self.next(yes), self.next(no)],
                    Unary::Eventually => [self.eventually(yes), self.always(no)],
                    Unary::Always => [self.always(yes), self.eventually(no)],
                }
            }
            Ltl::Binary(op, a, b) => {
                let (a, b) = (self.both(a), self.both(b));
                self.join(*op, a, b)
            }
        }
    }

    fn join(&mut self, op: Binary, [a, na]: [Formula; 2], [b, nb]: [Formula; 2]) -> [Formula; 2] {
        match op {
            Binary::And => [self.and([a, b]), self.or([na, nb])],
            Binary::Or => [self.or([a, b]), self.and([na, nb])],
            Binary::Implies => [self.or([na, b]), self.and([a, nb])],
            Binary::Iff => [self.iff([a, na], [b, nb]), self.iff([a, na], [nb, b])],
            Binary::Xor => [self.iff([a, na], [nb, b]), self.iff([a, na], [b, nb])],
            Binary::Until => [self.until(a, b), self.release(na, nb)],
            Binary::WeakUntil => [self.weak_until(a, b), self.strong_release(na, nb)],
            Binary::Release => [self.release(a, b), self.until(na, nb)],
            Binary::StrongRelease => [self.strong_release(a, b), self.weak_until(na, nb)],
        }
    }

    fn iff(&mut self, [a, na]: [Formula; 2], [b, nb]: [Formula; 2]) -> Formula {
        let (both, none) = (self.and([a, b]), self.and([na, nb]));
        self.or([both, none])
    }
}
