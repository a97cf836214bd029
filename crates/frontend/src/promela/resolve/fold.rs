//! The value of an expression that has one before any process runs.

use crate::promela::ir::{Binary, Expr, Unary};

/// The value, if the expression is constant: arithmetic of 32 bits, as everywhere. A division by zero has none.
pub(super) fn fold(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Const(value) => Some(*value),
        Expr::Unary(op, a) => Some(unary(*op, fold(a)?)),
        Expr::Binary(op, a, b) => binary(*op, fold(a)?, fold(b)?),
        Expr::Cond(c, a, b) => fold(if fold(c)? != 0 { a } else { b }),
        _ => None,
    }
}

fn unary(op: Unary, a: i64) -> i64 {
    match op {
        Unary::Neg => wrap(-a),
        Unary::Not => i64::from(a == 0),
        Unary::BitNot => wrap(!a),
    }
}

fn binary(op: Binary, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        Binary::Add => wrap(a + b),
        Binary::Sub => wrap(a - b),
        Binary::Mul => wrap(a.wrapping_mul(b)),
        Binary::Div => wrap(a.checked_div(b)?),
        Binary::Rem => wrap(a.checked_rem(b)?),
        // What the shift instructions of usual machines make of an amount.
        Binary::ShiftLeft => wrap(i64::from((a as i32).wrapping_shl(b as u32))),
        Binary::ShiftRight => wrap(i64::from((a as i32).wrapping_shr(b as u32))),
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::Eq => i64::from(a == b),
        Binary::Ne => i64::from(a != b),
        Binary::Lt => i64::from(a < b),
        Binary::Le => i64::from(a <= b),
        Binary::Gt => i64::from(a > b),
        Binary::Ge => i64::from(a >= b),
        Binary::And => i64::from(a != 0 && b != 0),
        Binary::Or => i64::from(a != 0 || b != 0),
    })
}

fn wrap(value: i64) -> i64 {
    i64::from(value as i32)
}
