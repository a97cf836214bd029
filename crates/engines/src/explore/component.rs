//! Selective search with Valmari's proviso (Definition 6.15 of Godefroid's thesis), without sleep sets.
//!
//! When the search leaves the root of a strongly connected component of the reduced state space that has no way out, a
//! transition that is enabled in the root and was fired nowhere in the component would be put off for ever: another
//! persistent set with such a transition is then explored from the root. Components are found by Tarjan's algorithm;
//! the number of a state in the store is its depth-first number.
//!
//! The same search, of everything or reduced, tells who is stuck for good: see `movers`.

use evidence::Reason;
use model::{State, TransitionId};

use super::movers::Movers;
use super::reduction::Proviso;
use super::search::{End, Search};
use crate::persistent::{Dense, PersistentSets};
use crate::store::{Inserted, StateIndex, hash};

/// A state on the stack.
#[derive(Clone, Copy)]
struct Frame {
    state: StateIndex,
    /// Where its selected transitions begin in `selected`, and which is taken next.
    first: u32,
    next: u32,
    /// The least number that is known to be reached from it within its component.
    low: StateIndex,
    /// Whether its component, as far as it is known, can be left.
    exits: bool,
}

struct ComponentSearch<'s, 'a, 'w> {
    search: &'s mut Search<'a>,
    /// `None`: everything is selected.
    sets: Option<PersistentSets<'w>>,
    /// Whether what is put off for ever in a component without a way out is selected after all.
    proviso: bool,
    /// Who can still move, if that is asked.
    movers: Option<Movers>,
    stack: Vec<Frame>,
    /// The selected transitions of all frames, one frame after the other.
    selected: Vec<TransitionId>,
    /// The states whose component is not complete.
    pending: Vec<StateIndex>,
    /// By state, whether it is pending.
    is_pending: Vec<bool>,
    /// What was fired from pending states, with the state.
    fired: Vec<(StateIndex, TransitionId)>,
    seen: Dense,
    enabled: Vec<TransitionId>,
    chosen: Vec<TransitionId>,
    next: Vec<u64>,
}

pub(super) fn run(search: &mut Search<'_>, sets: PersistentSets<'_>) -> Result<End, Reason> {
    ComponentSearch::new(search, Some(sets), true, None).run(true)
}

/// Looks for somebody who is stuck for good; `shorten` says whether all is visited, so that the run can be a shortest one.
pub(super) fn run_for_stuck(
    search: &mut Search<'_>,
    sets: Option<PersistentSets<'_>>,
    proviso: Proviso,
    shorten: bool,
) -> Result<End, Reason> {
    let movers = Movers::new(search.system);
    let mut components = ComponentSearch::new(search, sets, proviso == Proviso::Component, Some(movers));
    let end = components.run(!shorten)?;
    if shorten
        && let Some(movers) = &components.movers
        && let Some(run) = movers.shortest(components.search)
    {
        components.search.stuck(run.len() as u64, |_| run.clone());
    }
    Ok(end)
}

impl<'s, 'a, 'w> ComponentSearch<'s, 'a, 'w> {
    fn new(
        search: &'s mut Search<'a>,
        sets: Option<PersistentSets<'w>>,
        proviso: bool,
        movers: Option<Movers>,
    ) -> Self {
        let (words, transitions) = (search.system.words(), search.system.transitions().len());
        Self {
            search,
            sets,
            proviso,
            movers,
            stack: Vec::new(),
            selected: Vec::new(),
            pending: Vec::new(),
            is_pending: Vec::new(),
            fired: Vec::new(),
            seen: Dense::new(transitions),
            enabled: Vec::new(),
            chosen: Vec::new(),
            next: vec![0; words],
        }
    }

    /// Searches until the end, or until enough is known.
    fn run(&mut self, may_stop: bool) -> Result<End, Reason> {
        // `state` is a copy of the state with the number `current`.
        let (mut state, mut current) = (self.search.system.initial_state(), 0);
        self.search.insert(&state, hash(&state), 0)?;
        self.enter(0, &state);
        while let Some(&frame) = self.stack.last() {
            if may_stop && self.search.may_stop() {
                return Ok(End::Stopped);
            }
            self.search.tick(1, self.stack.len() as u64, self.bytes())?;
            if frame.state != current {
                state.copy_from_slice(self.search.store.get(frame.state));
                current = frame.state;
            }
            match self.selected.get(frame.next as usize).copied() {
                Some(t) => {
                    if let Some(to) = self.fire(t, &state)? {
                        std::mem::swap(&mut state, &mut self.next);
                        current = to;
                        self.enter(to, &state);
                    }
                }
                None if self.goes_on(frame, &state) => {}
                None => self.leave(&state),
            }
        }
        Ok(End::Complete)
    }

    fn bytes(&self) -> u64 {
        let stacks = 20 * self.stack.len() + 4 * (self.selected.len() + self.pending.len()) + 8 * self.fired.len();
        (stacks + self.is_pending.len()) as u64 + self.movers.as_ref().map_or(0, Movers::bytes)
    }

    /// Enters a new state.
    fn enter(&mut self, index: StateIndex, state: &State) {
        let length = self.stack.len() as u64;
        self.search.look(state, length, |_| run_along(&self.stack, &self.selected));
        let faulty = self.select(state);
        if let Some(movers) = &mut self.movers {
            movers.enter();
            if faulty {
                movers.error();
            }
        }
        let first = self.selected.len() as u32;
        self.selected.extend_from_slice(&self.chosen);
        self.stack.push(Frame { state: index, first, next: first, low: index, exits: false });
        self.search.depth = self.search.depth.max(length);
        self.pending.push(index);
        self.is_pending.push(true);
    }

    /// Lists what is enabled in a state, and what of it is to be fired; whether some guard is a model error.
    fn select(&mut self, state: &State) -> bool {
        let run = || run_along(&self.stack, &self.selected);
        let faulty = self.search.list_enabled(state, &mut self.enabled, self.stack.len() as u64, run);
        match &mut self.sets {
            Some(sets) if !faulty => sets.choose(state, &self.enabled, &mut self.chosen),
            _ => self.chosen.clone_from(&self.enabled),
        }
        faulty
    }

    /// Fires the next transition of the topmost state; the state that it leads to, if that is new.
    fn fire(&mut self, t: TransitionId, state: &State) -> Result<Option<StateIndex>, Reason> {
        let top = self.stack.len() - 1;
        self.stack[top].next += 1;
        self.fired.push((self.stack[top].state, t));
        if self.search.system.fire(t, state, &mut self.next).is_err() {
            self.search.error(t, self.stack.len() as u64, |_| run_along(&self.stack, &self.selected));
            self.movers.iter_mut().for_each(Movers::error);
            return Ok(None);
        }
        self.search.fired(t);
        self.movers.iter_mut().for_each(|movers| movers.fired(t));
        if let Err(wrong) = self.search.pass(&mut self.next) {
            self.search.error(wrong, self.stack.len() as u64, |_| run_along(&self.stack, &self.selected));
            return Ok(None);
        }
        let others = self.bytes();
        match self.search.insert(&self.next, hash(&self.next), others)? {
            Inserted::New(index) => return Ok(Some(index)),
            Inserted::Old(index) if self.is_pending[index as usize] => {
                self.stack[top].low = self.stack[top].low.min(index);
            }
            Inserted::Old(index) => {
                self.stack[top].exits = true;
                self.movers.iter_mut().for_each(|movers| movers.behind(index));
            }
        }
        Ok(None)
    }

    /// Adds transitions to those of the topmost state if it is the root of a component without a way out in which
    /// transitions enabled here were not fired; whether there were any.
    fn goes_on(&mut self, frame: Frame, state: &State) -> bool {
        let Some(sets) = &mut self.sets else { return false };
        if frame.low != frame.state || frame.exits || !self.proviso {
            return false;
        }
        self.seen.clear();
        let in_component = self.fired.iter().rev().take_while(|(s, _)| *s >= frame.state);
        in_component.for_each(|(_, t)| self.seen.insert(*t));
        self.enabled.clear();
        self.enabled.extend(self.search.system.enabled(state).filter_map(Result::ok));
        let ignored: Vec<TransitionId> = self.enabled.iter().copied().filter(|t| !self.seen.contains(*t)).collect();
        if ignored.is_empty() {
            return false;
        }
        sets.choose_with(&ignored, state, &self.enabled, &mut self.chosen);
        let own = &self.selected[frame.first as usize..];
        let more: Vec<TransitionId> = self.chosen.iter().copied().filter(|t| !own.contains(t)).collect();
        self.selected.extend(more);
        true
    }

    /// Leaves the topmost state; if it is the root of its component, that is complete.
    fn leave(&mut self, state: &State) {
        let Some(frame) = self.stack.pop() else { return };
        self.selected.truncate(frame.first as usize);
        let root = frame.low == frame.state;
        if let Some(movers) = &mut self.movers {
            let set = movers.leave();
            if root {
                let members = self.pending.iter().rev().copied().take_while(|s| *s >= frame.state);
                movers.complete(set, members);
                if movers.leaves_stuck(self.search.system, frame.state, state) {
                    let run = run_along(&self.stack, &self.selected);
                    self.search.stuck(u64::MAX, |_| run.clone());
                }
            }
        }
        if root {
            while let Some(state) = self.pending.pop_if(|s| *s >= frame.state) {
                self.is_pending[state as usize] = false;
            }
            let kept = self.fired.iter().rposition(|(s, _)| *s < frame.state).map_or(0, |i| i + 1);
            self.fired.truncate(kept);
        }
        if let Some(parent) = self.stack.last_mut() {
            match root {
                true => parent.exits = true,
                false => {
                    parent.low = parent.low.min(frame.low);
                    parent.exits |= frame.exits;
                }
            }
        }
    }
}

/// The transitions that are taken now, from the bottom of the stack to its top.
fn run_along(stack: &[Frame], selected: &[TransitionId]) -> Vec<TransitionId> {
    stack.iter().filter(|f| f.next > f.first).map(|f| selected[f.next as usize - 1]).collect()
}
