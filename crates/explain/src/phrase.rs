//! Sentences about obstacles, in the model's own names.

use model::{Binary, Command, Expr, Joining, Kind, ObjectId, ProcessId, Retrieve, System, Transition};

use crate::crowd::NAMED;
use crate::cycle::Words;
use crate::help::{Help, Role};
use crate::meeting::{End, Misfit};
use crate::obstacle::{Obstacle, in_reach};
use crate::values::readings;

/// What stands in the way.
pub(crate) fn obstacle(system: &System, obstacle: &Obstacle<'_>, state: &[u64]) -> String {
    match obstacle {
        Obstacle::False(e) => is_false(system, e, state),
        Obstacle::Undefined(c, object, _) => {
            format!("`{}` cannot happen: {}", system.show_command(c), undefined(system, *object, state))
        }
        Obstacle::Mismatch(c @ Command::Retrieve(_, _, Retrieve { anywhere: true, .. }), channel) => {
            let (name, value) = (&system.object(*channel).name, system.value(*channel, state));
            let shown = system.show_value(*channel, &value);
            format!("`{}` cannot happen: {name} has no such message: {shown}", system.show_command(c))
        }
        Obstacle::Mismatch(c, channel) => {
            let message = in_reach(system, c, *channel, state);
            let shown = system.show_value(*channel, &model::Value::Queue(message));
            let shown = shown.trim_start_matches('[').trim_end_matches(']');
            let name = &system.object(*channel).name;
            format!("`{}` cannot happen: the first message of {name} is {shown}", system.show_command(c))
        }
    }
}

/// That a condition is false, with the values of what it speaks about, unless that says it already.
fn is_false(system: &System, condition: &Expr, state: &[u64]) -> String {
    if let Expr::Const(_) = condition {
        return "this is never true".to_owned();
    }
    let shown = system.show_expr(condition);
    let values = readings(system, condition, state).into_iter().filter(|r| r.subject != shown);
    let values: Vec<String> = values.map(|r| format!("{} is {}", r.subject, r.value)).collect();
    let colon = if values.is_empty() { "" } else { ": " };
    format!("`{shown}` is false{colon}{}", values.join(", "))
}

/// Why two ends of a rendezvous that are both there do not fit.
pub(crate) fn misfit(system: &System, (own, other): (&End<'_>, &End<'_>), misfit: &Misfit, state: &[u64]) -> String {
    match misfit {
        Misfit::Cell(_) => {
            let (q, channel) = (&system.process(other.edge.process).name, other.channel(system, state));
            format!("{q} is at a {} on {channel}", other.verb())
        }
        Misfit::Message(_) => exchange(system, (own, other), "", state),
    }
}

/// What is sent (`on` some channel) and what is accepted.
pub(crate) fn exchange(system: &System, (own, other): (&End<'_>, &End<'_>), on: &str, state: &[u64]) -> String {
    let (sender, receiver) = if own.sends() { (own, other) } else { (other, own) };
    let (sent, accepted) = (sender.message(system, state), receiver.message(system, state));
    let (from, to) = (&system.process(sender.edge.process).name, &system.process(receiver.edge.process).name);
    format!("{from} sends {sent}{on}, {to} accepts only {accepted}")
}

/// That a process waits for something, and what those have to do with it who are behind it.
pub(crate) fn awaited(system: &System, p: ProcessId, obstacle: &Obstacle<'_>, help: &Help) -> Words {
    let name = |o: &ObjectId| &system.object(*o).name;
    let (what, how) = match obstacle {
        Obstacle::False(e) => (format!("`{}`", system.show_expr(e)), "make true"),
        Obstacle::Undefined(Command::Send(..) | Command::Insert(..), q, _) => (format!("room in {}", name(q)), "make"),
        Obstacle::Undefined(Command::Receive(..) | Command::Retrieve(..), q, _) => {
            (format!("a message in {}", name(q)), "send")
        }
        Obstacle::Undefined(Command::Take(_, k), c, _) => match system.object(*c).kind {
            Kind::Semaphore { .. } => (name(c).clone(), "signal"),
            _ => (format!("{k} in {}", name(c)), "add"),
        },
        Obstacle::Undefined(_, lock, _) => (name(lock).clone(), "release"),
        Obstacle::Mismatch(Command::Retrieve(_, _, Retrieve { anywhere: true, .. }), q) => {
            (format!("such a message in {}", name(q)), "send")
        }
        Obstacle::Mismatch(_, q) => (format!("another first message in {}", name(q)), "bring about"),
    };
    let (link, after) = match help.role {
        Role::Holder | Role::Keeper => ("held by", String::new()),
        Role::Culprit(step) if matches!(obstacle, Obstacle::False(_)) => ("made false by", format!(" in step {step}")),
        Role::Culprit(step) => ("used up by", format!(" in step {step}")),
        _ => ("which", format!(" could {how}")),
    };
    Words::new(&format!("{} waits for {what}, {link} ", system.process(p).name), &after)
}

/// What can be said to `process` about those who could help, unless the obstacle says it already.
pub(crate) fn advice(system: &System, process: ProcessId, obstacle: &Obstacle<'_>, help: &Help) -> Option<String> {
    let (names, process) = (help.processes.listed(system), &system.process(process).name);
    let is_lock = matches!(obstacle, Obstacle::Undefined(Command::Acquire(..), ..));
    Some(match help.role {
        Role::Holder => return None,
        _ if matches!(obstacle, Obstacle::False(Expr::Const(_))) => return None,
        Role::Keeper => format!("{names} can never release it any more"),
        Role::Culprit(step) => format!("since step {step} of {names}, who could undo it"),
        Role::Writer => format!("{names} could change this"),
        Role::Unowned => "only transitions without a process could change this".to_owned(),
        Role::Itself if is_lock => "nobody else can release it".to_owned(),
        Role::Itself => format!("only {process} itself could change this"),
        Role::Together => format!("only {names} could change this, and only together with {process}"),
        Role::NoLonger => "nobody can change this any more".to_owned(),
        Role::Nobody => nobody(system, obstacle),
        Role::Forgotten => format!("used up by {} and not given back", steps(&help.taken)),
    })
}

/// `steps 1 and 4`; of many only the first.
fn steps(numbers: &[usize]) -> String {
    let shown: Vec<String> = numbers.iter().take(NAMED).map(ToString::to_string).collect();
    match &shown[..] {
        [one] => format!("step {one}"),
        _ if numbers.len() > NAMED => format!("steps {} and {} more", shown.join(", "), numbers.len() - NAMED),
        [first @ .., last] => format!("steps {} and {last}", first.join(", ")),
        [] => String::new(),
    }
}

/// What is missing from the model.
fn nobody(system: &System, obstacle: &Obstacle<'_>) -> String {
    let name = |o: &ObjectId| system.object(*o).name.clone();
    match obstacle {
        Obstacle::Undefined(Command::Receive(..) | Command::Retrieve(..), q, _) => {
            format!("no process ever sends to {}", name(q))
        }
        Obstacle::Undefined(Command::Send(..) | Command::Insert(..), q, _) => {
            format!("no process ever receives from {}", name(q))
        }
        Obstacle::Undefined(Command::Take(..), c, _) => match system.object(*c).kind {
            Kind::Semaphore { .. } => format!("no process ever signals {}", name(c)),
            _ => format!("no process ever adds enough to {}", name(c)),
        },
        Obstacle::Mismatch(Command::Retrieve(_, _, Retrieve { anywhere: true, .. }), q) => {
            format!("no process ever sends such a message to {}", name(q))
        }
        Obstacle::Mismatch(_, q) => format!("no process takes that message from {}", name(q)),
        _ => "no process can make this true".to_owned(),
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

/// A conjunct of a guard as the user would write it.
pub(crate) fn condition(system: &System, t: &Transition, conjunct: &Expr) -> String {
    same_channel(system, t, conjunct).unwrap_or_else(|| system.show_expr(conjunct))
}

/// The condition that both ends of a rendezvous mean the same cell, which nobody wrote, in words.
fn same_channel(system: &System, t: &Transition, conjunct: &Expr) -> Option<String> {
    let (Joining::Rendezvous { .. } | Joining::Lost(_), Expr::Binary(Binary::Eq, a, b)) = (t.joining, conjunct) else {
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
