//! Puts the steps of all processes into the builder: ordinary ones, the creation and the death of processes.

use std::sync::Arc;

use model::{Command, Edge as Part, Expr as Code, Joining, LocationId, Move, Pattern, Span, Target, Transition};

use super::Checked;
use super::control::Chain;
use super::plan::{Runner, Seat};
use super::scope::Scope;
use super::steps::Step;
use super::term::Term;
use super::world::World;
use crate::promela::Options;
use crate::promela::ir::{Action, Binary, Edge, EdgeId, Expr, Initial, NodeId, ProctypeId, Slot, Unary};

/// The most statements of a merged step that its name tells.
const TOLD: usize = 3;

/// Makes all transitions.
pub(super) struct Assembly<'w, 'p> {
    pub(super) world: &'w World<'p>,
    pub(super) options: &'w Options,
    /// What the numbers of unforeseen steps stand for.
    pub(super) unforeseen: Vec<Unforeseen>,
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
    /// Where it stands.
    pub(super) span: Span,
}

/// A statement on its way into the builder.
struct Way<'a> {
    seat: usize,
    from: LocationId,
    to: LocationId,
    label: String,
    span: Span,
    chain: &'a Chain,
}

impl<'w, 'p> Assembly<'w, 'p> {
    /// All transitions of all processes.
    pub(super) fn all(&mut self) -> Checked<()> {
        for seat in 0..self.world.ground.seats.len() {
            let (flow, proctype) = (self.world.flow(seat), self.world.ground.proctype(seat));
            for chain in &flow.chains {
                let edge = &proctype.graph.edges[chain.edges[0].0 as usize];
                let at = |node: NodeId| flow.location(node).expect("chains lead from and to locations");
                let (from, to) = (at(edge.from), at(chain.to));
                let label = label(chain, &proctype.graph.edges);
                let way = Way { seat, from, to, label, span: edge.span, chain };
                match &edge.action {
                    Action::Run(started, arguments, slot) => {
                        self.run(&way, edge, *started, arguments, slot.as_ref())?
                    }
                    _ => self.ordinary(&way)?,
                }
            }
            if flow.ends {
                self.death(seat)?;
            }
        }
        Ok(())
    }

    fn scope(&self, seat: usize, span: Span) -> Scope<'w, 'p> {
        Scope { world: self.world, seat: Some(seat), timeout: false, span }
    }

    fn ordinary(&mut self, way: &Way<'_>) -> Checked<()> {
        for step in self.scope(way.seat, way.span).steps(way.chain, self.options)? {
            self.push(way, step);
        }
        Ok(())
    }

    /// A step of one process.
    fn push(&self, way: &Way<'_>, mut step: Step) {
        step.command.extend(self.traces(way.seat, way.from, way.to));
        self.world.builder.borrow_mut().edge(Part {
            process: self.world.process(way.seat),
            from: way.from,
            to: way.to,
            label: Some(way.label.clone()),
            sync: None,
            guard: step.guard,
            command: step.command,
            last_resort: step.last_resort,
            span: Some(way.span),
        });
    }

    /// What a step of a process leaves for those who ask where it is and who moved.
    fn traces(&self, seat: usize, from: LocationId, to: LocationId) -> Vec<Command> {
        let mut traces = Vec::new();
        if let Some(last) = self.world.last {
            let slot = i64::from(self.world.ground.seats[seat].slot);
            traces.push(Command::Assign(last.into(), Code::Const(slot)));
        }
        traces.extend(self.follow(seat, from, to));
        traces
    }

    fn follow(&self, seat: usize, from: LocationId, to: LocationId) -> Option<Command> {
        let shadow = self.world.shadows[seat].filter(|_| from != to)?;
        Some(Command::Assign(shadow.into(), Code::Const(i64::from(to.0))))
    }

    fn run(
        &mut self,
        way: &Way<'_>,
        edge: &Edge,
        started: ProctypeId,
        arguments: &[Expr],
        slot: Option<&Slot>,
    ) -> Checked<()> {
        let scope = self.scope(way.seat, way.span);
        let graph = &self.world.ground.proctype(way.seat).graph;
        let mut step = Step::default();
        if !scope.allowed(edge, &mut step)? {
            return Ok(());
        }
        let values = self.arguments(&scope, started, arguments)?;
        let tail = scope.tail(way.chain, graph, self.options)?;
        let runner = Runner { seat: self.world.ground.seats[way.seat], edge: way.chain.edges[0] };
        let mut foreseen = Term::constant(0);
        for &number in self.world.ground.plan.runs.get(&runner).into_iter().flatten() {
            let seat = self.world.ground.seats.binary_search(&Seat { slot: number, proctype: started });
            let seat = seat.expect("whoever is created has a seat");
            let condition = self.creates(seat, number, &values);
            let mut own = step.clone();
            if own.when(condition.clone()) {
                foreseen = foreseen.or(condition);
                own.command.extend(self.birth(seat, &values, way.span)?);
                if let Some(slot) = slot {
                    own.command.extend(scope.assign(slot, Term::constant(i64::from(number)))?);
                }
                own.command.extend(tail.iter().cloned());
                self.push_run(way, seat, own);
            }
        }
        if step.when(Term::unary(Unary::Not, foreseen)) {
            step.command.push(Command::Unforeseen(self.unforeseen.len() as u32));
            let parameters = values.into_iter().map(|v| v.expr).collect();
            let (proctype, count, span) = (started, self.world.count().expr, way.span);
            self.unforeseen.push(Unforeseen { runner, proctype, parameters, count, span });
            self.push(way, step);
        }
        Ok(())
    }

    /// The values of arguments as the parameters take them.
    fn arguments(&self, scope: &Scope<'_, '_>, started: ProctypeId, arguments: &[Expr]) -> Checked<Vec<Term>> {
        let parameters = &self.world.ground.program.proctypes[started.0 as usize].locals;
        let value = |(e, parameter): (&Expr, &crate::promela::ir::Variable)| {
            Ok(scope.term(e)?.wrapped(parameter.scalar.wrap()))
        };
        arguments.iter().zip(parameters).map(value).collect()
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
            let mut set = |at: usize, value: Term| {
                if value.value() != Some(0) {
                    command.push(Command::Assign(cell(first, at), value.wrapped(variable.scalar.wrap()).expr));
                }
            };
            if let Some(value) = values.get(l).filter(|_| l < proctype.parameters as usize) {
                set(0, value.clone());
            } else if let Some(values) = &known.initial {
                values.iter().enumerate().for_each(|(at, v)| set(at, Term::constant(*v)));
            } else {
                match &variable.initial {
                    Initial::Each(e) => {
                        let value = scope.term(e)?;
                        (0..known.cells as usize).for_each(|at| set(at, value.clone()));
                    }
                    Initial::List(list) => {
                        for (at, e) in list.iter().take(known.cells as usize).enumerate() {
                            set(at, scope.term(e)?);
                        }
                    }
                    Initial::Channels { .. } => unreachable!("the channels of a process are known"),
                }
            }
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

    fn push_run(&self, way: &Way<'_>, started: usize, mut step: Step) {
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
            spans: vec![way.span],
        });
    }

    /// A process dies at its end if it is the last one. All it had is zero afterwards; messages that are left in its own
    /// channels are dropped one by one, with nobody in between.
    fn death(&self, seat: usize) -> Checked<()> {
        let ground = &self.world.ground;
        let proctype = ground.proctype(seat);
        let end = NodeId(proctype.graph.nodes.len().saturating_sub(1) as u32);
        let from = self.world.flow(seat).location(end).expect("the end is a location if it can be reached");
        let count = self.world.count.expect("processes that die are counted");
        let number = i64::from(ground.seats[seat].slot);
        let mut step = Step::default();
        let scope = self.scope(seat, proctype.span);
        if let Some(provided) = &proctype.provided {
            step.when(scope.condition(provided)?);
        }
        step.when(Term::binary(Binary::Eq, self.world.count(), Term::constant(number + 1)));
        let chain = Chain { edges: Vec::new(), to: end };
        let span = proctype.graph.nodes.last().map_or(proctype.span, |n| n.span);
        let to = self.world.absent(seat);
        let mut way = Way { seat, from, to, label: "-end-".to_owned(), span, chain: &chain };
        let own: Vec<u32> = (1..)
            .zip(&ground.channels)
            .filter(|(_, c)| c.owner == Some(seat) && c.capacity > 0)
            .map(|(n, _)| n)
            .collect();
        for number in &own {
            let mut drop = step.clone();
            let patterns = vec![Pattern::Ignore; ground.channels[*number as usize - 1].fields.len()];
            drop.command.push(Command::Receive(Target::fixed(scope.object(*number)), patterns));
            let drain =
                self.world.drain(seat).expect("a process with channels of its own has a place to drop messages");
            way.to = drain;
            self.push(&way, drop.clone());
            self.push(&Way { from: drain, to: drain, label: way.label.clone(), ..way }, drop);
            way.to = to;
        }
        for number in &own {
            step.guard.push(Code::Empty(Target::fixed(scope.object(*number))));
        }
        step.command.extend(self.zeros(seat));
        step.command.push(Command::Assign(count.into(), Code::Const(number)));
        self.push(&way, step.clone());
        if let Some(drain) = self.world.drain(seat).filter(|_| !own.is_empty()) {
            self.push(&Way { from: drain, ..way }, step);
        }
        Ok(())
    }

    /// All variables of a process back to zero.
    fn zeros(&self, seat: usize) -> Vec<Command> {
        let mut zeros = Vec::new();
        for (known, store) in self.world.ground.locals[seat].iter().zip(&self.world.locals[seat]) {
            if let Some(first) = store.first.filter(|_| !known.fixed) {
                zeros.extend((0..known.cells as usize).map(|at| Command::Assign(cell(first, at), Code::Const(0))));
            }
        }
        zeros
    }
}

fn cell(first: model::ObjectId, at: usize) -> Target {
    Target::fixed(model::ObjectId(first.0 + at as u32))
}

/// The statements of a chain as the user wrote them.
fn label(chain: &Chain, edges: &[Edge]) -> String {
    let text = |e: &EdgeId| &*edges[e.0 as usize].text;
    let mut label: Vec<&str> = chain.edges.iter().take(TOLD).map(text).collect();
    if chain.edges.len() > TOLD {
        label.push("...");
    }
    label.join("; ")
}
