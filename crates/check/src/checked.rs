//! A replayed run and its states: of a long run only some are kept, and the others are found by firing again.

use std::borrow::Cow;
use std::ops::{Deref, Range};

use evidence::Trace;
use model::{Fault, ProcessId, System, TransitionId};

use crate::replay::Finding;

/// States between two that are kept are at least this many: a short run is cheaper to walk than to store.
const STRIDE: usize = 256;
/// About as many states are kept of a run that is longer, however long it is.
const KEPT: usize = 1024;
/// Fewer if they would take more words than this.
const KEPT_WORDS: usize = 1 << 23;

/// A run that was taken step by step, with the states that it goes through. It shows nothing but that it is possible.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    pub(crate) system: Cow<'a, System>,
    pub(crate) trace: Trace,
    pub(crate) path: Path,
}

/// A walk that was found to show something.
#[derive(Clone, Debug)]
pub struct CheckedTrace<'a> {
    pub(crate) walk: Walk<'a>,
    pub(crate) finding: Finding,
    pub(crate) movers: Vec<ProcessId>,
}

impl<'a> Deref for CheckedTrace<'a> {
    type Target = Walk<'a>;

    fn deref(&self) -> &Walk<'a> {
        &self.walk
    }
}

impl CheckedTrace<'_> {
    /// What the trace shows.
    pub fn finding(&self) -> Finding {
        self.finding
    }

    /// Of a partial deadlock, the processes that can still take a step; in a deadlock nobody can.
    pub fn movers(&self) -> &[ProcessId] {
        &self.movers
    }
}

impl Walk<'_> {
    /// The system that was walked: the original one, with the property's observer if it has one.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The transitions.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The number of transitions that fired: all, those of a cycle once, unless the last one is a model error. There is
    /// one more state.
    pub fn fired(&self) -> usize {
        self.path.fired
    }

    /// The last state.
    pub fn last(&self) -> &[u64] {
        &self.path.last
    }

    /// The states from this number on, the initial one being number 0. Each is computed when it is asked for.
    pub fn states_from(&self, number: usize) -> impl Iterator<Item = Vec<u64>> {
        let first = (number <= self.fired()).then(|| self.state(number));
        let next = |(i, state): &(usize, Vec<u64>)| (*i < self.fired()).then(|| (i + 1, self.after(*i, state)));
        std::iter::successors(first.map(|s| (number, s)), next).map(|(_, state)| state)
    }

    /// The number of the last state that a step of interest leaves and for which the test is true. States that are
    /// left by other steps are not tested, and stretches without a step of interest are not walked.
    pub fn last_left(
        &self,
        of_interest: impl Fn(TransitionId) -> bool,
        mut test: impl FnMut(&[u64]) -> bool,
    ) -> Option<usize> {
        let chosen = |i: &usize| of_interest(self.trace.step(*i));
        let mut state = Vec::new();
        self.path.stretches().rev().find_map(|stretch| {
            let end = stretch.clone().rfind(chosen)?;
            state.clone_from(&self.path.kept[stretch.start / self.path.stride]);
            let mut found = None;
            for i in stretch.start..=end {
                if chosen(&i) && test(&state) {
                    found = Some(i);
                }
                self.fire(i, &mut state);
            }
            found
        })
    }

    fn state(&self, number: usize) -> Vec<u64> {
        let kept = number / self.path.stride;
        let mut state = self.path.kept[kept].clone();
        (kept * self.path.stride..number).for_each(|i| self.fire(i, &mut state));
        state
    }

    /// The state after the step that leaves this one.
    fn after(&self, number: usize, state: &[u64]) -> Vec<u64> {
        let mut next = state.to_vec();
        self.fire(number, &mut next);
        next
    }

    fn fire(&self, number: usize, state: &mut [u64]) {
        self.system.fire_in_place(self.trace.step(number), state).expect("it fired when the trace was replayed");
    }
}

/// The states of a run, most of them implied by the ones before.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    stride: usize,
    /// The states whose number is a multiple of the stride.
    kept: Vec<Vec<u64>>,
    last: Vec<u64>,
    fired: usize,
}

impl Path {
    /// The beginning of a run that is to have this many steps.
    pub(crate) fn new(initial: Vec<u64>, steps: usize) -> Self {
        let kept = (KEPT_WORDS / initial.len().max(1)).clamp(1, KEPT);
        Self { stride: STRIDE.max(steps.div_ceil(kept)), kept: vec![initial.clone()], last: initial, fired: 0 }
    }

    pub(crate) fn last(&self) -> &[u64] {
        &self.last
    }

    /// Goes on to the next state, which `fire` makes of the last one.
    pub(crate) fn advance(&mut self, fire: impl FnOnce(&mut [u64]) -> Result<(), Fault>) -> Result<(), Fault> {
        fire(&mut self.last)?;
        self.fired += 1;
        if self.fired.is_multiple_of(self.stride) {
            self.kept.push(self.last.clone());
        }
        Ok(())
    }

    /// The steps that fired, cut at the states that are kept.
    fn stretches(&self) -> impl DoubleEndedIterator<Item = Range<usize>> {
        let cut = |i: usize| (i * self.stride).min(self.fired);
        (0..self.kept.len()).map(move |i| cut(i)..cut(i + 1))
    }
}
