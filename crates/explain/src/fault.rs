//! Model errors: the message, the operations that may be meant, and where they are written.

use check::CheckedTrace;
use model::{Binary, Command, Expr, Fault, System, Target, Transition};
use serde::Serialize;

use crate::phrase;
use crate::source::{Place, SourceText};

/// A model error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultReport {
    /// What is wrong.
    pub message: String,
    /// The number of the step that has no result; none if it is the property's own predicate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The conditions and operations of that step that can be wrong in this way; or of the steps that are not possible
    /// after it.
    pub operations: Vec<String>,
    /// Where the step is written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<Place>,
}

/// Describes the fault at the end of a trace.
pub(crate) fn fault(trace: &CheckedTrace<'_>, fault: Fault, source: &SourceText) -> FaultReport {
    let system = trace.system();
    let stem = &trace.trace().stem;
    let Some(&last) = stem.last().filter(|_| trace.fired() < stem.len()) else {
        let message = fault.show(system);
        return FaultReport { message, step: None, operations: Vec::new(), source: Vec::new() };
    };
    let t = system.transition(last);
    let fault = system.told(last, trace.last(), fault);
    FaultReport {
        message: fault.show(system),
        step: Some(stem.len()),
        operations: suspects(system, t, fault),
        source: source.places(&t.spans),
    }
}

fn suspects(system: &System, t: &Transition, fault: Fault) -> Vec<String> {
    if let Fault::Blocked { .. } = fault {
        return awaited(system, t);
    }
    let conditions = t.guard.iter().filter(|e| expr_may(e, fault)).map(|e| phrase::condition(system, t, e));
    let written = t.command.iter().filter(|c| !system.is_message_check(t, c));
    let commands = written.filter(|c| command_may(c, fault)).map(|c| system.show_command(c));
    conditions.chain(commands).collect()
}

/// What a process that is blocked after a transition would have to find true, or defined, there: one thing of each step
/// that it could begin.
fn awaited(system: &System, t: &Transition) -> Vec<String> {
    let Some(arrived) = t.keeper() else { return Vec::new() };
    let begins = |u: &&Transition| {
        let part = u.part(arrived.process);
        u.starter() == Some(arrived.process) && part.is_some_and(|m| m.from == arrived.to)
    };
    let conditions = |u: &Transition| -> Vec<String> {
        let guard = u.guard.iter().map(|e| phrase::condition(system, u, e));
        let waiting = u.command.iter().filter(|c| c.is_partial()).map(|c| system.show_command(c));
        guard.chain(waiting).collect()
    };
    system.transitions().iter().filter(begins).flat_map(conditions).collect()
}

/// Whether an operation can be wrong in this way.
fn command_may(command: &Command, fault: Fault) -> bool {
    let meant = |t: &Target, object| t.objects().any(|o| o == object);
    let own = match (command, fault) {
        (Command::Assign(t, _) | Command::Send(t, _) | Command::Insert(t, _), Fault::OutOfRange { object, .. }) => {
            meant(t, object)
        }
        (command, Fault::OutOfRange { object, .. }) => command.binds().any(|t| meant(t, object)),
        (Command::Gain(t, _), Fault::Overflow { object }) => meant(t, object),
        (Command::Release(t, _), Fault::NotHeld { object }) => meant(t, object),
        (Command::Assert(_), Fault::Assertion) => true,
        (Command::Unforeseen(number), Fault::Unforeseen(met)) => *number == met,
        _ => false,
    };
    let indexed = match fault {
        Fault::Index { first, .. } => targets(command).iter().any(|t| t.first == first && t.index.is_some()),
        _ => false,
    };
    own || indexed || command.expressions().iter().any(|e| expr_may(e, fault))
}

fn targets(command: &Command) -> Vec<&Target> {
    command.target().into_iter().chain(command.binds()).collect()
}

fn expr_may(expr: &Expr, fault: Fault) -> bool {
    let mut may = false;
    expr.walk(&mut |e| {
        may |= match (e, fault) {
            (Expr::Binary(Binary::Div | Binary::Rem, ..), Fault::DivisionByZero) => true,
            (Expr::Binary(op, ..), Fault::Arithmetic) => {
                use Binary::{Add, Div, Mul, Rem, ShiftLeft, ShiftRight, Sub};
                matches!(op, Add | Sub | Mul | Div | Rem | ShiftLeft | ShiftRight)
            }
            (e, Fault::Index { first, .. }) => e.target().is_some_and(|t| t.first == first && t.index.is_some()),
            _ => false,
        }
    });
    may
}
