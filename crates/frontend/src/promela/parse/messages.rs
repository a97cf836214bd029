//! Messages: what is sent, and what is received or asked for.

use super::cursor::{Parser, Part};
use crate::promela::ast::{Argument, Poll, Receive, Send, VarRef};
use crate::promela::token::Kind;

impl Parser {
    /// `q!a,b` or `q!a(b)`, from the mark on.
    pub(super) fn send(&mut self, channel: VarRef) -> Part<Send> {
        let sorted = self.at(Kind::BangBang);
        self.bump();
        let mut values = vec![self.expr()?];
        if self.at(Kind::Open) {
            let open = self.bump();
            values.extend(self.list(Self::expr)?);
            self.close(open, Kind::Close, "an operator, `,` or `)`")?;
        } else if self.eat(Kind::Comma) {
            values.extend(self.list(Self::expr)?);
        }
        Ok(Send { channel, sorted, values })
    }

    /// `q?a,b`, `q?<a,b>` and so on, from the mark on.
    pub(super) fn receive(&mut self, channel: VarRef) -> Part<Receive> {
        let anywhere = self.at(Kind::QuestionQuestion);
        self.bump();
        let keep = self.at(Kind::Less);
        let open = self.span();
        if keep {
            self.bump();
        }
        let mut arguments = Vec::new();
        self.arguments(&mut arguments)?;
        if keep {
            self.close(open, Kind::Greater, "`,` or `>`")?;
        }
        Ok(Receive { channel, anywhere, keep, arguments })
    }

    /// `q?[a,b]`, from the mark on.
    pub(super) fn poll(&mut self, channel: VarRef) -> Part<Poll> {
        let anywhere = self.at(Kind::QuestionQuestion);
        self.bump();
        let open = self.bump();
        let mut arguments = Vec::new();
        self.arguments(&mut arguments)?;
        self.close(open, Kind::CloseBracket, "`,` or `]`")?;
        Ok(Poll { channel, anywhere, arguments })
    }

    /// Fields of a message: `a,b`, or `a(b)`, or `(a,b)`.
    fn arguments(&mut self, out: &mut Vec<Argument>) -> Part<()> {
        loop {
            if !self.at(Kind::Open) {
                out.push(self.argument()?);
            }
            if self.at(Kind::Open) {
                let open = self.bump();
                self.nested(|p| p.arguments(out))?;
                self.close(open, Kind::Close, "`,` or `)`")?;
                return Ok(());
            }
            if !self.eat(Kind::Comma) {
                return Ok(());
            }
        }
    }

    fn argument(&mut self) -> Part<Argument> {
        let start = self.span();
        match self.kind(0) {
            Kind::Eval => {
                self.bump();
                self.parenthesised(Self::expr).map(Argument::Eval)
            }
            Kind::Minus => {
                self.bump();
                match self.constant() {
                    Some(value) => Ok(Argument::Const(-value, self.since(start))),
                    None => Err(self.unexpected("a number")),
                }
            }
            Kind::Word => self.variable_ref().map(Argument::Ref),
            _ => match self.constant() {
                Some(value) => Ok(Argument::Const(value, start)),
                None => {
                    let error = self.unexpected("a variable, a constant or `eval`");
                    Err(Box::new(error.help("other values are matched with `eval(...)`")))
                }
            },
        }
    }
}
