//! Formulas, fairness and runs in few words, for tests that write them by hand.

use evidence::Trace;
use model::{Expr, Fairness, LocationId, Ltl, ProcessId, Strength, TransitionId};

/// A process is at a location, by number.
pub fn at(process: u32, location: u32) -> Ltl {
    Ltl::state(Expr::At(ProcessId(process), LocationId(location)))
}

/// From now on.
pub fn always(a: Ltl) -> Ltl {
    Ltl::Always(Box::new(a))
}

/// Now or later.
pub fn eventually(a: Ltl) -> Ltl {
    Ltl::Eventually(Box::new(a))
}

/// One or the other.
pub fn or(a: Ltl, b: Ltl) -> Ltl {
    Ltl::Or(Box::new(a), Box::new(b))
}

/// Fairness to transitions, by number.
pub fn fair(strength: Strength, name: &str, to: &[u32]) -> Fairness {
    Fairness { name: name.to_owned(), strength, to: ids(to) }
}

/// A run, by the numbers of its transitions.
pub fn trace(stem: &[u32], cycle: &[u32]) -> Trace {
    Trace { stem: ids(stem), cycle: ids(cycle) }
}

fn ids<T: FromIterator<TransitionId>>(numbers: &[u32]) -> T {
    numbers.iter().map(|t| TransitionId(*t)).collect()
}
