//! Why a step is disabled in a state: every part of it that stands in the way, by id.
//!
//! Whether a part holds is always asked of the compiled system; a partial operation is turned into the condition under
//! which it is defined, so that guards and operations are treated alike from here on. That the two ends of a rendezvous
//! fit each other is not a matter of one process: see `meeting`.

use model::{Binary, Command, Edge, Expr, Kind, ObjectId, Pattern, Retrieve, System, Target, Transition, Value};

use crate::values::resolve;

/// One thing in a guard or a command that keeps a step from happening.
#[derive(Clone, Debug)]
pub(crate) enum Obstacle<'a> {
    /// A conjunct of the guard is false.
    False(&'a Expr),
    /// An operation is not defined: this condition on its object is false.
    Undefined(&'a Command, ObjectId, Expr),
    /// No message that the receive looks at is one that it takes.
    Mismatch(&'a Command, ObjectId),
}

/// All obstacles in the guard and the command of a transition.
pub(crate) fn of_transition<'a>(system: &System, t: &'a Transition, state: &[u64]) -> Vec<Obstacle<'a>> {
    obstacles(system, &t.guard, &t.command, state)
}

/// All obstacles in what one process brings into a joint step.
pub(crate) fn of_part<'a>(system: &System, edge: &'a Edge, state: &[u64]) -> Vec<Obstacle<'a>> {
    obstacles(system, &edge.guard, &edge.command, state)
}

fn obstacles<'a>(system: &System, guard: &'a [Expr], command: &'a [Command], state: &[u64]) -> Vec<Obstacle<'a>> {
    let conditions = guard.iter().filter(|e| is_false(system, e, state)).map(Obstacle::False);
    let operations = command.iter().filter_map(|c| undefined(system, c, state));
    conditions.chain(operations).collect()
}

impl Obstacle<'_> {
    /// Whether it keeps the step from happening in every way: a message to a lossy channel can get lost instead.
    pub(crate) fn is_final(&self, system: &System) -> bool {
        match self {
            Obstacle::Undefined(Command::Send(..), q, _) => !lossy(system, *q),
            _ => true,
        }
    }
}

fn lossy(system: &System, channel: ObjectId) -> bool {
    matches!(&system.object(channel).kind, Kind::Channel(c) if c.lossy)
}

/// Whether the target is a channel on which processes meet.
pub(crate) fn is_rendezvous(system: &System, target: &Target) -> bool {
    matches!(&system.object(target.first).kind, Kind::Channel(c) if c.capacity == 0)
}

/// Whether a condition is false; one that cannot be evaluated is not the obstacle, because an earlier one is.
pub(crate) fn is_false(system: &System, condition: &Expr, state: &[u64]) -> bool {
    system.predicate(condition).holds(system, state) == Ok(false)
}

fn undefined<'a>(system: &System, command: &'a Command, state: &[u64]) -> Option<Obstacle<'a>> {
    let needed = match command {
        Command::Acquire(t, _) => Expr::Free(t.clone()),
        Command::Take(t, amount) => Expr::Read(t.clone()).op(Binary::Ge, i64::from(*amount)),
        Command::Send(t, _) | Command::Insert(t, _) => Expr::Full(t.clone()).negate(),
        Command::Receive(t, _) | Command::Retrieve(t, ..) => Expr::Empty(t.clone()).negate(),
        Command::Assign(..)
        | Command::Release(..)
        | Command::Gain(..)
        | Command::Assert(_)
        | Command::Unforeseen(_) => return None,
    };
    let target = command.target().filter(|t| !is_rendezvous(system, t))?;
    let object = resolve(system, target, state)?;
    if is_false(system, &needed, state) {
        return Some(Obstacle::Undefined(command, object, needed));
    }
    let patterns = command.patterns();
    let mismatch = in_reach(system, command, object, state).iter().all(|m| !matches(system, patterns, m, state));
    (mismatch && !patterns.is_empty()).then_some(Obstacle::Mismatch(command, object))
}

/// The messages of a channel that an operation looks at: all, or only the first.
pub(crate) fn in_reach(system: &System, command: &Command, channel: ObjectId, state: &[u64]) -> Vec<Vec<i64>> {
    match (command, system.value(channel, state)) {
        (Command::Retrieve(_, _, Retrieve { anywhere: true, .. }), Value::Queue(messages)) => messages,
        (Command::Receive(..) | Command::Retrieve(..), Value::Queue(messages)) => {
            messages.into_iter().take(1).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a receive takes a message.
pub(crate) fn matches(system: &System, patterns: &[Pattern], message: &[i64], state: &[u64]) -> bool {
    patterns.iter().zip(message).all(|(pattern, value)| match pattern {
        Pattern::Match(e) => !is_false(system, &e.clone().is(*value), state),
        Pattern::Bind(_) | Pattern::Ignore => true,
    })
}
