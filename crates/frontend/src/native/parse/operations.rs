//! Operations of a step: what follows `do`.

use super::cursor::Parser;
use super::marks::Mark;
use crate::Diagnostic;
use crate::native::ast::{Operation, OperationKind, Pattern};
use crate::native::report::Checked;
use crate::native::token::Kind;

impl<'t> Parser<'t, '_> {
    /// One operation.
    pub(super) fn operation(&mut self) -> Checked<Operation<'t>> {
        if self.eat_word("assert") {
            return Ok(Operation::Assert(self.expr()?));
        }
        if self.at(Kind::Word) && self.kind(1) == Kind::Word {
            let kind = match self.text(0) {
                "acquire" => Some(OperationKind::Acquire),
                "release" => Some(OperationKind::Release),
                "wait" => Some(OperationKind::Wait),
                "signal" => Some(OperationKind::Signal),
                _ => None,
            };
            if let Some(kind) = kind {
                self.bump();
                return Ok(Operation::On(self.place("the name of an object")?, kind));
            }
        }
        self.misspelt(&["acquire", "release", "wait", "signal", "assert"], "operation")?;
        let place = self.place("an operation")?;
        let kind = self.operator_of(place.span)?;
        Ok(Operation::On(place, kind))
    }

    /// What is done with the object that was named.
    fn operator_of(&mut self, place: model::Span) -> Checked<OperationKind<'t>> {
        let operator = self.kind(0);
        let known = [Kind::Assign, Kind::PlusAssign, Kind::MinusAssign, Kind::Bang, Kind::Question];
        if matches!(operator, Kind::Bang | Kind::Question) {
            self.mark(Mark::Tight);
        }
        if known.contains(&operator) {
            self.bump();
        }
        match operator {
            Kind::Assign => Ok(OperationKind::Assign(self.expr()?)),
            Kind::PlusAssign => Ok(OperationKind::Add(self.expr()?)),
            Kind::MinusAssign => Ok(OperationKind::Subtract(self.expr()?)),
            Kind::Bang if self.at(Kind::Open) && self.tuple_ahead() => Ok(OperationKind::Send(self.tuple()?)),
            Kind::Bang => Ok(OperationKind::Send(vec![self.expr()?])),
            Kind::Question => Ok(OperationKind::Receive(self.patterns()?)),
            Kind::Is => {
                let what = Diagnostic::error(self.span(), "expected an operation, found `=`").label("`=` declares");
                Err(self.report(what.help("write `:=` to assign")))
            }
            _ => {
                let what = Diagnostic::error(place, "this is no operation").label("what shall happen with it?");
                Err(self.report(what.help(
                    "operations are `x := e`, `x += e`, `x -= e`, `acquire m`, `release m`, `wait s`, `signal s`, `q!e`, \
                     `q?x` and `assert e`",
                )))
            }
        }
    }

    fn patterns(&mut self) -> Checked<Vec<Pattern<'t>>> {
        if !self.eat(Kind::Open) {
            return Ok(vec![self.pattern()?]);
        }
        let mut patterns = Vec::new();
        if !self.at(Kind::Close) {
            patterns = self.list(Self::pattern)?;
        }
        self.expect(Kind::Close, "`,` or `)`")?;
        Ok(patterns)
    }

    fn pattern(&mut self) -> Checked<Pattern<'t>> {
        if self.eat_word("_") {
            Ok(Pattern::Any)
        } else if self.at(Kind::Is) {
            self.mark(Mark::Right);
            self.bump();
            Ok(Pattern::Equals(self.expr()?))
        } else {
            Ok(Pattern::Value(self.expr()?))
        }
    }
}
