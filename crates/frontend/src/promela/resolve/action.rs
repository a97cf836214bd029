//! What basic statements do.

use model::Span;

use super::expr::{Value, fields_in_words};
use super::mtypes::Receiver;
use super::reports::{Checked, all};
use super::types::Shape;
use super::view::{View, is_special};
use crate::promela::ast::{self, Assignment, ExprKind, Name, StmtKind, VarRef};
use crate::promela::ir::{Action, Argument, Binary, Event, Expr, Receive, Scalar, Send, Slot};
use crate::{Diagnostic, Severity};

impl View<'_> {
    /// What a statement does that has no statements inside.
    pub(super) fn action(&mut self, statement: &StmtKind) -> Checked<Action> {
        match statement {
            StmtKind::Expr(expr) => match &expr.kind {
                ExprKind::Run(run) => self.run(run, None),
                _ => Ok(Action::Test(self.number(expr)?)),
            },
            StmtKind::Assign(target, assignment) => self.assign(target, assignment),
            StmtKind::Send(send) => self.send(send),
            StmtKind::Receive(receive) => {
                let (channel, arguments) = self.pattern(&receive.channel, &receive.arguments)?;
                Ok(Action::Receive(Receive { channel, anywhere: receive.anywhere, keep: receive.keep, arguments }))
            }
            StmtKind::Assert(condition) => Ok(Action::Assert(self.number(condition)?)),
            StmtKind::Printf(_, values) => {
                all(values.iter().map(|v| self.value(v)))?;
                Ok(Action::Skip)
            }
            StmtKind::Printm(value) => {
                self.value(value)?;
                Ok(Action::Skip)
            }
            StmtKind::SetPriority(pid, _) => Err(self.refuse_priority(pid.span)),
            _ => Ok(Action::Skip),
        }
    }

    /// The event that a statement of a `trace` waits for.
    pub(super) fn event(&mut self, statement: &StmtKind) -> Option<Checked<Action>> {
        match statement {
            StmtKind::Send(send) if !send.sorted => {
                let arguments: Vec<ast::Argument> = send.values.iter().map(as_argument).collect();
                Some(self.event_of(&send.channel, true, &arguments))
            }
            StmtKind::Receive(receive) if !receive.anywhere && !receive.keep => {
                Some(self.event_of(&receive.channel, false, &receive.arguments))
            }
            _ => None,
        }
    }

    fn event_of(&mut self, channel: &VarRef, sends: bool, arguments: &[ast::Argument]) -> Checked<Action> {
        let name = channel.name.clone();
        let (channel, arguments) = self.pattern(channel, arguments)?;
        if arguments.iter().any(|a| matches!(a, Argument::Bind(_))) {
            let what = "a trace only watches: it cannot receive into a variable";
            let help = "write constants, or `_` for any value";
            return Err(self.reports.push(Diagnostic::error(name.span, what).help(help)));
        }
        Ok(Action::Event(Event { channel, sends, arguments }))
    }

    fn assign(&mut self, target: &VarRef, assignment: &Assignment) -> Checked<Action> {
        let Assignment::Value(value) = assignment else { return self.count(target, assignment) };
        let place = self.target(target);
        if let ExprKind::Run(run) = &value.kind {
            return self.run(run, place?.map(|(slot, _)| slot));
        }
        let resolved = self.value(value)?;
        let Some((slot, scalar)) = place? else { return Ok(Action::Skip) };
        self.check_kind(scalar, &resolved, value.span)?;
        self.check_constant(target, scalar, &resolved, value.span)?;
        Ok(Action::Assign(slot, resolved.expr))
    }

    /// That a variable of an `mtype` gets no constant of another one; SPIN does not look at fields.
    fn check_constant(&mut self, target: &VarRef, scalar: Scalar, value: &Value, span: Span) -> Checked<()> {
        let last = std::iter::successors(Some(target), |t| t.field.as_deref()).last().unwrap_or(target);
        let receiver = Receiver { name: &last.name.text, scalar };
        match receiver.refuse_constant(value, span, &self.tables.types) {
            Some(wrong) if target.field.is_some() => {
                self.reports.push(Diagnostic { severity: Severity::Warning, ..wrong });
                Ok(())
            }
            Some(wrong) => Err(self.reports.push(wrong)),
            None => Ok(()),
        }
    }

    /// That a channel goes where channels go, and a number where numbers go; 0 is no channel.
    fn check_kind(&mut self, scalar: Scalar, value: &Value, span: Span) -> Checked<()> {
        if value.is_channel && scalar != Scalar::Chan {
            let what = "a channel cannot be kept in a number";
            let help = "what keeps it must be declared as `chan`";
            return Err(self.reports.push(Diagnostic::error(span, what).help(help)));
        }
        if !value.is_channel && scalar == Scalar::Chan && !matches!(value.expr, Expr::Const(0)) {
            let what = "a channel is needed here";
            return Err(self.reports.push(Diagnostic::error(span, what).label("this is a number")));
        }
        Ok(())
    }

    /// The same for messages and parameters, where a number in the place of a channel is only suspicious: some models
    /// send first what comes, then the channel, both through the same field.
    fn check_passed(&mut self, scalar: Scalar, value: &Value, span: Span) -> Checked<()> {
        if scalar == Scalar::Chan && !value.is_channel {
            if !matches!(value.expr, Expr::Const(0)) {
                let what = "a number is passed where a channel is expected";
                self.reports.push(Diagnostic::warning(span, what).label("not a channel"));
            }
            return Ok(());
        }
        self.check_kind(scalar, value, span)
    }

    fn count(&mut self, target: &VarRef, assignment: &Assignment) -> Checked<Action> {
        let Some((slot, scalar)) = self.target(target)? else { return Ok(Action::Skip) };
        if scalar == Scalar::Chan {
            let what = "a channel cannot be counted up or down";
            return Err(self.reports.push(Diagnostic::error(target.name.span, what)));
        }
        let op = if *assignment == Assignment::Increment { Binary::Add } else { Binary::Sub };
        let value = Expr::Binary(op, Box::new(Expr::Read(slot.clone())), Box::new(Expr::Const(1)));
        Ok(Action::Assign(slot, value))
    }

    /// What is written; nothing for `_`.
    fn target(&mut self, target: &VarRef) -> Checked<Option<(Slot, Scalar)>> {
        let name = &target.name;
        if &*name.text == "_" {
            return Ok(None);
        }
        if is_special(&name.text) {
            return Err(self.read_only(name));
        }
        if self.tables.types.constants.contains_key(&name.text) {
            let what = format!("`{}` is a constant of an `mtype`", name.text);
            return Err(self.reports.push(Diagnostic::error(name.span, what).label("cannot be assigned")));
        }
        self.cell(target).map(Some)
    }

    fn send(&mut self, send: &ast::Send) -> Checked<Action> {
        let channel = self.channel(&send.channel);
        let values = all(send.values.iter().map(|v| self.values(v)));
        let (channel, values) = (channel?, values?);
        let values: Vec<(Value, Span)> = placed(values, &send.values);
        if let Some(fields) = self.fields(&channel).map(<[Scalar]>::to_vec) {
            self.check_message(&send.channel.name, &fields, &values)?;
        }
        let values = values.into_iter().map(|(v, _)| v.expr).collect();
        Ok(Action::Send(Send { channel, sorted: send.sorted, values }))
    }

    fn check_message(&mut self, channel: &Name, fields: &[Scalar], values: &[(Value, Span)]) -> Checked<()> {
        if fields.len() != values.len() {
            let (count, given) = (fields_in_words(fields.len()), values.len());
            let what = format!("messages of `{}` have {count}, not {given}", channel.text);
            return Err(self.reports.push(Diagnostic::error(channel.span, what)));
        }
        all(fields.iter().zip(values).map(|(f, (v, span))| self.check_passed(*f, v, *span))).map(|_| ())
    }

    fn run(&mut self, run: &ast::Run, result: Option<Slot>) -> Checked<Action> {
        self.check_priority(run.priority.as_ref())?;
        let proctype = self.proctype(&run.proctype)?;
        let given = all(run.arguments.iter().map(|a| self.values(a)))?;
        let given: Vec<(Value, Span)> = placed(given, &run.arguments);
        let tables = self.tables;
        let parameters = &tables.signature(proctype).parameters;
        let cells = |shape: Shape| tables.types.cells(shape).into_iter().map(|c| c.scalar);
        let receivers =
            parameters.iter().flat_map(|(name, shape)| cells(*shape).map(move |scalar| Receiver { name, scalar }));
        let needed: Vec<Receiver<'_>> = receivers.collect();
        if needed.len() == given.len() {
            all(needed.iter().zip(&given).map(|(r, (v, span))| self.check_parameter(*r, v, *span)))?;
            return Ok(Action::Run(proctype, given.into_iter().map(|(v, _)| v.expr).collect(), result));
        }
        let needed = needed.len();
        let list: Vec<&str> = parameters.iter().map(|(name, _)| &**name).collect();
        let name = &run.proctype;
        let plural = if needed == 1 { "" } else { "s" };
        let what = format!("`{}` takes {needed} parameter{plural}, not {}", name.text, given.len());
        let help = (!list.is_empty()).then(|| format!("its parameters are {}", list.join(", ")));
        Err(self.reports.push(Diagnostic::error(name.span, what).maybe_help(help)))
    }

    /// That a parameter gets what it may get.
    fn check_parameter(&mut self, receiver: Receiver<'_>, value: &Value, span: Span) -> Checked<()> {
        self.check_passed(receiver.scalar, value, span)?;
        match receiver.refuse(value, span, &self.tables.types) {
            Some(wrong) => Err(self.reports.push(wrong)),
            None => Ok(()),
        }
    }

    /// The first value of a variable where its declaration stands behind statements.
    pub(super) fn late_value(&mut self, name: &Name, shape: Shape, init: Option<&ast::Expr>) -> Checked<Option<Expr>> {
        let Shape::Scalar(scalar) = shape else { return Ok(None) };
        let Some(init) = init else { return Ok(Some(Expr::Const(0))) };
        let value = self.value(init)?;
        self.check_kind(scalar, &value, init.span)?;
        let target = VarRef { name: name.clone(), index: None, field: None };
        self.check_constant(&target, scalar, &value, init.span)?;
        Ok(Some(value.expr))
    }
}

/// A value that is sent, as a field of a message to be watched.
fn as_argument(value: &ast::Expr) -> ast::Argument {
    match &value.kind {
        ExprKind::Ref(reference) => ast::Argument::Ref(reference.clone()),
        _ => ast::Argument::Eval(value.clone()),
    }
}

/// Values with the places of the expressions that they come from.
fn placed(values: Vec<Vec<Value>>, from: &[ast::Expr]) -> Vec<(Value, Span)> {
    let each = values.into_iter().zip(from);
    each.flat_map(|(values, expr)| values.into_iter().map(|v| (v, expr.span))).collect()
}
