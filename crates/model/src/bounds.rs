//! Which values an expression can have, and whether evaluating it can fail: interval arithmetic over the domains.

use crate::objects::{Kind, Object};
use crate::{Binary, Expr, ObjectId, Pattern, Unary};

/// The least and the greatest value that an expression can have, if it can never be a fault.
pub(crate) fn bounds(expr: &Expr, objects: &[Object]) -> Option<(i64, i64)> {
    bounds_knowing(expr, objects, &Known::default())
}

/// What is known of some fixed objects beyond their domains: their values lie within these bounds.
pub(crate) type Known = std::collections::BTreeMap<ObjectId, (i64, i64)>;

/// The same, with better knowledge of some objects.
pub(crate) fn bounds_knowing(expr: &Expr, objects: &[Object], known: &Known) -> Option<(i64, i64)> {
    if let Some(target) = expr.target()
        && target.index.is_some()
    {
        let (lo, hi) = bounds_knowing(target.index.as_deref()?, objects, known)?;
        if lo < 0 || hi >= i64::from(target.len) {
            return None;
        }
    }
    match expr {
        Expr::Const(c) => Some((*c, *c)),
        Expr::Read(t) if t.index.is_none() && known.contains_key(&t.first) => known.get(&t.first).copied(),
        Expr::Read(t) => match &objects[t.first.index()].kind {
            Kind::Variable(d) => Some((d.lo(), d.hi())),
            Kind::Semaphore { max } | Kind::Counter { max } => Some((0, i64::from(*max))),
            Kind::Lock | Kind::Channel(_) => None,
        },
        Expr::Len(t) => match &objects[t.first.index()].kind {
            Kind::Channel(c) => Some((0, i64::from(c.capacity))),
            _ => None,
        },
        Expr::Free(_) | Expr::Empty(_) | Expr::Full(_) | Expr::At(..) => Some((0, 1)),
        Expr::Offers(_, patterns, _) => {
            let lawful =
                patterns.iter().filter_map(Pattern::matched).all(|e| bounds_knowing(e, objects, known).is_some());
            lawful.then_some((0, 1))
        }
        Expr::Unary(op, a) => {
            let (lo, hi) = bounds_knowing(a, objects, known)?;
            match op {
                Unary::Not => Some((0, 1)),
                Unary::Neg => Some((hi.checked_neg()?, lo.checked_neg()?)),
                Unary::BitNot => Some((!hi, !lo)),
                Unary::Wrap(wrap) => {
                    let (least, greatest) = wrap.range();
                    Some(if least <= lo && hi <= greatest { (lo, hi) } else { (least, greatest) })
                }
            }
        }
        Expr::Binary(op, a, b) => binary(*op, bounds_knowing(a, objects, known)?, bounds_knowing(b, objects, known)?),
        Expr::If(c, a, b) => {
            bounds_knowing(c, objects, known)?;
            let ((a, b), (c, d)) = (bounds_knowing(a, objects, known)?, bounds_knowing(b, objects, known)?);
            Some((a.min(c), b.max(d)))
        }
    }
}

fn binary(op: Binary, (a, b): (i64, i64), (c, d): (i64, i64)) -> Option<(i64, i64)> {
    match op {
        Binary::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
        Binary::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
        Binary::Mul => {
            let corners = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
            Some((*corners.iter().min()?, *corners.iter().max()?))
        }
        Binary::Div if c > 0 => {
            let corners = [a / c, a / d, b / c, b / d];
            Some((*corners.iter().min()?, *corners.iter().max()?))
        }
        Binary::Rem if c > 0 => Some((if a < 0 { (1 - d).max(a) } else { 0 }, if b > 0 { (d - 1).min(b) } else { 0 })),
        Binary::Div | Binary::Rem => None,
        Binary::Min => Some((a.min(c), b.min(d))),
        Binary::Max => Some((a.max(c), b.max(d))),
        Binary::BitAnd | Binary::BitOr | Binary::BitXor => Some((i64::MIN, i64::MAX)),
        Binary::ShiftLeft | Binary::ShiftRight if c >= 0 && d < 64 => Some((i64::MIN, i64::MAX)),
        Binary::ShiftLeft | Binary::ShiftRight => None,
        Binary::Eq
        | Binary::Ne
        | Binary::Lt
        | Binary::Le
        | Binary::Gt
        | Binary::Ge
        | Binary::And
        | Binary::Or
        | Binary::Implies => Some((0, 1)),
    }
}
