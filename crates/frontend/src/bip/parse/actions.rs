//! Statements.

use super::cursor::{Parsed, Parser};
use crate::bip::ast::{Statement, StatementKind, Target};
use crate::bip::token::Kind;

impl Parser<'_, '_> {
    /// `{ a; b; }`, or a single statement.
    pub(super) fn actions(&mut self) -> Parsed<Vec<Statement>> {
        if !self.at(Kind::OpenBrace) {
            let statement = self.statement()?;
            self.eat(Kind::Semicolon);
            return Ok(vec![statement]);
        }
        let open = self.bump();
        let statements = self.statements()?;
        self.close(open, Kind::CloseBrace, "a statement or `}`")?;
        Ok(statements)
    }

    /// Statements up to whatever cannot begin one.
    fn statements(&mut self) -> Parsed<Vec<Statement>> {
        let mut out = Vec::new();
        loop {
            while self.eat(Kind::Semicolon) {}
            if !matches!(self.kind(0), Kind::Word | Kind::If) {
                return Ok(out);
            }
            let statement = self.statement()?;
            // The last semicolon before a brace is often forgotten, and `fi` needs none.
            let ends = matches!(self.kind(0), Kind::CloseBrace | Kind::Else | Kind::Fi);
            if !ends && !matches!(statement.kind, StatementKind::If { .. }) {
                self.expect(Kind::Semicolon, "`;`")?;
            }
            out.push(statement);
        }
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.span();
        let kind = if self.at(Kind::If) { self.nested(Self::choice)? } else { self.simple()? };
        Ok(Statement { kind, span: self.since(start) })
    }

    /// `if (c) then ... else ... fi`.
    fn choice(&mut self) -> Parsed<StatementKind> {
        let open = self.bump();
        let condition = self.condition()?;
        self.expect(Kind::Then, "`then`")?;
        let yes = self.statements()?;
        let no = if self.eat(Kind::Else) { self.statements()? } else { Vec::new() };
        self.close(open, Kind::Fi, "a statement, `else` or `fi`")?;
        Ok(StatementKind::If { condition, yes, no })
    }

    /// `x = e`, `p.x = e`, `x' = e` or `f(a)`.
    fn simple(&mut self) -> Parsed<StatementKind> {
        let name = self.name("a statement")?;
        let target = match self.kind(0) {
            Kind::Open => return Ok(StatementKind::Call(name, self.nested(|p| p.parenthesised(Self::expr))?)),
            Kind::Dot => {
                self.bump();
                let data = self.name("the name of a data item")?;
                self.no_deeper(name.span)?;
                Target::Member(name, data)
            }
            Kind::Quote => {
                self.bump();
                Target::Speed(name)
            }
            _ => Target::Data(name),
        };
        self.expect(Kind::Is, "`=` or the arguments of a call")?;
        Ok(StatementKind::Assign(target, self.expr()?))
    }
}
