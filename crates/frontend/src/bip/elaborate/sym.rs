//! Values as far as they are known before a step: an expression over the state, or nothing.
//!
//! Operators fold constants, and an expression that grows beyond every sense is refused where it is made, so that
//! nested substitution cannot exhaust the machine.

use std::rc::Rc;

use model::{Binary, Expr, Target, Unary};

use super::slots::Slot;

/// The most nodes of an expression.
const MAX_SIZE: usize = 4096;

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Sym {
    /// What an expression over the state gives, with the number of its nodes.
    Known(Rc<Expr>, usize),
    /// It depends on something outside of the model.
    Unknown,
}

/// An expression has too many nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooLarge;

impl Sym {
    /// A constant.
    pub(super) fn constant(value: i64) -> Self {
        Sym::Known(Rc::new(Expr::Const(value)), 1)
    }

    /// The value of a part of the state.
    pub(super) fn read(slot: Slot) -> Self {
        Sym::Known(Rc::new(slot.read()), 1)
    }

    /// The expression, if there is one.
    pub(super) fn known(&self) -> Option<&Expr> {
        match self {
            Sym::Known(expr, _) => Some(expr),
            Sym::Unknown => None,
        }
    }

    /// The value, if it is constant.
    pub(super) fn value(&self) -> Option<i64> {
        match self.known() {
            Some(Expr::Const(value)) => Some(*value),
            _ => None,
        }
    }

    /// Whether both are certainly the same.
    pub(super) fn same(&self, other: &Sym) -> bool {
        match (self, other) {
            (Sym::Known(a, _), Sym::Known(b, _)) => Rc::ptr_eq(a, b) || a == b,
            (Sym::Unknown, Sym::Unknown) => true,
            _ => false,
        }
    }

    fn made(expr: Expr, size: usize) -> Result<Self, TooLarge> {
        if size > MAX_SIZE { Err(TooLarge) } else { Ok(Sym::Known(Rc::new(expr), size)) }
    }

    /// `!self`.
    pub(super) fn not(&self) -> Result<Self, TooLarge> {
        match self {
            Sym::Known(expr, size) => Self::made(negated((**expr).clone()), size + 1),
            Sym::Unknown => Ok(Sym::Unknown),
        }
    }

    /// `-self`.
    pub(super) fn negative(&self) -> Result<Self, TooLarge> {
        match self {
            Sym::Known(expr, size) => match **expr {
                Expr::Const(value) if value != i64::MIN => Ok(Self::constant(-value)),
                _ => Self::made(Expr::Unary(Unary::Neg, Box::new((**expr).clone())), size + 1),
            },
            Sym::Unknown => Ok(Sym::Unknown),
        }
    }

    /// `self op other`; where one side decides alone, the other need not be known.
    pub(super) fn apply(&self, op: Binary, other: &Sym) -> Result<Self, TooLarge> {
        let decided = match op {
            Binary::And => Some(0),
            Binary::Or => Some(1),
            _ => None,
        };
        if let Some(decider) = decided {
            for (one, rest) in [(self, other), (other, self)] {
                match one.value().map(|v| i64::from(v != 0)) {
                    Some(v) if v == decider => return Ok(Self::constant(decider)),
                    Some(_) => return Ok(rest.clone()),
                    None => {}
                }
            }
        }
        let (Sym::Known(a, m), Sym::Known(b, n)) = (self, other) else { return Ok(Sym::Unknown) };
        if let (Expr::Const(x), Expr::Const(y)) = (&**a, &**b)
            && let Some(value) = folded(op, *x, *y)
        {
            return Ok(Self::constant(value));
        }
        if m + n >= MAX_SIZE {
            return Err(TooLarge);
        }
        Self::made((**a).clone().op(op, (**b).clone()), m + n + 1)
    }

    /// `if condition then self else other`.
    pub(super) fn choose(condition: &Sym, yes: &Sym, no: &Sym) -> Result<Self, TooLarge> {
        if yes.same(no) {
            return Ok(yes.clone());
        }
        match condition.value() {
            Some(0) => return Ok(no.clone()),
            Some(_) => return Ok(yes.clone()),
            None => {}
        }
        let (Sym::Known(c, k), Sym::Known(a, m), Sym::Known(b, n)) = (condition, yes, no) else {
            return Ok(Sym::Unknown);
        };
        if k + m + n >= MAX_SIZE {
            return Err(TooLarge);
        }
        let boxed = |e: &Rc<Expr>| Box::new((**e).clone());
        Self::made(Expr::If(boxed(c), boxed(a), boxed(b)), k + m + n + 1)
    }
}

fn folded(op: Binary, a: i64, b: i64) -> Option<i64> {
    let truth = |t: bool| Some(i64::from(t));
    match op {
        Binary::Add => a.checked_add(b),
        Binary::Sub => a.checked_sub(b),
        Binary::Mul => a.checked_mul(b),
        Binary::Div => a.checked_div(b),
        Binary::Rem => a.checked_rem(b),
        Binary::Min => Some(a.min(b)),
        Binary::Max => Some(a.max(b)),
        Binary::Eq => truth(a == b),
        Binary::Ne => truth(a != b),
        Binary::Lt => truth(a < b),
        Binary::Le => truth(a <= b),
        Binary::Gt => truth(a > b),
        Binary::Ge => truth(a >= b),
        Binary::And => truth(a != 0 && b != 0),
        Binary::Or => truth(a != 0 || b != 0),
        Binary::Implies => truth(a == 0 || b != 0),
        Binary::BitAnd => Some(a & b),
        Binary::BitOr => Some(a | b),
        Binary::BitXor => Some(a ^ b),
        Binary::ShiftLeft | Binary::ShiftRight => None,
    }
}

/// The condition that holds exactly when this one does not.
pub(super) fn negated(expr: Expr) -> Expr {
    match expr {
        Expr::Const(value) => Expr::from(value == 0),
        Expr::Unary(Unary::Not, inner) => *inner,
        Expr::Binary(op, a, b) => match opposite(op) {
            Some(op) => Expr::Binary(op, a, b),
            None => Expr::Binary(op, a, b).negate(),
        },
        other => other.negate(),
    }
}

fn opposite(op: Binary) -> Option<Binary> {
    Some(match op {
        Binary::Eq => Binary::Ne,
        Binary::Ne => Binary::Eq,
        Binary::Lt => Binary::Ge,
        Binary::Ge => Binary::Lt,
        Binary::Gt => Binary::Le,
        Binary::Le => Binary::Gt,
        _ => return None,
    })
}

/// All of the conditions, as shallow as possible.
pub(super) fn all(conditions: Vec<Expr>) -> Expr {
    junction(Binary::And, 1, conditions)
}

/// One of the conditions, as shallow as possible.
pub(super) fn any(conditions: Vec<Expr>) -> Expr {
    junction(Binary::Or, 0, conditions)
}

fn junction(op: Binary, neutral: i64, mut conditions: Vec<Expr>) -> Expr {
    let truth = |e: &Expr| if let Expr::Const(c) = e { Some(i64::from(*c != 0)) } else { None };
    if conditions.iter().any(|e| truth(e) == Some(1 - neutral)) {
        return Expr::Const(1 - neutral);
    }
    conditions.retain(|e| truth(e).is_none());
    balanced(op, conditions).unwrap_or(Expr::Const(neutral))
}

fn balanced(op: Binary, mut operands: Vec<Expr>) -> Option<Expr> {
    if operands.len() <= 1 {
        return operands.pop();
    }
    let right = operands.split_off(operands.len().div_ceil(2));
    Some(balanced(op, operands)?.op(op, balanced(op, right)?))
}

/// The expression with every part of the state replaced.
pub(super) fn renamed(expr: &Expr, name: &dyn Fn(&Target) -> Expr) -> Expr {
    let again = |e: &Expr| Box::new(renamed(e, name));
    match expr {
        Expr::Read(target) => name(target),
        Expr::Unary(op, a) => Expr::Unary(*op, again(a)),
        Expr::Binary(op, a, b) => Expr::Binary(*op, again(a), again(b)),
        Expr::If(c, a, b) => Expr::If(again(c), again(a), again(b)),
        other => other.clone(),
    }
}
