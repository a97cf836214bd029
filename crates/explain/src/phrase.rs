//! Sentences about obstacles, in the model's own names.

use model::{Binary, Command, Expr, Joining, Kind, Move, ObjectId, ProcessId, System, Transition, TransitionId};

use crate::help::{Help, Role};
use crate::obstacle::{Obstacle, first_message, obstacles};
use crate::values::readings;

/// Why a transition is disabled in a state, one sentence for each obstacle; empty if it is enabled.
pub fn why_disabled(system: &System, t: TransitionId, state: &[u64]) -> Vec<String> {
    let t = system.transition(t);
    obstacles(system, t, state).iter().map(|o| obstacle(system, t, o, state)).collect()
}

/// What stands in the way.
pub(crate) fn obstacle(system: &System, t: &Transition, obstacle: &Obstacle<'_>, state: &[u64]) -> String {
    match obstacle {
        Obstacle::Elsewhere(m) => {
            let (name, at) = (&system.process(m.process).name, location(system, m.process, state));
            format!("waits for {}; {name} is at `{at}`", partner(system, t, m))
        }
        Obstacle::False(e) => {
            let values: Vec<String> =
                readings(system, e, state).into_iter().map(|r| format!("{} is {}", r.subject, r.value)).collect();
            format!("`{}` is false: {}", condition(system, t, e), values.join(", "))
        }
        Obstacle::Undefined(c, object, _) => {
            format!("`{}` cannot happen: {}", system.show_command(c), undefined(system, *object, state))
        }
        Obstacle::Mismatch(c, channel) => {
            let message = first_message(system, *channel, state).unwrap_or_default();
            let shown = system.show_value(*channel, &model::Value::Queue(vec![message]));
            let shown = shown.trim_start_matches('[').trim_end_matches(']');
            let name = &system.object(*channel).name;
            format!("`{}` cannot happen: the first message of {name} is {shown}", system.show_command(c))
        }
    }
}

/// What a process waits for, as the object of "waits for ...", with who is behind it.
pub(crate) fn awaited(system: &System, t: &Transition, obstacle: &Obstacle<'_>, help: &Help, who: ProcessId) -> String {
    let who = &system.process(who).name;
    let name = |o: &ObjectId| &system.object(*o).name;
    let (what, how) = match obstacle {
        Obstacle::Elsewhere(m) => return partner(system, t, m),
        Obstacle::False(e) => (format!("`{}`", condition(system, t, e)), "make true"),
        Obstacle::Undefined(Command::Send(..), q, _) => (format!("room in {}", name(q)), "make"),
        Obstacle::Undefined(Command::Receive(..), q, _) => (format!("a message in {}", name(q)), "send"),
        Obstacle::Undefined(Command::Take(_, k), c, _) => match system.object(*c).kind {
            Kind::Semaphore { .. } => (name(c).clone(), "signal"),
            _ => (format!("{k} in {}", name(c)), "add"),
        },
        Obstacle::Undefined(_, lock, _) => (name(lock).clone(), "release"),
        Obstacle::Mismatch(_, q) => (format!("another first message in {}", name(q)), "bring about"),
    };
    match help.role {
        Role::Holder => format!("{what}, held by {who}"),
        Role::Culprit(step) if matches!(obstacle, Obstacle::False(_)) => {
            format!("{what}, made false by {who} in step {step}")
        }
        Role::Culprit(step) => format!("{what}, used up by {who} in step {step}"),
        _ => format!("{what}, which {who} could {how}"),
    }
}

/// What can be said about those who could help, unless the obstacle says it already.
pub(crate) fn advice(system: &System, obstacle: &Obstacle<'_>, help: &Help) -> Option<String> {
    let names: Vec<&str> = help.processes.iter().map(|p| system.process(*p).name.as_str()).collect();
    match help.role {
        Role::Holder | Role::Partner => None,
        Role::Culprit(step) => Some(format!("since step {step} of {}, who could undo it", names.join(", "))),
        Role::Writer => Some(format!("{} could change this", names.join(", "))),
        Role::NoLonger => Some(match obstacle {
            Obstacle::Elsewhere(m) => format!("{} can never do that again", system.process(m.process).name),
            _ => "nobody can change this any more".to_owned(),
        }),
        Role::Nobody => Some(nobody(system, obstacle)),
    }
}

/// What is missing from the model.
fn nobody(system: &System, obstacle: &Obstacle<'_>) -> String {
    let name = |o: &ObjectId| system.object(*o).name.clone();
    match obstacle {
        Obstacle::Undefined(Command::Receive(..), q, _) => format!("no process ever sends to {}", name(q)),
        Obstacle::Undefined(Command::Send(..), q, _) => format!("no process ever receives from {}", name(q)),
        Obstacle::Undefined(Command::Take(..), c, _) => match system.object(*c).kind {
            Kind::Semaphore { .. } => format!("no process ever signals {}", name(c)),
            _ => format!("no process ever adds enough to {}", name(c)),
        },
        Obstacle::Mismatch(_, q) => format!("no process takes that message from {}", name(q)),
        _ => "no process ever changes this".to_owned(),
    }
}

/// The state of an object that keeps an operation from happening.
fn undefined(system: &System, object: ObjectId, state: &[u64]) -> String {
    let (name, value) = (&system.object(object).name, system.value(object, state));
    match &value {
        model::Value::Queue(messages) if messages.is_empty() => format!("{name} is empty"),
        model::Value::Queue(_) => format!("{name} is full: {}", system.show_value(object, &value)),
        _ => format!("{name} is {}", system.show_value(object, &value)),
    }
}

/// What a partner would have to do.
fn partner(system: &System, t: &Transition, m: &Move) -> String {
    let process = &system.process(m.process).name;
    match t.joining {
        Joining::Rendezvous(c) => {
            let verb = if is_sender(system, t, m) { "send" } else { "receive" };
            format!("{process} to {verb} on `{}`", channel(system, t, c))
        }
        Joining::Action => format!("{process} to take part in `{}`", t.label),
        Joining::Plain | Joining::Lost(_) => {
            let from = &system.process(m.process).locations[m.from.index()].name;
            format!("{process} to come to `{from}`")
        }
    }
}

/// Whether this is the sending end of a rendezvous, whose name comes first in the name of the transition.
pub(crate) fn is_sender(system: &System, t: &Transition, m: &Move) -> bool {
    t.name.starts_with(&format!("{}.{} > ", system.process(m.process).name, m.label))
}

/// The name of a rendezvous channel; of the array, if the cell is chosen when they meet.
fn channel(system: &System, t: &Transition, first: ObjectId) -> String {
    let name = &system.object(first).name;
    let chosen = t.guard.iter().any(|e| same_channel(system, t, e).is_some());
    let array = name.rfind('[').filter(|_| chosen).map_or(name.as_str(), |at| &name[..at]);
    array.to_owned()
}

/// A conjunct of a guard as the user would write it.
pub(crate) fn condition(system: &System, t: &Transition, conjunct: &Expr) -> String {
    same_channel(system, t, conjunct).unwrap_or_else(|| system.show_expr(conjunct))
}

/// The condition that both ends of a rendezvous mean the same cell, which nobody wrote, in words.
fn same_channel(system: &System, t: &Transition, conjunct: &Expr) -> Option<String> {
    let (Joining::Rendezvous(_) | Joining::Lost(_), Expr::Binary(Binary::Eq, a, b)) = (t.joining, conjunct) else {
        return None;
    };
    let computed = |e: &Expr| matches!(e, Expr::Binary(Binary::Add, ..));
    if !computed(a) && !computed(b) {
        return None;
    }
    Some(format!("{} is {}", cell(system, a)?, cell(system, b)?))
}

fn cell(system: &System, number: &Expr) -> Option<String> {
    let object = |first: i64| {
        let object = system.objects().get(usize::try_from(first).ok()?)?;
        matches!(&object.kind, Kind::Channel(c) if c.capacity == 0).then_some(object.name.as_str())
    };
    match number {
        Expr::Const(first) => object(*first).map(str::to_owned),
        Expr::Binary(Binary::Add, first, index) => match &**first {
            Expr::Const(first) => {
                let name = object(*first)?;
                let array = name.rfind('[').map_or(name, |at| &name[..at]);
                Some(format!("{array}[{}]", system.show_expr(index)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Where a process is.
pub(crate) fn location(system: &System, process: ProcessId, state: &[u64]) -> String {
    system.process(process).locations[system.location(process, state).index()].name.clone()
}
