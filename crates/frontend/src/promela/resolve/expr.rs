//! Expressions.

use super::reports::{Checked, Reported, all};
use super::view::{Found, Role, View, is_special};
use crate::Diagnostic;
use crate::native::nearest::suggestion;
use crate::promela::ast::{self, ExprKind, Name, VarRef};
use crate::promela::ir::{Argument, Binary, Expr, ProctypeId, Scalar, Slot};

/// A resolved expression, and what kind of value it has.
pub(super) struct Value {
    pub(super) expr: Expr,
    pub(super) is_channel: bool,
    /// The `mtype` of a constant or of a variable.
    pub(super) mtype: Option<u32>,
}

impl Value {
    /// What a variable holds.
    fn read(slot: Slot, scalar: Scalar) -> Self {
        let mtype = if let Scalar::Mtype(number) = scalar { Some(number) } else { None };
        Value { expr: Expr::Read(slot), is_channel: scalar == Scalar::Chan, mtype }
    }
}

impl From<Expr> for Value {
    fn from(expr: Expr) -> Self {
        Value { expr, is_channel: false, mtype: None }
    }
}

impl View<'_> {
    /// An expression whose value is a number.
    pub(super) fn number(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let value = self.value(expr)?;
        if value.is_channel {
            let what = "a channel is used as a number";
            let help = "ask it with `len`, `empty`, `full`, or compare it with another channel";
            return Err(self.reports.push(Diagnostic::error(expr.span, what).help(help)));
        }
        Ok(value.expr)
    }

    /// An expression whose value is a number or a channel.
    pub(super) fn value(&mut self, expr: &ast::Expr) -> Checked<Value> {
        Ok(match &expr.kind {
            ExprKind::Const(value) => Expr::Const(*value).into(),
            ExprKind::Ref(reference) => return self.read(reference),
            ExprKind::Unary(op, a) => Expr::Unary(*op, Box::new(self.number(a)?)).into(),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b)?.into(),
            ExprKind::Cond(c, a, b) => return self.cond(c, a, b),
            ExprKind::Query(query, channel) => Expr::Query(*query, self.channel(channel)?).into(),
            ExprKind::Poll(poll) => {
                let (channel, arguments) = self.pattern(&poll.channel, &poll.arguments)?;
                Expr::Poll(channel, poll.anywhere, arguments).into()
            }
            ExprKind::Timeout => Expr::Timeout.into(),
            ExprKind::NonProgress if matches!(self.role, Role::Process | Role::Trace) => {
                let what = "`np_` is for `never` claims and formulas";
                return Err(self.reports.push(Diagnostic::error(expr.span, what)));
            }
            ExprKind::NonProgress => Expr::NonProgress.into(),
            ExprKind::Enabled(pid) => Expr::Enabled(Box::new(self.number(pid)?)).into(),
            ExprKind::PcValue(pid) => Expr::PcValue(Box::new(self.number(pid)?)).into(),
            ExprKind::Remote(remote) => self.remote(remote)?.into(),
            ExprKind::Run(run) => return Err(self.misplaced_run(&run.proctype)),
            ExprKind::GetPriority(_) => return Err(self.refuse_priority(expr.span)),
        })
    }

    fn binary(&mut self, op: Binary, a: &ast::Expr, b: &ast::Expr) -> Checked<Expr> {
        // Channels can be told apart, nothing else.
        let (a, b) = if matches!(op, Binary::Eq | Binary::Ne) {
            (self.value(a).map(|v| v.expr), self.value(b).map(|v| v.expr))
        } else {
            (self.number(a), self.number(b))
        };
        Ok(Expr::Binary(op, Box::new(a?), Box::new(b?)))
    }

    fn cond(&mut self, c: &ast::Expr, a: &ast::Expr, b: &ast::Expr) -> Checked<Value> {
        let (c, a, b) = (self.number(c), self.value(a), self.value(b));
        let (c, a, b) = (c?, a?, b?);
        let is_channel = a.is_channel || b.is_channel;
        Ok(Value { expr: Expr::Cond(Box::new(c), Box::new(a.expr), Box::new(b.expr)), is_channel, mtype: None })
    }

    fn read(&mut self, reference: &VarRef) -> Checked<Value> {
        let name = &reference.name;
        if let Some((mtype, value)) = self.tables.types.constants.get(&name.text) {
            return Ok(Value { mtype: Some(*mtype), ..Expr::Const(*value).into() });
        }
        if is_special(&name.text) {
            return self.special(name).map(Value::from);
        }
        let (slot, scalar) = self.cell(reference)?;
        Ok(Value::read(slot, scalar))
    }

    fn special(&mut self, name: &Name) -> Checked<Expr> {
        match &*name.text {
            "_pid" if self.role != Role::Process => {
                let what = "`_pid` means the process that asks, and here is none";
                Err(self.reports.push(Diagnostic::error(name.span, what)))
            }
            "_pid" => Ok(Expr::Pid),
            "_nr_pr" => Ok(Expr::ProcessCount),
            "_last" => Ok(Expr::Last),
            "_priority" => Err(self.refuse_priority(name.span)),
            _ => {
                let what = "`_` is write-only: what is put there is lost";
                Err(self.reports.push(Diagnostic::error(name.span, what).label("cannot be read")))
            }
        }
    }

    /// Refuses a priority other than 1, which everybody has.
    pub(super) fn check_priority(&mut self, priority: Option<&ast::Expr>) -> Checked<()> {
        match priority {
            Some(ast::Expr { kind: ExprKind::Const(1), .. }) | None => Ok(()),
            Some(other) => Err(self.refuse_priority(other.span)),
        }
    }

    /// That priorities are not supported.
    pub(super) fn refuse_priority(&mut self, span: model::Span) -> Reported {
        let what = "process priorities are not supported";
        let help = "`priority`, `_priority`, `get_priority` and `set_priority` are refused; use `provided` clauses";
        self.reports.push(Diagnostic::error(span, what).help(help))
    }

    fn misplaced_run(&mut self, proctype: &Name) -> Reported {
        let what = "`run` must be a statement, or all of the right side of an assignment";
        let help = format!("put `run {}(...)` into a statement of its own", proctype.text);
        self.reports.push(Diagnostic::error(proctype.span, what).help(help))
    }

    /// The channel and the fields of a receive or a poll.
    pub(super) fn pattern(&mut self, channel: &VarRef, arguments: &[ast::Argument]) -> Checked<(Slot, Vec<Argument>)> {
        let slot = self.channel(channel);
        let arguments = all(arguments.iter().map(|a| self.argument(a)));
        let (slot, mut arguments) = (slot?, arguments?.concat());
        self.check_bound_once(&channel.name, &arguments)?;
        if let Some(fields) = self.fields(&slot).map(<[Scalar]>::len) {
            self.check_arity(&channel.name, fields, arguments.len())?;
            if arguments.len() < fields {
                let what = format!("messages of `{}` have {}", channel.name.text, fields_in_words(fields));
                let help = "SPIN's verifier takes this for an error: write `_` for what is not needed";
                let label = "the last ones are ignored here";
                self.reports.push(Diagnostic::warning(channel.name.span, what).label(label).help(help));
            }
            arguments.resize(fields, Argument::Ignore);
        }
        Ok((slot, arguments))
    }

    fn check_bound_once(&mut self, channel: &Name, arguments: &[Argument]) -> Checked<()> {
        let is_bound = |a: &Argument| matches!(a, Argument::Bind(_));
        let repeated = |(at, a): (usize, &Argument)| is_bound(a) && arguments[..at].contains(a);
        if arguments.iter().enumerate().any(repeated) {
            let what = format!("one variable for two fields of a message of `{}`", channel.text);
            return Err(self
                .reports
                .push(Diagnostic::error(channel.span, what).help("use `_` for what is not needed")));
        }
        Ok(())
    }

    fn argument(&mut self, argument: &ast::Argument) -> Checked<Vec<Argument>> {
        Ok(match argument {
            ast::Argument::Const(value, _) => vec![Argument::Match(Expr::Const(*value))],
            ast::Argument::Eval(expr) => vec![Argument::Match(self.value(expr)?.expr)],
            ast::Argument::Ref(reference) => return self.bind(reference),
        })
    }

    fn bind(&mut self, reference: &VarRef) -> Checked<Vec<Argument>> {
        let name = &reference.name;
        if let Some((_, value)) = self.tables.types.constants.get(&name.text) {
            return Ok(vec![Argument::Match(Expr::Const(*value))]);
        }
        if &*name.text == "_" {
            return Ok(vec![Argument::Ignore]);
        }
        if is_special(&name.text) {
            return Err(self.read_only(name));
        }
        Ok(match self.variable(reference)? {
            Found::Cell(slot, _) => vec![Argument::Bind(slot)],
            Found::Whole(whole) => {
                let cells = self.tables.types.cells(super::types::Shape::Struct(whole.structure));
                cells.iter().map(|c| Argument::Bind(whole.cell(c))).collect()
            }
        })
    }

    /// That a name which every program has cannot be written.
    pub(super) fn read_only(&mut self, name: &Name) -> Reported {
        let what = format!("`{}` cannot be written", name.text);
        let help = (&*name.text == "_pid").then(|| "to match its value, write `eval(_pid)`".to_owned());
        self.reports.push(Diagnostic::error(name.span, what).label("read-only").maybe_help(help))
    }

    /// The values of a message, or of parameters: whole structures are taken apart.
    pub(super) fn values(&mut self, expr: &ast::Expr) -> Checked<Vec<Value>> {
        if let ExprKind::Ref(reference) = &expr.kind
            && !is_special(&reference.name.text)
            && !self.tables.types.constants.contains_key(&reference.name.text)
            && let Found::Whole(whole) = self.variable(reference)?
        {
            let cells = self.tables.types.cells(super::types::Shape::Struct(whole.structure));
            return Ok(cells.iter().map(|c| Value::read(whole.cell(c), c.scalar)).collect());
        }
        Ok(vec![self.value(expr)?])
    }

    /// That a channel is given more fields than it has, or, for a send, fewer.
    pub(super) fn check_arity(&mut self, channel: &Name, fields: usize, given: usize) -> Checked<()> {
        if given <= fields {
            return Ok(());
        }
        let what = format!("messages of `{}` have {}, not {given}", channel.text, fields_in_words(fields));
        Err(self.reports.push(Diagnostic::error(channel.span, what)))
    }

    /// The proctype of a name.
    pub(super) fn proctype(&mut self, name: &Name) -> Checked<ProctypeId> {
        self.tables.proctype(&name.text).ok_or_else(|| {
            let similar = suggestion(&name.text, self.tables.proctypes.iter().map(|p| &*p.name));
            let help = similar.unwrap_or_else(|| format!("describe it: `proctype {}() {{ ... }}`", name.text));
            let what = format!("unknown proctype `{}`", name.text);
            self.reports.push(Diagnostic::error(name.span, what).label("not described anywhere").help(help))
        })
    }
}

/// `1 field`, `2 fields`.
pub(super) fn fields_in_words(count: usize) -> String {
    if count == 1 { "1 field".to_owned() } else { format!("{count} fields") }
}
