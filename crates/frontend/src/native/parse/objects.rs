//! Declarations of objects: their kinds, types and initial values.

use super::cursor::Parser;
use super::marks::Mark;
use crate::native::ast::{Capacity, ExprKind, Initial, InitialKind, ObjectKind, Objects, Range, Type};
use crate::native::report::Checked;
use crate::native::token::Kind;

impl<'t> Parser<'t, '_> {
    /// `var x, y[3] : 0..7 = 1` and its like; the first word says what they are.
    pub(super) fn objects(&mut self) -> Checked<Objects<'t>> {
        let word = self.text(0);
        self.bump();
        let names = self.list(|p| p.part(&format!("the name of a {word}")))?;
        let kind = self.object_kind(word)?;
        let initial = if self.eat(Kind::Is) { Some(self.initial()?) } else { None };
        if self.at(Kind::Comma) {
            let what = crate::Diagnostic::error(self.span(), "expected a declaration, found `,`");
            let help =
                format!("all names come first, as in `{word} x, y`; what differs is declared by another `{word}`");
            return Err(self.report(what.label("the declaration ends before this").help(help)));
        }
        Ok(Objects { names, kind, initial })
    }

    fn object_kind(&mut self, word: &str) -> Checked<ObjectKind<'t>> {
        if word == "lock" {
            return Ok(ObjectKind::Lock);
        }
        let what = match word {
            "var" => "`:` and a type: `bool`, a range such as `0..7`, or an enumeration",
            "channel" => "`:` and a capacity: a number, `rendezvous`, or `lossy` and a number",
            _ => "`:` and a range such as `0..3`",
        };
        self.expect(Kind::Colon, what)?;
        match word {
            "var" => Ok(ObjectKind::Variable(self.value_type()?)),
            "semaphore" => Ok(ObjectKind::Semaphore(self.range()?)),
            "counter" => Ok(ObjectKind::Counter(self.range()?)),
            _ => self.channel(),
        }
    }

    fn channel(&mut self) -> Checked<ObjectKind<'t>> {
        let capacity = if self.eat_word("rendezvous") {
            Capacity::Rendezvous
        } else if self.eat_word("lossy") {
            Capacity::Lossy(self.sum()?)
        } else {
            Capacity::Buffered(self.sum()?)
        };
        let mut fields = Vec::new();
        if self.eat_word("of") {
            if self.at(Kind::Open) && self.fields_ahead() {
                self.bump();
                if !self.at(Kind::Close) {
                    fields = self.list(Self::value_type)?;
                }
                self.expect(Kind::Close, "`,` or `)`")?;
            } else {
                fields.push(self.value_type()?);
            }
        }
        Ok(ObjectKind::Channel(capacity, fields))
    }

    /// Whether the parentheses here enclose types, and not the lower bound of a range: `(n-1)..n`.
    fn fields_ahead(&self) -> bool {
        let mut open = 0usize;
        for ahead in 0.. {
            match self.kind(ahead) {
                Kind::Open => open += 1,
                Kind::Close if open == 1 => return self.kind(ahead + 1) != Kind::DotDot,
                Kind::Close => open -= 1,
                Kind::End => return true,
                _ => {}
            }
        }
        true
    }

    /// `bool`, a range, or the name of an enumeration.
    fn value_type(&mut self) -> Checked<Type<'t>> {
        if self.at_word("bool") && self.kind(1) != Kind::DotDot {
            self.bump();
            return Ok(Type::Bool);
        }
        let start = self.span();
        let lo = self.sum()?;
        if self.at(Kind::DotDot) {
            self.mark(Mark::Tight);
            self.bump();
            let hi = self.sum()?;
            return Ok(Type::Range(Box::new(Range { lo, hi })));
        }
        match lo.kind {
            ExprKind::Place(place) if place.member.is_none() && place.head.indices.is_empty() => {
                Ok(Type::Named(place.head.name))
            }
            _ => {
                let what = crate::Diagnostic::error(start.to(lo.span), "expected a type, found a value");
                Err(self.report(what.label("not a type").help("write a range: `0..7`")))
            }
        }
    }

    fn initial(&mut self) -> Checked<Initial<'t>> {
        self.nested(|p| {
            let start = p.span();
            let kind = match p.kind(0) {
                Kind::Box => {
                    p.bump();
                    InitialKind::List(Vec::new())
                }
                Kind::OpenBracket => {
                    p.bump();
                    let list = p.list(Self::initial)?;
                    p.expect(Kind::CloseBracket, "`,` or `]`")?;
                    InitialKind::List(list)
                }
                Kind::Open if p.tuple_ahead() => InitialKind::Message(p.tuple()?),
                _ => InitialKind::One(p.expr()?),
            };
            Ok(Initial { kind, span: start.to(p.last_span()) })
        })
    }

    /// `()`, `(a)`, `(a, b)`.
    pub(super) fn tuple(&mut self) -> Checked<Vec<crate::native::ast::Expr<'t>>> {
        self.expect(Kind::Open, "`(`")?;
        let mut fields = Vec::new();
        if !self.at(Kind::Close) {
            fields = self.list(Self::expr)?;
        }
        self.expect(Kind::Close, "`,` or `)`")?;
        Ok(fields)
    }
}
