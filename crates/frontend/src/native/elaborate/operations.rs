//! Operations: each fits the kind of object that it works on, or the message says what would.

use model::{Binary, ChannelType, Command, Expr, Kind, Pattern, ProcessId, Span, Target};

use super::Elaborator;
use super::place::Meaning;
use super::scope::Scope;
use super::types::{Type, Typed};
use crate::Diagnostic;
use crate::native::ast::{self, ExprKind, Operation, OperationKind, Place};
use crate::native::report::{Checked, Reported, all};

impl<'t> Elaborator<'t> {
    /// One operation of a step of `process`.
    pub(super) fn operation(
        &mut self,
        operation: &Operation<'t>,
        process: ProcessId,
        scope: &Scope<'t>,
    ) -> Checked<Command> {
        let (place, operation) = match operation {
            Operation::Assert(e) => return Ok(Command::Assert(self.bool(e, scope)?.expr)),
            Operation::On(place, operation) => (place, operation),
        };
        let (target, kind, depth) = self.object(place, scope)?;
        match (operation, &kind) {
            (OperationKind::Assign(e), Kind::Variable(domain)) => {
                let value = self.expr(e, scope)?;
                Ok(Command::Assign(target, self.fitting(value, domain)?.expr))
            }
            (OperationKind::Add(e) | OperationKind::Subtract(e), Kind::Variable(domain)) => {
                let old = Typed { expr: Expr::Read(target.clone()), ty: Type::of(domain), depth, span: place.span };
                let old = self.of_type(old, &Type::Int, Some("only numbers can be added"))?;
                let value = self.int(e, scope)?;
                let op = if matches!(operation, OperationKind::Add(_)) { Binary::Add } else { Binary::Sub };
                Ok(Command::Assign(target, self.apply(op, old, value)?.expr))
            }
            (OperationKind::Add(e), Kind::Counter { .. }) => Ok(Command::Gain(target, self.amount(e, scope)?)),
            (OperationKind::Subtract(e), Kind::Counter { .. }) => Ok(Command::Take(target, self.amount(e, scope)?)),
            (OperationKind::Acquire, Kind::Lock) => Ok(Command::Acquire(target, process)),
            (OperationKind::Release, Kind::Lock) => Ok(Command::Release(target, process)),
            (OperationKind::Wait, Kind::Semaphore { .. }) => Ok(Command::Take(target, 1)),
            (OperationKind::Signal, Kind::Semaphore { .. }) => Ok(Command::Gain(target, 1)),
            (OperationKind::Send(fields), Kind::Channel(channel)) => self.send(target, channel, fields, place, scope),
            (OperationKind::Receive(patterns), Kind::Channel(channel)) => {
                self.receive(target, channel, patterns, place, scope)
            }
            _ => Err(self.misfit(operation, &kind, place)),
        }
    }

    fn misfit(&mut self, operation: &OperationKind<'t>, kind: &Kind, place: &Place<'t>) -> Reported {
        let does = match operation {
            OperationKind::Assign(_) => "be assigned",
            OperationKind::Add(_) | OperationKind::Subtract(_) => "be changed by `+=` and `-=`",
            OperationKind::Acquire => "be acquired",
            OperationKind::Release => "be released",
            OperationKind::Wait => "be waited for",
            OperationKind::Signal => "be signalled",
            OperationKind::Send(_) => "be sent to",
            OperationKind::Receive(_) => "be received from",
        };
        let help = match kind {
            Kind::Variable(_) => "a variable has `x := e`, `x += e` and `x -= e`",
            Kind::Lock => "a lock has `acquire m` and `release m`",
            Kind::Semaphore { .. } => "a semaphore has `wait s` and `signal s`",
            Kind::Counter { .. } => "a counter has `c += 1` and `c -= 1`",
            Kind::Channel(_) => "a channel has `q!e` and `q?x`",
        };
        let message = format!("`{}` is a {} and cannot {does}", self.shown(place), kind.noun());
        self.error(Diagnostic::error(place.span, message).label(format!("a {}", kind.noun())).help(help))
    }

    /// The amount that a counter changes by.
    fn amount(&mut self, e: &ast::Expr<'t>, scope: &Scope<'t>) -> Checked<u32> {
        let value = self.constant_int(e, scope, "the amount that a counter changes by")?;
        match u32::try_from(value) {
            Ok(amount) if (1..=i32::MAX as u32).contains(&amount) => Ok(amount),
            _ if self.dead > 0 => Ok(1),
            _ => {
                let message = format!("a counter cannot change by {value}");
                Err(self.error(Diagnostic::error(e.span, message).label(format!("expected 1..{}", i32::MAX))))
            }
        }
    }

    fn send(
        &mut self,
        target: Target,
        channel: &ChannelType,
        fields: &[ast::Expr<'t>],
        place: &Place<'t>,
        scope: &Scope<'t>,
    ) -> Checked<Command> {
        let span = fields.iter().fold(place.span, |span, e| span.to(e.span));
        self.fields(channel, fields.len(), span)?;
        let values = fields.iter().zip(&channel.fields).map(|(e, domain)| {
            let typed = self.expr(e, scope)?;
            Ok(self.fitting(typed, domain)?.expr)
        });
        Ok(Command::Send(target, all(values)?))
    }

    fn fields(&mut self, channel: &ChannelType, given: usize, span: Span) -> Checked<()> {
        if given == channel.fields.len() {
            return Ok(());
        }
        let types: Vec<String> = channel.fields.iter().map(ToString::to_string).collect();
        let message = format!("a message of this channel has {} fields, but {given} are given", types.len());
        let what = Diagnostic::error(span, message).label("wrong number of fields");
        Err(self.error(what.help(format!("the message type is ({})", types.join(", ")))))
    }

    fn receive(
        &mut self,
        target: Target,
        channel: &ChannelType,
        patterns: &[ast::Pattern<'t>],
        place: &Place<'t>,
        scope: &Scope<'t>,
    ) -> Checked<Command> {
        self.fields(channel, patterns.len(), place.span)?;
        let patterns = patterns.iter().zip(&channel.fields).map(|(p, domain)| self.pattern(p, domain, scope));
        Ok(Command::Receive(target, all(patterns)?))
    }

    fn pattern(&mut self, p: &ast::Pattern<'t>, domain: &model::Domain, scope: &Scope<'t>) -> Checked<Pattern> {
        let e = match p {
            ast::Pattern::Any => return Ok(Pattern::Ignore),
            ast::Pattern::Equals(e) => {
                let typed = self.expr(e, scope)?;
                return Ok(Pattern::Match(self.fitting(typed, domain)?.expr));
            }
            ast::Pattern::Value(e) => e,
        };
        if let ExprKind::Place(place) = &e.kind
            && let Meaning::Object { target, kind, .. } = self.meaning(place, scope)?
        {
            return self.bind(target, &kind, domain, place);
        }
        let typed = self.expr(e, scope)?;
        let typed = self.fitting(typed, domain)?;
        if typed.value().is_none() {
            let what =
                Diagnostic::error(e.span, "this is neither a variable nor a constant").label("what shall happen?");
            return Err(self.error(what.help("write `=e` to wait for a message with the value of `e`")));
        }
        Ok(Pattern::Match(typed.expr))
    }

    /// A variable takes the field.
    fn bind(&mut self, target: Target, kind: &Kind, field: &model::Domain, place: &Place<'t>) -> Checked<Pattern> {
        let Kind::Variable(own) = kind else {
            let message = format!("a {} cannot take a received value", kind.noun());
            let what = Diagnostic::error(place.span, message).label(format!("a {}", kind.noun()));
            return Err(self.error(what.help("receive into a variable")));
        };
        let (own, field) = (Type::of(own), Type::of(field));
        if own != field {
            let message = format!("the field is {}, the variable holds {}", field.noun(), own.noun());
            return Err(self.error(Diagnostic::error(place.span, message).label("different types")));
        }
        Ok(Pattern::Bind(target))
    }
}
