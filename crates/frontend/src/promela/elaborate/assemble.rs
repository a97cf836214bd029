//! Puts the steps of all processes into the builder.

use std::collections::HashSet;

use model::{Command, Edge as Part, Expr as Code, LocationId, ObjectId, Span, Target};

use super::Checked;
use super::births::{Run, Unforeseen};
use super::control::Chain;
use super::scope::Scope;
use super::steps::Step;
use super::world::World;
use crate::promela::Options;
use crate::promela::ir::{Action, NodeId};

/// Makes all transitions.
pub(super) struct Assembly<'w, 'p> {
    pub(super) world: &'w World<'p>,
    pub(super) options: &'w Options,
    /// What the numbers of unforeseen steps stand for.
    pub(super) unforeseen: Vec<Unforeseen>,
}

/// A statement on its way into the builder.
pub(super) struct Way {
    pub(super) seat: usize,
    pub(super) from: LocationId,
    pub(super) to: LocationId,
    /// Whether control is not kept there.
    pub(super) yields: bool,
    pub(super) label: String,
    pub(super) span: Span,
    pub(super) home: Span,
}

impl<'w, 'p> Assembly<'w, 'p> {
    /// All transitions of a process.
    pub(super) fn process(&mut self, seat: usize) -> Checked<()> {
        let (flow, proctype) = (self.world.flow(seat), self.world.ground.proctype(seat));
        let (mut left, mut never) = (HashSet::new(), Vec::new());
        for chain in &flow.chains {
            let edge = &proctype.graph.edges[chain.edges[0].0 as usize];
            let at = |node: NodeId| flow.location(node).expect("chains lead from and to locations");
            let (from, to) = (at(edge.from), at(chain.to));
            let label = chain.label(&proctype.graph.edges);
            let way = Way { seat, from, to, yields: chain.yields, label, span: edge.span, home: edge.home };
            match &edge.action {
                Action::Run(proctype, arguments, slot) => {
                    let run = Run { edge, proctype: *proctype, arguments, slot: slot.as_ref() };
                    self.run(&way, chain, &run)?;
                    left.insert(from);
                }
                _ if self.ordinary(&way, chain)? => _ = left.insert(from),
                Action::Test(_) => never.push(way),
                _ => {}
            }
        }
        // Conditions that are never true are steps only where nothing else is: to be told what is waited for.
        for way in never.into_iter().filter(|way| !left.contains(&way.from)) {
            self.push(&way, Step { guard: vec![Code::Const(0)], ..Step::default() });
        }
        if flow.ends {
            self.death(seat)?;
        }
        Ok(())
    }

    /// What an expression of a process means.
    pub(super) fn scope(&self, seat: usize, span: Span) -> Scope<'w, 'p> {
        Scope { world: self.world, seat: Some(seat), timeout: false, span }
    }

    /// The steps of a statement; tells whether there are any.
    fn ordinary(&self, way: &Way, chain: &Chain) -> Checked<bool> {
        let steps = self.scope(way.seat, way.span).steps(chain, self.options)?;
        let any = !steps.is_empty();
        steps.into_iter().for_each(|step| self.push(way, step));
        Ok(any)
    }

    /// A step of one process.
    pub(super) fn push(&self, way: &Way, mut step: Step) {
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
            yields: way.yields,
            span: Some(way.home),
        });
    }

    /// What a step of a process leaves for those who ask where it is and who moved.
    pub(super) fn traces(&self, seat: usize, from: LocationId, to: LocationId) -> Vec<Command> {
        let mut traces = Vec::new();
        if let Some(last) = self.world.last {
            let slot = i64::from(self.world.ground.seats[seat].slot);
            traces.push(Command::Assign(last.into(), Code::Const(slot)));
        }
        traces.extend(self.follow(seat, from, to));
        traces
    }

    /// What a move of a process leaves for those who ask where it is.
    pub(super) fn follow(&self, seat: usize, from: LocationId, to: LocationId) -> Option<Command> {
        let shadow = self.world.shadows[seat].filter(|_| from != to)?;
        Some(Command::Assign(shadow.into(), Code::Const(i64::from(to.0))))
    }
}

/// One cell of a variable.
pub(super) fn cell(first: ObjectId, at: usize) -> Target {
    Target::fixed(ObjectId(first.0 + at as u32))
}
