//! Sets, sequences, productions, and the statements that they and the replicated operators range over.

use super::cursor::{Parsed, Parser};
use crate::csp::ast::{Elements, Expr, ExprKind, Items, Pairs, Statement};
use crate::csp::token::Kind;

impl Parser<'_> {
    /// `{ ... }`, `{| ... |}` or `< ... >`.
    pub(super) fn collection(&mut self) -> Parsed<ExprKind> {
        match self.kind(0) {
            Kind::OpenBrace => {
                Ok(ExprKind::Set(self.brackets(Kind::CloseBrace, "`}`", |p| p.elements(Kind::CloseBrace))?))
            }
            Kind::OpenProductions => {
                let close = Kind::CloseProductions;
                Ok(ExprKind::Productions(self.brackets(close, "`|}`", |p| p.elements(close))?))
            }
            Kind::EmptySequence => {
                self.bump();
                Ok(ExprKind::Sequence(Elements { items: Items::Listed(Vec::new()), statements: Vec::new() }))
            }
            _ => {
                let open = self.bump();
                let elements = self.within(true, true, |p| p.elements(Kind::Greater))?;
                self.close(open, Kind::Greater, "`>`")?;
                Ok(ExprKind::Sequence(elements))
            }
        }
    }

    fn elements(&mut self, close: Kind) -> Parsed<Elements> {
        if self.at(close) {
            return Ok(Elements { items: Items::Listed(Vec::new()), statements: Vec::new() });
        }
        let items = self.items(close)?;
        let statements = if self.eat(Kind::Bar) { self.statements()? } else { Vec::new() };
        Ok(Elements { items, statements })
    }

    fn items(&mut self, close: Kind) -> Parsed<Items> {
        let first = self.expr()?;
        if self.eat(Kind::DotDot) {
            if self.at(close) || self.at(Kind::Bar) {
                return Ok(Items::From(Box::new(first)));
            }
            return Ok(Items::Range(Box::new((first, self.expr()?))));
        }
        let mut listed = vec![first];
        while self.eat(Kind::Comma) {
            listed.push(self.expr()?);
        }
        Ok(Items::Listed(listed))
    }

    /// `x <- S, y : T, x != y`.
    pub(super) fn statements(&mut self) -> Parsed<Vec<Statement>> {
        self.list(Self::statement)
    }

    /// A generator if a pattern and `<-` or `:` stand here. Patterns hold no statements, so trying one costs little.
    fn statement(&mut self) -> Parsed<Statement> {
        let position = self.position();
        if let Ok(pattern) = self.pattern()
            && (self.eat(Kind::From) || self.eat(Kind::Colon))
        {
            return Ok(Statement::Generator(pattern, self.expr()?));
        }
        self.rewind(position);
        Ok(Statement::Condition(self.expr()?))
    }

    /// `a <- b, c <- d | statements`, or with `<->`.
    pub(super) fn pairs(&mut self, between: Kind) -> Parsed<Pairs> {
        let first = self.expr()?;
        self.pairs_from(first, between)
    }

    /// The same, when the first left side was read already.
    pub(super) fn pairs_from(&mut self, first: Expr, between: Kind) -> Parsed<Pairs> {
        let what = if between == Kind::From { "`<-` and the new event" } else { "`<->` and the other channel" };
        self.expect(between, what)?;
        let mut pairs = vec![(first, self.expr()?)];
        while self.eat(Kind::Comma) {
            let left = self.expr()?;
            self.expect(between, what)?;
            pairs.push((left, self.expr()?));
        }
        let statements = if self.eat(Kind::Bar) { self.statements()? } else { Vec::new() };
        Ok(Pairs { pairs, statements })
    }
}
