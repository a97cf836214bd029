//! Conditions that cannot hold together, as far as a glance shows it.

use model::{Binary, Expr, Unary};

/// Whether some two of the conditions exclude each other; `false` proves nothing.
pub(super) fn contradict(conditions: &[Expr]) -> bool {
    let pairs = conditions.iter().enumerate().flat_map(|(i, a)| conditions[..i].iter().map(move |b| (a, b)));
    conditions.contains(&Expr::Const(0)) || pairs.into_iter().any(|(a, b)| exclude(a, b))
}

fn exclude(a: &Expr, b: &Expr) -> bool {
    if denies(a, b) || denies(b, a) {
        return true;
    }
    if let (Some((x, low, high)), Some((y, least, most))) = (range(a), range(b))
        && x == y
    {
        return high < least || most < low;
    }
    match (signs(a), signs(b)) {
        (Some((x1, y1, s)), Some((x2, y2, t))) if x1 == x2 && y1 == y2 => s & t == 0,
        (Some((x1, y1, s)), Some((x2, y2, t))) if x1 == y2 && y1 == x2 => s & mirrored(t) == 0,
        _ => false,
    }
}

/// Whether the first is `!` before the second.
fn denies(a: &Expr, b: &Expr) -> bool {
    matches!(a, Expr::Unary(Unary::Not, inner) if **inner == *b)
}

/// A comparison with a constant, as an interval.
fn range(e: &Expr) -> Option<(&Expr, i64, i64)> {
    let (op, a, b) = comparison(e)?;
    let (x, mask, c) = match (a, b) {
        (x, Expr::Const(c)) => (x, op, *c),
        (Expr::Const(c), x) => (x, mirrored(op), *c),
        _ => return None,
    };
    match mask {
        LESS => Some((x, i64::MIN, c.checked_sub(1)?)),
        EQUAL => Some((x, c, c)),
        GREATER => Some((x, c.checked_add(1)?, i64::MAX)),
        m if m == LESS | EQUAL => Some((x, i64::MIN, c)),
        m if m == GREATER | EQUAL => Some((x, c, i64::MAX)),
        _ => None,
    }
}

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;

/// A comparison as the signs of the difference that it admits.
fn signs(e: &Expr) -> Option<(&Expr, &Expr, u8)> {
    comparison(e).map(|(mask, a, b)| (a, b, mask))
}

fn comparison(e: &Expr) -> Option<(u8, &Expr, &Expr)> {
    let Expr::Binary(op, a, b) = e else { return None };
    let mask = match op {
        Binary::Lt => LESS,
        Binary::Le => LESS | EQUAL,
        Binary::Eq => EQUAL,
        Binary::Ge => GREATER | EQUAL,
        Binary::Gt => GREATER,
        Binary::Ne => LESS | GREATER,
        _ => return None,
    };
    Some((mask, a, b))
}

fn mirrored(mask: u8) -> u8 {
    mask & EQUAL | if mask & LESS != 0 { GREATER } else { 0 } | if mask & GREATER != 0 { LESS } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::contradict;
    use model::{Binary, Expr, ObjectId};

    #[test]
    fn opposite_comparisons_exclude_each_other() {
        let x = || Expr::read(ObjectId(0));
        let y = || Expr::read(ObjectId(1));
        assert!(contradict(&[x().op(Binary::Lt, 5), x().op(Binary::Ge, 5)]));
        assert!(contradict(&[x().op(Binary::Lt, 5), x().is(7)]));
        assert!(contradict(&[x().op(Binary::Le, y()), y().op(Binary::Lt, x())]));
        assert!(!contradict(&[x().op(Binary::Le, y()), y().op(Binary::Le, x())]));
        assert!(!contradict(&[x().op(Binary::Lt, 5), x().op(Binary::Gt, 3)]));
        assert!(!contradict(&[x().is(1), y().is(2)]));
    }
}
