//! What is known of objects at a point of a transition: what the guard says of them, and what its operations have left.

use std::collections::BTreeMap;

use crate::bounds::bounds_knowing;
use crate::objects::{Kind, Object};
use crate::{Binary, Command, Expr, ObjectId, Target, Unary};

/// What is known of some fixed objects beyond their domains: their values lie within these bounds.
pub(crate) type Known = BTreeMap<ObjectId, (i64, i64)>;

/// The values that the cells of a target can hold.
pub(crate) fn range(target: &Target, objects: &[Object]) -> (i64, i64) {
    match &objects[target.first.index()].kind {
        Kind::Variable(d) => (d.lo(), d.hi()),
        Kind::Semaphore { max } | Kind::Counter { max } => (0, i64::from(*max)),
        Kind::Lock | Kind::Channel(_) => (0, -1),
    }
}

/// Draws from a conjunct that holds what it says about one fixed object.
pub(crate) fn learn(conjunct: &Expr, objects: &[Object], known: &mut Known) {
    learn_that(conjunct, true, objects, known);
}

fn learn_that(conjunct: &Expr, holds: bool, objects: &[Object], known: &mut Known) {
    let (op, target, c) = match conjunct {
        Expr::Unary(Unary::Not, a) => return learn_that(a, !holds, objects, known),
        Expr::Read(t) => (Binary::Ne, t, 0),
        Expr::Binary(op, a, b) => match (&**a, &**b) {
            (Expr::Read(t), Expr::Const(c)) => (*op, t, *c),
            (Expr::Const(c), Expr::Read(t)) => match op.mirror() {
                Some(op) => (op, t, *c),
                None => return,
            },
            _ => return,
        },
        _ => return,
    };
    if target.index.is_some() {
        return;
    }
    let (lo, hi) = known.get(&target.first).copied().unwrap_or_else(|| range(target, objects));
    let (lo, hi) = match (op, holds) {
        (Binary::Eq, true) | (Binary::Ne, false) => (lo.max(c), hi.min(c)),
        (Binary::Lt, true) | (Binary::Ge, false) => (lo, hi.min(c.saturating_sub(1))),
        (Binary::Le, true) | (Binary::Gt, false) => (lo, hi.min(c)),
        (Binary::Gt, true) | (Binary::Le, false) => (lo.max(c.saturating_add(1)), hi),
        (Binary::Ge, true) | (Binary::Lt, false) => (lo.max(c), hi),
        (Binary::Ne, true) | (Binary::Eq, false) => (lo + i64::from(c == lo), hi - i64::from(c == hi)),
        _ => return,
    };
    if lo <= hi {
        known.insert(target.first, (lo, hi));
    }
}

/// What is known after an operation that was no fault.
pub(crate) fn remember(command: &Command, objects: &[Object], known: &mut Known) {
    match command {
        Command::Take(t, k) if t.index.is_none() => {
            let read = bounds_knowing(&Expr::Read(t.clone()), objects, known);
            if let Some((_, hi)) = read {
                known.insert(t.first, (0, (hi - i64::from(*k)).max(0)));
            }
        }
        Command::Assign(t, e) if t.index.is_none() => {
            let (bounds, (least, most)) = (bounds_knowing(e, objects, known), range(t, objects));
            known.remove(&t.first);
            let fits = bounds.map(|(lo, hi)| (lo.max(least), hi.min(most))).filter(|(lo, hi)| lo <= hi);
            fits.into_iter().for_each(|bounds| _ = known.insert(t.first, bounds));
        }
        command => command.written().flat_map(Target::objects).for_each(|o| _ = known.remove(&o)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builder, Domain};

    #[test]
    fn guards_and_operations_say_what_values_are() {
        let mut b = Builder::new("known");
        let upto = |hi| Kind::Variable(Domain::Range { lo: 0, hi });
        let (x, y) = (b.object("x", upto(9)), b.object("y", upto(5)));
        let system = b.build().expect("two variables");
        let (objects, mut known) = (&system.objects[..], Known::new());
        let op = |o, op: Binary, c: i64| Expr::read(o).op(op, c);
        learn(&op(x, Binary::Lt, 4), objects, &mut known);
        learn(&Expr::Unary(Unary::Not, Box::new(op(x, Binary::Eq, 0))), objects, &mut known);
        assert_eq!(known, Known::from([(x, (1, 3))]));
        remember(&Command::Assign(Target::fixed(y), op(x, Binary::Add, 1)), objects, &mut known);
        assert_eq!(known, Known::from([(x, (1, 3)), (y, (2, 4))]));
        remember(&Command::Assign(Target::fixed(y), op(x, Binary::Mul, 3)), objects, &mut known);
        assert_eq!(known[&y], (3, 5), "what is greater was a fault");
        remember(&Command::Assign(Target::fixed(x), op(x, Binary::Div, 0)), objects, &mut known);
        assert!(!known.contains_key(&x), "nothing is known of what may be a fault");
    }
}
