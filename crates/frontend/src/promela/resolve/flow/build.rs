//! Makes elements of statements, what is inside first, and numbers them as SPIN does.

use std::borrow::Cow;
use std::collections::HashSet;

use model::Span;

use super::table::start;
use super::{Element, ElementId, Flow, Jump, Kind, Label, Late, LoopId, Run};
use crate::Diagnostic;
use crate::name::Text;
use crate::promela::ast::{ExprKind, Name, Proctype, Sequence, Stmt, StmtKind, VarDecl};
use crate::promela::ir::Hold;
use crate::promela::resolve::declare::{Declarer, When, enter};
use crate::promela::resolve::labels::is_special;
use crate::promela::resolve::reports::Reports;
use crate::promela::resolve::scope::ScopeId;
use crate::promela::resolve::tables::{Locals, Tables};
use crate::promela::resolve::view::{Role, View};

/// Makes the flow of one body.
pub(in crate::promela::resolve) struct Builder<'a, 'd> {
    pub(super) tables: &'d Tables,
    pub(super) reports: &'d mut Reports,
    pub(super) locals: Locals,
    pub(super) flow: Flow<'a>,
    /// The labels that other processes look at.
    watched: &'d HashSet<Text>,
    /// The runs that are being made, the innermost last.
    open: Vec<Option<Run>>,
    /// The loops around, the innermost last.
    loops: Vec<LoopId>,
    pub(super) scope: ScopeId,
    /// Whether no statement was met yet: declarations are no steps.
    at_start: bool,
    /// Labels that wait for their statement.
    waiting: Vec<Name>,
    /// How many control states were numbered.
    states: u32,
    /// Where the statement at hand stands, that of an `inline` in its body.
    home: Option<Span>,
}

impl<'a, 'd> Builder<'a, 'd> {
    /// Nothing yet.
    pub(in crate::promela::resolve) fn new(
        tables: &'d Tables,
        watched: &'d HashSet<Text>,
        reports: &'d mut Reports,
    ) -> Self {
        Self {
            tables,
            reports,
            locals: Locals::default(),
            flow: Flow::default(),
            watched,
            open: Vec::new(),
            loops: Vec::new(),
            scope: ScopeId::default(),
            at_start: true,
            waiting: Vec::new(),
            states: 0,
            home: None,
        }
    }

    /// The flow of a proctype, with its variables; the parameters are the first ones.
    pub(in crate::promela::resolve) fn proctype(mut self, proctype: &'a Proctype) -> (Flow<'a>, Locals) {
        for parameter in &proctype.parameters {
            self.declare(parameter, When::Parameter);
        }
        self.body(&proctype.body, proctype.name.span)
    }

    /// The flow of a body, with its variables.
    pub(in crate::promela::resolve) fn body(mut self, body: &'a Sequence, span: Span) -> (Flow<'a>, Locals) {
        self.open.push(None);
        self.statements(body);
        self.add(Kind::End, span);
        self.flow.body = self.open.pop().expect("it was opened above");
        self.flow.bind_jumps(&self.locals.scopes);
        self.flow.check_jumps(self.reports);
        (self.flow, self.locals)
    }

    fn statements(&mut self, sequence: &'a [Stmt]) {
        for statement in sequence {
            let outside = self.home.replace(statement.home);
            self.statement(statement);
            self.home = outside;
        }
    }

    /// A run of its own.
    fn run(&mut self, fill: impl FnOnce(&mut Self), span: Span) -> Run {
        self.open.push(None);
        fill(self);
        if !self.waiting.is_empty() || self.open.last().is_some_and(Option::is_none) {
            self.skip(span);
        }
        self.open.pop().flatten().expect("there is at least the skip")
    }

    /// A run in a scope of its own.
    fn scoped(&mut self, fill: impl FnOnce(&mut Self), span: Span) -> Run {
        let outside = self.scope;
        self.scope = self.locals.scopes.open(outside);
        let run = self.run(fill, span);
        self.scope = outside;
        run
    }

    fn statement(&mut self, statement: &'a Stmt) {
        self.waiting.extend(statement.labels.iter().cloned());
        if let StmtKind::Vars(declarations) = &statement.kind {
            return declarations.iter().for_each(|d| self.declaration(d));
        }
        if let StmtKind::Exclusive(_, channels) = &statement.kind {
            let place = self.locals.scopes.place(self.scope);
            let locals = Some(&self.locals);
            let mut view =
                View { tables: self.tables, locals, role: Role::Process, place, others: None, reports: self.reports };
            return channels.iter().for_each(|c| _ = view.channel(c));
        }
        self.at_start = false;
        let span = statement.span;
        match &statement.kind {
            StmtKind::If(options) => self.choice(options, span),
            StmtKind::Do(options) => self.repeat(|b| b.options(options), span),
            StmtKind::Unless(main, escape) if self.waiting.is_empty() => self.unless(main, escape, span),
            StmtKind::Unless(main, escape) => self.labelled_unless(main, escape, span),
            StmtKind::Atomic(body) => self.block(body, Hold::Atomic, span),
            StmtKind::DStep(body) => self.block(body, Hold::Step, span),
            StmtKind::Block(body) => self.block(body, Hold::No, span),
            StmtKind::Goto(label) => self.jump(Jump::Label(label.clone()), span),
            StmtKind::Break => self.leave_loop(span),
            StmtKind::For(variable, range, body) => self.expand_for(variable, range, body, span),
            StmtKind::Select(variable, from, to) => self.expand_select(variable, from, to, span),
            StmtKind::Else => self.add(Kind::Else, span),
            basic => self.add(Kind::Basic(Cow::Borrowed(basic)), span),
        }
    }

    fn declaration(&mut self, decl: &'a VarDecl) {
        if self.at_start {
            return self.declare(decl, When::AtOnce);
        }
        let column = self.locals.variables.len() as u32;
        let place = self.locals.scopes.place(self.scope);
        self.declare(decl, When::Late);
        let Some(symbol) = self.locals.scopes.find_in(self.scope, &decl.name.text) else { return };
        let late = Late { column, shape: symbol.shape, is_array: symbol.size.is_some() };
        let id = self.make(Kind::Declare(decl, late), decl.name.span);
        // Its first value is written where it is not yet known.
        self.flow.element_mut(id).place = place;
        self.append(id);
    }

    fn declare(&mut self, decl: &'a VarDecl, when: When) {
        let place = self.locals.scopes.place(self.scope);
        let locals = Some(&self.locals);
        let new = Declarer { tables: self.tables, locals, reports: self.reports, place }.declare(decl, when);
        if let Ok(new) = new {
            enter(&mut self.locals, self.scope, decl, new, self.reports);
        }
    }

    fn choice(&mut self, options: &'a [Sequence], span: Span) {
        let labels = std::mem::take(&mut self.waiting);
        let options = self.options(options);
        self.join(options, labels, span);
    }

    fn options(&mut self, options: &'a [Sequence]) -> Vec<Run> {
        let span = |o: &Sequence| o.first().map_or(Span::new(0, 0), |s| s.span);
        let option = |o: &'a Sequence| {
            let run = self.pruned(|b| b.statements(o), span(o));
            self.warn_of_labels(start(&self.flow, run.first));
            run
        };
        options.iter().map(option).collect()
    }

    /// Warns of labels that matter on the first statement of an option.
    fn warn_of_labels(&mut self, first: ElementId) {
        for label in self.labels_that_matter(first) {
            let what = format!("no process waits at `{}`, on the first statement of an option", label.text);
            let said = if is_special(&label.text) {
                "counts where the statement leads, as in SPIN"
            } else {
                "true after a jump to it only, as in SPIN"
            };
            let help = "put it before the `if` or `do`, or a `skip` before it";
            self.reports.push(Diagnostic::warning(label.span, what).label(said).help(help));
        }
    }

    /// Refuses labels that matter on the first statement of a block or an escape, as SPIN refuses all labels there.
    fn refuse_labels(&mut self, run: Run, help: impl Fn(&str) -> String) {
        for label in self.labels_that_matter(run.first) {
            let what = format!("no process waits at `{}`, on the first statement in `{{ ... }}`", label.text);
            self.reports.push(Diagnostic::error(label.span, what).help(help(&label.text)));
        }
    }

    /// The labels of an element that mean something, or at which others look.
    fn labels_that_matter(&self, id: ElementId) -> Vec<Name> {
        self.flow.labels().filter(|(n, e)| *e == id && self.matters(n)).map(|(n, _)| n.clone()).collect()
    }

    fn matters(&self, label: &Name) -> bool {
        is_special(&label.text) || self.watched.contains(&label.text)
    }

    /// A run in which SPIN passes over a `skip` behind another `skip` or something printed, unless it is the last one.
    /// What has a label stays, and so does what follows it.
    fn pruned(&mut self, fill: impl FnOnce(&mut Self), span: Span) -> Run {
        let run = self.run(fill, span);
        let mut at = run.first;
        while let Some(next) = self.flow.element(at).next {
            match self.flow.element(next).next {
                after @ Some(_) if self.is_trivial(at, true) && self.is_trivial(next, false) => {
                    self.flow.element_mut(at).next = after;
                }
                _ => at = next,
            }
        }
        run
    }

    /// Whether an element without label does nothing, or (if that counts as well) prints something.
    fn is_trivial(&self, id: ElementId, printing: bool) -> bool {
        let Kind::Basic(statement) = &self.flow.element(id).kind else { return false };
        let nothing = match &**statement {
            StmtKind::Expr(e) => e.kind == ExprKind::Const(1),
            StmtKind::Printf(..) | StmtKind::Printm(..) => printing,
            _ => false,
        };
        nothing && !self.flow.labels.iter().any(|l| l.element == id)
    }

    /// A choice whose options go on behind it.
    pub(super) fn join(&mut self, options: Vec<Run>, labels: Vec<Name>, span: Span) {
        let options = self.else_last(options);
        let choice = self.make(Kind::Joint, span);
        let joint = self.make(Kind::Joint, span);
        self.label(labels, choice);
        let options = options.into_iter().map(|o| self.extended(o, joint)).collect();
        self.flow.element_mut(choice).kind = Kind::Choice(options);
        self.append(choice);
        self.append(joint);
    }

    /// A loop: its options go on before it.
    pub(super) fn repeat(&mut self, options: impl FnOnce(&mut Self) -> Vec<Run>, span: Span) {
        let labels = std::mem::take(&mut self.waiting);
        let id = LoopId(self.flow.exits.len() as u32);
        self.flow.exits.push(None);
        self.loops.push(id);
        let options = options(self);
        self.loops.pop();
        let options = self.else_last(options);
        let choice = self.make(Kind::Joint, span);
        let joint = self.make(Kind::Joint, span);
        let exit = self.make(Kind::Exit, span);
        self.flow.exits[id.0 as usize] = Some(exit);
        self.label(labels, choice);
        let options = options.into_iter().map(|o| self.extended(o, joint)).collect();
        self.flow.element_mut(choice).kind = Kind::Choice(options);
        [joint, choice, exit].into_iter().for_each(|e| self.append(e));
    }

    /// `else` is tried last, wherever it stands.
    fn else_last(&mut self, options: Vec<Run>) -> Vec<Run> {
        let is_else = |o: &Run| matches!(self.flow.element(o.first).kind, Kind::Else);
        let (last, mut others): (Vec<Run>, Vec<Run>) = options.into_iter().partition(is_else);
        if let [_, second, ..] = last[..] {
            let span = self.flow.element(second.first).span;
            let what = "a choice has only one `else`";
            self.reports.push(Diagnostic::error(span, what).label("the second one"));
        }
        others.extend(last);
        others
    }

    fn extended(&mut self, run: Run, joint: ElementId) -> Run {
        self.flow.element_mut(run.last).next = Some(joint);
        Run { last: joint, ..run }
    }

    fn unless(&mut self, main: &'a Stmt, escape: &'a Stmt, span: Span) {
        let is_block = matches!(main.kind, StmtKind::Block(_));
        let mut run = self.scoped(|b| b.statements(inside(main)), span);
        if matches!(main.kind, StmtKind::For(..) | StmtKind::Select(..)) {
            run = self.count_before(run);
        }
        let (main, first, before) = (run, self.flow.elements.len(), self.states);
        let escape = self.scoped(|b| b.statements(inside(escape)), span);
        if !is_block {
            self.number_behind(main, first, before);
        }
        self.refuse_labels(escape, |_| "an escape begins wherever the main part is".to_owned());
        let whole = self.make(Kind::Joint, span);
        let joint = self.make(Kind::Joint, span);
        let (main, escape) = (self.extended(main, joint), self.extended(escape, joint));
        self.flow.element_mut(whole).kind = Kind::Unless(main, escape);
        self.flow.attach_escape(main, escape);
        self.append(whole);
        self.append(joint);
    }

    /// The first assignment of a loop that counts comes before what may be escaped from.
    fn count_before(&mut self, run: Run) -> Run {
        let Element { kind: Kind::Basic(_), next: Some(next), .. } = *self.flow.element(run.first) else { return run };
        self.append(run.first);
        Run { first: next, ..run }
    }

    /// SPIN numbers a statement that is no block behind its escape, but not what is inside: `first` is the first element of
    /// the escape, `before` how many states were numbered before it.
    fn number_behind(&mut self, statement: Run, first: usize, before: u32) {
        let own = self.flow.written(statement);
        let (own_states, escape_states) = (own.len() as u32, self.states - before);
        self.flow.elements[first..].iter_mut().for_each(|e| e.state -= own_states);
        own.into_iter().for_each(|id| self.flow.element_mut(id).state += escape_states);
    }

    /// Labels stand before a block around it: the `unless` itself is passed over, and they would be lost.
    fn labelled_unless(&mut self, main: &'a Stmt, escape: &'a Stmt, span: Span) {
        let labels = std::mem::take(&mut self.waiting);
        let run = self.run(|b| b.unless(main, escape, span), span);
        let id = self.make(Kind::Group(run, Hold::No), span);
        self.label(labels, id);
        self.append(id);
    }

    fn block(&mut self, body: &'a Sequence, hold: Hold, span: Span) {
        let labels = std::mem::take(&mut self.waiting);
        let run = self.scoped(|b| b.statements(body), span);
        self.refuse_labels(run, |label| format!("put it before the block: `{label}: {{ ... }}`"));
        let id = self.make(Kind::Group(run, hold), span);
        self.label(labels, id);
        match hold {
            Hold::No => {}
            Hold::Atomic => self.flow.make_atomic(run, None),
            Hold::Step => self.flow.make_atomic(run, Some(id)),
        }
        self.append(id);
    }

    fn leave_loop(&mut self, span: Span) {
        match self.loops.last() {
            Some(innermost) => self.jump(Jump::Exit(*innermost), span),
            None => {
                let what = "`break` outside of a loop";
                self.reports.push(Diagnostic::error(span, what).label("there is no `do` or `for` around it to leave"));
            }
        }
    }

    /// A jump. One that carries a label that matters is a place of its own: a step is put before it.
    pub(super) fn jump(&mut self, jump: Jump, span: Span) {
        let matter = self.waiting.iter().any(|n| self.matters(n));
        let special = self.waiting.iter().any(|n| is_special(&n.text));
        if matter {
            self.skip(span);
        }
        self.add(Kind::Goto(jump), span);
        if matter {
            self.number_step(special);
        }
    }

    /// To SPIN the step before the jump that was made last is the jump itself, or, if its label means something, one more
    /// behind it.
    fn number_step(&mut self, special: bool) {
        let [.., step, jump] = &mut self.flow.elements[..] else { unreachable!("both were just made") };
        match special {
            true => std::mem::swap(&mut step.state, &mut jump.state),
            false => {
                jump.state = step.state;
                self.states -= 1;
            }
        }
    }

    /// The innermost loop is left.
    pub(super) fn exit_innermost(&mut self, span: Span) {
        let innermost = *self.loops.last().expect("called in a loop that was just opened");
        self.add(Kind::Goto(Jump::Exit(innermost)), span);
    }

    fn skip(&mut self, span: Span) {
        let one = crate::promela::ast::Expr { kind: ExprKind::Const(1), span };
        self.basic(StmtKind::Expr(one), span);
    }

    /// A statement that was not written but stands for one that was.
    pub(super) fn basic(&mut self, statement: StmtKind, span: Span) {
        self.add(Kind::Basic(Cow::Owned(statement)), span);
    }

    /// Options that were not written.
    pub(super) fn option(&mut self, fill: impl FnOnce(&mut Self), span: Span) -> Run {
        self.run(fill, span)
    }

    /// The statements of a loop's body, in a scope of their own.
    pub(super) fn inner_statements(&mut self, body: &'a [Stmt]) {
        let outside = self.scope;
        self.scope = self.locals.scopes.open(outside);
        self.statements(body);
        self.scope = outside;
    }

    pub(super) fn put_labels(&mut self, labels: Vec<Name>) {
        self.waiting = labels;
    }

    pub(super) fn take_labels(&mut self) -> Vec<Name> {
        std::mem::take(&mut self.waiting)
    }

    pub(super) fn add(&mut self, kind: Kind<'a>, span: Span) {
        let id = self.make(kind, span);
        self.append(id);
    }

    fn make(&mut self, kind: Kind<'a>, span: Span) -> ElementId {
        let place = self.locals.scopes.place(self.scope);
        let (next, keeps, ends, step, escapes) = (None, false, false, None, Vec::new());
        self.states += 1;
        let (state, home) = (self.states, self.home.unwrap_or(span));
        self.flow.elements.push(Element { kind, next, keeps, ends, step, escapes, state, place, span, home });
        ElementId(self.flow.elements.len() as u32 - 1)
    }

    fn append(&mut self, id: ElementId) {
        let labels = self.take_labels();
        self.label(labels, id);
        let run = self.open.last_mut().expect("elements are made inside of runs");
        match run {
            None => *run = Some(Run { first: id, extent: id, last: id }),
            Some(run) => {
                self.flow.elements[run.last.0 as usize].next = Some(id);
                (run.extent, run.last) = (id, id);
            }
        }
    }

    fn label(&mut self, labels: Vec<Name>, element: ElementId) {
        for name in labels {
            let scope = self.scope;
            if self.flow.labels.iter().any(|l| l.name.text == name.text && l.scope == scope) {
                let what = format!("the label `{}` stands twice", name.text);
                self.reports.push(Diagnostic::error(name.span, what).label("there is one of this name before"));
            }
            self.flow.labels.push(Label { name, scope, element });
        }
    }
}

/// The statements of a block, or the statement alone.
fn inside(statement: &Stmt) -> &[Stmt] {
    match &statement.kind {
        StmtKind::Block(sequence) => sequence,
        _ => std::slice::from_ref(statement),
    }
}
