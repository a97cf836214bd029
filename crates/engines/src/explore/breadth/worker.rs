//! One thread of a breadth-first search: takes states of the level, makes their successors, stores them.
//!
//! The successors of several states, a batch, are made before the first is stored, so that the store's cache misses overlap.
//! A thread that stops, for whatever reason, gives back the states of its batch and of its block after it, and counts nothing
//! of the batch but the states that it stored, which are in the next level: the search can go on from there as if nobody had
//! stopped.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use evidence::{Budget, Progress, Reason, Snapshot};
use model::{State, System, TransitionId};

use super::frontier::{BLOCK, Block, Frontier};
use super::open::Open;
use crate::explore::findings::Findings;
use crate::explore::pace::{Pace, WORK};
use crate::explore::passing::pass;
use crate::explore::search::Goal;
use crate::persistent::PersistentSets;
use crate::shared::{Full, Growable, Hold, Inserted, Means, Visited};

/// How many states are expanded before their successors are stored, unless these are large.
const BATCH: usize = 16;
/// How many bytes of successors end a batch.
const BATCH_BYTES: usize = 1 << 20;
/// How many looks pass between two reports of progress.
const LOOKS: u32 = 1 << 6;

/// What all threads see.
pub(super) struct Common<'c, S> {
    pub(super) system: &'c System,
    pub(super) goals: Vec<&'c Goal>,
    pub(super) passes: bool,
    pub(super) threads: usize,
    pub(super) store: Growable<S>,
    /// The level that is expanded, its number, and the one after it.
    pub(super) level: Frontier,
    pub(super) depth: u64,
    pub(super) next: Frontier,
    /// With the queue proviso.
    pub(super) open: Option<Open>,
    /// The bytes of waypoints and of what threads keep.
    pub(super) kept: AtomicU64,
    pub(super) budget: &'c Budget,
    pub(super) pace: Pace,
    /// When everybody is to stop for a while.
    pub(super) pause: Option<Instant>,
    pub(super) progress: &'c dyn Progress,
    pub(super) figures: Figures,
    pub(super) stop: Stop,
}

/// How far the search is, a little behind.
#[derive(Debug, Default)]
pub(super) struct Figures {
    states: AtomicU64,
    transitions: AtomicU64,
    expanded: AtomicU64,
    pub(super) peak: AtomicU64,
}

/// Why a thread stops before its level is done.
enum Halt {
    /// It goes on later.
    Pause,
    /// The search is over.
    Stop(Reason),
}

impl From<Reason> for Halt {
    fn from(reason: Reason) -> Self {
        Halt::Stop(reason)
    }
}

/// Why all threads stop.
#[derive(Debug, Default)]
pub(super) struct Stop {
    now: AtomicBool,
    why: Mutex<Option<Reason>>,
}

impl Stop {
    fn because(&self, reason: Reason) {
        self.why.lock().expect("nobody panics here").get_or_insert(reason);
        self.now.store(true, Ordering::Relaxed);
    }

    pub(super) fn why(&self) -> Option<Reason> {
        self.why.lock().expect("nobody panics here").clone()
    }
}

impl<S: Visited> Common<'_, S> {
    /// The bytes beside the store.
    fn others(&self) -> u64 {
        let open = self.open.as_ref().map_or(0, Open::bytes);
        self.level.bytes() + self.next.bytes() + open + self.kept.load(Ordering::Relaxed)
    }
}

/// Some successors, with their keys and the waypoints that they were reached through.
#[derive(Debug)]
struct Successors {
    words: usize,
    states: Vec<u64>,
    keys: Vec<u64>,
    waypoints: Vec<u32>,
}

impl Successors {
    fn new(words: usize) -> Self {
        Self { words, states: Vec::new(), keys: Vec::new(), waypoints: Vec::new() }
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.waypoints.clear();
    }

    fn bytes(&self) -> u64 {
        (8 * self.states.capacity() + 12 * self.keys.capacity()) as u64
    }

    fn is_full(&self) -> bool {
        8 * self.keys.len() * self.words >= BATCH_BYTES
    }

    /// Room for one more successor; it counts once its key is pushed.
    #[inline]
    fn room(&mut self) -> &mut [u64] {
        let at = self.keys.len() * self.words;
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
    fn get(&self, i: usize) -> &[u64] {
        &self.states[i * self.words..(i + 1) * self.words]
    }
}

/// A thread's own things, from level to level; apart from those of others in the cache.
#[repr(align(128))]
pub(super) struct Worker<'w, D> {
    first: bool,
    pub(super) desk: D,
    /// The persistent sets, if the search is reduced; made when they are first wanted.
    sets: Option<PersistentSets<'w>>,
    reduce: Option<&'w (dyn Fn() -> PersistentSets<'w> + Sync)>,
    state: Vec<u64>,
    successors: Successors,
    enabled: Vec<TransitionId>,
    chosen: Vec<TransitionId>,
    out: Block,
    pub(super) found: Findings,
    work: u64,
    looks: u32,
    /// What of its figures everybody knows.
    told: Told,
}

#[derive(Default)]
struct Told {
    states: u64,
    transitions: u64,
    bytes: u64,
}

impl<'w, D> Worker<'w, D> {
    pub(super) fn new(
        first: bool,
        desk: D,
        reduce: Option<&'w (dyn Fn() -> PersistentSets<'w> + Sync)>,
        words: usize,
        (out, found): (Block, Findings),
    ) -> Self {
        Self {
            first,
            desk,
            sets: None,
            reduce,
            state: vec![0; words],
            successors: Successors::new(words),
            enabled: Vec::new(),
            chosen: Vec::new(),
            out,
            found,
            work: 0,
            looks: 0,
            told: Told::default(),
        }
    }

    /// Stores the initial state.
    pub(super) fn begin<S: Visited<Desk = D>>(&mut self, common: &Common<'_, S>) {
        let mut shift = Shift { worker: self, common, store: common.store.hold(), length: 0 };
        let ended = shift.begin();
        shift.end(ended);
    }

    /// Takes note of a new state of the level with this number, which turned out to be one only when the one before it was done.
    pub(super) fn is_new(&mut self, (system, goals): (&System, &[&Goal]), state: &State, level: u64) {
        self.found.stored += 1;
        self.found.held += u64::from(system.control(state).is_some());
        self.found.look(system, goals, state, (level, 0));
    }

    /// Works until no state of the level is left.
    pub(super) fn work<S: Visited<Desk = D>>(&mut self, common: &Common<'_, S>) {
        let mut shift = Shift { worker: self, common, store: common.store.hold(), length: common.depth + 1 };
        let mut ended = Ok(());
        while ended.is_ok() {
            ended = match common.level.take(common.threads) {
                Ok(Some(block)) => shift.block(block),
                Ok(None) => break,
                Err(reason) => Err(reason.into()),
            };
        }
        shift.end(ended);
    }
}

/// A thread at work on a level, with the store at hand.
struct Shift<'s, 'c, 'w, S: Visited> {
    worker: &'s mut Worker<'w, S::Desk>,
    common: &'s Common<'c, S>,
    store: Hold<'s, S>,
    /// How many steps lead to the states that are stored.
    length: u64,
}

impl<S: Visited> Shift<'_, '_, '_, S> {
    fn begin(&mut self) -> Result<(), Halt> {
        let initial = self.common.system.initial_state();
        self.worker.successors.room().copy_from_slice(&initial);
        self.keep(0)?;
        self.store_all().map(|_| ())
    }

    fn end(&mut self, ended: Result<(), Halt>) {
        let out = Block::new(self.worker.out.words());
        self.common.next.give(std::mem::replace(&mut self.worker.out, out));
        if let Err(Halt::Stop(reason)) = ended.and_then(|()| self.report()) {
            self.common.stop.because(reason);
        }
    }

    /// Expands a block, or gives back what is left of it.
    fn block(&mut self, mut block: Block) -> Result<(), Halt> {
        let mut done = 0;
        let ended = loop {
            if done == block.len() {
                break Ok(());
            }
            let mark = self.worker.found.mark();
            match self.batch(&block, done) {
                Ok(more) => done += more,
                Err(halt) => {
                    self.worker.found.back_to(mark);
                    self.worker.successors.clear();
                    break Err(halt);
                }
            }
            self.store.give_way();
            if self.worker.work >= WORK
                && let Err(halt) = self.report()
            {
                break Err(halt);
            }
        };
        self.common.figures.expanded.fetch_add(done as u64, Ordering::Relaxed);
        self.common.level.give(block.split_off(done));
        ended
    }

    /// Expands some states of a block, from one on; how many.
    fn batch(&mut self, block: &Block, first: usize) -> Result<usize, Halt> {
        let mut state = std::mem::take(&mut self.worker.state);
        let mut i = first;
        let mut ended = Ok(());
        while ended.is_ok() && i < block.len().min(first + BATCH) && !self.worker.successors.is_full() {
            self.open(block.state(i), &mut state);
            ended = self.expand(&state, block.waypoints[i]);
            i += 1;
        }
        self.worker.state = state;
        ended?;
        self.worker.work += self.common.pace.work(i - first, self.worker.successors.keys.len());
        self.store_all()?;
        Ok(i - first)
    }

    #[inline]
    fn open(&mut self, number: &[u64], state: &mut State) {
        match S::TELLS {
            true => self.store.open(number[0], &mut self.worker.desk, state),
            false => state.copy_from_slice(number),
        }
    }

    /// Makes the successors of a state: all, or those of a persistent set.
    fn expand(&mut self, state: &State, waypoint: u32) -> Result<(), Halt> {
        let mut stuck = true;
        if self.worker.reduce.is_none() {
            for candidate in self.common.system.enabled(state) {
                stuck = false;
                match candidate {
                    Ok(t) => self.take(t, state, waypoint)?,
                    Err((t, _)) => self.worker.found.error(state, t, t, (self.length - 1, waypoint)),
                }
            }
        } else {
            stuck = self.expand_reduced(state, waypoint)?;
        }
        if stuck && !self.common.system.at_end(state) {
            self.worker.found.deadlock(&self.common.goals, state, (self.length - 1, waypoint));
        }
        Ok(())
    }

    /// Takes a persistent set, and everything else if the proviso asks for it or a guard is a fault; whether nothing can be
    /// taken.
    fn expand_reduced(&mut self, state: &State, waypoint: u32) -> Result<bool, Halt> {
        let worker = &mut *self.worker;
        let (mut enabled, mut chosen) = (std::mem::take(&mut worker.enabled), std::mem::take(&mut worker.chosen));
        enabled.clear();
        let mut faulty = false;
        for candidate in self.common.system.enabled(state) {
            match candidate {
                Ok(t) => enabled.push(t),
                Err((t, _)) => {
                    faulty = true;
                    worker.found.error(state, t, t, (self.length - 1, waypoint));
                }
            }
        }
        if faulty {
            chosen.clone_from(&enabled);
        } else if let Some(reduce) = worker.reduce {
            worker.sets.get_or_insert_with(reduce).choose(state, &enabled, &mut chosen);
        }
        if chosen.len() == enabled.len() || self.common.open.is_none() {
            chosen.iter().try_for_each(|&t| self.take(t, state, waypoint))?;
        } else {
            // What waits from other states must not count for this one.
            self.store_all()?;
            chosen.iter().try_for_each(|&t| self.take(t, state, waypoint))?;
            if !self.store_all()? {
                enabled.iter().filter(|t| !chosen.contains(t)).try_for_each(|&t| self.take(t, state, waypoint))?;
            }
        }
        let stuck = enabled.is_empty() && !faulty;
        (self.worker.enabled, self.worker.chosen) = (enabled, chosen);
        Ok(stuck)
    }

    /// Fires a transition; its successor waits to be stored.
    #[inline]
    fn take(&mut self, t: TransitionId, state: &State, waypoint: u32) -> Result<(), Halt> {
        let (system, worker) = (self.common.system, &mut *self.worker);
        let next = worker.successors.room();
        if system.fire(t, state, next).is_err() {
            worker.found.error(state, t, t, (self.length - 1, waypoint));
            return Ok(());
        }
        worker.found.fired(t);
        if self.common.passes {
            let before = worker.found.transitions;
            let passed = pass(system, next, |t| worker.found.fired(t));
            worker.found.passed += worker.found.transitions - before;
            if let Err(wrong) = passed {
                worker.found.error(state, t, wrong, (self.length - 1, waypoint));
                return Ok(());
            }
        }
        self.keep(waypoint)
    }

    /// Lets the successor wait for which there was room.
    #[inline]
    fn keep(&mut self, waypoint: u32) -> Result<(), Halt> {
        let key = loop {
            let worker = &mut *self.worker;
            match self.store.key(worker.successors.room(), &mut worker.desk) {
                Ok(key) => break key,
                Err(full) => self.grow(full)?,
            }
        };
        let successors = &mut self.worker.successors;
        successors.keys.push(key);
        successors.waypoints.push(waypoint);
        // The successors of one large state can take more than all there is.
        if successors.is_full() && successors.keys.len().is_multiple_of(64) {
            return self.goes_on();
        }
        Ok(())
    }

    /// Keeps the budget in the middle of a batch. A pause can wait until it is done: else who takes longer for a state than there is
    /// between two pauses would begin with it anew for ever.
    fn goes_on(&mut self) -> Result<(), Halt> {
        match self.report() {
            Err(Halt::Pause) => Ok(()),
            ended => ended,
        }
    }

    /// Stores the successors that wait; whether one of them is in the next level, where everybody may go on.
    fn store_all(&mut self) -> Result<bool, Halt> {
        let store: &S = &self.store;
        std::hint::black_box(self.worker.successors.keys.iter().fold(0, |sum, &key| sum ^ store.touch(key)));
        let (mut new, mut leads_on, mut ended) = (0, false, Ok(()));
        let stride = self.common.pace.stride();
        for i in 0..self.worker.successors.keys.len() {
            let inserted = match self.insert(i) {
                Ok(inserted) => inserted,
                // What was stored before counts.
                Err(halt) => {
                    ended = Err(halt);
                    break;
                }
            };
            if let Inserted::New(number) = inserted {
                new += 1;
                self.is_new(i, number);
            }
            if let Some(open) = &self.common.open {
                let waits = match inserted {
                    Inserted::New(number) => {
                        open.insert(number);
                        true
                    }
                    Inserted::Old(number) => open.contains(number),
                };
                let free = || self.common.system.control(self.worker.successors.get(i)).is_none();
                leads_on |= waits && free();
            }
            // The successors of one state can be very many, and there may be much to ask about each.
            if (i + 1) & (stride - 1) == 0 {
                ended = self.goes_on();
            }
            if ended.is_err() {
                break;
            }
        }
        self.worker.successors.clear();
        match self.store.add(new) {
            Some(full) if new > 0 => self.grow(full)?,
            _ => {}
        }
        ended.map(|()| leads_on)
    }

    #[inline]
    fn insert(&mut self, i: usize) -> Result<Inserted, Halt> {
        loop {
            let worker = &mut *self.worker;
            let (state, key) = (worker.successors.get(i), worker.successors.keys[i]);
            match self.store.insert(state, key, &mut worker.desk) {
                Ok(inserted) => return Ok(inserted),
                Err(full) => self.grow(full)?,
            }
        }
    }

    /// Takes note of a new state.
    #[inline]
    fn is_new(&mut self, i: usize, number: u64) {
        let (worker, common) = (&mut *self.worker, self.common);
        let (state, waypoint) = (worker.successors.get(i), worker.successors.waypoints[i]);
        worker.found.stored += 1;
        worker.found.held += u64::from(common.system.control(state).is_some());
        match S::TELLS {
            true => worker.out.push(&[number], waypoint),
            false => worker.out.push(state, waypoint),
        }
        worker.found.look(common.system, &common.goals, state, (self.length, waypoint));
        if worker.out.len() == BLOCK {
            let words = worker.out.words();
            common.next.give(std::mem::replace(&mut worker.out, Block::new(words)));
        }
    }

    /// Makes room in the store, unless somebody did meanwhile.
    #[cold]
    fn grow(&mut self, full: Full) -> Result<(), Halt> {
        let common = self.common;
        let grown = self.store.grow(|store, helpers| {
            let (others, threads) = (common.others(), common.threads);
            store.grow(full, &Means { threads, helpers, allows: &|bytes| common.budget.check_memory(bytes + others) })
        });
        Ok(grown?)
    }

    /// Keeps the budget, and tells everybody how far this thread is; the first one also tells the user now and then.
    #[cold]
    fn report(&mut self) -> Result<(), Halt> {
        let store_bytes = self.store.bytes();
        let (worker, common, figures) = (&mut *self.worker, self.common, &self.common.figures);
        (worker.work, worker.looks) = (0, worker.looks.wrapping_add(1));
        let told = Told {
            states: worker.found.stored - worker.found.held,
            transitions: worker.found.transitions,
            bytes: worker.successors.bytes() + worker.out.bytes() + worker.found.bytes,
        };
        let order = Ordering::Relaxed;
        let states =
            figures.states.fetch_add(told.states - worker.told.states, order) + told.states - worker.told.states;
        // What a batch counted before it stopped is taken back.
        let more = told.transitions.wrapping_sub(worker.told.transitions);
        let transitions = figures.transitions.fetch_add(more, order).wrapping_add(more);
        common.kept.fetch_add(told.bytes.wrapping_sub(worker.told.bytes), order);
        worker.told = told;
        let bytes = store_bytes + common.others();
        if worker.first && worker.looks.is_multiple_of(LOOKS) {
            let waiting = states.saturating_sub(figures.expanded.load(order));
            common.progress.update(&Snapshot { states, transitions, waiting, bytes });
        }
        if common.stop.now.load(order) {
            return Err(common.stop.why().unwrap_or(Reason::Cancelled).into());
        }
        common.budget.check(bytes)?;
        figures.peak.fetch_max(bytes, order);
        if common.pause.is_some_and(|due| Instant::now() >= due) { Err(Halt::Pause) } else { Ok(()) }
    }
}
