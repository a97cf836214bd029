//! The death of processes: at its end a process is no longer there, provided that it is the last one.
//!
//! All that it had is zero afterwards, so that equal states are equal. Messages that are left in its own channels are
//! dropped one by one, with nobody in between.

use model::{Command, Expr as Code, LocationId, Pattern, Span, Target};

use super::Checked;
use super::assemble::{Assembly, Way, cell};
use super::steps::Step;
use super::term::Term;
use crate::promela::ir::Binary;

/// What a process does at its end is shown like this.
const LABEL: &str = "-end-";

impl Assembly<'_, '_> {
    /// All transitions by which a process dies.
    pub(super) fn death(&self, seat: usize) -> Checked<()> {
        let proctype = self.world.ground.proctype(seat);
        let end = self.world.ground.end(seat);
        let end = self.world.flow(seat).location(end).expect("the end is a location if it can be reached");
        let span = proctype.graph.nodes.last().map_or(proctype.span, |n| n.span);
        let last = self.last_one(seat, span)?;
        let drain = self.world.drain(seat);
        let mut gone = last.clone();
        for channel in self.own_channels(seat) {
            if let Some(drain) = drain {
                let mut drop = last.clone();
                let fields = self.world.ground.channels[channel].fields.len();
                let target = Target::fixed(self.world.channels[channel]);
                gone.guard.push(Code::Empty(target.clone()));
                drop.command.push(Command::Receive(target, vec![Pattern::Ignore; fields]));
                self.step_of(seat, (end, drain), span, drop.clone());
                self.step_of(seat, (drain, drain), span, drop);
            }
        }
        gone.command.extend(self.zeros(seat));
        let count = self.world.count.expect("processes that die are counted");
        let number = i64::from(self.world.ground.seats[seat].slot);
        gone.command.push(Command::Assign(count.into(), Code::Const(number)));
        for from in [Some(end), drain].into_iter().flatten() {
            self.step_of(seat, (from, self.world.absent(seat)), span, gone.clone());
        }
        Ok(())
    }

    fn step_of(&self, seat: usize, (from, to): (LocationId, LocationId), span: Span, step: Step) {
        self.push(&Way { seat, from, to, yields: false, label: LABEL.to_owned(), span, home: span }, step);
    }

    /// When a process may die.
    fn last_one(&self, seat: usize, span: Span) -> Checked<Step> {
        let mut step = Step::default();
        if let Some(provided) = &self.world.ground.proctype(seat).provided {
            step.when(self.scope(seat, span).condition(provided)?);
        }
        let number = i64::from(self.world.ground.seats[seat].slot);
        step.when(Term::binary(Binary::Eq, self.world.count(), Term::constant(number + 1)));
        Ok(step)
    }

    /// The positions of the channels of a process that can hold messages.
    fn own_channels(&self, seat: usize) -> Vec<usize> {
        let channels = self.world.ground.channels.iter().enumerate();
        channels.filter(|(_, c)| c.owner == Some(seat) && c.capacity > 0).map(|(at, _)| at).collect()
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
