//! Steps that a run does not need (delta debugging, Zeller and Hildebrandt 2002): parts are left out, and what remains is
//! replayed.
//!
//! Rounds through the same state go first, then processes that have nothing to do with it, then rounds of a process
//! through one of its locations, then halves, quarters and so on. A shortest run is not made shorter, it only costs the attempts, which are few.

use std::collections::HashMap;

use check::{CheckedTrace, ReplayError, replay};
use evidence::Trace;
use model::{LocationId, ProcessId, Property, System, TransitionId};

use super::{STEPS, effort, is_readable, is_told_by_its_end};

/// A run on its way to a shorter one.
pub(super) struct Shortening<'a, 'r> {
    system: &'a System,
    property: &'r Property,
    run: &'r CheckedTrace<'a>,
    stem: Vec<TransitionId>,
    best: Option<CheckedTrace<'a>>,
    effort: usize,
}

impl<'a, 'r> Shortening<'a, 'r> {
    pub(super) fn new(system: &'a System, property: &'r Property, run: &'r CheckedTrace<'a>) -> Self {
        Self { system, property, run, stem: run.trace().stem.clone(), best: None, effort: effort(system) }
    }

    /// A shorter run that shows the same, if one was found.
    pub(super) fn shortest(mut self) -> Option<CheckedTrace<'a>> {
        if is_told_by_its_end(self.property) && is_readable(self.run) {
            self.leave_out_rounds();
        }
        if is_told_by_its_end(self.property) && self.stem.len() <= STEPS {
            self.leave_out_processes();
            self.system.process_ids().for_each(|p| while self.leaves_out_a_round(p) {});
            self.leave_out_parts();
        }
        self.best
    }

    /// Takes fewer steps, if they show the same.
    fn takes(&mut self, stem: Vec<TransitionId>) -> bool {
        if stem.len() >= self.stem.len() || self.effort == 0 {
            return false;
        }
        let trace = Trace { stem, cycle: self.run.trace().cycle.clone() };
        let replayed = replay(self.system, self.property, &trace);
        // Where nothing is shown, everything was asked whether it is enabled.
        let cost = match &replayed {
            Err(ReplayError::NotEnabled { step, .. }) => *step + 1,
            _ => trace.steps() + self.system.transitions().len(),
        };
        let observer = if let Property::Safety(_) = self.property { self.system.transitions().len() } else { 0 };
        // To write down the steps costs something, too.
        self.effort = self.effort.saturating_sub(cost.max(trace.steps() / 4) + observer);
        match replayed {
            Ok(shorter) if shorter.finding() == self.run.finding() => {
                self.stem = trace.stem;
                self.best = Some(shorter);
                true
            }
            _ => false,
        }
    }

    /// From each state on to where the run is in it for the last time.
    fn leave_out_rounds(&mut self) {
        let fired = self.stem.len().min(self.run.fired());
        let states: Vec<Vec<u64>> = self.run.states().take(fired + 1).collect();
        let last: HashMap<&[u64], usize> = states.iter().enumerate().map(|(i, s)| (&s[..], i)).collect();
        let (mut stem, mut at) = (Vec::new(), 0);
        while at <= fired {
            at = last[&states[at][..]];
            // The last state is left only by a step that is a model error.
            stem.extend(self.stem.get(at));
            at += 1;
        }
        self.takes(stem);
    }

    fn leave_out_processes(&mut self) {
        for p in self.system.process_ids() {
            let others = self.stem.iter().copied().filter(|t| self.system.transition(*t).part(p).is_none());
            let others = others.collect();
            self.takes(others);
        }
    }

    /// Leaves out what a process does between two visits of a location, as much as possible.
    fn leaves_out_a_round(&mut self, p: ProcessId) -> bool {
        let part = |t: &TransitionId| self.system.transition(*t).part(p).map(|m| (m.from, m.to));
        let own = self.stem.iter().enumerate().filter_map(|(i, t)| Some((i, part(t)?)));
        let own: Vec<(usize, (LocationId, LocationId))> = own.collect();
        let before =
            |i: usize| own.get(i).map_or_else(|| own.last().map(|(_, (_, to))| *to), |(_, (from, _))| Some(*from));
        for first in 0..own.len() {
            for end in (first + 1..=own.len()).rev().filter(|end| before(*end) == before(first)) {
                let round: Vec<usize> = own[first..end].iter().map(|(i, _)| *i).collect();
                let rest = self.stem.iter().enumerate().filter(|(i, _)| round.binary_search(i).is_err());
                let rest = rest.map(|(_, t)| *t).collect();
                if self.takes(rest) {
                    return true;
                }
                if self.effort == 0 {
                    return false;
                }
            }
        }
        false
    }

    fn leave_out_parts(&mut self) {
        let mut size = self.stem.len() / 2;
        while size > 0 {
            let mut start = 0;
            while start < self.stem.len() && self.effort > 0 {
                let end = (start + size).min(self.stem.len());
                if !self.takes([&self.stem[..start], &self.stem[end..]].concat()) {
                    start = end;
                }
            }
            size /= 2;
        }
    }
}
