//! Conditions on one counter as sets of intervals, found from their form: the maximum may be far too large to try all
//! values.

use crate::code::{Code, Coder};
use crate::{Binary, Expr, Target, Unary};

/// A set of values as sorted intervals, both ends included, that do not touch.
pub(super) type Intervals = Vec<(u32, u32)>;

/// The values up to `max` that the only object of `expr` must have to make it true; `None` if its form is not known.
pub(super) fn solve(expr: &Expr, max: u32, coder: Coder<'_>) -> Option<Intervals> {
    let all = vec![(0, max)];
    match expr {
        Expr::Read(Target { index: None, .. }) => Some(from(1, max)),
        Expr::Unary(Unary::Not, a) => Some(complement(&solve(a, max, coder)?, max)),
        Expr::Binary(op @ (Binary::And | Binary::Or | Binary::Implies), a, b) => {
            let (a, b) = (solve(a, max, coder)?, solve(b, max, coder)?);
            let not = |i: &Intervals| complement(i, max);
            Some(match op {
                Binary::And => intersect(&a, &b),
                Binary::Or => not(&intersect(&not(&a), &not(&b))),
                _ => not(&intersect(&a, &not(&b))),
            })
        }
        Expr::Binary(op, a, b) => match (coder.code(a), coder.code(b), &**a, &**b) {
            (_, Code::Const(c), Expr::Read(Target { index: None, .. }), _) => compare(*op, c, max),
            (Code::Const(c), _, _, Expr::Read(Target { index: None, .. })) => compare(op.mirror()?, c, max),
            (Code::Const(_), Code::Const(_), ..) => constant(expr, all, coder),
            _ => None,
        },
        _ => constant(expr, all, coder),
    }
}

fn constant(expr: &Expr, all: Intervals, coder: Coder<'_>) -> Option<Intervals> {
    match coder.code(expr) {
        Code::Const(c) => Some(if c != 0 { all } else { Vec::new() }),
        _ => None,
    }
}

/// The values that both sets have.
pub(super) fn intersect(a: &Intervals, b: &Intervals) -> Intervals {
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x.0.max(y.0), x.1.min(y.1))));
    let mut out: Intervals = pairs.filter(|(lo, hi)| lo <= hi).collect();
    out.sort_unstable();
    out
}

/// The values from `lo` to `max`.
pub(super) fn from(lo: u32, max: u32) -> Intervals {
    if lo <= max { vec![(lo, max)] } else { Vec::new() }
}

fn complement(a: &Intervals, max: u32) -> Intervals {
    let (mut out, mut next) = (Vec::new(), Some(0));
    for &(lo, hi) in a {
        if let Some(start) = next
            && start < lo
        {
            out.push((start, lo - 1));
        }
        next = hi.checked_add(1);
    }
    out.extend(next.into_iter().flat_map(|start| from(start, max)));
    out
}

fn compare(op: Binary, c: i64, max: u32) -> Option<Intervals> {
    let at_least = |c: i64| u32::try_from(c.max(0)).map_or_else(|_| Vec::new(), |c| from(c, max));
    let not = |i: Intervals| complement(&i, max);
    Some(match op {
        Binary::Ge => at_least(c),
        Binary::Lt => not(at_least(c)),
        Binary::Gt => at_least(c.saturating_add(1)),
        Binary::Le => not(at_least(c.saturating_add(1))),
        Binary::Eq => intersect(&at_least(c), &not(at_least(c.saturating_add(1)))),
        Binary::Ne => not(compare(Binary::Eq, c, max)?),
        _ => return None,
    })
}
