//! What `timeout` is to claims and formulas: that nothing in the whole system can go on but what waits for a timeout.
//!
//! No predicate of a state tells that, so a condition with `timeout` in it is two: one for where it is true, and one for
//! where it is not. `enabled` asks for it too, of a process that waits for a timeout.

use model::{Proposition, System};

use super::scope::Scope;
use super::term::Term;
use super::walk::{edge_expressions, walk};
use super::{Checked, refuse};
use crate::promela::ir::{Expr, Program};

/// A condition of a claim or a formula.
pub(super) enum Condition {
    /// On the state alone.
    State(Term),
    /// One where the system stands still, and one where it does not.
    Idle { idle: Term, busy: Term },
}

/// That something can go on without a timeout.
pub(super) fn busy(system: &System) -> Proposition {
    Proposition::Enabled(system.transition_ids().filter(|t| !system.transition(*t).last_resort).collect())
}

impl Scope<'_, '_> {
    /// What a condition of a claim or a formula means.
    pub(super) fn watched(&self, e: &Expr) -> Checked<Condition> {
        if !asks(e, self.ground().program) {
            return self.condition(e).map(Condition::State);
        }
        let (idle, busy) = (Scope { timeout: true, ..*self }.condition(e)?, self.condition(e)?);
        if !idle.safe || !busy.safe {
            let message =
                "a condition with `timeout` must not be a fault anywhere: keep indices inside of their arrays";
            return refuse(self.span, message.to_owned());
        }
        Ok(Condition::Idle { idle, busy })
    }
}

/// Whether the value of an expression depends on whether the system stands still.
fn asks(e: &Expr, program: &Program) -> bool {
    let mut found = false;
    walk(e, &mut |e| match e {
        Expr::Timeout => found = true,
        Expr::Enabled(_) => found |= waits(program),
        _ => {}
    });
    found
}

/// Whether a statement of a process waits for a timeout.
pub(super) fn waits(program: &Program) -> bool {
    let mut found = false;
    for e in program.proctypes.iter().flat_map(|p| &p.graph.edges).flat_map(edge_expressions) {
        walk(e, &mut |e| found |= matches!(e, Expr::Timeout));
    }
    found
}
