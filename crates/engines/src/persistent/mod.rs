//! Persistent sets: which enabled transitions suffice in a state (chapter 4 of Godefroid's thesis).
//!
//! A set of enabled transitions is persistent if whatever happens outside of it does not interact with it. Exploring
//! only a non-empty persistent set in each state reaches every deadlock (Theorem 4.3). Each algorithm computes, from a
//! start transition, a set that is persistent by a theorem of the thesis; the smallest over all starts is taken.
//! *Smallest* is a heuristic, as section 4.8 says. Among equals, one that starts with a transition that takes from
//! channels and counters is preferred to one that does neither, and that to one that fills them: what is not stored up
//! gives no states (Example 8.1 needs 2 states this way, and as many as its channel is long the other way round).
//!
//! A start whose set comes to include an earlier start is given up: what follows from the earlier one was either too
//! large or is the best so far. This makes states in which nothing can be left out cheap. It is exact for Algorithms 1
//! and 2; Algorithm 3 chooses enabling sets by what is there already, so that a smaller set might be missed.
//!
//! Where next to nothing can be left out, most states are not even tried (see `brake`).
//!
//! - `conflict`: Algorithm 1, enabled transitions only, or all of them if a disabled one gets in the way.
//! - `overman`: Algorithm 2, whole processes.
//! - `stubborn`: Algorithm 3 (with `first` interference it is Algorithm 4, conditional stubborn sets): disabled
//!   transitions are covered by necessary enabling sets, chosen greedily.
//!
//! - `weak`: weak stubborn sets (note 4.31): only the start must be undisturbed.
//!
//! A transition without processes counts as a process of its own.

mod blocks;
mod brake;
mod closure;
mod conflict;
mod first;
mod overman;
mod structure;
mod stubborn;
mod weak;

use model::{Command, State, System, Transition, TransitionId};

pub(crate) use blocks::Dense;
use brake::Brake;
use closure::{Closure, Scratch};
use structure::Structure;

/// How persistent sets are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Algorithm 1.
    Conflict,
    /// Algorithm 2.
    Overman,
    /// Algorithm 3, and 4 with [`Interference::First`].
    Stubborn,
    /// Weak stubborn sets (note 4.31).
    Weak,
}

/// When operations on one object are taken to interfere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interference {
    /// Where they can be dependent (Definition 4.6).
    CanBeDependent,
    /// As that, but with an enabled transition only where they do not accord (Definition 4.13).
    DoNotAccord,
    /// Where, from the current state, one might be the first to interfere with the other (Definition 4.26).
    First,
}

/// Computes persistent sets of one system.
#[derive(Debug)]
pub(crate) struct PersistentSets<'a> {
    structure: Structure<'a>,
    algorithm: Algorithm,
    interference: Interference,
    marks: Marks,
    set: Closure,
    scratch: Scratch,
    parties: overman::Parties,
    candidate: Vec<TransitionId>,
    /// Of each transition, whether it takes (-1) or fills (1); empty if none does either.
    fills: Vec<i8>,
    starts: Vec<TransitionId>,
    brake: Brake,
}

/// Sets of transitions of the current state.
#[derive(Debug)]
struct Marks {
    enabled: Dense,
    /// Earlier starts: a set that includes one is not smaller than the best so far.
    tried: Dense,
    /// What interferes with an earlier start: by a symmetric relation, a set from there includes that start.
    near: Dense,
}

/// What an algorithm may look at.
#[derive(Clone, Copy)]
struct Situation<'s> {
    state: &'s State,
    enabled: &'s [TransitionId],
    marks: &'s Marks,
    interference: Interference,
}

impl<'a> PersistentSets<'a> {
    /// With `uniform`, the sets are persistent by the weakly uniform dependency (Definition 6.6).
    pub(crate) fn new(system: &'a System, algorithm: Algorithm, interference: Interference, uniform: bool) -> Self {
        let transitions = system.transitions().len();
        Self {
            structure: Structure::new(system, uniform),
            algorithm,
            interference,
            marks: Marks {
                enabled: Dense::new(transitions),
                tried: Dense::new(transitions),
                near: Dense::new(transitions),
            },
            set: Closure::new(transitions),
            scratch: Scratch::new(transitions),
            parties: overman::Parties::new(system.processes().len(), transitions),
            candidate: Vec::new(),
            fills: fills(system),
            starts: Vec::new(),
            brake: Brake::default(),
        }
    }

    /// The relations that the sets are computed from.
    pub(crate) fn structure(&self) -> &Structure<'a> {
        &self.structure
    }

    /// Writes a persistent set of a state to `chosen`, in the order of transitions: not empty if `enabled`, which are
    /// all enabled transitions in order, is not.
    pub(crate) fn choose(&mut self, state: &State, enabled: &[TransitionId], chosen: &mut Vec<TransitionId>) {
        if enabled.len() <= 1 || self.is_exempt(state, enabled) || self.brake.skips() {
            chosen.clear();
            chosen.extend_from_slice(enabled);
            return;
        }
        self.choose_with(enabled, state, enabled, chosen);
        self.brake.learn(enabled.len(), chosen.len());
    }

    /// The same, but a set that contains one of `wanted`.
    pub(crate) fn choose_with(
        &mut self,
        wanted: &[TransitionId],
        state: &State,
        enabled: &[TransitionId],
        chosen: &mut Vec<TransitionId>,
    ) {
        chosen.clear();
        chosen.extend_from_slice(enabled);
        if self.is_exempt(state, enabled) {
            return;
        }
        self.mark(enabled);
        self.structure.begin();
        self.starts.clear();
        self.starts.extend_from_slice(wanted);
        if !self.fills.is_empty() {
            self.starts.sort_by_key(|t| self.fills[t.index()]);
        }
        for i in 0..wanted.len() {
            if chosen.len() <= 1 || self.structure.is_spent() {
                break;
            }
            let start = self.starts[i];
            if self.marks.near.contains(start) {
                continue;
            }
            if self.from(start, state, enabled, chosen.len()) {
                std::mem::swap(chosen, &mut self.candidate);
            }
            if self.is_symmetric() {
                self.mark_near(start, state, enabled);
            }
            self.marks.tried.insert(start);
        }
        chosen.sort_unstable();
    }

    /// Writes a persistent set of which every transition is accepted, the smallest found; `false` if none is smaller than
    /// all of `enabled`.
    pub(crate) fn choose_among(
        &mut self,
        state: &State,
        enabled: &[TransitionId],
        accepts: &mut dyn FnMut(TransitionId) -> bool,
        chosen: &mut Vec<TransitionId>,
    ) -> bool {
        if self.is_exempt(state, enabled) {
            return false;
        }
        self.mark(enabled);
        self.structure.begin();
        let mut least = enabled.len();
        for &start in enabled {
            if least <= 1 || self.structure.is_spent() {
                break;
            }
            if self.from(start, state, enabled, least) && self.candidate.iter().all(|t| accepts(*t)) {
                least = self.candidate.len();
                chosen.clone_from(&self.candidate);
            }
            self.marks.tried.insert(start);
        }
        chosen.sort_unstable();
        least < enabled.len()
    }

    /// Writes the enabled transitions of a stubborn set with all of some transitions, and with an enabled one of another
    /// kind if there is one; `false` if none is smaller than all of `enabled`.
    pub(crate) fn choose_with_all(
        &mut self,
        all: &[TransitionId],
        other: impl Fn(TransitionId) -> bool,
        state: &State,
        enabled: &[TransitionId],
        chosen: &mut Vec<TransitionId>,
    ) -> bool {
        if self.algorithm != Algorithm::Stubborn || self.is_exempt(state, enabled) {
            return false;
        }
        self.mark(enabled);
        self.structure.begin();
        let (structure, set, scratch) = (&self.structure, &mut self.set, &mut self.scratch);
        let situation = Situation { state, enabled, marks: &self.marks, interference: self.interference };
        set.begin_with(all, &self.marks);
        let mut others = enabled.iter().copied().filter(|t| other(*t)).peekable();
        loop {
            if !stubborn::close(structure, situation, enabled.len(), set, scratch) {
                return false;
            }
            let missing = others.peek().copied().filter(|_| !enabled.iter().any(|t| other(*t) && set.contains(*t)));
            match missing {
                Some(t) => set.also(t, &self.marks),
                None => break,
            }
        }
        chosen.clear();
        set.write_enabled(&self.marks, chosen);
        chosen.sort_unstable();
        !chosen.is_empty()
    }

    /// Whether a state is not reduced: somebody has control there, or there are last resorts only.
    fn is_exempt(&self, state: &State, enabled: &[TransitionId]) -> bool {
        let system = self.structure.system();
        system.control(state).is_some() || enabled.first().is_some_and(|&t| system.transition(t).last_resort)
    }

    fn mark(&mut self, enabled: &[TransitionId]) {
        self.marks.enabled.clear();
        self.marks.tried.clear();
        self.marks.near.clear();
        enabled.iter().for_each(|&t| self.marks.enabled.insert(t));
    }

    /// Whether a transition is in the set from another if that is in the set from it, directly.
    fn is_symmetric(&self) -> bool {
        self.interference != Interference::First && matches!(self.algorithm, Algorithm::Conflict | Algorithm::Stubborn)
    }

    fn mark_near(&mut self, start: TransitionId, state: &State, enabled: &[TransitionId]) {
        let situation = Situation { state, enabled, marks: &self.marks, interference: self.interference };
        let near = self.structure.interfering(start, situation, &mut self.scratch.list);
        near.iter().for_each(|&block| _ = self.marks.near.join(block));
    }

    /// Computes the set from one start into `candidate`; gives up as soon as it is not smaller than `limit`.
    fn from(&mut self, start: TransitionId, state: &State, enabled: &[TransitionId], limit: usize) -> bool {
        let situation = Situation { state, enabled, marks: &self.marks, interference: self.interference };
        let (structure, set, scratch) = (&self.structure, &mut self.set, &mut self.scratch);
        self.candidate.clear();
        set.begin(start);
        let closed = match self.algorithm {
            Algorithm::Conflict => conflict::close(structure, situation, limit, set, scratch),
            Algorithm::Stubborn => stubborn::close(structure, situation, limit, set, scratch),
            Algorithm::Weak => weak::close(structure, situation, (start, limit), set, scratch),
            Algorithm::Overman => {
                let tools = (&mut self.parties, &mut scratch.list);
                return overman::from(structure, situation, (start, limit), tools, &mut self.candidate);
            }
        };
        if closed {
            set.write_enabled(&self.marks, &mut self.candidate);
        }
        closed
    }

    /// The set from one start, as the thesis' examples name it.
    #[cfg(test)]
    pub(crate) fn set_from(&mut self, start: TransitionId, state: &State) -> Vec<TransitionId> {
        let system = self.structure.system();
        let enabled: Vec<TransitionId> = system.enabled(state).filter_map(Result::ok).collect();
        self.mark(&enabled);
        if !self.from(start, state, &enabled, usize::MAX) {
            return enabled;
        }
        let mut set = self.candidate.clone();
        set.sort_unstable();
        set
    }
}

/// Selects persistent sets one state at a time, for whoever wants to see what a reduced search does. What it selects
/// reaches every deadlock, and nothing more is promised: there is no proviso.
#[derive(Debug)]
pub struct Selection<'a>(PersistentSets<'a>);

impl<'a> Selection<'a> {
    /// Stubborn sets, as a search for deadlocks uses them if nobody chooses.
    pub fn new(system: &'a System) -> Self {
        Self(PersistentSets::new(system, Algorithm::Stubborn, Interference::DoNotAccord, false))
    }

    /// A persistent set among all enabled transitions of a state, which are given in their order.
    pub fn of(&mut self, state: &State, enabled: &[TransitionId]) -> Vec<TransitionId> {
        let mut chosen = Vec::new();
        self.0.choose(state, enabled, &mut chosen);
        chosen
    }
}

fn fills(system: &System) -> Vec<i8> {
    let effect = |c: &Command| match c {
        Command::Receive(..) | Command::Take(..) => -1,
        Command::Retrieve(_, _, how) => -i32::from(!how.keep),
        Command::Send(..) | Command::Insert(..) | Command::Gain(..) => 1,
        _ => 0,
    };
    let of = |t: &Transition| t.command.iter().map(effect).sum::<i32>().signum() as i8;
    let fills: Vec<i8> = system.transitions().iter().map(of).collect();
    if fills.iter().all(|f| *f == 0) { Vec::new() } else { fills }
}

#[cfg(test)]
mod tests;
