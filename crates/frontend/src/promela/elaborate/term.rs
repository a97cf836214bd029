//! Expressions over the objects of a system, with what is known of their values.
//!
//! Arithmetic is that of C's `int`: a result is cut down to 32 bits, but only where the bounds of its operands do not
//! exclude an overflow. Constants are folded, so that what is fixed for one process costs nothing in a search.

use model::{Binary as Op, Expr, Unary as Sign, Wrap};

use crate::promela::ir::{Binary, Unary};

/// C's `int`.
pub(super) const INT: Wrap = Wrap { bits: 32, signed: true };
/// The amount of a shift, as the hardware takes it.
const AMOUNT: i64 = 31;

/// An expression and the bounds of its value.
#[derive(Clone, Debug)]
pub(super) struct Term {
    /// The expression.
    pub(super) expr: Expr,
    /// The least and the greatest value that it can have.
    pub(super) bounds: (i64, i64),
    /// Whether evaluating it is never a fault.
    pub(super) safe: bool,
}

impl Term {
    /// A number.
    pub(super) fn constant(value: i64) -> Self {
        Self { expr: Expr::Const(value), bounds: (value, value), safe: true }
    }

    /// A truth value.
    pub(super) fn truth(expr: Expr, safe: bool) -> Self {
        Self { expr, bounds: (0, 1), safe }
    }

    /// The value, if it is always the same.
    pub(super) fn value(&self) -> Option<i64> {
        if let Expr::Const(value) = self.expr { Some(value) } else { None }
    }

    /// Whether it is a truth value already.
    fn is_truth(&self) -> bool {
        self.bounds.0 >= 0 && self.bounds.1 <= 1
    }

    /// 1 if it is not zero, else 0.
    pub(super) fn into_truth(self) -> Term {
        match self.value() {
            Some(value) => Term::constant(i64::from(value != 0)),
            None if self.is_truth() => self,
            None => self.relate(Op::Ne, Term::constant(0)),
        }
    }

    /// What is left of it in fewer bits.
    pub(super) fn wrapped(self, wrap: Wrap) -> Term {
        let range = wrap.range();
        if let Some(value) = self.value() {
            return Term::constant(wrap.apply(value));
        }
        if range.0 <= self.bounds.0 && self.bounds.1 <= range.1 {
            return self;
        }
        // What is cut down further need not have been cut down before.
        let inner = match self.expr {
            Expr::Unary(Sign::Wrap(w), inner) if w.bits >= wrap.bits => inner,
            expr => Box::new(expr),
        };
        Term { expr: Expr::Unary(Sign::Wrap(wrap), inner), bounds: range, safe: self.safe }
    }

    /// An operator on one operand.
    pub(super) fn unary(op: Unary, a: Term) -> Term {
        let (lo, hi) = a.bounds;
        match (op, a.value()) {
            (Unary::Not, _) => a.into_truth().not(),
            (Unary::Neg, Some(value)) => Term::constant(INT.apply(-value)),
            (Unary::BitNot, Some(value)) => Term::constant(!value),
            (Unary::Neg, None) => {
                Term { expr: Expr::Unary(Sign::Neg, Box::new(a.expr)), bounds: (-hi, -lo), safe: a.safe }.wrapped(INT)
            }
            (Unary::BitNot, None) => {
                Term { expr: Expr::Unary(Sign::BitNot, Box::new(a.expr)), bounds: (!hi, !lo), safe: a.safe }
            }
        }
    }

    /// The negation of a truth value.
    fn not(self) -> Term {
        match (self.value(), self.expr) {
            (Some(value), _) => Term::constant(i64::from(value == 0)),
            // Only truth values are negated here.
            (None, Expr::Unary(Sign::Not, inner)) => Term::truth(*inner, self.safe),
            (None, Expr::Binary(op, a, b)) if complement(op).is_some() => {
                Term::truth(Expr::Binary(complement(op).unwrap_or(op), a, b), self.safe)
            }
            (None, expr) => Term::truth(expr.negate(), self.safe),
        }
    }

    /// An operator on two operands.
    pub(super) fn binary(op: Binary, a: Term, b: Term) -> Term {
        match op {
            Binary::And => a.into_truth().and(b.into_truth()),
            Binary::Or => a.into_truth().or(b.into_truth()),
            Binary::Eq => a.relate(Op::Eq, b),
            Binary::Ne => a.relate(Op::Ne, b),
            Binary::Lt => a.relate(Op::Lt, b),
            Binary::Le => a.relate(Op::Le, b),
            Binary::Gt => a.relate(Op::Gt, b),
            Binary::Ge => a.relate(Op::Ge, b),
            Binary::Add | Binary::Sub | Binary::Mul => a.calculate(op, b),
            Binary::Div | Binary::Rem => a.divide(op, b),
            Binary::BitAnd | Binary::BitOr | Binary::BitXor => a.bits(op, b),
            Binary::ShiftLeft | Binary::ShiftRight => a.shift(op, b),
        }
    }

    /// Both truth values.
    pub(super) fn and(self, other: Term) -> Term {
        match (self.value(), other.value()) {
            (Some(0), _) => self,
            (Some(_), _) => other,
            (None, Some(0)) if self.safe => other,
            (None, Some(value)) if value != 0 => self,
            _ => Term::truth(self.expr.op(Op::And, other.expr), self.safe && other.safe),
        }
    }

    /// One of two truth values.
    pub(super) fn or(self, other: Term) -> Term {
        match (self.value(), other.value()) {
            (Some(0), _) => other,
            (Some(_), _) => self,
            (None, Some(0)) => self,
            (None, Some(_)) if self.safe => other,
            _ => Term::truth(self.expr.op(Op::Or, other.expr), self.safe && other.safe),
        }
    }

    /// One of many truth values: a tree that is not deep.
    pub(super) fn any(mut all: Vec<Term>) -> Term {
        all.retain(|t| t.value() != Some(0));
        while all.len() > 1 {
            let (mut rest, mut pairs) = (all.into_iter(), Vec::new());
            while let Some(first) = rest.next() {
                pairs.push(match rest.next() {
                    Some(second) => first.or(second),
                    None => first,
                });
            }
            all = pairs;
        }
        all.pop().unwrap_or_else(|| Term::constant(0))
    }

    /// A comparison.
    pub(super) fn relate(self, op: Op, other: Term) -> Term {
        let safe = self.safe && other.safe;
        if let Some(known) = decided(op, self.bounds, other.bounds).filter(|_| safe) {
            return Term::constant(i64::from(known));
        }
        Term::truth(self.expr.op(op, other.expr), safe)
    }

    fn calculate(self, op: Binary, other: Term) -> Term {
        let ((a, b), (c, d)) = (self.bounds, other.bounds);
        let (op, bounds) = match op {
            Binary::Add => (Op::Add, (a + c, b + d)),
            Binary::Sub => (Op::Sub, (a - d, b - c)),
            _ => (Op::Mul, corners([a * c, a * d, b * c, b * d])),
        };
        if bounds.0 == bounds.1 && self.safe && other.safe {
            return Term::constant(INT.apply(bounds.0));
        }
        let safe = self.safe && other.safe;
        Term { expr: self.expr.op(op, other.expr), bounds, safe }.wrapped(INT)
    }

    fn divide(self, op: Binary, other: Term) -> Term {
        if let (Some(a), Some(b)) = (self.value(), other.value())
            && b != 0
        {
            return Term::constant(INT.apply(if op == Binary::Div { a / b } else { a % b }));
        }
        let (model_op, (c, d)) = (if op == Binary::Div { Op::Div } else { Op::Rem }, other.bounds);
        let most = self.bounds.0.abs().max(self.bounds.1.abs());
        let below = if op == Binary::Div { most } else { most.min(c.abs().max(d.abs()) - 1).max(0) };
        let positive = self.bounds.0 >= 0 && (op == Binary::Rem || c >= 0);
        let bounds = (if positive { 0 } else { -below }, below);
        let safe = self.safe && other.safe && (c > 0 || d < 0);
        Term { expr: self.expr.op(model_op, other.expr), bounds, safe }.wrapped(INT)
    }

    fn bits(self, op: Binary, other: Term) -> Term {
        let (model_op, meaning): (Op, fn(i64, i64) -> i64) = match op {
            Binary::BitAnd => (Op::BitAnd, |a, b| a & b),
            Binary::BitOr => (Op::BitOr, |a, b| a | b),
            _ => (Op::BitXor, |a, b| a ^ b),
        };
        if let (Some(a), Some(b)) = (self.value(), other.value()) {
            return Term::constant(meaning(a, b));
        }
        let (lo, hi) = (self.bounds.0.min(other.bounds.0), self.bounds.1.max(other.bounds.1));
        let bounds = match op {
            Binary::BitAnd if self.bounds.0 >= 0 && other.bounds.0 >= 0 => (0, self.bounds.1.min(other.bounds.1)),
            Binary::BitAnd if self.bounds.0 >= 0 => (0, self.bounds.1),
            Binary::BitAnd if other.bounds.0 >= 0 => (0, other.bounds.1),
            _ if lo >= 0 => (0, (hi as u64 + 1).next_power_of_two() as i64 - 1),
            _ => INT.range(),
        };
        Term { bounds, safe: self.safe && other.safe, expr: self.expr.op(model_op, other.expr) }
    }

    fn shift(self, op: Binary, other: Term) -> Term {
        let by = if other.bounds.0 >= 0 && other.bounds.1 <= AMOUNT {
            other
        } else {
            other.bits(Binary::BitAnd, Term::constant(AMOUNT))
        };
        if let (Some(a), Some(n)) = (self.value(), by.value()) {
            return Term::constant(if op == Binary::ShiftLeft { INT.apply(a << n) } else { a >> n });
        }
        let ((a, b), (c, d)) = (self.bounds, by.bounds);
        let (op, bounds) = match op {
            Binary::ShiftLeft => (Op::ShiftLeft, corners([a << c, a << d, b << c, b << d])),
            _ => (Op::ShiftRight, corners([a >> c, a >> d, b >> c, b >> d])),
        };
        Term { bounds, safe: self.safe && by.safe, expr: self.expr.op(op, by.expr) }.wrapped(INT)
    }

    /// One of two terms.
    pub(super) fn choice(condition: Term, a: Term, b: Term) -> Term {
        if let Some(value) = condition.value() {
            return if value != 0 { a } else { b };
        }
        let bounds = (a.bounds.0.min(b.bounds.0), a.bounds.1.max(b.bounds.1));
        let safe = condition.safe && a.safe && b.safe;
        Term { expr: Expr::If(Box::new(condition.expr), Box::new(a.expr), Box::new(b.expr)), bounds, safe }
    }
}

/// What a comparison gives whatever the values, if that is known.
fn decided(op: Op, (a, b): (i64, i64), (c, d): (i64, i64)) -> Option<bool> {
    let (less, greater) = (b < c, a > d);
    let same = a == b && c == d && a == c;
    match op {
        Op::Eq => (less || greater).then_some(false).or(same.then_some(true)),
        Op::Ne => (less || greater).then_some(true).or(same.then_some(false)),
        Op::Lt => less.then_some(true).or((a >= d).then_some(false)),
        Op::Le => (b <= c).then_some(true).or(greater.then_some(false)),
        Op::Gt => greater.then_some(true).or((b <= c).then_some(false)),
        Op::Ge => (a >= d).then_some(true).or(less.then_some(false)),
        _ => None,
    }
}

fn corners(values: [i64; 4]) -> (i64, i64) {
    let least = values.iter().copied().min().unwrap_or(0);
    (least, values.iter().copied().max().unwrap_or(0))
}

/// The comparison that holds exactly when this one does not.
fn complement(op: Op) -> Option<Op> {
    Some(match op {
        Op::Eq => Op::Ne,
        Op::Ne => Op::Eq,
        Op::Lt => Op::Ge,
        Op::Le => Op::Gt,
        Op::Gt => Op::Le,
        Op::Ge => Op::Lt,
        _ => return None,
    })
}
