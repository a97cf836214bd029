//! Expressions, interpreted as their documentation says.

use model::{Binary, Expr, Fault, Kind, Object, ObjectId, Pattern, Target, Unary, Value, Wrap};

use super::State;

/// The object that a target means.
pub fn resolve(objects: &[Object], target: &Target, state: &State) -> Result<ObjectId, Fault> {
    let Some(index) = &target.index else { return Ok(target.first) };
    let index = eval(objects, index, state)?;
    if index < 0 || index >= i64::from(target.len) {
        return Err(Fault::Index { first: target.first, index });
    }
    Ok(ObjectId::new(target.first.index() + index as usize))
}

/// The value of an expression.
pub fn eval(objects: &[Object], expr: &Expr, state: &State) -> Result<i64, Fault> {
    let value = |target: &Target| Ok(state.value(resolve(objects, target, state)?));
    match expr {
        Expr::Const(c) => Ok(*c),
        Expr::Read(t) => Ok(int(value(t)?)),
        Expr::Free(t) => Ok(i64::from(*value(t)? == Value::Lock(None))),
        Expr::Len(t) => Ok(queue(value(t)?).len() as i64),
        Expr::Empty(t) => Ok(i64::from(queue(value(t)?).is_empty())),
        Expr::Full(t) => {
            let object = resolve(objects, t, state)?;
            Ok(i64::from(queue(state.value(object)).len() == capacity(&objects[object.index()])))
        }
        Expr::At(p, l) => Ok(i64::from(state.locations[p.index()] == *l)),
        Expr::Unary(Unary::Not, a) => Ok(i64::from(eval(objects, a, state)? == 0)),
        Expr::Unary(Unary::Neg, a) => eval(objects, a, state)?.checked_neg().ok_or(Fault::Arithmetic),
        Expr::Unary(Unary::BitNot, a) => Ok(-1 - eval(objects, a, state)?),
        Expr::Unary(Unary::Wrap(to), a) => Ok(wrap(*to, eval(objects, a, state)?)),
        Expr::Offers(t, patterns, anywhere) => {
            let messages = queue(value(t)?);
            Ok(i64::from(offered(objects, patterns, messages, *anywhere, state)?.is_some()))
        }
        Expr::Binary(op, a, b) => {
            let a = eval(objects, a, state)?;
            match op {
                Binary::And if a == 0 => Ok(0),
                Binary::Or if a != 0 => Ok(1),
                Binary::Implies if a == 0 => Ok(1),
                _ => operate(*op, a, eval(objects, b, state)?),
            }
        }
        Expr::If(c, a, b) => match eval(objects, c, state)? {
            0 => eval(objects, b, state),
            _ => eval(objects, a, state),
        },
    }
}

/// An operator on the values of its operands, both of which are needed.
fn operate(op: Binary, a: i64, b: i64) -> Result<i64, Fault> {
    let (wide_a, wide_b) = (i128::from(a), i128::from(b));
    let exact = |value: i128| i64::try_from(value).map_err(|_| Fault::Arithmetic);
    match op {
        Binary::Add => exact(wide_a + wide_b),
        Binary::Sub => exact(wide_a - wide_b),
        Binary::Mul => exact(wide_a * wide_b),
        Binary::Div | Binary::Rem if b == 0 => Err(Fault::DivisionByZero),
        Binary::Div => exact(wide_a / wide_b),
        // The remainder belongs to a quotient, which must exist.
        Binary::Rem => exact(wide_a / wide_b).and(exact(wide_a % wide_b)),
        Binary::Eq => Ok(i64::from(a == b)),
        Binary::Ne => Ok(i64::from(a != b)),
        Binary::Lt => Ok(i64::from(a < b)),
        Binary::Le => Ok(i64::from(a <= b)),
        Binary::Gt => Ok(i64::from(a > b)),
        Binary::Ge => Ok(i64::from(a >= b)),
        Binary::And | Binary::Or | Binary::Implies => Ok(i64::from(b != 0)),
        Binary::Min => Ok(a.min(b)),
        Binary::Max => Ok(a.max(b)),
        Binary::BitAnd => Ok(by_bits(a, b, |a, b| a && b)),
        Binary::BitOr => Ok(by_bits(a, b, |a, b| a || b)),
        Binary::BitXor => Ok(by_bits(a, b, |a, b| a != b)),
        Binary::ShiftLeft | Binary::ShiftRight if !(0..=63).contains(&b) => Err(Fault::Arithmetic),
        // Multiplied, with what does not fit into 64 bits cut off; divided and rounded down.
        Binary::ShiftLeft => Ok((wide_a << b).rem_euclid(1 << 64) as u64 as i64),
        Binary::ShiftRight => Ok(wide_a.div_euclid(1 << b) as i64),
    }
}

/// An operator on each pair of bits.
fn by_bits(a: i64, b: i64, op: impl Fn(bool, bool) -> bool) -> i64 {
    let bit = |value: i64, i: u32| (value >> i) & 1 == 1;
    (0..64).filter(|&i| op(bit(a, i), bit(b, i))).map(|i| 1u64 << i).sum::<u64>() as i64
}

/// The only number that fits and differs from the given one by a multiple of the machine integer's size.
fn wrap(to: Wrap, value: i64) -> i64 {
    let size = 1i128 << to.bits;
    let least = if to.signed { -(size / 2) } else { 0 };
    ((i128::from(value) - least).rem_euclid(size) + least) as i64
}

/// The number of the message that a receive would take, if there is one: patterns are compared in order, message by
/// message.
pub(super) fn offered(
    objects: &[Object],
    patterns: &[Pattern],
    messages: &[Vec<i64>],
    anywhere: bool,
    state: &State,
) -> Result<Option<usize>, Fault> {
    for (i, message) in messages.iter().enumerate() {
        if matches(objects, patterns, message, state)? {
            return Ok(Some(i));
        }
        if !anywhere {
            break;
        }
    }
    Ok(None)
}

/// Whether a message is one that the patterns ask for; fields are compared in order.
pub fn matches(objects: &[Object], patterns: &[Pattern], message: &[i64], state: &State) -> Result<bool, Fault> {
    for (pattern, value) in patterns.iter().zip(message) {
        if let Pattern::Match(e) = pattern
            && eval(objects, e, state)? != *value
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// How many messages fit into a channel.
pub(super) fn capacity(object: &Object) -> usize {
    match &object.kind {
        Kind::Channel(c) => c.capacity as usize,
        kind => panic!("only channels have a capacity, not a {}", kind.noun()),
    }
}

/// The number in a variable, counter or semaphore.
pub(super) fn int(value: &Value) -> i64 {
    match value {
        Value::Int(v) => *v,
        value => panic!("validation lets only numbers be read, not {value:?}"),
    }
}

/// The messages in a channel.
pub(super) fn queue(value: &Value) -> &Vec<Vec<i64>> {
    match value {
        Value::Queue(q) => q,
        value => panic!("validation lets only channels be tested for messages, not {value:?}"),
    }
}
