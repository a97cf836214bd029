//! What is known of the conditions on markings in a formula: that some are constant, or false from some position on.

use std::collections::BTreeMap;

use automata::formula::Node;
use automata::{Atom, Formula, Pool};

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
    let on = &mut |pool: &mut Pool, f: Formula| with_constants(pool, f, known);
    match pool.node(formula).clone() {
        Node::And(parts) => {
            let parts = grouped(pool, &parts, Pool::and);
            joined(pool, &parts, Pool::and, on)
        }
        Node::Or(parts) => {
            let parts = grouped(pool, &parts, Pool::or);
            joined(pool, &parts, Pool::or, on)
        }
        _ => rebuilt(pool, formula, on),
    }
}

/// A formula of runs that all end, where it is known which atoms are then false for ever: `F` of what is true at the end is
/// true, and `G` of what is false there is false.
pub(super) fn of_ending_runs(pool: &mut Pool, formula: Formula, is_over: &dyn Fn(Atom) -> bool) -> Formula {
    let formula = rebuilt(pool, formula, &mut |pool, f| of_ending_runs(pool, f, is_over));
    match (pool.node(formula), at_the_end(pool, formula, is_over)) {
        (Node::Eventually(_), Some(true)) => pool.constant(true),
        (Node::Always(_), Some(false)) => pool.constant(false),
        _ => formula,
    }
}

/// The truth of a formula where nothing changes any more, if that is known.
fn at_the_end(pool: &Pool, formula: Formula, is_over: &dyn Fn(Atom) -> bool) -> Option<bool> {
    let at = |f: Formula| at_the_end(pool, f, is_over);
    // One that has the value decides; otherwise all must be known.
    let decided = |parts: &[Formula], value: bool| {
        let parts: Vec<Option<bool>> = parts.iter().map(|f| at(*f)).collect();
        if parts.contains(&Some(value)) { Some(value) } else { (!parts.contains(&None)).then_some(!value) }
    };
    match pool.node(formula) {
        Node::True => Some(true),
        Node::False => Some(false),
        Node::Literal(atom, positive) => is_over(*atom).then_some(!positive),
        Node::And(parts) => decided(parts, false),
        Node::Or(parts) => decided(parts, true),
        Node::Next(a) | Node::Eventually(a) | Node::Always(a) => at(*a),
        Node::Until(_, b) | Node::Release(_, b) => at(*b),
        Node::WeakUntil(a, b) => decided(&[*a, *b], true),
        Node::StrongRelease(a, b) => decided(&[*a, *b], false),
    }
}

type Step<'s> = &'s mut dyn FnMut(&mut Pool, Formula) -> Formula;
type Join = fn(&mut Pool, Vec<Formula>) -> Formula;

fn joined(pool: &mut Pool, parts: &[Formula], join: Join, on: Step<'_>) -> Formula {
    let parts = parts.iter().map(|f| on(pool, *f)).collect();
    join(pool, parts)
}

/// A formula with other parts.
fn rebuilt(pool: &mut Pool, formula: Formula, on: Step<'_>) -> Formula {
    let mut two = |pool: &mut Pool, a, b, make: fn(&mut Pool, Formula, Formula) -> Formula| {
        let (a, b) = (on(pool, a), on(pool, b));
        make(pool, a, b)
    };
    match pool.node(formula).clone() {
        Node::True | Node::False | Node::Literal(..) => formula,
        Node::Until(a, b) => two(pool, a, b, Pool::until),
        Node::WeakUntil(a, b) => two(pool, a, b, Pool::weak_until),
        Node::Release(a, b) => two(pool, a, b, Pool::release),
        Node::StrongRelease(a, b) => two(pool, a, b, Pool::strong_release),
        Node::And(parts) => joined(pool, &parts, Pool::and, on),
        Node::Or(parts) => joined(pool, &parts, Pool::or, on),
        Node::Next(a) => {
            let a = on(pool, a);
            pool.next(a)
        }
        Node::Eventually(a) => {
            let a = on(pool, a);
            pool.eventually(a)
        }
        Node::Always(a) => {
            let a = on(pool, a);
            pool.always(a)
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
fn grouped(pool: &mut Pool, parts: &[Formula], join: Join) -> Vec<Formula> {
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
