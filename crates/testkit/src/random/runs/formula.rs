//! Random formulas: any trees, and the shapes that people write.

use model::{Ltl, Proposition};

use super::RunProfile;
use crate::Rng;

/// The most temporal operators of a formula: the oracle's work doubles with each.
const TEMPORAL: usize = 4;

pub(crate) fn formula(rng: &mut Rng, atoms: &[Proposition], profile: &RunProfile) -> Ltl {
    if rng.chance(30) {
        return pattern(rng, atoms);
    }
    let size = rng.size(&profile.size);
    tree(rng, atoms, size, &mut (TEMPORAL, profile.next))
}

fn atom(rng: &mut Rng, atoms: &[Proposition]) -> Ltl {
    let atom = Ltl::Atom(rng.pick(atoms).clone());
    if rng.chance(30) { atom.negate() } else { atom }
}

/// A formula of this size; with how many temporal operators may still come, and the share of `next` among them.
fn tree(rng: &mut Rng, atoms: &[Proposition], size: usize, left: &mut (usize, u32)) -> Ltl {
    if size <= 1 {
        return Ltl::Atom(rng.pick(atoms).clone());
    }
    let temporal = left.0 > 0 && rng.chance(65);
    left.0 -= usize::from(temporal);
    if size == 2 || rng.chance(45) {
        let next = rng.chance(left.1);
        let a = Box::new(tree(rng, atoms, size - 1, left));
        return match (temporal, next, rng.below(2)) {
            (false, ..) => Ltl::Not(a),
            (true, true, _) => Ltl::Next(a),
            (true, false, 0) => Ltl::Always(a),
            (true, false, _) => Ltl::Eventually(a),
        };
    }
    let first = 1 + rng.below(size - 2);
    let a = Box::new(tree(rng, atoms, first, left));
    let b = Box::new(tree(rng, atoms, size - 1 - first, left));
    match (temporal, rng.below(2)) {
        (false, 0) => Ltl::And(a, b),
        (false, _) => Ltl::Or(a, b),
        (true, 0) => Ltl::Until(a, b),
        (true, _) => Ltl::Release(a, b),
    }
}

/// Recurrence, persistence, response, precedence, and one recurrence as the price of another.
fn pattern(rng: &mut Rng, atoms: &[Proposition]) -> Ltl {
    let always = |a: Ltl| Ltl::Always(Box::new(a));
    let eventually = |a: Ltl| Ltl::Eventually(Box::new(a));
    let or = |a: Ltl, b: Ltl| Ltl::Or(Box::new(a), Box::new(b));
    let (a, b, c) = (atom(rng, atoms), atom(rng, atoms), atom(rng, atoms));
    match rng.below(6) {
        0 => always(eventually(a)),
        1 => eventually(always(a)),
        2 => always(or(a, eventually(b))),
        3 => always(or(a, Ltl::Until(Box::new(b), Box::new(c)))),
        4 => or(eventually(always(a)), always(eventually(b))),
        _ => Ltl::Release(Box::new(a), Box::new(or(b, eventually(c)))),
    }
}
