//! Operands: what operators stand between.

use model::Span;

use super::cursor::{Parser, Part};
use crate::Diagnostic;
use crate::promela::ast::{Expr, ExprKind, Formula, Query, Remote, Run, VarRef};
use crate::promela::character;
use crate::promela::token::Kind;

/// An operand: an expression or, in an `ltl` block, a formula.
pub(super) struct Operand {
    /// The expression; nothing if it is a formula.
    pub(super) expr: Option<Expr>,
    pub(super) formula: Option<Formula>,
    pub(super) span: Span,
    /// How deep its tree is.
    pub(super) depth: u32,
    /// The first question to a channel in it that only `&&` and `||` may combine.
    pub(super) question: Option<Span>,
}

impl Operand {
    /// An expression without parts.
    pub(super) fn leaf(expr: Expr) -> Self {
        let span = expr.span;
        Self { expr: Some(expr), formula: None, span, depth: 1, question: None }
    }
}

impl Parser {
    /// Whether an expression can begin here.
    pub(super) fn begins_operand(&self) -> bool {
        match self.kind(0) {
            Kind::Word | Kind::Int | Kind::Char | Kind::True | Kind::False | Kind::Skip => true,
            Kind::Open | Kind::Bang | Kind::Minus | Kind::Complement => true,
            Kind::Timeout | Kind::NonProgress | Kind::Run => true,
            Kind::Enabled | Kind::PcValue | Kind::GetPriority => true,
            other => query(other).is_some(),
        }
    }

    /// An operand with no operator in front of it.
    pub(super) fn operand(&mut self) -> Part<Operand> {
        let start = self.span();
        let kind = match self.kind(0) {
            Kind::Open => return self.nested(Self::parentheses),
            Kind::Timeout => {
                self.bump();
                ExprKind::Timeout
            }
            Kind::NonProgress => {
                self.bump();
                ExprKind::NonProgress
            }
            Kind::Run => self.run()?,
            Kind::Enabled => ExprKind::Enabled(self.of_process()?),
            Kind::PcValue => ExprKind::PcValue(self.of_process()?),
            Kind::GetPriority => ExprKind::GetPriority(self.of_process()?),
            Kind::Word if self.temporal_operator().is_some() => return Err(self.unexpected("a formula")),
            Kind::Word => self.reference()?,
            other => match query(other) {
                Some(query) => return self.query(query),
                None => match self.constant() {
                    Some(value) => ExprKind::Const(value),
                    None => return Err(self.unexpected("an expression")),
                },
            },
        };
        Ok(Operand::leaf(Expr { kind, span: self.since(start) }))
    }

    /// An operand that is an expression by itself.
    pub(super) fn operand_expr(&mut self) -> Part<Expr> {
        let operand = self.operand()?;
        self.plain(operand)
    }

    /// `(expression)`, or `(condition -> a : b)`.
    fn parentheses(&mut self) -> Part<Operand> {
        let open = self.bump();
        let first = self.binary(0)?;
        if self.temporal || !self.at(Kind::Arrow) {
            self.close(open, Kind::Close, "an operator or `)`")?;
            return Ok(Operand { span: self.since(open), ..first });
        }
        let depth = first.depth;
        let condition = self.plain(first)?;
        self.bump();
        let (yes, no) = (self.binary(0)?, self.alternative()?);
        let depth = 1 + depth.max(yes.depth).max(no.depth);
        let (yes, no) = (self.plain(yes)?, self.plain(no)?);
        self.close(open, Kind::Close, "an operator or `)`")?;
        let kind = ExprKind::Cond(Box::new(condition), Box::new(yes), Box::new(no));
        Ok(Operand { depth, ..Operand::leaf(Expr { kind, span: self.since(open) }) })
    }

    /// `: b`.
    fn alternative(&mut self) -> Part<Operand> {
        let error = self.unexpected("`:`");
        if !self.eat(Kind::Colon) {
            return Err(Box::new(error.help("`->` within parentheses chooses: `(condition -> a : b)`")));
        }
        self.binary(0)
    }

    /// A number, a character or a truth value, if that is what comes next.
    pub(super) fn constant(&mut self) -> Option<i64> {
        let value = match self.kind(0) {
            Kind::Int => self.number(),
            Kind::Char => character::value(self.text()),
            Kind::True | Kind::Skip => 1,
            Kind::False => 0,
            _ => return None,
        };
        self.bump();
        Some(value)
    }

    /// A number, which has 32 bits.
    fn number(&mut self) -> i64 {
        let value: i64 = self.text().parse().unwrap_or(i64::MAX);
        let kept = i64::from(value as i32);
        if kept != value {
            let message = format!("the number {} does not fit into 32 bits", self.text());
            let warning = Diagnostic::warning(self.token(0).written, message);
            self.warnings.push(warning.label(format!("taken as {kept}")));
        }
        kept
    }

    /// `run P(arguments) priority n`.
    fn run(&mut self) -> Part<ExprKind> {
        self.bump();
        let proctype = self.name("the name of a proctype")?;
        let arguments = self.parenthesised(|p| if p.at(Kind::Close) { Ok(Vec::new()) } else { p.list(Self::expr) })?;
        let priority = self.priority()?;
        Ok(ExprKind::Run(Box::new(Run { proctype, arguments, priority })))
    }

    /// A word and the number of a process.
    fn of_process(&mut self) -> Part<Box<Expr>> {
        self.bump();
        self.parenthesised(Self::expr).map(Box::new)
    }

    /// A question to a channel.
    fn query(&mut self, query: Query) -> Part<Operand> {
        let start = self.bump();
        let channel = self.parenthesised(Self::variable_ref)?;
        let span = self.since(start);
        let operand = Operand::leaf(Expr { kind: ExprKind::Query(query, channel), span });
        // `len` is a number like any other.
        let question = Some(span).filter(|_| query != Query::Len && !self.temporal);
        Ok(Operand { question, ..operand })
    }

    /// Something with a name: a variable, a look into another process, or a question to a channel.
    fn reference(&mut self) -> Part<ExprKind> {
        let proctypes = if self.temporal { &self.all_proctypes } else { &self.proctypes };
        let proctype = proctypes.contains(self.text());
        let variable = self.variable_ref()?;
        let asks = self.kind(1) == Kind::OpenBracket;
        match self.kind(0) {
            Kind::Question | Kind::QuestionQuestion if asks => self.poll(variable).map(Box::new).map(ExprKind::Poll),
            Kind::At if variable.field.is_none() => {
                self.bump();
                let label = self.name("the name of a label")?;
                Ok(remote(variable, Ok(label)))
            }
            Kind::Colon if variable.field.is_none() && proctype => {
                self.bump();
                let of = self.variable_ref()?;
                Ok(remote(variable, Err(of)))
            }
            _ => Ok(ExprKind::Ref(variable)),
        }
    }

    /// `name[index].field`.
    pub(super) fn variable_ref(&mut self) -> Part<VarRef> {
        let name = self.name("the name of a variable")?;
        let index =
            if self.at(Kind::OpenBracket) && !self.formula_ahead() { Some(Box::new(self.bracketed()?)) } else { None };
        let field = if self.eat(Kind::Dot) { Some(Box::new(self.nested(Self::variable_ref)?)) } else { None };
        Ok(VarRef { name, index, field })
    }

    /// Whether `[]` comes next, which is no index.
    fn formula_ahead(&self) -> bool {
        self.temporal && self.kind(1) == Kind::CloseBracket
    }
}

fn remote(process: VarRef, what: Result<crate::name::Name, VarRef>) -> ExprKind {
    let pid = process.index.map(|index| *index);
    ExprKind::Remote(Box::new(Remote { proctype: process.name, pid, what }))
}

fn query(kind: Kind) -> Option<Query> {
    Some(match kind {
        Kind::Len => Query::Len,
        Kind::Empty => Query::Empty,
        Kind::Nempty => Query::Nempty,
        Kind::Full => Query::Full,
        Kind::Nfull => Query::Nfull,
        _ => return None,
    })
}
