//! `for` and `select`, as the loops and choices that they stand for.

use model::Span;

use super::{Builder, Run};
use crate::Diagnostic;
use crate::native::nearest::suggestion;
use crate::promela::ast::{
    Argument, Assignment, Binary, Expr, ExprKind, Init, Name, Query, Range, Receive, Send, Sequence, StmtKind, Type,
    VarDecl, VarRef, Visibility,
};
use crate::promela::ir::Scalar;
use crate::promela::resolve::declare::{Declarer, When, enter};
use crate::promela::resolve::labels::is_special;
use crate::promela::resolve::types::Shape;
use crate::promela::resolve::view::{Role, View};

/// The most values of a `select` between numbers that is a choice with one option for each; otherwise it counts.
const MOST_OPTIONS: i64 = 33;

/// What a `for` counts.
enum Domain {
    /// From a value up to another one.
    Between(Expr, Expr),
    /// The messages of a channel.
    Messages(VarRef),
}

impl<'a> Builder<'a, '_> {
    pub(super) fn expand_for(&mut self, variable: &VarRef, range: &Range, body: &'a Sequence, span: Span) {
        match self.domain(range) {
            Some(Domain::Between(from, to)) => {
                self.warn_of_empty(&from, &to, span);
                let guard = binary(Binary::Le, read(variable, span), to, span);
                self.count(variable, from, guard, |b| b.inner_statements(body), span);
            }
            Some(Domain::Messages(channel)) => self.each_message(variable, &channel, body, span),
            None => {}
        }
    }

    /// Warns of a loop between constants that does nothing, which SPIN calls an error.
    fn warn_of_empty(&mut self, from: &Expr, to: &Expr, span: Span) {
        if let (ExprKind::Const(from), ExprKind::Const(to)) = (&from.kind, &to.kind)
            && to < from
        {
            let what = format!("there is no number from {from} to {to}");
            self.reports.push(Diagnostic::warning(span, what).label("nothing is done in this loop"));
        }
    }

    fn domain(&mut self, range: &Range) -> Option<Domain> {
        match range {
            Range::Between(from, to) => Some(Domain::Between(from.clone(), to.clone())),
            Range::In(reference) => self.members(reference),
        }
    }

    /// What `in` an array or a channel means.
    fn members(&mut self, reference: &VarRef) -> Option<Domain> {
        let place = self.locals.scopes.place(self.scope);
        let locals = Some(&self.locals);
        let mut view =
            View { tables: self.tables, locals, role: Role::Process, place, others: None, reports: self.reports };
        let span = reference.name.span;
        match view.members(reference).ok()? {
            (Some(size), _) => {
                let number = |n: u32| Expr { kind: ExprKind::Const(i64::from(n)), span };
                Some(Domain::Between(number(0), number(size - 1)))
            }
            (None, Shape::Scalar(Scalar::Chan)) => Some(Domain::Messages(reference.clone())),
            (None, _) => {
                let what = format!("`{}` is neither an array nor a channel", reference.name.text);
                self.reports.push(Diagnostic::error(span, what).label("nothing to go through"));
                None
            }
        }
    }

    /// `variable = from; do :: guard -> body; variable++ :: else -> break od`.
    fn count(&mut self, variable: &VarRef, from: Expr, guard: Expr, body: impl FnOnce(&mut Self), span: Span) {
        self.start_counting(variable, from, span);
        self.repeat(
            |b| {
                let each = b.option(
                    |b| {
                        b.basic(StmtKind::Expr(guard), span);
                        body(b);
                        b.basic(StmtKind::Assign(variable.clone(), Assignment::Increment), span);
                    },
                    span,
                );
                vec![each, b.otherwise_leave(span)]
            },
            span,
        );
    }

    /// The first assignment of a loop. Labels are for the loop behind it, as in SPIN.
    fn start_counting(&mut self, variable: &VarRef, from: Expr, span: Span) {
        let labels = self.take_labels();
        self.basic(StmtKind::Assign(variable.clone(), Assignment::Value(from)), span);
        if let Some(label) = labels.iter().find(|l| !is_special(&l.text)) {
            let what = format!("who jumps to `{}` goes on counting: the first value is not assigned again", label.text);
            let help = "put the loop into a block behind the label: `L: { for ... }`";
            self.reports.push(Diagnostic::warning(label.span, what).help(help));
        }
        self.put_labels(labels);
    }

    fn otherwise_leave(&mut self, span: Span) -> Run {
        self.option(
            |b| {
                b.add(super::Kind::Else, span);
                b.exit_innermost(span);
            },
            span,
        )
    }

    /// Each message is taken out and put back behind the others, as often as there are messages.
    fn each_message(&mut self, variable: &VarRef, channel: &VarRef, body: &'a Sequence, span: Span) {
        let counter = self.counter(span);
        let length = Expr { kind: ExprKind::Query(Query::Len, channel.clone()), span };
        let guard = binary(Binary::Lt, read(&counter, span), length, span);
        let zero = Expr { kind: ExprKind::Const(0), span };
        let (channel, value) = (channel.clone(), read(variable, span));
        let arguments = vec![Argument::Ref(variable.clone())];
        let turn = |b: &mut Self| {
            let receive = Receive { channel: channel.clone(), anywhere: false, keep: false, arguments };
            b.basic(StmtKind::Receive(receive), span);
            b.basic(StmtKind::Send(Send { channel, sorted: false, values: vec![value] }), span);
            b.inner_statements(body);
        };
        self.count(&counter, zero, guard, turn, span);
    }

    /// A variable that the text does not name.
    fn counter(&mut self, span: Span) -> VarRef {
        let text = format!("for {}", self.locals.variables.len());
        let name = Name { text: text.into(), span };
        let (visibility, ty) = (Visibility::Plain, Type::Byte);
        let decl = VarDecl { visibility, ty, name: name.clone(), width: None, size: None, init: None::<Init> };
        let place = self.locals.scopes.place(self.scope);
        let locals = Some(&self.locals);
        let mut declarer = Declarer { tables: self.tables, locals, reports: self.reports, place };
        if let Ok(new) = declarer.declare(&decl, When::AtOnce) {
            enter(&mut self.locals, self.scope, &decl, new, self.reports);
        }
        VarRef { name, index: None, field: None }
    }

    pub(super) fn expand_select(&mut self, variable: &VarRef, from: &Expr, to: &Expr, span: Span) {
        if let (ExprKind::Const(least), ExprKind::Const(most)) = (&from.kind, &to.kind)
            && (0..MOST_OPTIONS).contains(&(most - least))
            && *least >= 0
        {
            let labels = self.take_labels();
            let options = (*least..=*most).map(|value| self.select_value(variable, value, span)).collect();
            return self.join(options, labels, span);
        }
        if let (ExprKind::Const(least), ExprKind::Const(most)) = (&from.kind, &to.kind)
            && most < least
        {
            let what = format!("there is no number from {least} to {most}");
            self.reports.push(Diagnostic::error(span, what));
            return;
        }
        self.start_counting(variable, from.clone(), span);
        let guard = binary(Binary::Lt, read(variable, span), to.clone(), span);
        self.repeat(
            |b| {
                let up = b.option(
                    |b| {
                        b.basic(StmtKind::Expr(guard), span);
                        b.basic(StmtKind::Assign(variable.clone(), Assignment::Increment), span);
                    },
                    span,
                );
                vec![up, b.option(|b| b.exit_innermost(span), span)]
            },
            span,
        );
    }

    fn select_value(&mut self, variable: &VarRef, value: i64, span: Span) -> Run {
        let value = Expr { kind: ExprKind::Const(value), span };
        let assign = StmtKind::Assign(variable.clone(), Assignment::Value(value));
        self.option(|b| b.basic(assign, span), span)
    }
}

impl View<'_> {
    /// The size and shape of what a `for` goes through: unlike elsewhere, an array needs no index.
    fn members(&mut self, reference: &VarRef) -> crate::promela::resolve::reports::Checked<(Option<u32>, Shape)> {
        let name = &reference.name;
        let Some((_, symbol)) = self.symbol(&name.text) else {
            return Err(self.variable(reference).expect_err("the name is not known"));
        };
        let (mut size, mut shape) = (symbol.size, symbol.shape);
        let mut at = reference;
        loop {
            size = size.filter(|_| at.index.is_none());
            let Some(field) = &at.field else { return Ok((size, shape)) };
            let Shape::Struct(id) = shape else {
                return Err(self.variable(reference).expect_err("numbers have no fields"));
            };
            let structure = self.tables.types.structure(id);
            let Some(found) = structure.fields.iter().find(|f| f.name == field.name.text) else {
                let what = format!("`{}` has no field `{}`", structure.name, field.name.text);
                let help = suggestion(&field.name.text, structure.fields.iter().map(|f| &*f.name));
                return Err(self.reports.push(Diagnostic::error(field.name.span, what).maybe_help(help)));
            };
            (size, shape) = (found.size, found.shape);
            at = field;
        }
    }
}

fn read(variable: &VarRef, span: Span) -> Expr {
    Expr { kind: ExprKind::Ref(variable.clone()), span }
}

fn binary(op: Binary, a: Expr, b: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), span }
}
