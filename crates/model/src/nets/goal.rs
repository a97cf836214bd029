//! Properties of the system that a net becomes, as goals about the net.

use super::{Goal, Linear, Predicate};
use crate::views::PlaceId;
use crate::{Binary, Expr, Property, Target, Unary};

/// Sums of tokens stay below this, so that the 64-bit arithmetic of systems gives the same as the exact one of nets.
const MOST: i128 = 1 << 62;
/// The most tokens of a place, as a system counts them.
const TOKENS: i128 = 1 << 32;

impl Goal {
    /// What to search for in the net of a system whose objects are its places: reaching it violates the property, or shows
    /// it if it is reachability. `None` if the property is no boolean combination of linear comparisons.
    pub fn of(property: &Property) -> Option<Self> {
        match property {
            Property::DeadlockFree => Some(Goal::Dead),
            Property::Invariant(e) => Some(Goal::Satisfies(predicate(e)?.negated()?)),
            Property::Reachable(e) => Some(Goal::Satisfies(predicate(e)?)),
            Property::PartialDeadlockFree
            | Property::Safety(_)
            | Property::Temporal(_)
            | Property::DivergenceFree(_) => None,
        }
    }
}

fn predicate(e: &Expr) -> Option<Predicate> {
    match e {
        Expr::Const(value) => Some(Predicate::Constant(*value != 0)),
        Expr::Unary(Unary::Not, a) => predicate(a)?.negated(),
        Expr::If(c, a, b) => either(c, Some(a), Some(b)),
        Expr::Binary(Binary::And, a, b) => Some(Predicate::all([predicate(a)?, predicate(b)?])),
        Expr::Binary(Binary::Or, a, b) => Some(Predicate::any([predicate(a)?, predicate(b)?])),
        Expr::Binary(Binary::Implies, a, b) => Some(Predicate::any([predicate(a)?.negated()?, predicate(b)?])),
        Expr::Binary(op, a, b) => comparison(*op, a, b),
        _ => None,
    }
}

/// The first where the condition holds, and the second elsewhere.
fn either(condition: &Expr, yes: Option<&Expr>, no: Option<&Expr>) -> Option<Predicate> {
    let condition = predicate(condition)?;
    let otherwise = condition.negated()?;
    let yes = Predicate::all([condition, predicate(yes?)?]);
    Some(Predicate::any([yes, Predicate::all([otherwise, predicate(no?)?])]))
}

/// How large a sum, or a part of it, can become; `None` if it is no sum.
fn magnitude(e: &Expr) -> Option<i128> {
    Some(match e {
        Expr::Const(value) => i128::from(value.unsigned_abs()),
        Expr::Read(_) => TOKENS,
        Expr::Unary(Unary::Neg, a) => magnitude(a)?,
        Expr::Binary(Binary::Add | Binary::Sub, a, b) => magnitude(a)?.saturating_add(magnitude(b)?),
        Expr::Binary(Binary::Mul, a, b) => magnitude(a)?.saturating_mul(magnitude(b)?),
        _ => return None,
    })
}

fn comparison(op: Binary, a: &Expr, b: &Expr) -> Option<Predicate> {
    if magnitude(a)?.max(magnitude(b)?) >= MOST {
        return None;
    }
    // `a - b + shift <= 0`, or with the sides exchanged.
    let at_most = |a: &Expr, b: &Expr, shift: i64| {
        let mut sum = Sum::default();
        sum.add(a, 1)?;
        sum.add(b, -1)?;
        sum.constant = sum.constant.checked_add(shift)?;
        sum.finish().map(Predicate::linear)
    };
    Some(match op {
        Binary::Le => at_most(a, b, 0)?,
        Binary::Lt => at_most(a, b, 1)?,
        Binary::Ge => at_most(b, a, 0)?,
        Binary::Gt => at_most(b, a, 1)?,
        Binary::Eq => Predicate::all([at_most(a, b, 0)?, at_most(b, a, 0)?]),
        Binary::Ne => Predicate::any([at_most(a, b, 1)?, at_most(b, a, 1)?]),
        _ => return None,
    })
}

/// A sum while it is collected.
#[derive(Default)]
struct Sum {
    terms: Vec<(PlaceId, i64)>,
    constant: i64,
}

impl Sum {
    fn add(&mut self, e: &Expr, factor: i64) -> Option<()> {
        match e {
            Expr::Const(value) => self.constant = self.constant.checked_add(value.checked_mul(factor)?)?,
            Expr::Read(Target { first, index: None, .. }) => self.terms.push((PlaceId::new(first.index()), factor)),
            Expr::Unary(Unary::Neg, a) => self.add(a, factor.checked_neg()?)?,
            Expr::Binary(Binary::Add, a, b) => {
                self.add(a, factor)?;
                self.add(b, factor)?;
            }
            Expr::Binary(Binary::Sub, a, b) => {
                self.add(a, factor)?;
                self.add(b, factor.checked_neg()?)?;
            }
            Expr::Binary(Binary::Mul, a, b) => match (&**a, &**b) {
                (Expr::Const(c), e) | (e, Expr::Const(c)) => self.add(e, factor.checked_mul(*c)?)?,
                _ => return None,
            },
            _ => return None,
        }
        Some(())
    }

    fn finish(self) -> Option<Linear> {
        let most = self.terms.iter().map(|(_, factor)| i128::from(factor.unsigned_abs()) * TOKENS).sum::<i128>();
        let fits = most + i128::from(self.constant.unsigned_abs()) < MOST;
        Linear::new(self.terms, self.constant).filter(|_| fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ObjectId;

    fn place(p: u32) -> Expr {
        Expr::read(ObjectId(p))
    }

    /// The predicate, which must agree with the meaning of the expression in all small markings.
    fn agrees(e: Expr, meaning: impl Fn(i64, i64) -> bool) {
        let found = predicate(&e).expect("it is linear");
        for (a, b) in (0..5).flat_map(|a| (0..5).map(move |b| (a, b))) {
            assert_eq!(found.holds(&[a, b]), meaning(a as i64, b as i64), "{e:?} at {a}, {b}");
        }
    }

    #[test]
    fn comparisons_and_their_combinations() {
        let (p, q) = (|| place(0), || place(1));
        for (op, meaning) in [
            (Binary::Lt, (|a, b| a < b) as fn(i64, i64) -> bool),
            (Binary::Le, |a, b| a <= b),
            (Binary::Gt, |a, b| a > b),
            (Binary::Ge, |a, b| a >= b),
            (Binary::Eq, |a, b| a == b),
            (Binary::Ne, |a, b| a != b),
        ] {
            agrees(p().op(op, q()), meaning);
            agrees(p().op(op, q()).negate(), |a, b| !meaning(a, b));
            let sides = (p().op(Binary::Mul, 3), q().op(Binary::Sub, 2).op(Binary::Add, p()));
            agrees(sides.0.op(op, sides.1), |a, b| meaning(3 * a, b - 2 + a));
        }
        let both = p().is(2).op(Binary::And, q().op(Binary::Gt, 1));
        agrees(both.clone().op(Binary::Implies, p().is(q())), |a, b| !(a == 2 && b > 1) || a == b);
        agrees(Expr::If(Box::new(both), Box::new(p().is(2)), Box::new(q().is(0))), |a, b| (a == 2 && b > 1) || b == 0);
    }

    #[test]
    fn what_is_not_linear_or_too_large_is_left_to_others() {
        let product = place(0).op(Binary::Mul, place(1)).is(1);
        let large = place(0).op(Binary::Mul, 1 << 40).is(1);
        // The difference of the sides is small, but neither side is.
        let sides = place(0).op(Binary::Add, i64::MAX).op(Binary::Gt, i64::MAX);
        assert!([product, large, sides].iter().all(|e| predicate(e).is_none()));
        assert!(predicate(&place(0).op(Binary::Rem, 2).is(1)).is_none());
    }
}
