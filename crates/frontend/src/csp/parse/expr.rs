//! Expressions by precedence climbing: one level of recursion for each level of nesting.
//!
//! From loose to tight, as FDR has it: hiding and projection, `|||`, the parallel operators, `|~|`, `[]`, `/\`, `[>`,
//! `;`, `->` and `&`, `.`, `or`, `and`, `not`, comparisons, `+ -`, `* / %`, `#`, `^`, calls and renaming. Hiding is loose
//! to its left only: the set to its right ends before any operator on processes, so `P [] Q \ A [] R` means
//! `((P [] Q) \ A) [] R`. What ends with an open expression (`if`, `let`, functions, replication) takes all that follows.

use super::cursor::{Parsed, Parser};
use crate::Diagnostic;
use crate::csp::ast::{Combinator, Expr, ExprKind, Operator, Restricted};
use crate::csp::limits;
use crate::csp::token::Kind;

/// The levels of precedence, loose to tight.
pub(super) const ANY: u8 = 0;
const HIDE: u8 = 1;
pub(super) const INTERLEAVE: u8 = 2;
pub(super) const PARALLEL: u8 = 3;
pub(super) const INTERNAL: u8 = 4;
pub(super) const EXTERNAL: u8 = 5;
pub(super) const INTERRUPT: u8 = 6;
pub(super) const SLIDING: u8 = 7;
pub(super) const SEQUENTIAL: u8 = 8;
const PREFIX: u8 = 9;
pub(super) const DOT: u8 = 10;
pub(super) const OR: u8 = 11;
const AND: u8 = 12;
pub(super) const NOT: u8 = 13;
const COMPARISON: u8 = 14;
const SUM: u8 = 15;
pub(super) const PRODUCT: u8 = 16;
pub(super) const CONCAT: u8 = 18;

/// What the next token does to the operand before it.
enum Infix {
    Data(Operator),
    Dot,
    Process,
    Prefix,
    Hide(fn(Box<Restricted>) -> ExprKind),
}

impl Parser<'_> {
    /// Any expression.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(|p| p.binary(ANY))
    }

    fn infix(&self) -> Option<(Infix, u8)> {
        let data = |operator, level| Some((Infix::Data(operator), level));
        match self.kind(0) {
            Kind::Less | Kind::Minus if self.fresh_line() => None,
            Kind::Greater if self.in_sequence => None,
            Kind::Or => data(Operator::Or, OR),
            Kind::And => data(Operator::And, AND),
            Kind::Equal => data(Operator::Equal, COMPARISON),
            Kind::NotEqual => data(Operator::NotEqual, COMPARISON),
            Kind::Less => data(Operator::Less, COMPARISON),
            Kind::AtMost => data(Operator::AtMost, COMPARISON),
            Kind::Greater => data(Operator::Greater, COMPARISON),
            Kind::AtLeast => data(Operator::AtLeast, COMPARISON),
            Kind::Plus => data(Operator::Add, SUM),
            Kind::Minus => data(Operator::Subtract, SUM),
            Kind::Star => data(Operator::Multiply, PRODUCT),
            Kind::Slash => data(Operator::Divide, PRODUCT),
            Kind::Percent => data(Operator::Modulo, PRODUCT),
            Kind::Concat => data(Operator::Concat, CONCAT),
            Kind::Dot => Some((Infix::Dot, DOT)),
            Kind::Backslash => Some((Infix::Hide(ExprKind::Hide), HIDE)),
            Kind::Project => Some((Infix::Hide(ExprKind::Project), HIDE)),
            _ if self.at_prefix() => Some((Infix::Prefix, PREFIX)),
            _ => self.combinator_level().map(|level| (Infix::Process, level)),
        }
    }

    /// Operands and operators of at least this level.
    pub(super) fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.operand()?;
        // The level of the chain that `left` is, if it grew here: more operands of that level join it.
        let mut growing = u8::MAX;
        let mut wraps = 0;
        while let Some((infix, level)) = self.infix()
            && level >= least
        {
            self.check_chain(level, growing)?;
            wraps += u32::from(level != growing || level == HIDE);
            self.check_wraps(wraps)?;
            left = self.apply(left, infix, level, growing == level)?;
            growing = level;
        }
        Ok(left)
    }

    fn check_chain(&self, level: u8, growing: u8) -> Parsed<()> {
        if level != COMPARISON || growing != COMPARISON {
            return Ok(());
        }
        let what = Diagnostic::error(self.span(), "comparisons cannot be chained").label("a second comparison");
        Err(Box::new(what.help("write `a < b and b < c`, or use parentheses")))
    }

    /// What one operand collects makes the tree deep, too.
    pub(super) fn check_wraps(&self, wraps: u32) -> Parsed<()> {
        if wraps <= limits::WRAPS {
            return Ok(());
        }
        let message = format!("more than {} operators on one operand", limits::WRAPS);
        Err(Box::new(Diagnostic::error(self.span(), message).label("one too many").help("use parentheses")))
    }

    /// Reads the operator and what is right of it.
    fn apply(&mut self, left: Expr, infix: Infix, level: u8, join: bool) -> Parsed<Expr> {
        let start = left.span;
        let kind = match infix {
            Infix::Prefix => return self.prefixed(left),
            Infix::Process => {
                let combinator = self.combinator()?;
                let (first, mut rest) = operands(left, join, split_processes);
                rest.push((combinator, self.nested(|p| p.binary(level + 1))?));
                ExprKind::Combined(first, rest)
            }
            Infix::Data(operator) => {
                self.bump();
                let (first, mut rest) = operands(left, join, split_data);
                rest.push((operator, self.nested(|p| p.binary(level + 1))?));
                ExprKind::Chain(first, rest)
            }
            Infix::Dot => {
                self.bump();
                let right = self.nested(|p| p.binary(OR))?;
                dot(left, right, join)
            }
            Infix::Hide(make) => {
                self.bump();
                let events = self.nested(|p| p.binary(DOT))?;
                make(Box::new(Restricted { process: left, events }))
            }
        };
        Ok(Expr { kind, span: self.since(start) })
    }
}

/// The operands of a chain.
type Operands<T> = (Box<Expr>, Vec<(T, Expr)>);

/// The operands of a chain that grows; what is none, or was closed by parentheses, is the first of a new one.
fn operands<T>(left: Expr, join: bool, split: fn(ExprKind) -> Result<Operands<T>, ExprKind>) -> Operands<T> {
    let span = left.span;
    let whole = |kind| (Box::new(Expr { kind, span }), Vec::new());
    if join { split(left.kind).unwrap_or_else(whole) } else { whole(left.kind) }
}

fn split_data(kind: ExprKind) -> Result<Operands<Operator>, ExprKind> {
    if let ExprKind::Chain(first, rest) = kind { Ok((first, rest)) } else { Err(kind) }
}

fn split_processes(kind: ExprKind) -> Result<Operands<Combinator>, ExprKind> {
    if let ExprKind::Combined(first, rest) = kind { Ok((first, rest)) } else { Err(kind) }
}

fn dot(left: Expr, right: Expr, join: bool) -> ExprKind {
    match left.kind {
        ExprKind::Dot(mut parts) if join => {
            parts.push(right);
            ExprKind::Dot(parts)
        }
        kind => ExprKind::Dot(vec![Expr { kind, span: left.span }, right]),
    }
}
