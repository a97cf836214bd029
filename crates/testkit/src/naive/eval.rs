//! Expressions, interpreted as their documentation says.

use model::{Binary, Expr, Fault, Kind, Object, ObjectId, Target, Unary, Value};

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
    }
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
