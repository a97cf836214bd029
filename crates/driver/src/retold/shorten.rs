//! Steps that a run does not need (delta debugging, Zeller and Hildebrandt 2002): parts are left out, and what remains is
//! replayed.
//!
//! Rounds through the same state go first, then processes that have nothing to do with it, then rounds of a process
//! through one of its locations, then halves, quarters and so on. What repeats for ever is entered as early as possible, and
//! loses steps like the way there; whether the run still closes, is fair and breaks the claim is what the checker says. A
//! shortest run is not made shorter, it only costs the attempts, which are few.

use std::collections::HashMap;
use std::ops::Range;

use check::{CheckedTrace, ReplayError, replay};
use evidence::{Budget, Trace};
use model::{LocationId, ProcessId, Property, System, TransitionId};

use super::{STEPS, effort, is_readable, is_tellable};

/// A run on its way to a shorter one.
pub(super) struct Shortening<'a, 'r> {
    system: &'a System,
    property: &'r Property,
    run: &'r CheckedTrace<'a>,
    trace: Trace,
    best: Option<CheckedTrace<'a>>,
    effort: usize,
    grace: &'r Budget,
}

impl<'a, 'r> Shortening<'a, 'r> {
    pub(super) fn new(
        system: &'a System,
        property: &'r Property,
        run: &'r CheckedTrace<'a>,
        grace: &'r Budget,
    ) -> Self {
        Self { system, property, run, trace: run.trace().clone(), best: None, effort: effort(system), grace }
    }

    /// A shorter run that shows the same, if one was found.
    pub(super) fn shortest(mut self) -> Option<CheckedTrace<'a>> {
        if !is_tellable(self.property) {
            return None;
        }
        if is_readable(self.run) {
            self.leave_out_all_rounds();
            self.begin_to_repeat_early();
        }
        if self.trace.steps() <= STEPS {
            while is_readable(self.run) && self.leaves_out_a_round_of_all() {}
            self.leave_out_processes();
            self.system.process_ids().for_each(|p| while self.leaves_out_a_round_of(p) {});
            self.leave_out_parts();
        }
        self.best
    }

    /// The run as short as it is.
    fn current(&self) -> &CheckedTrace<'a> {
        self.best.as_ref().unwrap_or(self.run)
    }

    /// The steps that lead to what repeats, and those that repeat.
    fn parts(&self) -> [Range<usize>; 2] {
        let stem = self.trace.stem.len();
        [0..stem, stem..self.trace.steps()]
    }

    /// All steps but some.
    fn without(&self, left_out: impl Fn(usize) -> bool) -> Trace {
        let kept = |part: Range<usize>| part.filter(|&i| !left_out(i)).map(|i| self.trace.step(i)).collect();
        let [stem, cycle] = self.parts().map(kept);
        Trace { stem, cycle }
    }

    /// Takes fewer steps, if they show the same.
    fn takes(&mut self, trace: Trace) -> bool {
        if trace.steps() >= self.trace.steps() || self.effort == 0 {
            return false;
        }
        let replayed = replay(self.system, self.property, &trace);
        self.effort = match self.grace.check(0) {
            Ok(()) => self.effort.saturating_sub(self.cost(&trace, replayed.as_ref().err())),
            Err(_) => 0,
        };
        match replayed {
            Ok(shorter) if shorter.finding() == self.run.finding() => {
                self.trace = trace;
                self.best = Some(shorter);
                true
            }
            _ => false,
        }
    }

    /// What an attempt cost, in steps that were fired.
    fn cost(&self, trace: &Trace, error: Option<&ReplayError>) -> usize {
        let (steps, transitions) = (trace.steps(), self.system.transitions().len());
        // Where nothing is shown, everything was asked whether it is enabled.
        let cost = match error {
            Some(ReplayError::NotEnabled { step, .. }) => *step + 1,
            _ => steps + transitions,
        };
        // In every state that repeats, each way to be fair was asked whether it is enabled.
        let whole = !matches!(error, Some(ReplayError::NotEnabled { .. }));
        let more = match self.property {
            Property::Safety(_) => transitions,
            Property::Temporal(temporal) if whole => {
                2 * steps + trace.cycle.len() * temporal.fairness.iter().map(|way| way.to.len()).sum::<usize>()
            }
            _ => 0,
        };
        // To write down the steps costs something, too.
        cost.max(steps / 4) + more
    }

    /// The states before each step, and the last one, by numbers: equal states have equal numbers.
    fn states(&mut self) -> Vec<usize> {
        self.effort = self.effort.saturating_sub(self.trace.steps());
        let mut numbers: HashMap<Vec<u64>, usize> = HashMap::new();
        let number = |state: Vec<u64>| {
            let next = numbers.len();
            *numbers.entry(state).or_insert(next)
        };
        self.current().states().map(number).collect()
    }

    /// From each state on to where the run is in it for the last time; of what repeats likewise.
    fn leave_out_all_rounds(&mut self) {
        let (states, [stem, cycle]) = (self.states(), self.parts());
        // After the last state of a stem without a cycle there may be a step that is a model error.
        let ends = [if cycle.is_empty() { states.len() } else { stem.end + 1 }, states.len().saturating_sub(1)];
        let mut left_out = vec![false; self.trace.steps()];
        for (part, end) in [stem, cycle].into_iter().zip(ends) {
            let last: HashMap<usize, usize> = (part.start..end).map(|i| (states[i], i)).collect();
            let mut at = part.start;
            while at < end {
                let again = last[&states[at]];
                left_out[at..again].fill(true);
                at = again + 1;
            }
        }
        self.takes(self.without(|i| left_out[i]));
    }

    /// Where the run is already in a state that it comes through again and again, what repeats can begin.
    fn begin_to_repeat_early(&mut self) {
        let (states, [stem, cycle]) = (self.states(), self.parts());
        let on_cycle: HashMap<usize, usize> = cycle.map(|i| (states[i], i - stem.end)).collect();
        for i in stem {
            if let Some(&k) = on_cycle.get(&states[i]) {
                let (mut cycle, stem) = (self.trace.cycle.clone(), self.trace.stem[..i].to_vec());
                cycle.rotate_left(k);
                if self.takes(Trace { stem, cycle }) || self.effort == 0 {
                    return;
                }
            }
        }
    }

    /// Leaves out what happens between two visits of a state, as much as possible.
    fn leaves_out_a_round_of_all(&mut self) -> bool {
        let states = self.states();
        let all: Vec<usize> = (0..states.len() - 1).collect();
        self.leaves_out_a_round(&all, &states)
    }

    /// Leaves out what a process does between two visits of a location, as much as possible.
    fn leaves_out_a_round_of(&mut self, p: ProcessId) -> bool {
        let part = |t: TransitionId| self.system.transition(t).part(p).map(|m| (m.from, m.to));
        let own = (0..self.trace.steps()).filter_map(|i| Some((i, part(self.trace.step(i))?)));
        let own: Vec<(usize, (LocationId, LocationId))> = own.collect();
        let mut before: Vec<LocationId> = own.iter().map(|(_, (from, _))| *from).collect();
        before.extend(own.last().map(|(_, (_, to))| *to));
        let steps: Vec<usize> = own.into_iter().map(|(i, _)| i).collect();
        self.leaves_out_a_round(&steps, &before)
    }

    /// Leaves out some steps between two that are the same before them, as many as possible.
    fn leaves_out_a_round<T: PartialEq>(&mut self, steps: &[usize], before: &[T]) -> bool {
        for first in 0..steps.len() {
            for end in (first + 1..=steps.len()).rev().filter(|end| before[*end] == before[first]) {
                let round = &steps[first..end];
                if self.takes(self.without(|i| round.binary_search(&i).is_ok())) {
                    return true;
                }
                if self.effort == 0 {
                    return false;
                }
            }
        }
        false
    }

    /// Of all that happens, or only of what repeats.
    fn leave_out_processes(&mut self) {
        for p in self.system.process_ids() {
            let stem = self.trace.stem.len();
            let is_own = |i: usize| self.system.transition(self.trace.step(i)).part(p).is_some();
            let (nowhere, not_again) = (self.without(is_own), self.without(|i| i >= stem && is_own(i)));
            let _ = self.takes(nowhere) || stem > 0 && self.takes(not_again);
        }
    }

    fn leave_out_parts(&mut self) {
        let mut size = self.trace.steps() / 2;
        while size > 0 {
            let mut start = 0;
            while start < self.trace.steps() && self.effort > 0 {
                let end = (start + size).min(self.trace.steps());
                if !self.takes(self.without(|i| (start..end).contains(&i))) {
                    start = end;
                }
            }
            size /= 2;
        }
    }
}
