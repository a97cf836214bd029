//! Selective search: persistent sets, sleep sets and the stack proviso, in true depth-first order (Figures 4.1, 5.2 and
//! 6.2 of Godefroid's thesis; the last one contains the others).
//!
//! - A state is a deadlock if nothing is *enabled* in it, not if nothing is selected.
//! - A matched state is explored again, with what left its stored sleep set: all of that, never intersected with the
//!   persistent set of the first visit, or the proof breaks.
//! - With the proviso a state on the stack is not entered again: the visit is put off until the state is left. The
//!   proviso ignores sleeping transitions.
//! - What is asleep where somebody has control sleeps on until control is given up. If such a state is visited again with
//!   a smaller sleep set, all of it is explored again.
//! - If the smallest persistent set violates the proviso, all enabled transitions are taken.

use std::collections::HashMap;

use evidence::Reason;
use model::{State, TransitionId};

use super::cache::Cache;
use super::passing::pass;
use super::reduction::{Proviso, Reduction};
use super::search::{End, Search};
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

struct Selective<'s, 'a, 'w> {
    search: &'s mut Search<'a>,
    reduction: Reduction,
    sets: PersistentSets<'w>,
    stored: SleepSets,
    stack: Vec<Frame>,
    /// The selected transitions of all frames, one frame after the other; likewise the sleep sets.
    selected: Vec<TransitionId>,
    sleeping: Vec<TransitionId>,
    /// How many frames each state has; kept only where that matters.
    on_stack: Vec<u32>,
    tracks: bool,
    /// How many states have one.
    held: u64,
    cache: Option<Cache>,
    /// Whether there are last resorts.
    resorts: bool,
    /// The memory beside the store, when it was last looked at.
    others: u64,
    /// Sleep sets of visits that were put off.
    delayed: HashMap<StateIndex, Vec<Vec<TransitionId>>>,
    enabled: Vec<TransitionId>,
    chosen: Vec<TransitionId>,
    next: Vec<u64>,
}

pub(super) fn run(
    search: &mut Search<'_>,
    sets: PersistentSets<'_>,
    reduction: Reduction,
    cache: Option<u64>,
) -> Result<End, Reason> {
    let (words, resorts) = (search.system.words(), search.system.has_last_resorts());
    let mut selective = Selective {
        search,
        reduction,
        sets,
        stored: SleepSets::default(),
        stack: Vec::new(),
        selected: Vec::new(),
        sleeping: Vec::new(),
        on_stack: Vec::new(),
        tracks: reduction.wish().proviso == Proviso::Stack || cache.is_some(),
        held: 0,
        cache: cache.map(Cache::new),
        resorts,
        others: 0,
        delayed: HashMap::new(),
        enabled: Vec::new(),
        chosen: Vec::new(),
        next: vec![0; words],
    };
    let ended = selective.run();
    selective.judge_cache(false);
    ended
}

impl Selective<'_, '_, '_> {
    fn run(&mut self) -> Result<End, Reason> {
        // `state` is a copy of the state with the number `current`.
        let (mut state, mut current) = (self.search.system.initial_state(), 0);
        self.search.insert(&state, hash(&state), 0)?;
        self.visit_new(0, &state, &[]);
        let mut sleep = Vec::new();
        while let Some(&frame) = self.stack.last() {
            if self.search.may_stop() {
                return Ok(End::Stopped);
            }
            if frame.state != current {
                state.copy_from_slice(self.search.store.get(frame.state));
                current = frame.state;
            }
            let before = self.search.transitions;
            let reached = self.step(&state, &mut sleep)?;
            if self.search.is_due((self.search.transitions - before) as usize) {
                self.others = self.bytes();
                self.search.report(self.stack.len() as u64, self.others)?;
            }
            match reached {
                Some((to, true)) => {
                    std::mem::swap(&mut state, &mut self.next);
                    current = to;
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
        let stacks = 16 * self.stack.len() + 4 * (self.selected.len() + self.sleeping.len() + self.on_stack.len());
        self.stored.bytes() + stacks as u64 + self.cache.as_ref().map_or(0, Cache::bytes)
    }

    /// Fires the next selected transition of the topmost frame: the state reached, whether it is new, and its sleep
    /// set. The next one is taken after a fault, which leads nowhere, and after one to a stored state from which nothing
    /// can be left to explore, because there are no sleep sets.
    fn step(&mut self, state: &State, sleep: &mut Vec<TransitionId>) -> Result<Option<(StateIndex, bool)>, Reason> {
        loop {
            let top = self.stack.len() - 1;
            let frame = &mut self.stack[top];
            frame.current = if frame.current == u32::MAX { frame.first } else { frame.current + 1 };
            let (sleep_from, Some(&t)) = (frame.sleep as usize, self.selected.get(frame.current as usize)) else {
                return Ok(None);
            };
            if self.search.system.fire(t, state, &mut self.next).is_err() {
                self.search.error(t, self.stack.len() as u64, |_| run_along(&self.stack, &self.selected));
                continue;
            }
            let sleeps = self.reduction.wish().sleep;
            if sleeps {
                sleep.clear();
                sleep.extend(self.sleeping[sleep_from..].iter().filter(|&&u| self.independent(t, u, state)));
                sleep.sort_unstable();
                self.sleeping.push(t);
            }
            self.search.fired(t);
            if let Err(wrong) = self.search.pass(&mut self.next) {
                self.search.error(wrong, self.stack.len() as u64, |_| run_along(&self.stack, &self.selected));
                continue;
            }
            match self.insert()? {
                Inserted::New(index) => return Ok(Some((index, true))),
                Inserted::Old(index) if sleeps => return Ok(Some((index, false))),
                Inserted::Old(_) => {}
            }
        }
    }

    /// Stores the state that was reached, in the place of another if the cache is full.
    fn insert(&mut self) -> Result<Inserted, Reason> {
        let (hash, others) = (hash(&self.next), self.others);
        let Some(cache) = &mut self.cache else { return self.search.insert(&self.next, hash, others) };
        if let Some(index) = self.search.store.find(&self.next, hash) {
            return Ok(Inserted::Old(index));
        }
        let idle = self.search.store.len() as u64 - self.held;
        match cache.victim(idle, |s| self.on_stack[s as usize] > 0) {
            None => self.search.insert(&self.next, hash, others),
            Some(victim) => {
                self.search.store.replace(victim, &self.next, hash);
                self.search.is_new(&self.next);
                self.search.cleared += 1;
                if self.search.cleared.is_multiple_of(cache.patience()) {
                    self.judge_cache(true);
                }
                Ok(Inserted::New(victim))
            }
        }
    }

    /// Warns if the cache seems too small.
    #[cold]
    fn judge_cache(&mut self, goes_on: bool) {
        let (cleared, matched, transitions) = (self.search.cleared, self.search.matched(), self.search.transitions);
        if let Some(text) = self.cache.as_ref().and_then(|c| c.warning(cleared, matched, transitions)) {
            self.search.warn(text, goes_on);
        }
    }

    /// Whether two transitions are independent; a last resort hangs on everything.
    fn independent(&self, t: TransitionId, u: TransitionId, state: &State) -> bool {
        let system = self.search.system;
        if self.resorts && (system.transition(t).last_resort || system.transition(u).last_resort) {
            return false;
        }
        let dependency = self.sets.structure().dependency();
        match self.reduction.is_uniform() {
            true => dependency.uniformly_independent_in(t, u, state),
            false => dependency.independent_in(t, u, state),
        }
    }

    fn puts_off(&self, state: StateIndex) -> bool {
        self.reduction.wish().proviso == Proviso::Stack && self.on_stack[state as usize] > 0
    }

    /// Puts a visit off, unless nothing is left to explore: stored sleep sets only shrink, so nothing will be then. A
    /// visit with a smaller sleep set explores all that one with a larger one does.
    fn delay(&mut self, index: StateIndex, sleep: &[TransitionId]) {
        if self.stored.get(index).iter().all(|t| sleep.contains(t)) {
            return;
        }
        let includes = |a: &[TransitionId], b: &[TransitionId]| b.iter().all(|t| a.contains(t));
        let waiting = self.delayed.entry(index).or_default();
        if !waiting.iter().any(|w| includes(sleep, w)) {
            waiting.retain(|w| !includes(w, sleep));
            waiting.push(sleep.to_vec());
        }
    }

    /// Visits a new state with a sleep set.
    fn visit_new(&mut self, index: StateIndex, state: &State, sleep: &[TransitionId]) {
        let (first, sleep_from) = (self.selected.len(), self.sleeping.len());
        if self.tracks && self.on_stack.len() == index as usize {
            self.on_stack.push(0);
        }
        self.stored.store(index, sleep);
        self.search.look(state, self.stack.len() as u64, |_| run_along(&self.stack, &self.selected));
        self.select(state, sleep);
        if self.selected.len() > first {
            self.sleeping.extend_from_slice(sleep);
            self.enter(index, first, sleep_from);
        } else if let Some(cache) = &mut self.cache {
            cache.leave(index);
        }
    }

    /// Visits a state again: what left its sleep set is explored.
    fn visit_again(&mut self, index: StateIndex, sleep: &[TransitionId]) {
        let (first, sleep_from) = (self.selected.len(), self.sleeping.len());
        let old = self.stored.get(index);
        let state = self.search.store.get(index);
        match self.search.system.control(state) {
            None => self.selected.extend(old.iter().filter(|t| !sleep.contains(t))),
            // What left its sleep set is enabled only where control is given up: everything leads there.
            Some(_) if old.iter().any(|t| !sleep.contains(t)) => {
                self.selected.extend(self.search.system.enabled(state).filter_map(Result::ok));
            }
            Some(_) => {}
        }
        if self.selected.len() > first {
            self.sleeping.extend(old.iter().filter(|t| sleep.contains(t)));
            self.stored.store(index, &self.sleeping[sleep_from..]);
            self.enter(index, first, sleep_from);
        }
    }

    /// Enters a state whose selected transitions and sleep set are at the ends of their stacks.
    fn enter(&mut self, state: StateIndex, first: usize, sleep: usize) {
        if self.tracks {
            self.held += u64::from(self.on_stack[state as usize] == 0);
            self.on_stack[state as usize] += 1;
        }
        self.stack.push(Frame { state, first: first as u32, current: u32::MAX, sleep: sleep as u32 });
        self.search.depth = self.search.depth.max(self.stack.len() as u64 - 1);
    }

    /// Appends to `selected` what is to be explored from a new state.
    fn select(&mut self, state: &State, sleep: &[TransitionId]) {
        let run = || run_along(&self.stack, &self.selected);
        let faulty = self.search.list_enabled(state, &mut self.enabled, self.stack.len() as u64, run);
        let reduces = self.reduction.wish().persistent.is_some() && !faulty;
        if reduces {
            self.sets.choose(state, &self.enabled, &mut self.chosen);
        }
        let chosen = if reduces && self.keeps_proviso(state, sleep) { &self.chosen } else { &self.enabled };
        match sleep {
            [] => self.selected.extend_from_slice(chosen),
            sleep => self.selected.extend(chosen.iter().filter(|t| !sleep.contains(t))),
        }
    }

    /// Whether the chosen set keeps the proviso: one that is awake leads to a state that is not on the stack. Where it is
    /// not clear which state that will be, because somebody has control and a choice, it does not count.
    fn keeps_proviso(&mut self, state: &State, sleep: &[TransitionId]) -> bool {
        if self.reduction.wish().proviso != Proviso::Stack || self.chosen.len() == self.enabled.len() {
            return true;
        }
        let (system, passes) = (self.search.system, self.search.passes);
        let (store, on_stack, next) = (&self.search.store, &self.on_stack, &mut self.next);
        self.chosen.iter().filter(|t| !sleep.contains(t)).any(|&t| {
            system.fire(t, state, next).is_ok()
                && (!passes || pass(system, next, |_| ()).is_ok())
                && system.control(next).is_none()
                && next != state
                && store.find(next, hash(next)).is_none_or(|index| on_stack[index as usize] == 0)
        })
    }

    /// Leaves the topmost state; a visit of it that was put off comes now.
    fn leave(&mut self) {
        let Some(frame) = self.stack.pop() else { return };
        self.selected.truncate(frame.first as usize);
        self.sleeping.truncate(frame.sleep as usize);
        if !self.tracks {
            return;
        }
        self.on_stack[frame.state as usize] -= 1;
        if self.on_stack[frame.state as usize] == 0 {
            self.held -= 1;
            self.cache.iter_mut().for_each(|cache| cache.leave(frame.state));
        }
        while self.on_stack[frame.state as usize] == 0
            && let Some(sleep) = self.delayed.get_mut(&frame.state).and_then(Vec::pop)
        {
            self.visit_again(frame.state, &sleep);
        }
        if self.delayed.get(&frame.state).is_some_and(Vec::is_empty) {
            self.delayed.remove(&frame.state);
        }
    }
}

/// The transitions that are taken now, from the bottom of the stack to its top.
fn run_along(stack: &[Frame], selected: &[TransitionId]) -> Vec<TransitionId> {
    stack.iter().filter_map(|f| selected.get(f.current as usize).copied()).collect()
}
