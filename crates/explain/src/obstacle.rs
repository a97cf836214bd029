//! Why a transition is disabled in a state: every part of it that stands in the way, by id.
//!
//! Whether a part holds is always asked of the compiled system; a partial operation is turned into the condition under
//! which it is defined, so that guards and operations are treated alike from here on.

use model::{Binary, Command, Expr, Move, ObjectId, Pattern, System, Transition, Value};

use crate::values::resolve;

/// One thing that keeps a transition from happening.
#[derive(Clone, Debug)]
pub(crate) enum Obstacle<'a> {
    /// A process is not where it would have to be.
    Elsewhere(&'a Move),
    /// A conjunct of the guard is false.
    False(&'a Expr),
    /// An operation is not defined: this condition on its object is false.
    Undefined(&'a Command, ObjectId, Expr),
    /// The first message of the channel is not one that the receive takes.
    Mismatch(&'a Command, ObjectId),
}

/// All obstacles of a transition in a state; none if it is enabled.
pub(crate) fn obstacles<'a>(system: &System, t: &'a Transition, state: &[u64]) -> Vec<Obstacle<'a>> {
    let elsewhere = t.moves.iter().filter(|m| system.location(m.process, state) != m.from).map(Obstacle::Elsewhere);
    let conditions = t.guard.iter().filter(|e| is_false(system, e, state)).map(Obstacle::False);
    let operations = t.command.iter().filter_map(|c| undefined(system, c, state));
    elsewhere.chain(conditions).chain(operations).collect()
}

/// Whether a condition is false; one that cannot be evaluated is not the obstacle, because an earlier one is.
pub(crate) fn is_false(system: &System, condition: &Expr, state: &[u64]) -> bool {
    system.predicate(condition).holds(system, state) == Ok(false)
}

fn undefined<'a>(system: &System, command: &'a Command, state: &[u64]) -> Option<Obstacle<'a>> {
    let needed = match command {
        Command::Acquire(t, _) => Expr::Free(t.clone()),
        Command::Take(t, amount) => Expr::Read(t.clone()).op(Binary::Ge, i64::from(*amount)),
        Command::Send(t, _) => Expr::Full(t.clone()).negate(),
        Command::Receive(t, _) => Expr::Empty(t.clone()).negate(),
        Command::Assign(..) | Command::Release(..) | Command::Gain(..) | Command::Assert(_) => return None,
    };
    let object = resolve(system, command.target()?, state)?;
    if is_false(system, &needed, state) {
        return Some(Obstacle::Undefined(command, object, needed));
    }
    match command {
        Command::Receive(_, patterns) if !matches(system, patterns, &first_message(system, object, state)?, state) => {
            Some(Obstacle::Mismatch(command, object))
        }
        _ => None,
    }
}

/// The oldest message of a channel.
pub(crate) fn first_message(system: &System, channel: ObjectId, state: &[u64]) -> Option<Vec<i64>> {
    match system.value(channel, state) {
        Value::Queue(messages) => messages.into_iter().next(),
        Value::Int(_) | Value::Lock(_) => None,
    }
}

/// Whether a receive takes a message.
pub(crate) fn matches(system: &System, patterns: &[Pattern], message: &[i64], state: &[u64]) -> bool {
    patterns.iter().zip(message).all(|(pattern, value)| match pattern {
        Pattern::Match(e) => !is_false(system, &e.clone().is(*value), state),
        Pattern::Bind(_) | Pattern::Ignore => true,
    })
}
