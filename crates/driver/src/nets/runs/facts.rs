//! The conditions on markings in a formula: the formula when some of them are known to be constant, and over atoms that
//! stand for conditions.

use std::collections::BTreeMap;

use automata::formula::Node;
use automata::{Formula, Pool};

/// Of a condition with more literals, each by itself is not of interest.
const FEW: usize = 16;

/// The largest parts of a formula without temporal operators, and the literals in them if they are few.
pub(super) fn conditions(pool: &mut Pool, formula: Formula) -> Vec<Formula> {
    let mut out = Vec::new();
    collect(pool, formula, &mut out);
    out.sort_unstable();
    out.dedup();
    out
}

/// A formula with constants in the place of some conditions.
pub(super) fn with_constants(pool: &mut Pool, formula: Formula, known: &BTreeMap<Formula, bool>) -> Formula {
    if let Some(&value) = known.get(&formula) {
        return pool.constant(value);
    }
    let node = pool.node(formula).clone();
    let mut on = |f: Formula| with_constants(pool, f, known);
    match node {
        Node::True | Node::False | Node::Literal(..) => formula,
        Node::And(parts) => {
            let parts = grouped(pool, &parts, Pool::and);
            let parts: Vec<Formula> = parts.into_iter().map(|f| with_constants(pool, f, known)).collect();
            pool.and(parts)
        }
        Node::Or(parts) => {
            let parts = grouped(pool, &parts, Pool::or);
            let parts: Vec<Formula> = parts.into_iter().map(|f| with_constants(pool, f, known)).collect();
            pool.or(parts)
        }
        Node::Next(a) => {
            let a = on(a);
            pool.next(a)
        }
        Node::Eventually(a) => {
            let a = on(a);
            pool.eventually(a)
        }
        Node::Always(a) => {
            let a = on(a);
            pool.always(a)
        }
        Node::Until(a, b) => {
            let (a, b) = (on(a), on(b));
            pool.until(a, b)
        }
        Node::WeakUntil(a, b) => {
            let (a, b) = (on(a), on(b));
            pool.weak_until(a, b)
        }
        Node::Release(a, b) => {
            let (a, b) = (on(a), on(b));
            pool.release(a, b)
        }
        Node::StrongRelease(a, b) => {
            let (a, b) = (on(a), on(b));
            pool.strong_release(a, b)
        }
    }
}

fn collect(pool: &mut Pool, formula: Formula, out: &mut Vec<Formula>) {
    let node = pool.node(formula).clone();
    let parts = match &node {
        Node::True | Node::False => return,
        Node::And(parts) => grouped(pool, parts, Pool::and),
        Node::Or(parts) => grouped(pool, parts, Pool::or),
        _ => node.children(),
    };
    if is_condition(pool, formula) {
        out.push(formula);
        let mut within = Vec::new();
        literals(pool, formula, &mut within);
        if within.len() <= FEW {
            out.append(&mut within);
        }
    } else {
        parts.into_iter().for_each(|part| collect(pool, part, out));
    }
}

/// The parts of a junction, its conditions joined to one; a junction of conditions is left as it is.
fn grouped(pool: &mut Pool, parts: &[Formula], join: fn(&mut Pool, Vec<Formula>) -> Formula) -> Vec<Formula> {
    let (conditions, mut others): (Vec<Formula>, Vec<Formula>) = parts.iter().partition(|f| is_condition(pool, **f));
    if conditions.len() < 2 || others.is_empty() {
        return parts.to_vec();
    }
    others.push(join(pool, conditions));
    others
}

pub(super) fn literals(pool: &Pool, formula: Formula, out: &mut Vec<Formula>) {
    let node = pool.node(formula);
    if matches!(node, Node::Literal(..)) {
        out.push(formula);
    }
    node.children().into_iter().for_each(|part| literals(pool, part, out));
}

pub(super) fn is_condition(pool: &Pool, formula: Formula) -> bool {
    match pool.node(formula) {
        Node::True | Node::False | Node::Literal(..) => true,
        Node::And(parts) | Node::Or(parts) => parts.iter().all(|f| is_condition(pool, *f)),
        _ => false,
    }
}
