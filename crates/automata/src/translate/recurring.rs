//! Conjunctions with `GF` of guarantees: these wait in rounds, beside whatever else there is. The tableau would remember
//! every attempt that is under way; one at a time suffices.

use super::{BOTH, MOST_SUBSETS, prepared, smaller, tableau};
use crate::automaton::{Symbolic, product};
use crate::bdd::{Bdd, Manager, Metered};
use crate::formula::{Formula, Kind, Node, Pool};
use crate::reduce::recurrence::{Restart, Wait, rounds};
use crate::reduce::weak;

/// An automaton for the formula, if `GF` of a guarantee is among its conjuncts.
pub(super) fn in_rounds(pool: &mut Pool, m: &mut Manager, formula: Formula) -> Metered<Option<Symbolic>> {
    let parts = match pool.node(formula) {
        Node::And(parts) => parts.to_vec(),
        _ => vec![formula],
    };
    let (recurring, rest): (Vec<_>, Vec<_>) = parts.into_iter().partition(|p| guarantee_below(pool, *p).is_some());
    let below: Vec<Formula> = recurring.iter().filter_map(|p| guarantee_below(pool, *p)).collect();
    let Some(waiting) = smallest_rounds(pool, m, &below)? else { return Ok(None) };
    let rest = pool.and(rest);
    if rest == Pool::TRUE {
        return Ok(Some(waiting));
    }
    let rest = prepared(&tableau(pool, m, rest)?);
    let rest = smaller(m, &rest, &BOTH);
    let both = product(&waiting, &rest, |x: &Bdd, y: &Bdd| {
        m.spend(1)?;
        m.and(*x, *y).map(|both| Some(both).filter(|b| *b != Bdd::FALSE))
    })?;
    Ok(Some(smaller(m, &prepared(&both), &BOTH)))
}

/// `F g` of a formula `GF g` for a guarantee `g` that is not boolean: those need no waiting.
fn guarantee_below(pool: &Pool, f: Formula) -> Option<Formula> {
    let Node::Always(once) = *pool.node(f) else { return None };
    let Node::Eventually(g) = *pool.node(once) else { return None };
    (pool.kind(g).is(Kind::GUARANTEE) && !pool.kind(g).is(Kind::BOOLEAN)).then_some(once)
}

/// The smallest of the automata that wait for the formulas, each `F` of a guarantee, in rounds; none if there are none.
fn smallest_rounds(pool: &mut Pool, m: &mut Manager, formulas: &[Formula]) -> Metered<Option<Symbolic>> {
    let (mut free, mut determined) = (Vec::new(), Vec::new());
    for f in formulas {
        let once = prepared(&tableau(pool, m, *f)?);
        let once = smaller(m, &once, &BOTH);
        let weak = weak::minimal(m, &once, MOST_SUBSETS)?;
        determined.extend(weak.and_then(|w| Wait::new(prepared(&w.automaton()))));
        free.extend(Wait::new(once));
    }
    let mut best: Option<Symbolic> = None;
    for waits in [determined, free].iter().filter(|w| w.len() == formulas.len() && !w.is_empty()) {
        for restart in [Restart::After, Restart::Within] {
            let found = prepared(&rounds(m, waits, restart)?);
            let found = smaller(m, &found, &BOTH);
            best = best.filter(|b| b.size() <= found.size()).or(Some(found));
        }
    }
    Ok(best)
}
