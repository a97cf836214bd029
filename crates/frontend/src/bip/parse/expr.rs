//! Expressions: precedence climbing, as in C. Chains of one level stay flat, so that long ones do not make the tree deep.

use model::Span;

use super::cursor::{Parsed, Parser};
use crate::Diagnostic;
use crate::bip::ast::{Expr, ExprKind, Operator, Text};
use crate::bip::token::Kind;

/// The operator that a token stands for, and how tightly it binds.
pub(super) fn binary(kind: Kind) -> Option<(Operator, u8)> {
    Some(match kind {
        Kind::Or => (Operator::Or, 1),
        Kind::And => (Operator::And, 2),
        Kind::BitOr => (Operator::BitOr, 3),
        Kind::BitXor => (Operator::BitXor, 4),
        Kind::BitAnd => (Operator::BitAnd, 5),
        Kind::Equal => (Operator::Equal, 6),
        Kind::NotEqual => (Operator::NotEqual, 6),
        Kind::Less => (Operator::Less, 7),
        Kind::AtMost => (Operator::AtMost, 7),
        Kind::Greater => (Operator::Greater, 7),
        Kind::AtLeast => (Operator::AtLeast, 7),
        Kind::Plus => (Operator::Add, 8),
        Kind::Minus => (Operator::Subtract, 8),
        Kind::Star => (Operator::Multiply, 9),
        Kind::Slash => (Operator::Divide, 9),
        Kind::Percent => (Operator::Modulo, 9),
        _ => return None,
    })
}

impl Parser<'_, '_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.climb(1)
    }

    /// `(e)`, as guards are written.
    pub(super) fn condition(&mut self) -> Parsed<Expr> {
        if self.at(Kind::Open) {
            return self.operand();
        }
        Err(self.unexpected("a condition between `(` and `)`"))
    }

    /// An expression whose operators outside of parentheses bind at least this tightly.
    fn climb(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.operand()?;
        while let Some((_, level)) = binary(self.kind(0)).filter(|(_, level)| *level >= least) {
            let mut rest = Vec::new();
            while let Some((operator, _)) = binary(self.kind(0)).filter(|(_, other)| *other == level) {
                self.bump();
                rest.push((operator, self.climb(level + 1)?));
            }
            let span = self.since(left.span);
            left = Expr { kind: ExprKind::Chain(Box::new(left), rest), span };
        }
        Ok(left)
    }

    /// An operand with the operators before it.
    fn operand(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.kind(0) {
            Kind::Not => ExprKind::Not(self.unary()?),
            Kind::Minus => ExprKind::Negate(self.unary()?),
            Kind::Complement => ExprKind::Complement(self.unary()?),
            Kind::Plus => return Ok(*self.unary()?),
            Kind::Open => {
                self.bump();
                let inner = self.nested(Self::expr)?;
                self.close(start, Kind::Close, "an operator or `)`")?;
                inner.kind
            }
            Kind::Int => ExprKind::Int(self.int()?),
            Kind::Float => ExprKind::Float(self.literal()),
            Kind::String => ExprKind::String(self.literal()),
            Kind::True | Kind::False => {
                let value = self.at(Kind::True);
                self.bump();
                ExprKind::Bool(value)
            }
            Kind::Word => self.named()?,
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// What stands behind an operator with one operand.
    fn unary(&mut self) -> Parsed<Box<Expr>> {
        self.bump();
        Ok(Box::new(self.nested(Self::operand)?))
    }

    fn literal(&mut self) -> Text {
        let text = self.intern();
        self.bump();
        text
    }

    fn int(&mut self) -> Parsed<i64> {
        let value = self.text(0).parse().map_err(|_| {
            let message = format!("the number {} is too large", self.text(0).chars().take(40).collect::<String>());
            Box::new(Diagnostic::error(self.span(), message).label("larger than any `int`"))
        });
        self.bump();
        value
    }

    /// `x`, `p.x` or `f(a, b)`.
    fn named(&mut self) -> Parsed<ExprKind> {
        let name = self.name("an expression")?;
        if self.eat(Kind::Dot) {
            let member = self.name("the name of a data item")?;
            self.no_deeper(name.span)?;
            return Ok(ExprKind::Member(name, member));
        }
        if self.at(Kind::Open) {
            let arguments = self.nested(|p| p.parenthesised(Self::expr))?;
            return Ok(ExprKind::Call(name, arguments));
        }
        Ok(ExprKind::Name(name.text))
    }

    /// Refuses `a.b.c`.
    pub(super) fn no_deeper(&self, start: Span) -> Parsed<()> {
        if !self.at(Kind::Dot) {
            return Ok(());
        }
        let error = Diagnostic::error(self.since(start).to(self.span()), "there is no such path to data");
        let help = "data of inner components is seen from outside where `export data` shows it";
        Err(Box::new(error.label("only one dot is possible here").help(help)))
    }
}
