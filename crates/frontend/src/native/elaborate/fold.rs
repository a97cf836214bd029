//! Operators with checked types and folded constants.
//!
//! Chains of `&&`, `||` and `+` that are longer than a line are balanced: the order of evaluation stays, the height
//! becomes logarithmic.

use model::{Binary, Expr, Span, Unary};

use super::Elaborator;
use super::types::{Type, Typed};
use crate::Diagnostic;
use crate::native::limits;
use crate::native::report::Checked;

impl Elaborator<'_> {
    /// Applies an operator to two operands of the right types.
    pub(super) fn apply(&mut self, op: Binary, a: Typed, b: Typed) -> Checked<Typed> {
        let span = a.span.to(b.span);
        let ty = match op {
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem | Binary::Min | Binary::Max => {
                Type::Int
            }
            _ => Type::Bool,
        };
        if matches!(op, Binary::Div | Binary::Rem) && b.value() == Some(0) {
            return self.cannot_happen(Diagnostic::error(b.span, "division by zero").label("this is 0"), ty);
        }
        if let (Some(x), Some(y)) = (a.value(), b.value()) {
            return match evaluate(op, x, y) {
                Some(value) => Ok(Typed::constant(value, ty, span)),
                None => self.cannot_happen(too_large(span), ty),
            };
        }
        let depth = self.deeper(a.depth.max(b.depth), span)?;
        Ok(Typed { expr: a.expr.op(op, b.expr), ty, depth, span })
    }

    /// The height of a node above operands of this height.
    pub(super) fn deeper(&mut self, below: u32, span: Span) -> Checked<u32> {
        if below < limits::EXPRESSION_DEPTH {
            return Ok(below + 1);
        }
        let message = format!("the expression is nested deeper than {} levels", limits::EXPRESSION_DEPTH);
        Err(self.error(Diagnostic::error(span, message).label("too deep")))
    }

    /// Reports a mistake in evaluating constants, unless the expression is never evaluated.
    pub(super) fn cannot_happen(&mut self, diagnostic: Diagnostic, ty: Type) -> Checked<Typed> {
        if self.dead > 0 {
            return Ok(Typed::constant(0, ty, diagnostic.span));
        }
        Err(self.error(diagnostic))
    }

    pub(super) fn not(&mut self, a: Typed) -> Checked<Typed> {
        match a.value() {
            Some(value) => Ok(Typed::truth(value == 0, a.span)),
            None => Ok(Typed { depth: self.deeper(a.depth, a.span)?, expr: a.expr.negate(), ..a }),
        }
    }

    pub(super) fn negative(&mut self, a: Typed) -> Checked<Typed> {
        match a.value().map(i64::checked_neg) {
            Some(Some(value)) => Ok(Typed::constant(value, Type::Int, a.span)),
            Some(None) => self.cannot_happen(too_large(a.span), Type::Int),
            None => {
                let depth = self.deeper(a.depth, a.span)?;
                Ok(Typed { depth, expr: Expr::Unary(Unary::Neg, Box::new(a.expr)), ..a })
            }
        }
    }

    /// `a && b && ...` or `a || b || ...`, without the constants that change nothing. A constant that decides ends the
    /// chain; what stands before it stays if evaluating it may be a model error.
    pub(super) fn junction(&mut self, op: Binary, mut operands: Vec<Typed>, span: Span) -> Checked<Typed> {
        let neutral = i64::from(op == Binary::And);
        let decider = operands.iter().position(|t| t.value().is_some_and(|v| v != neutral));
        if let Some(at) = decider {
            if operands[..at].iter().all(|t| is_harmless(&t.expr)) {
                return Ok(Typed::constant(1 - neutral, Type::Bool, span));
            }
            operands.truncate(at + 1);
        }
        let open: Vec<Typed> = operands.into_iter().filter(|t| t.value() != Some(neutral)).collect();
        if open.is_empty() {
            return Ok(Typed::constant(neutral, Type::Bool, span));
        }
        self.balanced(op, open)
    }

    /// The sum of terms, of which those marked are subtracted.
    pub(super) fn total(&mut self, terms: Vec<(bool, Typed)>, span: Span) -> Checked<Typed> {
        if !terms.iter().all(|(_, t)| is_small(&t.expr)) {
            return self.total_in_order(terms, span);
        }
        let mut constant = Typed::constant(0, Type::Int, span);
        let mut open = Vec::new();
        for (minus, term) in terms {
            if term.value().is_some() {
                let op = if minus { Binary::Sub } else { Binary::Add };
                constant = self.apply(op, constant, Typed { span, ..term })?;
            } else {
                open.push(if minus { self.negative(term)? } else { term });
            }
        }
        if constant.value() != Some(0) || open.is_empty() {
            open.push(constant);
        }
        self.balanced(Binary::Add, open)
    }

    /// The same, added one by one: an intermediate result may leave 64 bits, which is a fault where it happens.
    fn total_in_order(&mut self, terms: Vec<(bool, Typed)>, span: Span) -> Checked<Typed> {
        let mut sum: Option<Typed> = None;
        for (minus, term) in terms {
            sum = Some(match (sum, minus) {
                (None, false) => term,
                (None, true) => self.negative(term)?,
                (Some(sum), minus) => self.apply(if minus { Binary::Sub } else { Binary::Add }, sum, term)?,
            });
        }
        Ok(sum.unwrap_or_else(|| Typed::constant(0, Type::Int, span)))
    }

    /// Joins operands, at least one, by an associative operator.
    fn balanced(&mut self, op: Binary, mut operands: Vec<Typed>) -> Checked<Typed> {
        if operands.len() > limits::PLAIN_CHAIN {
            let right = operands.split_off(operands.len() / 2);
            let left = self.balanced(op, operands)?;
            let right = self.balanced(op, right)?;
            return self.apply(op, left, right);
        }
        let mut operands = operands.into_iter();
        let first = operands.next().expect("a chain has an operand");
        operands.try_fold(first, |left, right| self.apply(op, left, right))
    }
}

fn too_large(span: Span) -> Diagnostic {
    Diagnostic::error(span, "the value does not fit into 64 bits").label("too large")
}

/// Whether evaluating the expression is certainly no model error: it has no arithmetic and no index.
pub(super) fn is_harmless(expr: &Expr) -> bool {
    use Binary::{Add, Div, Mul, Rem, Sub};
    let mut harmless = true;
    expr.walk(&mut |e| {
        let indexed = e.target().is_some_and(|t| t.index.is_some());
        let arithmetic = matches!(e, Expr::Binary(Add | Sub | Mul | Div | Rem, ..) | Expr::Unary(Unary::Neg, _));
        harmless &= !indexed && !arithmetic;
    });
    harmless
}

/// Whether the value is so small that no sum of such terms, in whatever order, leaves 64 bits.
fn is_small(expr: &Expr) -> bool {
    match expr {
        Expr::Const(c) => c.unsigned_abs() <= 1 << 32,
        Expr::Unary(_, a) => is_small(a),
        Expr::Binary(Binary::Add | Binary::Sub | Binary::Min | Binary::Max, a, b) => is_small(a) && is_small(b),
        Expr::Binary(Binary::Mul | Binary::Div | Binary::Rem, ..) => false,
        Expr::If(_, a, b) => is_small(a) && is_small(b),
        _ => true,
    }
}

/// The value of an operator on constants; `None` if it does not fit.
fn evaluate(op: Binary, a: i64, b: i64) -> Option<i64> {
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
        // The language has none of these.
        Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::ShiftLeft | Binary::ShiftRight => None,
    }
}
