//! Intervals against all values that they stand for.

use super::*;
use crate::code::apply;
use crate::{Domain, Fault, ObjectId, Value, Wrap};

const SMALL: std::ops::RangeInclusive<i64> = -9..=9;

fn intervals() -> impl Iterator<Item = (i64, i64)> {
    SMALL.flat_map(|lo| (lo..=*SMALL.end()).map(move |hi| (lo, hi)))
}

/// A variable for each interval.
fn variables(all: &[(i64, i64)]) -> Vec<Object> {
    let kind = |(lo, hi): (i64, i64)| Kind::Variable(Domain::Range { lo: lo as i32, hi: hi as i32 });
    let object = |&i: &(i64, i64)| Object { name: "x".into(), kind: kind(i), initial: Value::Int(i.0), span: None };
    all.iter().map(object).collect()
}

fn read(i: u32) -> Expr {
    Expr::read(ObjectId(i))
}

/// All results, or the fault that there is.
fn results(op: impl Fn(i64, i64) -> Result<i64, Fault>, x: (i64, i64), y: (i64, i64)) -> (Option<(i64, i64)>, bool) {
    let all = (x.0..=x.1).flat_map(|a| (y.0..=y.1).map(move |b| (a, b))).map(|(a, b)| op(a, b));
    let (mut hull, mut safe): (Option<(i64, i64)>, bool) = (None, true);
    for result in all {
        match result {
            Ok(v) => hull = Some(hull.map_or((v, v), |(lo, hi)| (lo.min(v), hi.max(v)))),
            Err(_) => safe = false,
        }
    }
    (hull, safe)
}

/// The intervals with few ends, for pairs of them.
fn some() -> Vec<(i64, i64)> {
    intervals().filter(|(lo, hi)| lo % 3 == 0 || hi - lo < 2).collect()
}

#[test]
fn operators_are_exact_where_they_can_be() {
    use Binary::*;
    let exact = [Add, Sub, Mul, Min, Max, BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight, Div, Lt, Le, Gt, Ge, Eq, Ne];
    let sound = [Rem, And, Or, Implies];
    for op in exact.into_iter().chain(sound) {
        for x in some() {
            for y in some() {
                let (hull, safe) = results(|a, b| apply(op, a, b), x, y);
                let range =
                    Knowledge { objects: &variables(&[x, y]), known: &Known::new() }.range(&read(0).op(op, read(1)));
                assert_eq!(range.safe, safe, "{x:?} {op:?} {y:?}");
                let Some((lo, hi)) = hull else { continue };
                match exact.contains(&op) {
                    true => assert_eq!(range.bounds, (lo, hi), "{x:?} {op:?} {y:?}"),
                    false => assert!(range.bounds.0 <= lo && hi <= range.bounds.1, "{x:?} {op:?} {y:?}"),
                }
            }
        }
    }
}

#[test]
fn numbers_that_fit_are_not_cut_down() {
    for bits in 1..=4 {
        for wrap in [true, false].map(|signed| Wrap { bits, signed }) {
            for x in intervals() {
                let objects = variables(&[x]);
                let found = bounds(&Expr::Unary(Unary::Wrap(wrap), Box::new(read(0))), &objects);
                let (hull, _) = results(|a, _| Ok(wrap.apply(a)), x, (0, 0));
                let (lo, hi) = hull.expect("an interval is not empty");
                let all = (lo..=hi).all(|v| (x.0..=x.1).any(|a| wrap.apply(a) == v));
                let expected = if all { (lo, hi) } else { wrap.range() };
                let (a, b) = found.expect("wrapping is no fault");
                assert!(a <= lo && hi <= b, "{wrap:?} of {x:?}");
                assert!((a, b) == expected || (a, b) == wrap.range(), "{wrap:?} of {x:?}");
                if wrap.keeps(x) {
                    assert_eq!((a, b), x, "{wrap:?} of {x:?}");
                }
            }
        }
    }
}

/// Far from zero, where 64 bits end.
#[test]
fn large_numbers_are_bounded() {
    let huge = [i64::MIN, i64::MIN + 1, -(1 << 40), -1, 0, 1, 1 << 40, i64::MAX - 1, i64::MAX];
    use Binary::*;
    let pairs = || huge.iter().flat_map(|a| huge.iter().filter(move |b| a <= b).map(move |b| (*a, *b)));
    for op in [Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight] {
        for (x, y) in pairs().flat_map(|x| pairs().map(move |y| (x, y))) {
            let range = binary(op, x, y);
            for (a, b) in [x.0, x.1].into_iter().flat_map(|a| [(a, y.0), (a, y.1)]) {
                match apply(op, a, b) {
                    Ok(v) => assert!(range.bounds.0 <= v && v <= range.bounds.1, "{a} {op:?} {b} of {x:?} {y:?}"),
                    Err(_) => assert!(!range.safe, "{a} {op:?} {b} of {x:?} {y:?}"),
                }
            }
        }
    }
    let byte = Wrap { bits: 8, signed: false };
    assert_eq!(bits::wrapped(byte, (i64::MIN, i64::MAX)), (0, 255));
    assert_eq!(bits::wrapped(byte, (256, 300)), (0, 44));
    assert_eq!(bits::wrapped(Wrap { bits: 63, signed: true }, (i64::MIN, i64::MAX)).0, -(1 << 62));
}

/// A fault in a part that is never evaluated is none, and what can be a fault may have bounds all the same.
#[test]
fn only_what_is_evaluated_counts() {
    let objects = variables(&[(0, 5), (1, 3)]);
    let (x, y) = (read(0), read(1));
    let broken = || Expr::Const(1).op(Binary::Div, 0);
    assert_eq!(bounds(&x.clone().op(Binary::Gt, 9).op(Binary::And, broken()), &objects), Some((0, 0)));
    assert_eq!(bounds(&y.clone().op(Binary::Or, broken()), &objects), Some((1, 1)));
    assert_eq!(bounds(&y.clone().op(Binary::And, broken()), &objects), None);
    let choice = |c: Expr| Expr::If(Box::new(c), Box::new(x.clone()), Box::new(broken()));
    assert_eq!(bounds(&choice(y.clone()), &objects), Some((0, 5)));
    assert_eq!(bounds(&choice(x.clone()), &objects), None);
    assert_eq!(bounds(&y.clone().op(Binary::Div, x.clone()), &objects), None);
    assert_eq!(values(&y.op(Binary::Div, x), &objects), (0, 3));
}
