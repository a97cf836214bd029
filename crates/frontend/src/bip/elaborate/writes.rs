//! Writes that are meant all at once, put in an order in which none destroys what a later one reads.
//!
//! Where there is no such order, as when two values are exchanged, a spare variable keeps one of them; it is zero again
//! after the step, so it adds no states.

use model::{Expr, Target};

use super::slots::{Slot, reads};
use super::sym::renamed;

/// The writes in order, and how many spare variables they use.
pub(super) fn ordered(writes: Vec<(Slot, Expr)>) -> (Vec<(Slot, Expr)>, usize) {
    let mut open: Vec<(Slot, Expr, Vec<Slot>)> =
        writes.into_iter().map(|(s, e)| (s, reads(&e), e)).map(|(s, r, e)| (s, e, r)).collect();
    let mut done = Vec::with_capacity(open.len());
    let mut spares = 0;
    while !open.is_empty() {
        let read_by_others = |at: usize| {
            let slot = open[at].0;
            open.iter().enumerate().any(|(i, (_, _, read))| i != at && read.contains(&slot))
        };
        if let Some(at) = (0..open.len()).find(|&at| !read_by_others(at)) {
            let (slot, expr, _) = open.remove(at);
            done.push((slot, expr));
            continue;
        }
        let (kept, spare) = (open[0].0, Slot::Spare(spares));
        spares += 1;
        done.push((spare, kept.read()));
        for (_, expr, read) in open.iter_mut().skip(1) {
            let other =
                |target: &Target| if target.first == kept.object() { spare.read() } else { Expr::Read(target.clone()) };
            *expr = renamed(expr, &other);
            *read = reads(expr);
        }
    }
    done.extend((0..spares).map(|spare| (Slot::Spare(spare), Expr::Const(0))));
    (done, spares)
}

#[cfg(test)]
mod tests {
    use super::{Slot, ordered};
    use model::{Binary, Expr};

    #[test]
    fn a_value_is_read_before_it_is_overwritten() {
        let (x, y) = (Slot::Item(0), Slot::Item(1));
        let (writes, spares) = ordered(vec![(x, Expr::Const(1)), (y, x.read().op(Binary::Add, 1))]);
        assert_eq!((writes.iter().map(|w| w.0).collect::<Vec<_>>(), spares), (vec![y, x], 0));
    }

    #[test]
    fn an_exchange_takes_a_spare() {
        let (x, y, spare) = (Slot::Item(0), Slot::Item(1), Slot::Spare(0));
        let (writes, spares) = ordered(vec![(x, y.read()), (y, x.read())]);
        assert_eq!(spares, 1);
        assert_eq!(writes, vec![(spare, x.read()), (x, y.read()), (y, spare.read()), (spare, Expr::Const(0))]);
    }
}
