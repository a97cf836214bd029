//! Who can still move: for each state, the processes that take a step somewhere in what can follow it.
//!
//! All states of a strongly connected component have the same such processes: those that move inside it, and those that
//! can move after a step that leaves it. Tarjan's algorithm completes a component after everything behind it, so one
//! pass suffices, without lists of predecessors. Who is not among them and not at an end is *stuck for good*, and stays so
//! in all that follows; so the first component with somebody stuck is met as soon as its part of the state space is
//! searched. Where a model error can follow, nothing is said to be for good.
//!
//! The same is true in a state space that is reduced by persistent sets with the component proviso (Valmari 1990; Definition
//! 6.15 of Godefroid's thesis). Let a run lead from a reduced state to any state. A step of a persistent set is either the
//! first of the run that is in it, and can be taken first, or commutes with the whole run: so along reduced steps what is
//! left of the run stays possible, and never becomes more. In a component without a way out, its next step is enabled and,
//! by the proviso, in the persistent set of some state there: it becomes less. Hence (1) what can ever happen after a
//! reduced state happens in the reduced space behind it, and (2) from every state there is a way to a reduced one. By (2)
//! somebody who is stuck anywhere is stuck, at the same location, in some reduced state, and by (1) that is seen.

use std::collections::HashMap;

use model::{ProcessId, State, System, TransitionId};

use super::search::Search;
use super::shorter;
use crate::store::StateIndex;

/// A set of processes, and one bit more for model errors.
type Set = Box<[u64]>;

/// Which sets there are, and which one each state has.
pub(super) struct Movers {
    words: usize,
    /// By transition.
    moved: Vec<Set>,
    sets: Vec<Set>,
    numbers: HashMap<Set, u32>,
    /// By state, once its component is complete.
    of: Vec<u32>,
    /// What is known of each state on the stack, one after the other.
    stack: Vec<u64>,
}

impl Movers {
    pub(super) fn new(system: &System) -> Self {
        let words = (system.processes().len() + 1).div_ceil(64);
        let moved = |t: TransitionId| {
            let mut set = vec![0; words].into_boxed_slice();
            system.transition(t).moves.iter().for_each(|m| insert(&mut set, m.process.index()));
            set
        };
        let moved = system.transition_ids().map(moved).collect();
        Self { words, moved, sets: Vec::new(), numbers: HashMap::new(), of: Vec::new(), stack: Vec::new() }
    }

    pub(super) fn bytes(&self) -> u64 {
        let sets = self.sets.len() * (2 * 8 * self.words + 48);
        (sets + 4 * self.of.capacity() + 8 * self.stack.capacity()) as u64
    }

    /// A new state is on top of the stack.
    pub(super) fn enter(&mut self) {
        self.of.push(u32::MAX);
        self.stack.resize(self.stack.len() + self.words, 0);
    }

    fn add(top: &mut [u64], set: &[u64]) {
        top.iter_mut().zip(set).for_each(|(a, b)| *a |= b);
    }

    fn top(&mut self) -> &mut [u64] {
        let start = self.stack.len() - self.words;
        &mut self.stack[start..]
    }

    /// A transition leads from the topmost state somewhere.
    pub(super) fn fired(&mut self, t: TransitionId) {
        let start = self.stack.len() - self.words;
        Self::add(&mut self.stack[start..], &self.moved[t.index()]);
    }

    /// A transition from the topmost state is a model error.
    pub(super) fn error(&mut self) {
        let processes = 64 * self.words - 1;
        insert(self.top(), processes);
    }

    /// A transition from the topmost state leads to one whose component is complete.
    pub(super) fn behind(&mut self, state: StateIndex) {
        let start = self.stack.len() - self.words;
        Self::add(&mut self.stack[start..], &self.sets[self.of[state as usize] as usize]);
    }

    /// The topmost state is left. What is known of it is known of the one below.
    pub(super) fn leave(&mut self) -> Set {
        let start = self.stack.len() - self.words;
        let set: Set = self.stack[start..].into();
        self.stack.truncate(start);
        if start > 0 {
            Self::add(self.top(), &set);
        }
        set
    }

    /// A component is complete.
    pub(super) fn complete(&mut self, set: Set, states: impl Iterator<Item = StateIndex>) {
        let (sets, next) = (&mut self.sets, self.numbers.len() as u32);
        let number = *self.numbers.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            next
        });
        states.for_each(|s| self.of[s as usize] = number);
    }

    /// Whether somebody is stuck for good in a state whose component is complete.
    pub(super) fn leaves_stuck(&self, system: &System, index: StateIndex, state: &State) -> bool {
        let set = &self.sets[self.of[index as usize] as usize];
        let stuck = |p: ProcessId| !contains(set, p.index()) && !system.may_stop(p, state);
        !contains(set, 64 * self.words - 1) && system.process_ids().any(stuck)
    }

    /// A shortest run through a completed search to a state in which somebody is stuck for good though something can happen;
    /// or else to a deadlock.
    pub(super) fn shortest(&self, search: &Search<'_>) -> Option<Vec<TransitionId>> {
        let (system, store) = (search.system, &search.store);
        let stuck = |i: StateIndex| self.leaves_stuck(system, i, store.get(i));
        let stands = |i: StateIndex| system.enabled(store.get(i)).next().is_none();
        let partial = shorter::run(search, |i| stuck(i) && !stands(i));
        let run = partial.or_else(|| shorter::run(search, |i| stands(i) && !system.at_end(store.get(i))));
        run.map(|(run, _)| run)
    }
}

fn insert(set: &mut [u64], i: usize) {
    set[i / 64] |= 1 << (i % 64);
}

fn contains(set: &[u64], i: usize) -> bool {
    set[i / 64] >> (i % 64) & 1 == 1
}
