//! Expressions with their operators, by precedence climbing. In `ltl` blocks the operators of temporal logic are among
//! them: those on one side bind tightest, `U` and its kin between `|` and `&&`, implications loosest; all that stand
//! between two operands group to the left.

use model::Span;

use super::cursor::{Parser, Part};
use super::operand::Operand;
use super::temporal::{Temporal, TemporalUnary};
use crate::Diagnostic;
use crate::promela::ast::{Binary, Expr, ExprKind, Formula, Unary};
use crate::promela::limits;
use crate::promela::token::Kind;

/// An operator between two operands.
#[derive(Clone, Copy)]
pub(super) enum Operator {
    Plain(Binary),
    Temporal(Temporal),
}

impl Parser {
    /// An expression in which no channel is asked whether it is full or empty.
    pub(super) fn expr(&mut self) -> Part<Expr> {
        let operand = self.binary(0)?;
        self.plain(operand)
    }

    /// An expression.
    pub(super) fn full_expr(&mut self) -> Part<Expr> {
        let first = self.unary()?;
        self.full_expr_from(first)
    }

    /// An expression whose first operand was read.
    pub(super) fn full_expr_from(&mut self, first: Operand) -> Part<Expr> {
        let operand = self.binary_from(first, 0)?;
        let open = Operand { question: None, ..operand };
        self.plain(open)
    }

    /// An expression with operators of this level or a higher one.
    pub(super) fn binary(&mut self, least: u8) -> Part<Operand> {
        let first = self.unary()?;
        self.binary_from(first, least)
    }

    fn binary_from(&mut self, mut left: Operand, least: u8) -> Part<Operand> {
        while let Some((operator, level)) = self.operator().filter(|(_, level)| *level >= least) {
            let at = self.bump();
            let right = self.binary(level + 1)?;
            left = self.combined(operator, at, left, right)?;
        }
        Ok(left)
    }

    /// The operator that comes next, and its level.
    fn operator(&self) -> Option<(Operator, u8)> {
        if let Some((temporal, level)) = self.temporal_operator() {
            return Some((Operator::Temporal(temporal), level));
        }
        let (binary, level) = match self.kind(0) {
            Kind::Or => (Binary::Or, 1),
            Kind::And => (Binary::And, 2),
            Kind::BitOr => (Binary::BitOr, 4),
            Kind::BitXor => (Binary::BitXor, 5),
            Kind::BitAnd => (Binary::BitAnd, 6),
            Kind::Equal => (Binary::Eq, 7),
            Kind::NotEqual => (Binary::Ne, 7),
            Kind::Less if !self.keeps_message() => (Binary::Lt, 8),
            Kind::AtMost => (Binary::Le, 8),
            Kind::Greater => (Binary::Gt, 8),
            Kind::AtLeast => (Binary::Ge, 8),
            Kind::ShiftLeft => (Binary::ShiftLeft, 9),
            Kind::ShiftRight => (Binary::ShiftRight, 9),
            Kind::Plus => (Binary::Add, 10),
            Kind::Minus => (Binary::Sub, 10),
            Kind::Star => (Binary::Mul, 11),
            Kind::Slash => (Binary::Div, 11),
            Kind::Percent => (Binary::Rem, 11),
            _ => return None,
        };
        Some((Operator::Plain(binary), level))
    }

    /// Whether `<>` comes next in an `ltl` block.
    fn keeps_message(&self) -> bool {
        self.temporal && self.kind(1) == Kind::Greater
    }

    /// `left operator right`.
    fn combined(&mut self, operator: Operator, at: Span, left: Operand, right: Operand) -> Part<Operand> {
        let (span, depth) = (left.span.to(right.span), 1 + left.depth.max(right.depth));
        if depth > limits::DEPTH {
            let message = format!("an expression more than {} operators deep", limits::DEPTH);
            return Err(Box::new(Diagnostic::error(at, message).label("one too many")));
        }
        let question = left.question.or(right.question);
        let logical = matches!(operator, Operator::Plain(Binary::And | Binary::Or));
        let formula = match operator {
            Operator::Temporal(temporal) => temporal.of(self.formula_of(left)?, self.formula_of(right)?),
            Operator::Plain(binary) if logical && (left.expr.is_none() || right.expr.is_none()) => {
                let (left, right) = (Box::new(self.formula_of(left)?), Box::new(self.formula_of(right)?));
                if binary == Binary::And { Formula::And(left, right) } else { Formula::Or(left, right) }
            }
            Operator::Plain(binary) => {
                let combine = |p: &Self, operand: Operand| {
                    let question = operand.question.filter(|_| !logical);
                    p.plain(Operand { question, ..operand }).map(Box::new)
                };
                let kind = ExprKind::Binary(binary, combine(self, left)?, combine(self, right)?);
                return Ok(Operand { depth, question, ..Operand::leaf(Expr { kind, span }) });
            }
        };
        Ok(Operand { expr: None, formula: Some(formula), span, depth, question })
    }

    /// An operand with the operators in front of it.
    fn unary(&mut self) -> Part<Operand> {
        let start = self.span();
        let operator = match self.kind(0) {
            Kind::Bang => Unary::Not,
            Kind::Minus => Unary::Neg,
            Kind::Complement => Unary::BitNot,
            _ => match self.temporal_prefix() {
                Some(prefix) => return self.nested(|p| p.prefixed(prefix, start)),
                None => return self.operand(),
            },
        };
        self.bump();
        let inner = self.nested(Self::unary)?;
        let (span, depth) = (self.since(start), 1 + inner.depth);
        if inner.expr.is_none() && operator == Unary::Not {
            let formula = Some(Formula::Not(Box::new(self.formula_of(inner)?)));
            return Ok(Operand { expr: None, formula, span, depth, question: None });
        }
        let kind = ExprKind::Unary(operator, Box::new(self.plain(inner)?));
        Ok(Operand { depth, ..Operand::leaf(Expr { kind, span }) })
    }

    /// `[] formula` and its kin.
    fn prefixed(&mut self, prefix: TemporalUnary, start: Span) -> Part<Operand> {
        let inner = self.unary()?;
        let (span, depth) = (self.since(start), 1 + inner.depth);
        let formula = Some(prefix.of(self.formula_of(inner)?));
        Ok(Operand { expr: None, formula, span, depth, question: None })
    }

    /// The operand as an expression that stands alone.
    pub(super) fn plain(&self, operand: Operand) -> Part<Expr> {
        let Operand { expr, question, span, .. } = operand;
        if let Some(question) = question {
            let message = "a channel is asked whether it is full or empty only in conditions joined by `&&` and `||`";
            let error = Diagnostic::error(question, message).label("within another expression");
            let help = "`!empty(q)` is written `nempty(q)`, `!full(q)` is `nfull(q)`; or compare `len(q)`";
            return Err(Box::new(error.help(help)));
        }
        expr.ok_or_else(|| {
            let error = Diagnostic::error(span, "a formula of temporal logic is no number").label("not a number");
            Box::new(error.help("temporal operators bind tightest: write parentheses, as in `[] (x == 1)`"))
        })
    }

    /// The operand as a formula.
    pub(super) fn formula_of(&self, operand: Operand) -> Part<Formula> {
        match operand.formula {
            Some(formula) => Ok(formula),
            None => self.plain(operand).map(Formula::Atom),
        }
    }
}
