//! Which processes there can be: what a system is made for.
//!
//! A system has all its processes from the start, so what `run` can create must be known beforehand. The plan lists it:
//! under which number which proctype can run, who creates it by which statement, and which of its parameters always have
//! the same value and so are constants of that process. It need not be complete: a `run` that it does not foresee is the
//! fault [`model::Fault::Unforeseen`], upon which the plan is widened and the system made anew.

use std::collections::{BTreeMap, BTreeSet};

use crate::promela::ir::{EdgeId, ProctypeId, Program};

/// The most processes at a time, as in SPIN.
pub(super) const MAX_PROCESSES: u32 = 255;

/// A process number and what runs under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat {
    /// The process number.
    pub slot: u32,
    /// The proctype.
    pub proctype: ProctypeId,
}

/// A `run` statement of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Runner {
    /// The process.
    pub seat: Seat,
    /// The statement.
    pub edge: EdgeId,
}

/// The processes that there can be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// All of them, each with its parameters: the value, if it is always the same.
    pub(super) seats: BTreeMap<Seat, Vec<Option<i64>>>,
    /// Who can be created by whom.
    pub(super) runs: BTreeMap<Runner, BTreeSet<u32>>,
    /// How many there are at the start.
    pub(super) active: u32,
}

impl Plan {
    /// The processes that run from the start.
    pub fn new(program: &Program) -> Self {
        let mut plan = Plan::default();
        for (p, proctype) in program.proctypes.iter().enumerate() {
            for _ in 0..proctype.active {
                let seat = Seat { slot: plan.active, proctype: ProctypeId(p as u32) };
                plan.seats.insert(seat, vec![Some(0); proctype.parameters as usize]);
                plan.active += 1;
            }
        }
        plan
    }

    /// Foresees that a statement creates a process under this number with these values of its parameters. Tells whether
    /// that is new.
    pub(super) fn foresee(&mut self, runner: Runner, seat: Seat, parameters: &[i64]) -> bool {
        let mut new = self.runs.entry(runner).or_default().insert(seat.slot);
        let known = self.seats.entry(seat).or_insert_with(|| {
            new = true;
            parameters.iter().copied().map(Some).collect()
        });
        for (known, value) in known.iter_mut().zip(parameters) {
            if known.is_some_and(|k| k != *value) {
                *known = None;
                new = true;
            }
        }
        new
    }

    /// Foresees that a statement creates a process under any number so far or the next one, whatever the parameters.
    pub(super) fn foresee_any(&mut self, runner: Runner, proctype: ProctypeId, parameters: usize) {
        let next = self.slots().min(MAX_PROCESSES - 1);
        for slot in 1..=next {
            self.runs.entry(runner).or_default().insert(slot);
            self.seats.insert(Seat { slot, proctype }, vec![None; parameters]);
        }
    }

    /// One more than the greatest process number.
    pub(super) fn slots(&self) -> u32 {
        self.seats.keys().map(|s| s.slot + 1).max().unwrap_or(0)
    }
}
