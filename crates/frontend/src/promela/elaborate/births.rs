//! The creation of processes: one transition for each process that a statement can create, and one that is a fault where
//! the plan does not foresee what happens.

use std::sync::Arc;

use model::{Command, Expr as Code, Joining, LocationId, Move, Span, Transition};

use super::Checked;
use super::assemble::{Assembly, Way, cell};
use super::control::Chain;
use super::plan::{MAX_PROCESSES, Runner};
use super::scope::Scope;
use super::steps::Step;
use super::term::Term;
use crate::promela::ir::{Binary, Edge, Expr, Initial, NodeId, ProctypeId, Slot, Unary, Variable};

/// What a `run` says.
pub(super) struct Run<'a> {
    pub(super) edge: &'a Edge,
    pub(super) proctype: ProctypeId,
    pub(super) arguments: &'a [Expr],
    /// The variable that takes the number of the new process.
    pub(super) slot: Option<&'a Slot>,
}

/// The creation of a process that the plan does not foresee.
#[derive(Clone, Debug)]
pub(super) struct Unforeseen {
    /// The statement.
    pub(super) runner: Runner,
    /// What it creates.
    pub(super) proctype: ProctypeId,
    /// The values of its parameters.
    pub(super) parameters: Vec<Code>,
    /// How many processes there are before.
    pub(super) count: Code,
}

impl Assembly<'_, '_> {
    /// All transitions of a statement that creates a process.
    pub(super) fn run(&mut self, way: &Way, chain: &Chain, run: &Run<'_>) -> Checked<()> {
        let scope = self.scope(way.seat, way.span);
        let graph = &self.world.ground.proctype(way.seat).graph;
        let mut step = Step::default();
        if !scope.allowed(run.edge, &mut step)? {
            return Ok(());
        }
        let values = self.arguments(&scope, run)?;
        let tail = scope.tail(chain, graph, self.options)?;
        let runner = Runner { seat: self.world.ground.seats[way.seat], edge: chain.edges[0] };
        let mut foreseen = Vec::new();
        for created in self.world.ground.plan.runs.get(&runner).into_iter().flatten() {
            let seat = self.world.ground.seats.binary_search(created).expect("whoever is created has a seat");
            let condition = self.creates(seat, created.slot, &values);
            let mut own = step.clone();
            if own.when(condition.clone()) {
                foreseen.push(condition);
                own.command.extend(self.birth(seat, &values, way.span)?);
                if let Some(slot) = run.slot {
                    own.command.extend(scope.assign(slot, Term::constant(i64::from(created.slot)))?);
                }
                own.command.extend(tail.iter().cloned());
                self.push_run(way, seat, own);
            }
        }
        if let Some(count) = self.world.count.filter(|_| self.world.ground.plan.slots() >= MAX_PROCESSES) {
            // One process too many is an error of the model, as it is to SPIN: the number leaves its range.
            let most = Term::constant(i64::from(MAX_PROCESSES));
            let full = Term::binary(Binary::Ge, self.world.count(), most);
            let mut own = step.clone();
            own.when(full.clone());
            own.command.push(Command::Assign(count.into(), Code::read(count).op(model::Binary::Add, 1)));
            self.push(way, own);
            foreseen.push(full);
        }
        if foreseen.into_iter().all(|condition| step.when(Term::unary(Unary::Not, condition))) {
            step.command.push(Command::Unforeseen(self.unforeseen.len() as u32));
            let parameters = values.into_iter().map(|v| v.expr).collect();
            let (proctype, count) = (run.proctype, self.world.count().expr);
            self.unforeseen.push(Unforeseen { runner, proctype, parameters, count });
            self.push(way, step);
        }
        Ok(())
    }

    /// The values of arguments as the parameters take them.
    fn arguments(&self, scope: &Scope<'_, '_>, run: &Run<'_>) -> Checked<Vec<Term>> {
        let parameters = &self.world.ground.program.proctypes[run.proctype.0 as usize].locals;
        let value = |(e, parameter): (&Expr, &Variable)| Ok(scope.term(e)?.wrapped(parameter.scalar.wrap()));
        run.arguments.iter().zip(parameters).map(value).collect()
    }

    /// When a statement creates just this process: its number is the next one, and its constants are what they are.
    fn creates(&self, seat: usize, number: u32, values: &[Term]) -> Term {
        let mut condition = Term::binary(Binary::Eq, self.world.count(), Term::constant(i64::from(number)));
        for (value, known) in values.iter().zip(&self.world.ground.locals[seat]) {
            if let Some(fixed) = known.values() {
                condition = condition.and(Term::binary(Binary::Eq, value.clone(), Term::constant(fixed[0])));
            }
        }
        condition
    }

    /// What variables hold when a process comes into being; before they hold zero.
    fn birth(&self, seat: usize, values: &[Term], span: Span) -> Checked<Vec<Command>> {
        let scope = self.scope(seat, span);
        let proctype = self.world.ground.proctype(seat);
        let mut command = Vec::new();
        for (l, variable) in proctype.locals.iter().enumerate() {
            let (known, store) = (&self.world.ground.locals[seat][l], &self.world.locals[seat][l]);
            let Some(first) = store.first.filter(|_| !known.fixed) else { continue };
            let cells: Vec<Term> = match (values.get(l).filter(|_| l < proctype.parameters as usize), &known.initial) {
                (Some(value), _) => vec![value.clone()],
                (None, Some(values)) => values.iter().copied().map(Term::constant).collect(),
                (None, None) => first_values(&scope, &variable.initial, known.cells as usize)?,
            };
            let changed = cells.into_iter().enumerate().filter(|(_, value)| value.value() != Some(0));
            let wrap = variable.scalar.wrap();
            command.extend(changed.map(|(at, value)| Command::Assign(cell(first, at), value.wrapped(wrap).expr)));
        }
        command.extend(self.follow(seat, self.world.absent(seat), self.start(seat)));
        let count = self.world.count.expect("processes that are created are counted");
        let number = i64::from(self.world.ground.seats[seat].slot) + 1;
        command.push(Command::Assign(count.into(), Code::Const(number)));
        Ok(command)
    }

    fn start(&self, seat: usize) -> LocationId {
        self.world.flow(seat).location(NodeId(0)).expect("the start is a location")
    }

    fn push_run(&self, way: &Way, started: usize, mut step: Step) {
        step.command.extend(self.traces(way.seat, way.from, way.to));
        let label: Arc<str> = way.label.as_str().into();
        let by = self.world.process(way.seat);
        let runs = Move { process: by, from: way.from, to: way.to, label: label.clone() };
        let (from, to) = (self.world.absent(started), self.start(started));
        let starts = Move { process: self.world.process(started), from, to, label: "start".into() };
        let mut moves = vec![runs, starts];
        moves.sort_by_key(|m| m.process);
        let name = format!("{}.{} > {}", self.world.ground.name(way.seat), way.label, self.world.ground.name(started));
        self.world.builder.borrow_mut().transition(Transition {
            name,
            label,
            moves,
            guard: step.guard,
            command: step.command,
            joining: Joining::Run { by },
            last_resort: step.last_resort,
            yields: way.yields,
            spans: vec![way.home],
        });
    }
}

/// What the cells of a variable hold at first, where that must be computed.
fn first_values(scope: &Scope<'_, '_>, initial: &Initial, cells: usize) -> Checked<Vec<Term>> {
    match initial {
        Initial::Each(e) => Ok(vec![scope.term(e)?; cells]),
        Initial::List(list) => list.iter().take(cells).map(|e| scope.term(e)).collect(),
        Initial::Channels { .. } => unreachable!("the channels of a process are known"),
    }
}
