//! Which processes there can be: what a system is made for.
//!
//! A system has all its processes from the start, so what `run` can create must be known beforehand. The plan lists it:
//! under which number which proctype can run, who creates it by which statement, and which of its parameters always have
//! the same value and so are constants of that process. It need not be complete: a `run` that it does not foresee is the
//! fault [`model::Fault::Unforeseen`], upon which the plan is widened and the system made anew.

use std::collections::{BTreeMap, BTreeSet};

use crate::promela::ir::{EdgeId, Initial, ProctypeId, Program, Variable};

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
    pub(super) runs: BTreeMap<Runner, BTreeSet<Seat>>,
    /// How many there are at the start.
    pub(super) active: u32,
    /// The number of the first channel of each process: numbers stay when the plan is widened.
    pub(super) channels: BTreeMap<Seat, u32>,
    /// How many channels there are.
    pub(super) channel_count: u32,
    /// How many channels a process of each proctype has.
    own_channels: Vec<u32>,
    /// How many parameters each proctype has.
    parameters: Vec<usize>,
}

impl Plan {
    /// The processes that run from the start.
    pub fn new(program: &Program) -> Self {
        let own_channels = program.proctypes.iter().map(|p| count(&p.locals)).collect();
        let channel_count = count(&program.globals);
        let parameters = program.proctypes.iter().map(|p| p.parameters as usize).collect();
        let mut plan = Plan { own_channels, channel_count, parameters, ..Plan::default() };
        for (p, proctype) in program.proctypes.iter().enumerate() {
            for _ in 0..proctype.active {
                let seat = Seat { slot: plan.active, proctype: ProctypeId(p as u32) };
                plan.add(seat, vec![Some(0); proctype.parameters as usize]);
                plan.active += 1;
            }
        }
        plan
    }

    fn add(&mut self, seat: Seat, parameters: Vec<Option<i64>>) {
        if self.seats.insert(seat, parameters).is_none() {
            self.channels.insert(seat, self.channel_count + 1);
            self.channel_count = self.channel_count.saturating_add(self.own_channels[seat.proctype.0 as usize]);
        }
    }

    /// Foresees that a statement creates a process under this number with these values of its parameters. Tells whether
    /// that is new.
    pub(super) fn foresee(&mut self, runner: Runner, seat: Seat, parameters: &[i64]) -> bool {
        let mut new = self.runs.entry(runner).or_default().insert(seat);
        if !self.seats.contains_key(&seat) {
            new = true;
            self.add(seat, parameters.iter().copied().map(Some).collect());
        }
        let known = self.seats.get_mut(&seat).into_iter().flatten();
        for (known, value) in known.zip(parameters) {
            if known.is_some_and(|k| k != *value) {
                *known = None;
                new = true;
            }
        }
        new
    }

    /// Foresees that a statement creates a process under any number so far or the next one, whatever the parameters.
    pub(super) fn foresee_any(&mut self, runner: Runner, proctype: ProctypeId) {
        let parameters = self.parameters[proctype.0 as usize];
        let next = self.slots().min(MAX_PROCESSES - 1);
        for slot in runner.seat.slot + 1..=next {
            let seat = Seat { slot, proctype };
            self.runs.entry(runner).or_default().insert(seat);
            self.add(seat, vec![None; parameters]);
        }
    }

    /// Foresees that processes of the same proctypes create each other in the same way under greater numbers, for at most
    /// as many processes as there are: where that goes on and on, it is found out in few rounds.
    pub(super) fn extrapolate(&mut self) {
        let mut patterns = BTreeSet::new();
        for (runner, started) in &self.runs {
            let ahead = started.iter().filter(|s| s.slot > runner.seat.slot);
            patterns.extend(ahead.map(|s| (runner.seat.proctype, runner.edge, s.proctype, s.slot - runner.seat.slot)));
        }
        let mut open: Vec<Seat> = self.seats.keys().copied().collect();
        let most = 2 * open.len();
        while let Some(seat) = open.pop() {
            for (_, edge, proctype, by) in patterns.iter().filter(|(p, ..)| *p == seat.proctype) {
                let new = Seat { slot: seat.slot + by, proctype: *proctype };
                let known = self.seats.contains_key(&new);
                if new.slot >= MAX_PROCESSES || (!known && self.seats.len() >= most) {
                    continue;
                }
                if !known {
                    self.add(new, vec![None; self.parameters[proctype.0 as usize]]);
                    open.insert(0, new);
                }
                self.runs.entry(Runner { seat, edge: *edge }).or_default().insert(new);
            }
        }
    }

    /// One more than the greatest process number.
    pub(super) fn slots(&self) -> u32 {
        self.seats.keys().map(|s| s.slot + 1).max().unwrap_or(0)
    }
}

/// How many channels some variables have.
fn count(variables: &[Variable]) -> u32 {
    let own = |v: &&Variable| matches!(v.initial, Initial::Channels { .. });
    let cells = |v: &Variable| v.sizes.iter().fold(1_u32, |n, s| n.saturating_mul(*s));
    variables.iter().filter(own).fold(0, |n: u32, v| n.saturating_add(cells(v)))
}
