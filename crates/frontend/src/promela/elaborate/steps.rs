//! What statements become: conditions and operations of transitions.

use std::collections::HashSet;

use model::{Command, Expr as Code, Pattern, Retrieve, Target};

use super::channels::{Case, Reference};
use super::control::Chain;
use super::scope::Scope;
use super::term::Term;
use super::walk::{edge_expressions, walk};
use super::{Checked, refuse};
use crate::promela::Options;
use crate::promela::ir::{Action, Argument, Edge, EdgeId, Expr, Graph, Hold, Receive, Send, Slot};

/// A step of one process, not yet joined with the steps of others.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// The conjuncts of its condition.
    pub(super) guard: Vec<Code>,
    /// Its operations.
    pub(super) command: Vec<Command>,
    /// Whether it waits for a timeout.
    pub(super) last_resort: bool,
}

impl Step {
    /// Adds a condition; tells whether the step can still happen.
    pub(super) fn when(&mut self, condition: Term) -> bool {
        let possible = condition.value() != Some(0);
        self.guard.extend(condition.expr.conjuncts());
        possible
    }
}

impl Scope<'_, '_> {
    /// The steps of a chain of statements that does not begin with `run`.
    pub(super) fn steps(&self, chain: &Chain, options: &Options) -> Checked<Vec<Step>> {
        let seat = self.seat.expect("steps are taken by processes");
        let graph = &self.ground().proctype(seat).graph;
        let edge = |e: &EdgeId| &graph.edges[e.0 as usize];
        let first = edge(&chain.edges[0]);
        let mut steps = Vec::new();
        for timeout in [false, true] {
            if timeout && !asks_timeout(graph, first) {
                break;
            }
            let scope = Scope { timeout, span: first.span, ..*self };
            let mut step = Step { last_resort: timeout, ..Step::default() };
            if scope.allowed(first, &mut step)? {
                steps.extend(scope.first(first, step, options)?);
            }
        }
        let tail = self.tail(chain, graph, options)?;
        steps.iter_mut().for_each(|s| s.command.extend(tail.iter().cloned()));
        Ok(steps)
    }

    /// The operations of the statements that follow the first one at once.
    pub(super) fn tail(&self, chain: &Chain, graph: &Graph, options: &Options) -> Checked<Vec<Command>> {
        let mut tail = Vec::new();
        for edge in chain.edges[1..].iter().map(|e| &graph.edges[e.0 as usize]) {
            let scope = Scope { span: edge.span, ..*self };
            for step in scope.first(edge, Step::default(), options)? {
                tail.extend(step.command);
            }
        }
        Ok(tail)
    }

    /// What must be true whatever the statement does; tells whether it can be.
    pub(super) fn allowed(&self, edge: &Edge, step: &mut Step) -> Checked<bool> {
        let seat = self.seat.expect("steps are taken by processes");
        let mut possible = true;
        let proctype = self.ground().proctype(seat);
        // In the middle of a `d_step` nobody asks any more.
        let inside = proctype.graph.nodes[edge.from.0 as usize].hold == Hold::Step;
        let provided = proctype.provided.iter().filter(|_| !inside);
        // Whether a receive must wait for others depends on its channel.
        let guard = edge.guard.iter().filter(|_| !matches!(edge.action, Action::Receive(_)));
        for condition in provided.chain(guard) {
            possible &= step.when(self.condition(condition)?);
        }
        Ok(possible)
    }

    fn first(&self, edge: &Edge, mut step: Step, options: &Options) -> Checked<Vec<Step>> {
        match &edge.action {
            Action::Skip => {}
            Action::Test(e) => {
                if !step.when(self.condition(e)?) {
                    return Ok(Vec::new());
                }
            }
            Action::Assign(slot, e) => step.command.extend(self.assign(slot, self.term(e)?)?),
            Action::Assert(e) => {
                let condition = self.condition(e)?;
                if !options.ignore_assertions && condition.value() != Some(1) {
                    step.command.push(Command::Assert(condition.expr));
                }
            }
            Action::Send(send) => return self.send(send, &step),
            Action::Receive(receive) => return self.receive(edge, receive, &step),
            Action::Run(..) => unreachable!("creating processes takes more than one"),
            Action::Event(_) => unreachable!("only traces wait for events"),
        }
        Ok(vec![step])
    }

    /// Writes a variable.
    pub(super) fn assign(&self, slot: &Slot, value: Term) -> Checked<Option<Command>> {
        let wrap = self.ground().variable(self.seat, slot.column).scalar.wrap();
        Ok(self.target(slot)?.map(|target| Command::Assign(target, value.wrapped(wrap).expr)))
    }

    /// One step for each channel that may be meant, and one that is only there to be a fault where there is none.
    fn cases(&self, slot: &Slot, step: &Step, make: impl Fn(&mut Step, u32) -> Checked<()>) -> Checked<Vec<Step>> {
        let Reference { cases, check } = self.reference(slot)?;
        let mut steps = Vec::new();
        if let Some(check) = check {
            let mut fault = step.clone();
            fault.guard.push(check.negate());
            steps.push(fault);
        }
        for Case { when, channel } in cases {
            let mut own = step.clone();
            if own.when(when) {
                make(&mut own, channel)?;
                steps.push(own);
            }
        }
        Ok(steps)
    }

    fn send(&self, send: &Send, step: &Step) -> Checked<Vec<Step>> {
        self.cases(&send.channel, step, |step, number| {
            let channel = self.channel(number);
            let mut values = Vec::new();
            for (k, scalar) in channel.fields.iter().enumerate() {
                let value = send.values.get(k).map_or(Ok(Term::constant(0)), |e| self.term(e))?;
                values.push(value.wrapped(scalar.wrap()).expr);
            }
            let target = Target::fixed(self.object(number));
            step.command.push(match send.sorted && channel.capacity > 0 {
                true => Command::Insert(target, values),
                false => Command::Send(target, values),
            });
            Ok(())
        })
    }

    fn receive(&self, edge: &Edge, receive: &Receive, step: &Step) -> Checked<Vec<Step>> {
        self.cases(&receive.channel, step, |step, number| {
            let channel = self.channel(number);
            if let Some(guard) = &edge.guard {
                if channel.capacity > 0 {
                    step.when(self.condition(guard)?);
                } else {
                    self.only_receiver(number, receive, guard)?;
                }
            }
            let mut patterns = Vec::new();
            let mut after = Vec::new();
            for (k, argument) in (0..channel.fields.len()).map(|k| (k, receive.arguments.get(k))) {
                patterns.push(match argument {
                    Some(Argument::Match(e)) => Pattern::Match(self.term(e)?.expr),
                    Some(Argument::Bind(slot)) => self.bind(receive, (number, k), slot, &mut after)?,
                    Some(Argument::Ignore) | None => Pattern::Ignore,
                });
            }
            let target = Target::fixed(self.object(number));
            let how = Retrieve { anywhere: receive.anywhere, keep: receive.keep };
            step.command.push(match channel.capacity > 0 && (how.anywhere || how.keep) {
                true => Command::Retrieve(target, patterns, how),
                false => Command::Receive(target, patterns),
            });
            step.command.extend(after);
            Ok(())
        })
    }

    /// In the middle of a rendezvous nothing else can happen, so that what has precedence does not come first, unless it
    /// could receive the same message: that is refused, as transitions do not know the message beforehand.
    fn only_receiver(&self, number: u32, receive: &Receive, guard: &Expr) -> Checked<()> {
        let seat = self.seat.expect("only processes receive");
        let graph = &self.ground().proctype(seat).graph;
        let mut others: Vec<&Receive> = Vec::new();
        walk(guard, &mut |e| {
            if let Expr::Executable(edges) = e {
                let actions = edges.iter().map(|e| &graph.edges[e.0 as usize].action);
                others.extend(actions.filter_map(|a| if let Action::Receive(r) = a { Some(r) } else { None }));
            }
        });
        for other in others {
            let same = self.world.points.of(self.ground(), self.seat, &other.channel).contains(&number);
            if same && !self.excludes(receive, other)? {
                let message = "both this receive and one that has precedence may take the message of a rendezvous";
                return refuse(self.span, message.to_owned());
            }
        }
        Ok(())
    }

    /// Whether no message matches both.
    fn excludes(&self, a: &Receive, b: &Receive) -> Checked<bool> {
        for pair in a.arguments.iter().zip(&b.arguments) {
            if let (Argument::Match(x), Argument::Match(y)) = pair
                && let (Some(x), Some(y)) = (self.term(x)?.value(), self.term(y)?.value())
                && x != y
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// How a variable takes a field: at once if it can hold all values of the field, and if nothing that the sender in a
    /// rendezvous still has to evaluate is overwritten; through a spare variable otherwise.
    fn bind(
        &self,
        receive: &Receive,
        (number, field): (u32, usize),
        slot: &Slot,
        after: &mut Vec<Command>,
    ) -> Checked<Pattern> {
        let Some(target) = self.target(slot)? else { return Ok(Pattern::Ignore) };
        let (channel, values) = (self.channel(number), self.world.ranges.fields[number as usize - 1][field]);
        let holds = self.world.stored(self.seat, slot.column).bounds;
        let last = receive.arguments.iter().rposition(|a| matches!(a, Argument::Bind(_))) == Some(field);
        let shared = matches!(slot.column, crate::promela::ir::Column::Global(_));
        if holds.0 <= values.0 && values.1 <= holds.1 && (channel.capacity > 0 || last || !shared) {
            return Ok(Pattern::Bind(target));
        }
        let seat = self.seat.expect("only processes receive");
        let spare = self.world.spare(seat, field, channel.fields[field]);
        let value = Term { expr: Code::read(spare), bounds: values, safe: true };
        after.extend(self.assign(slot, value)?);
        after.push(Command::Assign(spare.into(), Code::Const(0)));
        Ok(Pattern::Bind(spare.into()))
    }
}

/// Whether a statement asks for `timeout`, or another one does that it looks at.
fn asks_timeout(graph: &Graph, edge: &Edge) -> bool {
    let mut found = false;
    let mut seen: HashSet<EdgeId> = HashSet::new();
    let mut open = vec![edge];
    while let Some(edge) = open.pop() {
        for e in edge_expressions(edge) {
            walk(e, &mut |e| match e {
                Expr::Timeout => found = true,
                Expr::Executable(edges) => {
                    let new = edges.iter().filter(|e| seen.insert(**e));
                    open.extend(new.map(|e| &graph.edges[e.0 as usize]));
                }
                _ => {}
            });
        }
    }
    found
}
