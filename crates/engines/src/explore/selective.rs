//! Selective search: persistent sets, sleep sets and the stack proviso, in true depth-first order (Figures 4.1, 5.2 and
//! 6.2 of Godefroid's thesis; the last one contains the others).
//!
//! - A state is a deadlock if nothing is *enabled* in it, not if nothing is selected.
//! - A matched state is explored again, with what left its stored sleep set: all of that, never intersected with the
//!   persistent set of the first visit, or the proof breaks.
//! - With the proviso a state on the stack is not entered again: the visit is put off until the state is left. The
//!   proviso ignores sleeping transitions.
//! - If the smallest persistent set violates the proviso, all enabled transitions are taken.

use std::collections::HashMap;

use evidence::Reason;
use model::{State, TransitionId};

use super::reduction::{Proviso, Reduction};
use super::search::{End, Search, Sight};
use super::sleep::SleepSets;
use crate::persistent::PersistentSets;
use crate::store::{Inserted, StateIndex, hash};

/// A visit of a state that is under way.
#[derive(Clone, Copy)]
struct Frame {
    state: StateIndex,
    /// Where its selected transitions begin in `selected`, and which is taken now.
    first: u32,
    current: u32,
    /// Where its sleep set begins in `sleeping`.
    sleep: u32,
}

struct Selective<'s, 'a> {
    search: &'s mut Search<'a>,
    reduction: Reduction,
    sets: PersistentSets<'a>,
    stored: SleepSets,
    stack: Vec<Frame>,
    /// The selected transitions of all frames, one frame after the other; likewise the sleep sets.
    selected: Vec<TransitionId>,
    sleeping: Vec<TransitionId>,
    on_stack: Vec<bool>,
    /// Sleep sets of visits that were put off.
    delayed: HashMap<StateIndex, Vec<Vec<TransitionId>>>,
    enabled: Vec<TransitionId>,
    chosen: Vec<TransitionId>,
    next: Vec<u64>,
}

pub(super) fn run<'a>(search: &mut Search<'a>, sets: PersistentSets<'a>, reduction: Reduction) -> Result<End, Reason> {
    let words = search.system.words();
    let mut selective = Selective {
        search,
        reduction,
        sets,
        stored: SleepSets::default(),
        stack: Vec::new(),
        selected: Vec::new(),
        sleeping: Vec::new(),
        on_stack: Vec::new(),
        delayed: HashMap::new(),
        enabled: Vec::new(),
        chosen: Vec::new(),
        next: vec![0; words],
    };
    selective.run()
}

impl Selective<'_, '_> {
    fn run(&mut self) -> Result<End, Reason> {
        let mut state = self.search.system.initial_state();
        self.search.insert(&state, hash(&state), 0)?;
        self.visit_new(0, &state, &[]);
        let mut sleep = Vec::new();
        while let Some(&frame) = self.stack.last() {
            if self.search.may_stop(u64::MAX) {
                return Ok(End::Stopped);
            }
            self.search.tick(1, self.stack.len() as u64, self.bytes())?;
            state.copy_from_slice(self.search.store.get(frame.state));
            match self.step(&state, &mut sleep)? {
                Some((to, true)) => {
                    state.copy_from_slice(self.search.store.get(to));
                    self.visit_new(to, &state, &sleep);
                }
                Some((to, false)) if self.puts_off(to) => self.delay(to, &sleep),
                Some((to, false)) => self.visit_again(to, &sleep),
                None => self.leave(),
            }
        }
        Ok(End::Complete)
    }

    fn bytes(&self) -> u64 {
        let stacks = 16 * self.stack.len() + 4 * (self.selected.len() + self.sleeping.len()) + self.on_stack.len();
        self.stored.bytes() + stacks as u64
    }

    /// Fires the next selected transition of the topmost frame: the state reached, whether it is new, and its sleep
    /// set. A transition that is a fault leads nowhere; the next one is taken.
    fn step(&mut self, state: &State, sleep: &mut Vec<TransitionId>) -> Result<Option<(StateIndex, bool)>, Reason> {
        loop {
            let top = self.stack.len() - 1;
            let frame = &mut self.stack[top];
            frame.current = if frame.current == u32::MAX { frame.first } else { frame.current + 1 };
            let (sleep_from, Some(&t)) = (frame.sleep as usize, self.selected.get(frame.current as usize)) else {
                return Ok(None);
            };
            if self.search.system.fire(t, state, &mut self.next).is_err() {
                self.found(Sight::Fault, None);
                continue;
            }
            sleep.clear();
            sleep.extend(self.sleeping[sleep_from..].iter().filter(|&&u| self.independent(t, u, state)));
            sleep.sort_unstable();
            if self.reduction.wish().sleep {
                self.sleeping.push(t);
            }
            self.search.transitions += 1;
            let others = self.bytes();
            return Ok(Some(match self.search.insert(&self.next, hash(&self.next), others)? {
                Inserted::New(index) => (index, true),
                Inserted::Old(index) => (index, false),
            }));
        }
    }

    fn independent(&self, t: TransitionId, u: TransitionId, state: &State) -> bool {
        let dependency = self.sets.structure().dependency();
        match self.reduction.is_uniform() {
            true => dependency.uniformly_independent_in(t, u, state),
            false => dependency.independent_in(t, u, state),
        }
    }

    fn puts_off(&self, state: StateIndex) -> bool {
        self.reduction.wish().proviso == Proviso::Stack && self.on_stack[state as usize]
    }

    /// Puts a visit off, unless nothing is left to explore: stored sleep sets only shrink, so nothing will be then.
    fn delay(&mut self, index: StateIndex, sleep: &[TransitionId]) {
        if self.stored.get(index).iter().any(|t| !sleep.contains(t)) {
            self.delayed.entry(index).or_default().push(sleep.to_vec());
        }
    }

    /// Visits a new state with a sleep set.
    fn visit_new(&mut self, index: StateIndex, state: &State, sleep: &[TransitionId]) {
        let (first, sleep_from) = (self.selected.len(), self.sleeping.len());
        self.on_stack.push(false);
        self.stored.store(index, sleep);
        self.select(state, sleep);
        if self.selected.len() > first {
            self.sleeping.extend_from_slice(sleep);
            self.enter(index, first, sleep_from);
        }
    }

    /// Visits a state again: what left its sleep set is explored.
    fn visit_again(&mut self, index: StateIndex, sleep: &[TransitionId]) {
        let (first, sleep_from) = (self.selected.len(), self.sleeping.len());
        let old = self.stored.get(index);
        self.selected.extend(old.iter().filter(|t| !sleep.contains(t)));
        if self.selected.len() > first {
            self.sleeping.extend(old.iter().filter(|t| sleep.contains(t)));
            self.stored.store(index, &self.sleeping[sleep_from..]);
            self.enter(index, first, sleep_from);
        }
    }

    /// Enters a state whose selected transitions and sleep set are at the ends of their stacks.
    fn enter(&mut self, state: StateIndex, first: usize, sleep: usize) {
        self.on_stack[state as usize] = true;
        self.stack.push(Frame { state, first: first as u32, current: u32::MAX, sleep: sleep as u32 });
        self.search.depth = self.search.depth.max(self.stack.len() as u64 - 1);
    }

    /// Appends to `selected` what is to be explored from a new state.
    fn select(&mut self, state: &State, sleep: &[TransitionId]) {
        let system = self.search.system;
        self.enabled.clear();
        let mut faulty = None;
        for enabled in system.enabled(state) {
            match enabled {
                Ok(t) => self.enabled.push(t),
                Err((t, _)) => faulty = Some(t),
            }
        }
        if let Some(t) = faulty {
            self.found(Sight::Fault, Some(t));
        }
        if self.enabled.is_empty() && faulty.is_none() && self.search.standstill(state) {
            self.found(Sight::Answer, None);
        }
        let reduces = self.reduction.wish().persistent.is_some() && faulty.is_none();
        if reduces {
            self.sets.choose(state, &self.enabled, &mut self.chosen);
        }
        let chosen = if reduces && self.keeps_proviso(state, sleep) { &self.chosen } else { &self.enabled };
        self.selected.extend(chosen.iter().filter(|t| !sleep.contains(t)));
    }

    /// Whether the chosen set keeps the proviso: one that is awake leads to a state that is not on the stack.
    fn keeps_proviso(&mut self, state: &State, sleep: &[TransitionId]) -> bool {
        if self.reduction.wish().proviso == Proviso::None || self.chosen.len() == self.enabled.len() {
            return true;
        }
        let system = self.search.system;
        let (store, on_stack, next) = (&self.search.store, &self.on_stack, &mut self.next);
        self.chosen.iter().filter(|t| !sleep.contains(t)).any(|&t| {
            system.fire(t, state, next).is_ok()
                && next != state
                && !store.find(next, hash(next)).is_some_and(|index| on_stack[index as usize])
        })
    }

    /// Leaves the topmost state; a visit of it that was put off comes now.
    fn leave(&mut self) {
        let Some(frame) = self.stack.pop() else { return };
        self.selected.truncate(frame.first as usize);
        self.sleeping.truncate(frame.sleep as usize);
        self.on_stack[frame.state as usize] = false;
        while !self.on_stack[frame.state as usize]
            && let Some(sleep) = self.delayed.get_mut(&frame.state).and_then(Vec::pop)
        {
            self.visit_again(frame.state, &sleep);
        }
    }

    /// Keeps the run along the stack, and perhaps one more transition.
    #[cold]
    fn found(&mut self, sight: Sight, last: Option<TransitionId>) {
        let length = self.stack.len() as u64 + u64::from(last.is_some());
        if self.search.wants(sight, length) {
            let taken = |f: &Frame| self.selected.get(f.current as usize).copied();
            let run = self.stack.iter().filter_map(taken).chain(last).collect();
            self.search.keep(sight, run);
        }
    }
}
