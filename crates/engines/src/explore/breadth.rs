//! Breadth-first search. The store numbers states in the order in which they are met, so it is its own queue.
//!
//! The successors of several states are made before the first is stored, so that the store's cache misses overlap.

use evidence::Reason;
use model::{Fault, State, System, TransitionId};

use super::parents::Parents;
use super::search::{End, Search};
use crate::persistent::PersistentSets;
use crate::store::{Inserted, StateIndex, hash};

/// How many states are expanded before their successors are stored, unless these are large.
const BATCH: usize = 16;
/// How many bytes of successors end a batch.
const BATCH_BYTES: u64 = 1 << 20;

/// The successors of a few states, with their hashes and the states they come from.
struct Successors {
    words: usize,
    states: Vec<u64>,
    hashes: Vec<u64>,
    parents: Vec<StateIndex>,
}

impl Successors {
    fn new(words: usize) -> Self {
        Self { words, states: Vec::new(), hashes: Vec::new(), parents: Vec::new() }
    }

    fn clear(&mut self) {
        self.hashes.clear();
        self.parents.clear();
    }

    fn bytes(&self) -> u64 {
        8 * self.states.len() as u64 + 12 * self.hashes.capacity() as u64
    }

    fn is_full(&self) -> bool {
        8 * (self.hashes.len() * self.words) as u64 >= BATCH_BYTES
    }

    /// Room for one more successor; it counts once it is kept.
    #[inline]
    fn room(&mut self) -> &mut [u64] {
        let at = self.hashes.len() * self.words;
        if self.states.len() < at + self.words {
            self.make_room(at + self.words);
        }
        &mut self.states[at..at + self.words]
    }

    #[cold]
    fn make_room(&mut self, words: usize) {
        self.states.resize(words, 0);
    }

    #[inline]
    fn keep(&mut self, parent: StateIndex) {
        let hash = hash(self.room());
        self.hashes.push(hash);
        self.parents.push(parent);
    }

    fn iter(&self) -> impl Iterator<Item = (&[u64], u64, StateIndex)> {
        let numbers = self.hashes.iter().zip(&self.parents);
        self.states.chunks_exact(self.words).zip(numbers).map(|(state, (&hash, &parent))| (state, hash, parent))
    }
}

/// Searches level by level; with persistent sets, only along these: the runs to deadlocks stay shortest ones, because
/// some permutation of a shortest run starts with a transition of the set.
pub(super) fn run(search: &mut Search<'_>, mut sets: Option<&mut PersistentSets<'_>>) -> Result<End, Reason> {
    let system = search.system;
    let mut parents = Parents(vec![0]);
    let mut successors = Successors::new(system.words());
    let mut selection = Selection::default();
    let mut state = system.initial_state();
    search.insert(&state, hash(&state), 0)?;
    search.look(&state, 0, |_| Vec::new());
    let (mut cursor, mut level, mut level_end) = (0usize, 0u64, 1usize);
    while cursor < search.store.len() {
        if cursor == level_end {
            (level, level_end) = (level + 1, search.store.len());
        }
        if search.may_stop(level) {
            return Ok(End::Stopped);
        }
        successors.clear();
        let batch_end = level_end.min(cursor + BATCH);
        while cursor < batch_end && !successors.is_full() {
            let before = successors.hashes.len();
            state.copy_from_slice(search.store.get(cursor as StateIndex));
            let here = (cursor as StateIndex, &state[..], level);
            match &mut sets {
                None => expand(search, &parents, &mut successors, here, system.enabled(&state))?,
                Some(sets) => {
                    let selected = selection.select(system, sets, &state);
                    expand(search, &parents, &mut successors, here, selected)?;
                }
            }
            cursor += 1;
            let waiting = (search.store.len() - cursor) as u64;
            search.tick(successors.hashes.len() - before, waiting, parents.bytes() + successors.bytes())?;
        }
        search.store.warm(&successors.hashes);
        for (next, hash, parent) in successors.iter() {
            if let Inserted::New(index) = search.insert(next, hash, parents.bytes() + successors.bytes())? {
                parents.0.push(parent);
                search.depth = level + 1;
                search.look(next, level + 1, |search| parents.run(search, index));
            }
        }
    }
    Ok(End::Complete)
}

/// An enabled transition, or one whose guard is a fault.
type Candidate = Result<TransitionId, (TransitionId, Fault)>;

/// Memory for the transitions of one state.
#[derive(Default)]
struct Selection {
    candidates: Vec<Candidate>,
    enabled: Vec<TransitionId>,
    chosen: Vec<TransitionId>,
}

impl Selection {
    /// A persistent set of the state; everything where a guard is a fault.
    fn select(
        &mut self,
        system: &System,
        sets: &mut PersistentSets<'_>,
        state: &State,
    ) -> impl Iterator<Item = Candidate> {
        self.candidates.clear();
        self.candidates.extend(system.enabled(state));
        self.enabled.clear();
        self.enabled.extend(self.candidates.iter().filter_map(|c| c.ok()));
        if self.enabled.len() == self.candidates.len() {
            sets.choose(state, &self.enabled, &mut self.chosen);
            self.candidates.clear();
            self.candidates.extend(self.chosen.iter().map(|&t| Ok(t)));
        }
        self.candidates.iter().copied()
    }
}

/// Makes the successors of a state of a level.
fn expand(
    search: &mut Search<'_>,
    parents: &Parents,
    successors: &mut Successors,
    (here, state, level): (StateIndex, &[u64], u64),
    candidates: impl Iterator<Item = Candidate>,
) -> Result<(), Reason> {
    let system = search.system;
    let mut stuck = true;
    for enabled in candidates {
        stuck = false;
        let t = enabled.unwrap_or_else(|(t, _)| t);
        match enabled.and_then(|t| system.fire(t, state, successors.room()).map_err(|f| (t, f))) {
            Ok(()) => {
                search.fired(t);
                if let Err(wrong) = search.pass(successors.room()) {
                    search.error(wrong, level + 1, |search| run_to(search, parents, here, t));
                    continue;
                }
                successors.keep(here);
                // The successors of one large state can take more than all there is.
                if successors.is_full() && successors.hashes.len().is_multiple_of(64) {
                    search.report(0, parents.bytes() + successors.bytes())?;
                }
            }
            Err(_) => search.error(t, level + 1, |search| run_to(search, parents, here, t)),
        }
    }
    if stuck {
        search.standstill(state, level, |search| parents.run(search, here));
    }
    Ok(())
}

/// The run to a state and one step from there.
fn run_to(search: &Search<'_>, parents: &Parents, state: StateIndex, t: TransitionId) -> Vec<TransitionId> {
    let mut run = parents.run(search, state);
    run.push(t);
    run
}
