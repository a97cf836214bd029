//! Guards and commands, interpreted as their documentation says.

use model::{Command, Domain, Expr, Fault, Kind, Object, Observer, Pattern, TransitionId, Value};

use super::eval::{capacity, eval, int, offered, queue, resolve};
use super::{LocationId, State};

/// Whether all conditions hold; they are evaluated in order, up to the first that does not.
pub fn guard(objects: &[Object], conditions: &[Expr], state: &State) -> Result<bool, Fault> {
    for condition in conditions {
        if eval(objects, condition, state)? == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether all partial operations of a command are defined in the state before the step; tested in order.
pub fn defined(objects: &[Object], command: &[Command], state: &State) -> Result<bool, Fault> {
    for operation in command {
        let possible = match operation {
            Command::Acquire(t, _) => *state.value(resolve(objects, t, state)?) == Value::Lock(None),
            Command::Take(t, amount) => int(state.value(resolve(objects, t, state)?)) >= i64::from(*amount),
            Command::Send(t, _) | Command::Insert(t, _) => {
                let channel = resolve(objects, t, state)?;
                queue(state.value(channel)).len() < capacity(&objects[channel.index()])
            }
            Command::Receive(t, patterns) => {
                let messages = queue(state.value(resolve(objects, t, state)?));
                offered(objects, patterns, messages, false, state)?.is_some()
            }
            Command::Retrieve(t, patterns, how) => {
                let messages = queue(state.value(resolve(objects, t, state)?));
                offered(objects, patterns, messages, how.anywhere, state)?.is_some()
            }
            Command::Assign(..)
            | Command::Release(..)
            | Command::Gain(..)
            | Command::Assert(_)
            | Command::Unforeseen(_) => true,
        };
        if !possible {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Runs one operation, which must be defined.
pub fn operate(objects: &[Object], operation: &Command, state: &mut State) -> Result<(), Fault> {
    match operation {
        Command::Assign(t, e) => {
            let object = resolve(objects, t, state)?;
            let value = eval(objects, e, state)?;
            write(objects, object, value, state)
        }
        Command::Acquire(t, p) => {
            let object = resolve(objects, t, state)?;
            state.values[object.index()] = Value::Lock(Some(*p));
            Ok(())
        }
        Command::Release(t, p) => {
            let object = resolve(objects, t, state)?;
            if *state.value(object) != Value::Lock(Some(*p)) {
                return Err(Fault::NotHeld { object });
            }
            state.values[object.index()] = Value::Lock(None);
            Ok(())
        }
        Command::Gain(t, amount) => {
            let object = resolve(objects, t, state)?;
            let value = Value::Int(int(state.value(object)) + i64::from(*amount));
            if !objects[object.index()].kind.admits(&value) {
                return Err(Fault::Overflow { object });
            }
            state.values[object.index()] = value;
            Ok(())
        }
        Command::Take(t, amount) => {
            let object = resolve(objects, t, state)?;
            state.values[object.index()] = Value::Int(int(state.value(object)) - i64::from(*amount));
            Ok(())
        }
        Command::Send(t, fields) => {
            let channel = resolve(objects, t, state)?;
            let message = compose(objects, channel, fields, state)?;
            messages(state, channel).push(message);
            Ok(())
        }
        Command::Receive(t, patterns) => {
            let channel = resolve(objects, t, state)?;
            let message = messages(state, channel).remove(0);
            bind(objects, patterns, &message, state)
        }
        Command::Insert(t, fields) => {
            let channel = resolve(objects, t, state)?;
            let message = compose(objects, channel, fields, state)?;
            let queue = messages(state, channel);
            let smaller = queue.iter().take_while(|m| **m <= message).count();
            queue.insert(smaller, message);
            Ok(())
        }
        Command::Retrieve(t, patterns, how) => {
            let channel = resolve(objects, t, state)?;
            let queue = queue(state.value(channel));
            let found = offered(objects, patterns, queue, how.anywhere, state)?.expect("the operation is defined");
            let message = queue[found].clone();
            if !how.keep {
                messages(state, channel).remove(found);
            }
            bind(objects, patterns, &message, state)
        }
        Command::Unforeseen(number) => Err(Fault::Unforeseen(*number)),
        Command::Assert(e) => match eval(objects, e, state)? {
            0 => Err(Fault::Assertion),
            _ => Ok(()),
        },
    }
}

/// The values of the fields of a message for a channel, each of which must be in its domain.
pub fn compose(
    objects: &[Object],
    channel: model::ObjectId,
    fields: &[Expr],
    state: &State,
) -> Result<Vec<i64>, Fault> {
    let mut message = Vec::new();
    for (field, domain) in fields.iter().zip(domains(&objects[channel.index()])) {
        let value = eval(objects, field, state)?;
        if !domain.contains(value) {
            return Err(Fault::OutOfRange { object: channel, value });
        }
        message.push(value);
    }
    Ok(message)
}

/// Writes the fields of a received message to the variables that take them, in order.
pub fn bind(objects: &[Object], patterns: &[Pattern], message: &[i64], state: &mut State) -> Result<(), Fault> {
    for (pattern, value) in patterns.iter().zip(message) {
        if let Pattern::Bind(t) = pattern {
            let object = resolve(objects, t, state)?;
            write(objects, object, *value, state)?;
        }
    }
    Ok(())
}

/// Where an observer goes that sees a transition lead to a state.
pub fn observe(
    objects: &[Object],
    observer: &Observer,
    at: LocationId,
    transition: TransitionId,
    reached: &State,
) -> Result<LocationId, Fault> {
    for edge in observer.edges.iter().filter(|e| e.from == at) {
        // Who looks at states does not see those that a process passes alone.
        let follows = edge.on.as_ref().map_or(reached.control.is_none(), |on| on.contains(&transition));
        if follows && eval(objects, &edge.when, reached)? != 0 {
            return Ok(edge.to);
        }
    }
    Ok(at)
}

fn write(objects: &[Object], object: model::ObjectId, value: i64, state: &mut State) -> Result<(), Fault> {
    if !objects[object.index()].kind.admits(&Value::Int(value)) {
        return Err(Fault::OutOfRange { object, value });
    }
    state.values[object.index()] = Value::Int(value);
    Ok(())
}

fn messages(state: &mut State, channel: model::ObjectId) -> &mut Vec<Vec<i64>> {
    match &mut state.values[channel.index()] {
        Value::Queue(q) => q,
        value => panic!("validation lets only channels be sent to, not {value:?}"),
    }
}

fn domains(object: &Object) -> &[Domain] {
    match &object.kind {
        Kind::Channel(c) => &c.fields,
        kind => panic!("only channels have fields, not a {}", kind.noun()),
    }
}
