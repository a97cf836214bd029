//! Steps in another order: those of a process together, as far as nobody notices.
//!
//! A *block* is a stretch of steps of which each shares a process with the next. A block can move back to the last block
//! before it that has one of its processes, or that one forward to it, if the steps in between commute with it: they can
//! all still happen, and lead to the same state. That is tried, by firing, rather than looked up in a relation of
//! independence, which would have to hold in other states as well. Each move makes the run pass from process to process
//! less often, so the moves come to an end.

use std::ops::Range;

use check::CheckedTrace;
use model::{ProcessId, System, TransitionId};

use super::effort;

/// A run on its way to another order.
pub(super) struct Gathering<'a> {
    system: &'a System,
    /// The steps that fire.
    steps: Vec<TransitionId>,
    /// The states before each of them, and the last one.
    states: Vec<Vec<u64>>,
    /// What follows the steps: one that is a model error.
    rest: Vec<TransitionId>,
    effort: usize,
}

impl<'a> Gathering<'a> {
    /// The stem of a run.
    pub(super) fn stem(run: &'a CheckedTrace<'_>) -> Self {
        let fired = run.trace().stem.len().min(run.fired());
        let (steps, rest) = run.trace().stem.split_at(fired);
        let states = run.states().take(fired + 1).collect();
        Self { system: run.system(), steps: steps.to_vec(), states, rest: rest.to_vec(), effort: effort(run.system()) }
    }

    /// What repeats.
    pub(super) fn cycle(run: &'a CheckedTrace<'_>) -> Self {
        let (steps, states) = (run.trace().cycle.clone(), run.states().skip(run.trace().stem.len()).collect());
        Self { system: run.system(), steps, states, rest: Vec::new(), effort: effort(run.system()) }
    }

    /// The steps in an order with fewer passes from process to process.
    pub(super) fn steps(mut self) -> Vec<TransitionId> {
        let mut number = 1;
        loop {
            let blocks = self.blocks();
            if number >= blocks.len() {
                break;
            }
            number = if self.joins(&blocks, number) { number.saturating_sub(1).max(1) } else { number + 1 };
        }
        self.steps.extend(self.rest);
        self.steps
    }

    fn processes(&self, t: TransitionId) -> impl Iterator<Item = ProcessId> + Clone {
        self.system.transition(t).moves.iter().map(|m| m.process)
    }

    fn share(&self, a: TransitionId, b: TransitionId) -> bool {
        self.processes(a).any(|p| self.processes(b).any(|q| p == q))
    }

    fn blocks(&self) -> Vec<Range<usize>> {
        let starts = (0..self.steps.len()).filter(|&i| i == 0 || !self.share(self.steps[i - 1], self.steps[i]));
        let starts: Vec<usize> = starts.chain([self.steps.len()]).collect();
        starts.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    /// Puts a block together with the one before it that has one of its processes, if that is possible.
    fn joins(&mut self, blocks: &[Range<usize>], number: usize) -> bool {
        let own = blocks[number].clone();
        let related = |b: &Range<usize>| {
            let pairs = b.clone().flat_map(|i| own.clone().map(move |k| (i, k)));
            pairs.into_iter().any(|(i, k)| self.share(self.steps[i], self.steps[k]))
        };
        let Some(earlier) = blocks[..number].iter().rfind(|b| related(b)).cloned() else { return false };
        let between = earlier.end..own.start;
        if between.is_empty() {
            return false;
        }
        let back = [earlier.clone(), own.clone(), between.clone()];
        let forth = [between, earlier, own];
        [back, forth].into_iter().any(|order| self.takes(&order))
    }

    /// Takes a stretch of the run in another order, if that is possible, leads to the same state and reads better.
    fn takes(&mut self, order: &[Range<usize>; 3]) -> bool {
        let start = order.iter().map(|r| r.start).min().unwrap_or(0);
        let end = order.iter().map(|r| r.end).max().unwrap_or(0);
        let steps: Vec<TransitionId> = order.iter().cloned().flatten().map(|i| self.steps[i]).collect();
        let (before, after) = (self.steps[..start].last(), self.steps.get(end));
        let passes = |steps: &[TransitionId]| {
            let all: Vec<&TransitionId> = before.into_iter().chain(steps).chain(after).collect();
            all.windows(2).filter(|pair| !self.share(*pair[0], *pair[1])).count()
        };
        if passes(&steps) >= passes(&self.steps[start..end]) || self.effort < steps.len() {
            return false;
        }
        self.effort -= steps.len();
        let Some(states) = self.states_of(start, &steps) else { return false };
        if states.last() != Some(&self.states[end]) {
            return false;
        }
        self.states.splice(start + 1..=end, states);
        self.steps.splice(start..end, steps);
        true
    }

    /// The states after each of some steps, if all can happen.
    fn states_of(&self, start: usize, steps: &[TransitionId]) -> Option<Vec<Vec<u64>>> {
        let mut state = self.states[start].clone();
        let after = |t: &TransitionId| {
            let can = self.system.is_enabled(*t, &state) == Ok(true);
            let fired = can && self.system.fire_in_place(*t, &mut state).is_ok();
            fired.then(|| state.clone())
        };
        steps.iter().map(after).collect()
    }
}
