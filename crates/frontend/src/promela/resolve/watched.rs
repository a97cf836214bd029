//! The labels that other processes look at: `P@label` anywhere in the program.

use std::collections::{HashMap, HashSet};

use crate::name::Text;
use crate::promela::ast::{
    Argument, Assignment, Expr, ExprKind, Formula, Init, Program, Range, Sequence, Stmt, StmtKind, Unit, VarDecl,
    VarRef,
};

/// The labels that are looked at, by proctype.
#[derive(Debug, Default)]
pub(super) struct Watched {
    labels: HashMap<Text, HashSet<Text>>,
    none: HashSet<Text>,
}

impl Watched {
    /// Those of a program.
    pub(super) fn new(program: &Program) -> Self {
        let mut watched = Self::default();
        program.units.iter().for_each(|u| watched.unit(u));
        watched
    }

    /// Those of a proctype.
    pub(super) fn of(&self, proctype: &str) -> &HashSet<Text> {
        self.labels.get(proctype).unwrap_or(&self.none)
    }

    fn unit(&mut self, unit: &Unit) {
        match unit {
            Unit::Mtype(_) | Unit::Typedef(_) | Unit::Vars(_) => {}
            Unit::Proctype(proctype) => {
                proctype.provided.iter().for_each(|e| self.expr(e));
                self.sequence(&proctype.body);
            }
            Unit::Never(claim) => self.sequence(&claim.body),
            Unit::Trace(trace) => self.sequence(&trace.body),
            Unit::Ltl(ltl) => self.formula(&ltl.formula),
        }
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Atom(expr) => self.expr(expr),
            Formula::Not(a) | Formula::Next(a) | Formula::Always(a) | Formula::Eventually(a) => self.formula(a),
            Formula::And(a, b)
            | Formula::Or(a, b)
            | Formula::Implies(a, b)
            | Formula::Equivalent(a, b)
            | Formula::Until(a, b)
            | Formula::WeakUntil(a, b)
            | Formula::Release(a, b) => {
                self.formula(a);
                self.formula(b);
            }
        }
    }

    fn sequence(&mut self, sequence: &Sequence) {
        sequence.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Vars(declarations) => declarations.iter().for_each(|d| self.declaration(d)),
            StmtKind::Exclusive(..) | StmtKind::Else | StmtKind::Goto(_) | StmtKind::Break => {}
            StmtKind::Expr(e) | StmtKind::Assert(e) | StmtKind::Printm(e) => self.expr(e),
            StmtKind::Assign(target, assignment) => {
                self.reference(target);
                if let Assignment::Value(value) = assignment {
                    self.expr(value);
                }
            }
            StmtKind::Send(send) => {
                self.reference(&send.channel);
                send.values.iter().for_each(|v| self.expr(v));
            }
            StmtKind::Receive(receive) => {
                self.reference(&receive.channel);
                receive.arguments.iter().for_each(|a| self.argument(a));
            }
            StmtKind::If(options) | StmtKind::Do(options) => options.iter().for_each(|o| self.sequence(o)),
            StmtKind::Unless(main, escape) => [main, escape].into_iter().for_each(|s| self.statement(s)),
            StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => self.sequence(body),
            StmtKind::Printf(_, values) => values.iter().for_each(|v| self.expr(v)),
            StmtKind::For(variable, range, body) => {
                self.reference(variable);
                match range {
                    Range::Between(from, to) => [from, to].into_iter().for_each(|e| self.expr(e)),
                    Range::In(reference) => self.reference(reference),
                }
                self.sequence(body);
            }
            StmtKind::Select(variable, from, to) => {
                self.reference(variable);
                [from, to].into_iter().for_each(|e| self.expr(e));
            }
            StmtKind::SetPriority(a, b) => [a, b].into_iter().for_each(|e| self.expr(e)),
        }
    }

    fn declaration(&mut self, decl: &VarDecl) {
        if let Some(Init::Value(value)) = &decl.init {
            self.expr(value);
        }
    }

    fn argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Ref(reference) => self.reference(reference),
            Argument::Const(..) => {}
            Argument::Eval(expr) => self.expr(expr),
        }
    }

    fn reference(&mut self, reference: &VarRef) {
        reference.index.iter().for_each(|i| self.expr(i));
        reference.field.iter().for_each(|f| self.reference(f));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Timeout | ExprKind::NonProgress => {}
            ExprKind::Ref(reference) | ExprKind::Query(_, reference) => self.reference(reference),
            ExprKind::Unary(_, a) | ExprKind::Enabled(a) | ExprKind::PcValue(a) | ExprKind::GetPriority(a) => {
                self.expr(a);
            }
            ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Poll(poll) => {
                self.reference(&poll.channel);
                poll.arguments.iter().for_each(|a| self.argument(a));
            }
            ExprKind::Run(run) => run.arguments.iter().for_each(|a| self.expr(a)),
            ExprKind::Remote(remote) => {
                remote.pid.iter().for_each(|p| self.expr(p));
                match &remote.what {
                    Ok(label) => _ = self.watch(&remote.proctype.text, &label.text),
                    Err(variable) => self.reference(variable),
                }
            }
        }
    }

    fn watch(&mut self, proctype: &Text, label: &Text) -> bool {
        self.labels.entry(proctype.clone()).or_default().insert(label.clone())
    }
}
