//! What statements become: conditions and operations of transitions.

use std::collections::HashSet;

use model::{Command, Expr as Code, Target};

use super::Checked;
use super::channels::{Case, Reference};
use super::control::Chain;
use super::idle::waits;
use super::scope::Scope;
use super::term::Term;
use super::walk::{edge_expressions, walk};
use crate::promela::Options;
use crate::promela::ir::{Action, Edge, EdgeId, Expr, Graph, Hold, Program, Send, Slot};

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
            if timeout && !asks_timeout(self.ground().program, graph, first) {
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
            Action::Send(send) => return self.send(send, edge.in_step, &step),
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

    /// The steps for each channel that may be meant, and one that is only there to be a fault where there is none.
    pub(super) fn cases(
        &self,
        slot: &Slot,
        step: &Step,
        make: impl Fn(Step, u32) -> Checked<Vec<Step>>,
    ) -> Checked<Vec<Step>> {
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
                steps.extend(make(own, channel)?);
            }
        }
        Ok(steps)
    }

    fn send(&self, send: &Send, in_step: bool, step: &Step) -> Checked<Vec<Step>> {
        self.cases(&send.channel, step, |mut step, number| {
            let channel = self.channel(number);
            if in_step && channel.capacity == 0 {
                // A `d_step` is a matter of one process: to wait for another one is an error, as it is to SPIN.
                step.command.push(Command::Assert(Code::Const(0)));
                return Ok(vec![step]);
            }
            let values = self.message(send, number)?;
            // In a rendezvous both events are told by who receives.
            if channel.capacity > 0
                && let Some(expected) = self.expected(number, true)?
            {
                let values: Vec<Option<Term>> = values.iter().cloned().map(Some).collect();
                step.command.push(expected.follow(&values));
            }
            let values = values.into_iter().map(|v| v.expr).collect();
            let target = Target::fixed(self.object(number));
            step.command.push(match send.sorted && channel.capacity > 0 {
                true => Command::Insert(target, values),
                false => Command::Send(target, values),
            });
            Ok(vec![step])
        })
    }
}

/// Whether a statement asks for `timeout`, or another one does that it looks at.
fn asks_timeout(program: &Program, graph: &Graph, edge: &Edge) -> bool {
    let mut found = false;
    let mut seen: HashSet<EdgeId> = HashSet::new();
    let mut open = vec![edge];
    while let Some(edge) = open.pop() {
        for e in edge_expressions(edge) {
            walk(e, &mut |e| match e {
                Expr::Timeout => found = true,
                Expr::Enabled(_) => found |= waits(program),
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
