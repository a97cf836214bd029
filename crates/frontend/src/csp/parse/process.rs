//! The operators on processes: prefixes and guards, binary operators, replicated ones.

use super::cursor::{Parsed, Parser};
use super::expr::{DOT, EXTERNAL, INTERLEAVE, INTERNAL, INTERRUPT, OR, PARALLEL, SEQUENTIAL, SLIDING};
use crate::csp::ast::{Combinator, Expr, ExprKind, Field, FieldKind, Guard, Pattern, Prefix, Replicated, Replicator};
use crate::csp::token::Kind;

/// What comes before the arrow of a prefix, or before `&`.
enum Head {
    Prefix(Expr, Vec<Field>),
    Guard(Expr),
}

impl Parser<'_> {
    /// Whether fields, an arrow or `&` come next.
    pub(super) fn at_prefix(&self) -> bool {
        matches!(self.kind(0), Kind::Arrow | Kind::Guard | Kind::Question | Kind::Bang | Kind::Dollar)
    }

    /// `a -> b & c -> P`, when `a` was read already: a loop, as the chain may be long.
    pub(super) fn prefixed(&mut self, first: Expr) -> Parsed<Expr> {
        let before = self.steps;
        let (mut heads, mut next) = (Vec::new(), first);
        while self.at_prefix() {
            self.step()?;
            heads.push(self.head(next)?);
            next = self.nested(|p| p.binary(DOT))?;
        }
        self.steps = before;
        while let Some(head) = heads.pop() {
            next = with_head(head, next);
        }
        Ok(next)
    }

    fn head(&mut self, left: Expr) -> Parsed<Head> {
        if self.eat(Kind::Guard) {
            return Ok(Head::Guard(left));
        }
        let mut fields = Vec::new();
        while !self.at(Kind::Arrow) {
            fields.push(self.field()?);
        }
        self.bump();
        Ok(Head::Prefix(left, fields))
    }

    fn field(&mut self) -> Parsed<Field> {
        let start = self.span();
        let kind = match self.kind(0) {
            Kind::Question => self.input(FieldKind::Input)?,
            Kind::Dollar => self.input(FieldKind::Nondeterministic)?,
            Kind::Bang | Kind::Dot => {
                self.bump();
                FieldKind::Output(self.nested(|p| p.binary(DOT))?)
            }
            _ => return Err(self.unexpected("`->` and a process")),
        };
        Ok(Field { kind, span: self.since(start) })
    }

    fn input(&mut self, make: fn(Pattern, Option<Expr>) -> FieldKind) -> Parsed<FieldKind> {
        self.bump();
        let pattern = self.dot_pattern()?;
        let set = if self.eat(Kind::Colon) { Some(self.nested(|p| p.binary(OR))?) } else { None };
        Ok(make(pattern, set))
    }

    /// The precedence of the operator on processes that comes next.
    pub(super) fn combinator_level(&self) -> Option<u8> {
        match self.kind(0) {
            Kind::Interleave => Some(INTERLEAVE),
            Kind::OpenParallel | Kind::OpenBracket => Some(PARALLEL),
            Kind::Internal => Some(INTERNAL),
            Kind::Box | Kind::OpenPlus => Some(EXTERNAL),
            Kind::Interrupt | Kind::OpenInterrupt => Some(INTERRUPT),
            Kind::Sliding => Some(SLIDING),
            Kind::Semicolon => Some(SEQUENTIAL),
            _ => None,
        }
    }

    /// The operator on processes that comes next.
    pub(super) fn combinator(&mut self) -> Parsed<Combinator> {
        let plain = match self.kind(0) {
            Kind::OpenParallel => return self.parallel(),
            Kind::OpenBracket => return self.brackets(Kind::CloseBracket, "`]`", Self::alphabets_or_links),
            Kind::OpenPlus => return Ok(Combinator::SynchronisingExternal(Box::new(self.plus_set()?))),
            Kind::OpenInterrupt => {
                let set = self.brackets(Kind::CloseInterrupt, "`+\\`", Self::expr)?;
                return Ok(Combinator::SynchronisingInterrupt(Box::new(set)));
            }
            Kind::Interleave => Combinator::Interleave,
            Kind::Internal => Combinator::Internal,
            Kind::Interrupt => Combinator::Interrupt,
            Kind::Sliding => Combinator::Sliding,
            Kind::Semicolon => Combinator::Sequential,
            _ => Combinator::External,
        };
        self.bump();
        Ok(plain)
    }

    /// `[| A |]` or `[| A |>`.
    fn parallel(&mut self) -> Parsed<Combinator> {
        let open = self.bump();
        let set = Box::new(self.within(true, false, Self::expr)?);
        if self.eat(Kind::CloseException) {
            return Ok(Combinator::Exception(set));
        }
        self.close(open, Kind::CloseParallel, "`|]`")?;
        Ok(Combinator::Parallel(set))
    }

    /// The inside of `[A || B]` or of `[a <-> b]`.
    fn alphabets_or_links(&mut self) -> Parsed<Combinator> {
        let first = self.expr()?;
        if self.at(Kind::Link) {
            return Ok(Combinator::Linked(Box::new(self.pairs_from(first, Kind::Link)?)));
        }
        self.expect(Kind::Parallel, "`||` and the other alphabet, or `<->` and the other channel")?;
        Ok(Combinator::Alphabetised(Box::new((first, self.expr()?))))
    }

    fn plus_set(&mut self) -> Parsed<Expr> {
        self.brackets(Kind::ClosePlus, "`+]`", Self::expr)
    }

    /// `[] x:S @ P` and its kin.
    pub(super) fn replicated(&mut self) -> Parsed<ExprKind> {
        let alphabetised = self.eat(Kind::Parallel);
        let operator = if alphabetised { None } else { Some(self.replicator()?) };
        let statements = self.statements()?;
        self.expect(Kind::At, "`@` and the process")?;
        let operator = match operator {
            Some(operator) => operator,
            None => Replicator::Alphabetised(Box::new(self.alphabet()?)),
        };
        Ok(ExprKind::Replicated(Box::new(Replicated { operator, statements, body: self.expr()? })))
    }

    /// The `[A]` of `|| x:S @ [A] P`.
    fn alphabet(&mut self) -> Parsed<Expr> {
        if !self.at(Kind::OpenBracket) {
            return Err(self.unexpected("`[` and the alphabet of the process"));
        }
        self.brackets(Kind::CloseBracket, "`]`", Self::expr)
    }

    /// The replicated operator that begins here.
    fn replicator(&mut self) -> Parsed<Replicator> {
        let plain = match self.kind(0) {
            Kind::OpenParallel => {
                let set = self.brackets(Kind::CloseParallel, "`|]`", Self::expr)?;
                return Ok(Replicator::Parallel(Box::new(set)));
            }
            Kind::OpenBracket => {
                let pairs = self.brackets(Kind::CloseBracket, "`]`", |p| p.pairs(Kind::Link))?;
                return Ok(Replicator::Linked(Box::new(pairs)));
            }
            Kind::OpenPlus => return Ok(Replicator::SynchronisingExternal(Box::new(self.plus_set()?))),
            Kind::Box => Replicator::External,
            Kind::Internal => Replicator::Internal,
            Kind::Interleave => Replicator::Interleave,
            Kind::Semicolon => Replicator::Sequential,
            _ => return Err(self.unexpected("an expression")),
        };
        self.bump();
        Ok(plain)
    }
}

fn with_head(head: Head, then: Expr) -> Expr {
    match head {
        Head::Guard(condition) => {
            let span = condition.span.to(then.span);
            Expr { kind: ExprKind::Guard(Box::new(Guard { condition, process: then })), span }
        }
        Head::Prefix(event, fields) => {
            let span = event.span.to(then.span);
            Expr { kind: ExprKind::Prefix(Box::new(Prefix { event, fields, then })), span }
        }
    }
}
