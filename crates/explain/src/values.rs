//! Which objects and processes an expression speaks about, and what they are in a state.

use model::{Binary, Expr, ObjectId, System, Target};
use serde::Serialize;

/// What an object or a process is in some state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reading {
    /// The object, or the process.
    pub subject: String,
    /// Its value, or its location.
    pub value: String,
}

/// The object that a target means in a state; none if its index is out of range.
///
/// The index is found by asking the compiled semantics for each cell, so that there is no second evaluator.
pub(crate) fn resolve(system: &System, target: &Target, state: &[u64]) -> Option<ObjectId> {
    match &target.index {
        None => Some(target.first),
        Some(index) => target.objects().zip(0i64..).find_map(|(object, i)| {
            let here = system.predicate(&(**index).clone().is(i)).holds(system, state);
            (here == Ok(true)).then_some(object)
        }),
    }
}

/// The value of an expression in a state, if it is between two numbers; found by halving, for want of an evaluator.
pub(crate) fn evaluate(system: &System, expr: &Expr, (lo, hi): (i64, i64), state: &[u64]) -> Option<i64> {
    let holds = |op, bound| system.predicate(&expr.clone().op(op, bound)).holds(system, state) == Ok(true);
    let (mut lo, mut hi) = (lo, hi);
    while lo < hi {
        let middle = lo + (hi - lo) / 2;
        (lo, hi) = if holds(Binary::Le, middle) { (lo, middle) } else { (middle + 1, hi) };
    }
    holds(Binary::Eq, lo).then_some(lo)
}

/// The objects that an expression reads in a state, each once, in the order of the text.
pub(crate) fn objects_read(system: &System, expr: &Expr, state: &[u64]) -> Vec<ObjectId> {
    let mut out = Vec::new();
    expr.walk(&mut |e| {
        if let Some(object) = e.target().and_then(|t| resolve(system, t, state))
            && !out.contains(&object)
        {
            out.push(object);
        }
    });
    out
}

/// The objects and processes of an expression with their values in a state.
pub(crate) fn readings(system: &System, expr: &Expr, state: &[u64]) -> Vec<Reading> {
    let mut processes = Vec::new();
    expr.walk(&mut |e| {
        if let Expr::At(p, _) = e
            && !processes.contains(p)
        {
            processes.push(*p);
        }
    });
    let at = processes.into_iter().map(|p| {
        let process = system.process(p);
        let location = process.locations[system.location(p, state).index()].name.clone();
        Reading { subject: process.name.clone(), value: format!("at {location}") }
    });
    let objects = objects_read(system, expr, state).into_iter().map(|o| Reading {
        subject: system.object(o).name.clone(),
        value: system.show_value(o, &system.value(o, state)),
    });
    at.chain(objects).collect()
}
