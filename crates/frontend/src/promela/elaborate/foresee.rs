//! A guess at which processes are created: the program is run alone, process by process, as far as that is certain.
//!
//! Most programs create their processes at the start, in a loop or one by one, from what is known. Where the guess is
//! wrong a search of the system finds out; where it is right the system is made only once.

use super::Checked;
use super::control::running;
use super::plan::{MAX_PROCESSES, Plan, Runner, Seat};
use super::term::Term;
use super::translate::{Leaves, flat_index, term};
use crate::promela::ir::{Action, Column, Edge, EdgeId, Expr, Initial, NodeId, ProctypeId, Program, Slot, Variable};
use model::{Expr as Code, LocationId, ProcessId};

/// The most statements that are run.
const MAX_STEPS: usize = 20_000;

/// The plan that a program seems to need.
pub(super) fn plan(program: &Program) -> Plan {
    let plan = Plan::new(program);
    let creates = |e: &Edge| matches!(e.action, Action::Run(..));
    if !program.proctypes.iter().any(|p| p.graph.edges.iter().any(creates)) {
        return plan;
    }
    let mut next = 1;
    let globals = Vec::new();
    let seat = Seat { slot: 0, proctype: ProctypeId(0) };
    let mut run = Run { program, count: plan.active, plan, globals, locals: Vec::new(), seat, steps: 0 };
    run.globals = run.cells(&program.globals, &mut next, &[]);
    let mut open: Vec<(Seat, Vec<i64>)> = run.plan.seats.keys().map(|s| (*s, Vec::new())).collect();
    open.reverse();
    while let Some((seat, parameters)) = open.pop() {
        run.seat = seat;
        let born = run.process(&parameters);
        open.extend(born.into_iter().rev());
    }
    run.plan
}

/// A value that is not known.
fn unknown() -> Term {
    let expr = Code::At(ProcessId(0), LocationId(0));
    Term { expr, bounds: super::term::INT.range(), safe: false }
}

/// One process at a time, running.
struct Run<'p> {
    program: &'p Program,
    plan: Plan,
    count: u32,
    globals: Vec<Vec<Option<i64>>>,
    locals: Vec<Vec<Option<i64>>>,
    seat: Seat,
    steps: usize,
}

impl Run<'_> {
    /// The first values of some variables.
    fn cells(&mut self, variables: &[Variable], channel: &mut u32, parameters: &[i64]) -> Vec<Vec<Option<i64>>> {
        let mut all: Vec<Vec<Option<i64>>> = Vec::new();
        for (at, variable) in variables.iter().enumerate() {
            let count = variable.sizes.iter().fold(1_usize, |n, s| n.saturating_mul(*s as usize)).min(1 << 20);
            let wrap = variable.scalar.wrap();
            all.push(match (&variable.initial, parameters.get(at)) {
                (_, Some(value)) => vec![Some(*value)],
                (Initial::Each(e), None) => vec![self.value(e).map(|v| wrap.apply(v)); count],
                (Initial::List(list), None) => list.iter().map(|e| self.value(e).map(|v| wrap.apply(v))).collect(),
                (Initial::Channels { .. }, None) => {
                    let first = *channel;
                    *channel += count as u32;
                    (first..*channel).map(|c| Some(i64::from(c))).collect()
                }
            });
            // Later variables may look at earlier ones.
            if variables.as_ptr() == self.program.globals.as_ptr() {
                self.globals.clone_from(&all);
            } else {
                self.locals.clone_from(&all);
            }
        }
        all
    }

    /// Runs a process as far as possible; gives those that it creates.
    fn process(&mut self, parameters: &[i64]) -> Vec<(Seat, Vec<i64>)> {
        let proctype = &self.program.proctypes[self.seat.proctype.0 as usize];
        let mut born = Vec::new();
        let mut channel = self.plan.channels[&self.seat];
        self.locals = Vec::new();
        self.locals = self.cells(&proctype.locals, &mut channel, parameters);
        let mut node = NodeId(0);
        let running = running(&proctype.graph);
        while self.steps < MAX_STEPS && running.contains(&node) {
            self.steps += 1;
            let leaving = (0..).zip(&proctype.graph.edges).filter(|(_, e)| e.from == node);
            let mut taken = None;
            for (id, edge) in leaving {
                match self.executable(edge) {
                    Some(false) => {}
                    Some(true) => {
                        taken = Some((EdgeId(id), edge));
                        break;
                    }
                    None => return born,
                }
            }
            let Some((id, edge)) = taken else { return born };
            if !self.step(id, edge, &mut born) {
                return born;
            }
            node = edge.to;
        }
        born
    }

    /// Whether a statement can be executed, if that is certain.
    fn executable(&self, edge: &Edge) -> Option<bool> {
        if let Some(guard) = &edge.guard
            && self.value(guard)? == 0
        {
            return Some(false);
        }
        match &edge.action {
            Action::Test(e) => self.value(e).map(|v| v != 0),
            Action::Receive(_) | Action::Event(_) => None,
            Action::Skip | Action::Assign(..) | Action::Assert(_) | Action::Run(..) | Action::Send(_) => Some(true),
        }
    }

    /// Takes a step; tells whether more can be said afterwards.
    fn step(&mut self, id: EdgeId, edge: &Edge, born: &mut Vec<(Seat, Vec<i64>)>) -> bool {
        match &edge.action {
            Action::Assign(slot, e) => {
                let value = self.value(e);
                self.write(slot, value);
            }
            Action::Run(proctype, arguments, slot) => {
                let locals = &self.program.proctypes[proctype.0 as usize].locals;
                let wrapped = |(e, v): (&Expr, &Variable)| self.value(e).map(|value| v.scalar.wrap().apply(value));
                let Some(values) = arguments.iter().zip(locals).map(wrapped).collect::<Option<Vec<i64>>>() else {
                    return false;
                };
                if self.count >= MAX_PROCESSES {
                    return false;
                }
                let seat = Seat { slot: self.count, proctype: *proctype };
                self.count += 1;
                self.plan.foresee(Runner { seat: self.seat, edge: id }, seat, &values);
                if let Some(slot) = slot {
                    self.write(slot, Some(i64::from(seat.slot)));
                }
                born.push((seat, values));
            }
            _ => {}
        }
        true
    }

    fn value(&self, e: &Expr) -> Option<i64> {
        term(e, self).ok()?.value()
    }

    fn place(&self, slot: &Slot) -> Option<(Column, usize)> {
        let sizes = match slot.column {
            Column::Global(g) => &self.program.globals[g as usize].sizes,
            Column::Local(l) => &self.program.proctypes[self.seat.proctype.0 as usize].locals[l as usize].sizes,
        };
        let index = flat_index(sizes, &slot.indices, self).ok()?.map_or(Some(0), |i| i.value())?;
        Some((slot.column, usize::try_from(index).ok()?))
    }

    fn write(&mut self, slot: &Slot, value: Option<i64>) {
        let (variables, cells) = match slot.column {
            Column::Global(_) => (&self.program.globals, &mut self.globals),
            Column::Local(_) => (&self.program.proctypes[self.seat.proctype.0 as usize].locals, &mut self.locals),
        };
        let (Column::Global(at) | Column::Local(at)) = slot.column;
        let (wrap, cells) = (variables[at as usize].scalar.wrap(), std::mem::take(&mut cells[at as usize]));
        let mut cells = cells;
        match self.place(slot) {
            Some((_, index)) => {
                if let Some(cell) = cells.get_mut(index) {
                    *cell = value.map(|v| wrap.apply(v));
                }
            }
            None => cells.fill(None),
        }
        match slot.column {
            Column::Global(g) => self.globals[g as usize] = cells,
            Column::Local(l) => self.locals[l as usize] = cells,
        }
    }
}

impl Leaves for Run<'_> {
    fn leaf(&self, expr: &Expr) -> Checked<Term> {
        let graph = &self.program.proctypes[self.seat.proctype.0 as usize].graph;
        let value = match expr {
            Expr::Read(slot) => self.place(slot).and_then(|(column, at)| match column {
                Column::Global(g) => *self.globals.get(g as usize)?.get(at)?,
                Column::Local(l) => *self.locals.get(l as usize)?.get(at)?,
            }),
            Expr::Pid => Some(i64::from(self.seat.slot)),
            Expr::ProcessCount => Some(i64::from(self.count)),
            Expr::Timeout => Some(0),
            Expr::Executable(edges) => {
                let one = |e: &EdgeId| self.executable(&graph.edges[e.0 as usize]);
                let all: Option<Vec<bool>> = edges.iter().map(one).collect();
                all.map(|all| i64::from(all.contains(&true)))
            }
            _ => None,
        };
        Ok(value.map_or_else(unknown, Term::constant))
    }
}
