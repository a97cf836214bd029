//! One worker: the states that belong to it, and the dataflow through which it hears of them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use evidence::Reason;
use model::TransitionId;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Capability, ConnectLoop, Feedback, Probe};
use timely::worker::Worker as Timely;

use super::checkpoint::{Beginning, Keeper, Stock};
use super::parcel::{Body, Parcel, Stopped};
use super::{Found, Task, route};
use crate::explore::findings::{Findings, Lead};
use crate::explore::passing::pass;
use crate::explore::search::Goal;
use crate::store::{Inserted, Store, hash};

/// How many states are expanded before others may go on.
const SLICE: usize = 1 << 10;
/// How many states make a parcel.
const PARCEL: usize = 1 << 10;

/// The whole work of a worker; what all found together.
pub(super) fn work(timely: &mut Timely, task: &Arc<Task>) -> Found {
    let mut states = States::new(Arc::clone(task), timely.index(), timely.peers());
    let first = states.resume(timely);
    let states = Rc::new(RefCell::new(states));
    let own = Rc::clone(&states);
    let probe = timely.dataflow::<u64, _, _>(|scope| {
        let (handle, parcels) = scope.feedback(1);
        let out = parcels.unary_frontier::<timely::container::CapacityContainerBuilder<Vec<Parcel>>, _, _, _>(
            Exchange::new(|parcel: &Parcel| u64::from(parcel.to)),
            "levels",
            move |begin, info| {
                let activator = scope.activator_for(info.address);
                let mut levels: BTreeMap<u64, (Capability<u64>, Vec<Parcel>)> = BTreeMap::new();
                levels.insert(first, (begin.delayed(&first), Vec::new()));
                drop(begin);
                // The level that is being expanded.
                let mut expanding: Option<Capability<u64>> = None;
                move |(input, frontier), output| {
                    let states = &mut *own.borrow_mut();
                    input.for_each(|time, parcels| {
                        let now = expanding.as_ref().map(|level| level.time() + 1);
                        let level = levels.entry(*time.time()).or_insert_with(|| (time.retain(0), Vec::new()));
                        for parcel in parcels.drain(..) {
                            match parcel.body {
                                // While a level is expanded only the next one can come, and its states may be stored.
                                Body::States { .. } if now == Some(*time.time()) => {
                                    states.take_in(parcel, *time.time())
                                }
                                _ => level.1.push(parcel),
                            }
                        }
                    });
                    if expanding.is_none()
                        && let Some(entry) = levels.first_entry()
                        && !frontier.less_equal(entry.key())
                    {
                        let (level, (capability, parcels)) = entry.remove_entry();
                        parcels.into_iter().for_each(|parcel| states.take_in(parcel, level));
                        states.begin(level);
                        expanding = Some(capability);
                    }
                    let Some(level) = &expanding else { return };
                    let goes_on = states.expand();
                    let mut session = output.session(level);
                    states.out.drain(..).for_each(|parcel| session.give(parcel));
                    drop(session);
                    if goes_on {
                        activator.activate();
                        return;
                    }
                    // What was stored without having travelled waits for its level, too.
                    if states.is_waiting() {
                        let next = level.time() + 1;
                        levels.entry(next).or_insert_with(|| (level.delayed(&next), Vec::new()));
                        activator.activate();
                    }
                    expanding = None;
                    if !levels.is_empty() {
                        activator.activate();
                    }
                }
            },
        );
        let (probe, out) = out.probe();
        out.connect_loop(handle);
        probe
    });
    timely.step_or_park_while(Some(super::PARK), || !probe.done());
    let states = Rc::try_unwrap(states).map_err(drop).expect("the dataflow is gone").into_inner();
    route::together(timely, states)
}

/// The task, and the goals of its questions.
type Asked<'a> = (&'a Task, &'a [&'a Goal]);

/// The states that belong to a worker.
pub(super) struct States {
    pub(super) task: Arc<Task>,
    pub(super) own: u32,
    peers: u32,
    pub(super) store: Store,
    /// Of each state, the worker and the number of the one that it was reached from; the initial state is its own.
    pub(super) parents: Vec<(u32, u32)>,
    /// How many states have been expanded, and from where to where the level reaches.
    pub(super) expanded: usize,
    start: usize,
    end: usize,
    level: u64,
    /// The deepest level with states.
    pub(super) depth: u64,
    pub(super) found: Findings,
    /// What all workers have said of the levels that were expanded: how many states there are, and which questions are
    /// decided.
    pub(super) heard: (u64, Vec<bool>),
    /// Whether somebody said that it is time for a checkpoint.
    saves: bool,
    pub(super) keeper: Option<Keeper>,
    /// Whether no further level is to be expanded.
    enough: bool,
    pub(super) stopped: Option<Stopped>,
    /// States on their way, by owner.
    leaving: Vec<(Vec<u64>, Vec<u32>)>,
    out: Vec<Parcel>,
    told: (u64, u64, u64),
}

impl States {
    fn new(task: Arc<Task>, own: usize, peers: usize) -> Self {
        let found = Findings::new(task.goals.len(), task.system.transitions().len(), false);
        Self {
            own: own as u32,
            peers: peers as u32,
            store: Store::new(task.system.words()),
            parents: Vec::new(),
            expanded: 0,
            start: 0,
            end: 0,
            level: 0,
            depth: 0,
            found,
            heard: (0, Vec::new()),
            saves: false,
            keeper: Some(Keeper::new(task.place.clone(), own as u32, peers as u32)),
            enough: false,
            stopped: None,
            leaving: vec![Default::default(); peers],
            out: Vec::new(),
            told: (0, 0, 0),
            task,
        }
    }

    /// The worker that a state belongs to.
    pub(super) fn owner(&self, hash: u64) -> u32 {
        // The store uses the upper bits.
        (((hash & 0xffff_ffff) * u64::from(self.peers)) >> 32) as u32
    }

    pub(super) fn peers(&self) -> u32 {
        self.peers
    }

    /// How many states have not been expanded.
    pub(super) fn left(&self) -> u64 {
        (self.store.len() - self.expanded) as u64
    }

    /// Whether states have been stored that wait for the next level.
    fn is_waiting(&self) -> bool {
        self.left() > 0 && !self.enough && self.stopped.is_none()
    }

    /// Stores what came for a level.
    fn take_in(&mut self, parcel: Parcel, level: u64) {
        match parcel.body {
            Body::Level { stored, decided, due, unsaved } => {
                self.saves |= due;
                if unsaved && let Some(keeper) = &mut self.keeper {
                    keeper.give_up();
                }
                self.heard.0 += stored;
                self.heard.1.resize(decided.len(), false);
                self.heard.1.iter_mut().zip(decided).for_each(|(known, new)| *known |= new);
            }
            Body::Stop(why) => {
                self.stopped.get_or_insert(why);
            }
            Body::States { states, parents } => {
                let task = Arc::clone(&self.task);
                let goals: Vec<&Goal> = task.goals.iter().collect();
                let words = task.system.words();
                for (state, parent) in states.chunks_exact(words).zip(parents) {
                    #[cfg(test)]
                    if super::tests::LOSES.load(Ordering::Relaxed) && hash(state).is_multiple_of(3) {
                        continue;
                    }
                    if self.stopped.is_some() {
                        return;
                    }
                    self.insert((&task, &goals), (state, hash(state)), (parcel.from, parent), level);
                }
            }
        }
    }

    fn insert(&mut self, (task, goals): Asked<'_>, (state, hash): (&[u64], u64), parent: (u32, u32), length: u64) {
        let others = task.figures.bytes.load(Ordering::Relaxed).saturating_sub(self.told.2);
        if let Err(reason) = self.reserve(task, others) {
            return self.stop(reason);
        }
        if let Inserted::New(number) = self.store.insert(state, hash) {
            self.parents.push(if length == 0 { (self.own, number) } else { parent });
            self.found.stored += 1;
            self.found.held += u64::from(task.system.control(state).is_some());
            self.found.look(&task.system, goals, state, (length, 0));
        }
    }

    /// Makes room for a state and where it came from, if others' tables and these are small enough together.
    fn reserve(&mut self, task: &Task, others: u64) -> Result<(), Reason> {
        if self.parents.len() == self.parents.capacity() {
            // An eighth at a time, as the store does.
            let more = (self.parents.len() / 8).max(256);
            task.budget.check_memory(others + self.store.bytes() + self.bytes_beside() + 8 * more as u64)?;
            self.parents.reserve_exact(more);
        }
        self.store.reserve(others + self.bytes_beside(), &task.budget)
    }

    /// What a worker has beside its store.
    pub(super) fn bytes_beside(&self) -> u64 {
        8 * self.parents.capacity() as u64
    }

    /// Tells everybody something.
    fn announce(&mut self, body: &Body) {
        let from = self.own;
        self.out.extend((0..self.peers).map(|to| Parcel { to, from, body: body.clone() }));
    }

    fn stop(&mut self, reason: Reason) {
        if self.stopped.is_none() {
            let stopped = Stopped::from(reason);
            self.stopped = Some(stopped.clone());
            self.announce(&Body::Stop(stopped));
        }
    }

    /// Goes on from the last level of which all workers have checkpoints, if there is one; the level to begin with.
    fn resume(&mut self, timely: &mut Timely) -> u64 {
        if self.task.place.is_none() {
            return 0;
        }
        let Some(mut keeper) = self.keeper.take() else { return 0 };
        let all: Result<Vec<Stock>, Stopped> =
            route::tell_all(timely, keeper.stock().map_err(Stopped::from)).into_iter().collect();
        let beginning = all.map_err(Reason::from).and_then(|all| Beginning::of(&all).map_err(Reason::Files));
        let begun = beginning.and_then(|beginning| keeper.begin(self, &beginning).map(|()| beginning.level));
        self.keeper = Some(keeper);
        // All stop if one cannot go on: what it had is missing.
        let stopped = route::tell_all(timely, begun.as_ref().err().cloned().map(Stopped::from));
        self.stopped = stopped.into_iter().flatten().next();
        begun.ok().flatten().unwrap_or(0)
    }

    /// All states of a level are here.
    fn begin(&mut self, level: u64) {
        self.level = level;
        if std::mem::take(&mut self.saves)
            && self.stopped.is_none()
            && let Some(mut keeper) = self.keeper.take()
        {
            keeper.save(self, level);
            self.keeper = Some(keeper);
        }
        if level == 0 {
            let task = Arc::clone(&self.task);
            let goals: Vec<&Goal> = task.goals.iter().collect();
            let initial = task.system.initial_state();
            let hash = hash(&initial);
            if self.owner(hash) == self.own {
                self.insert((&task, &goals), (&initial, hash), (self.own, 0), 0);
            }
        }
        (self.start, self.end) = (self.expanded, self.store.len());
        if self.start < self.end {
            self.depth = level;
        }
        let (stored, decided) = &self.heard;
        self.enough = *stored >= self.task.finish && !decided.is_empty() && decided.iter().all(|d| *d);
    }

    /// Which questions are decided by what is no further away than this level, whoever was quicker.
    fn decided(&self) -> Vec<bool> {
        let near = |lead: &Option<Lead>| lead.as_ref().is_some_and(|lead| lead.length <= self.level);
        // Steps from this level are as far away as the next one, whose states are looked at in any case.
        let wrong = self.found.error.is_some();
        let question =
            |i: usize| near(&self.found.met[i]) || ((wrong || near(&self.found.faults[i])) && !self.task.wished[i]);
        (0..self.task.goals.len()).map(question).collect()
    }

    /// Expands some states of the level; whether there are more.
    fn expand(&mut self) -> bool {
        if self.enough || self.stopped.is_some() {
            return false;
        }
        let task = Arc::clone(&self.task);
        let goals: Vec<&Goal> = task.goals.iter().collect();
        let mut state = task.system.initial_state();
        let mut next = state.clone();
        let end = self.end.min(self.expanded + SLICE);
        while self.expanded < end && self.stopped.is_none() {
            let number = self.expanded as u32;
            state.copy_from_slice(self.store.get(number));
            self.expanded += 1;
            self.successors((&task, &goals), number, &state, &mut next);
        }
        self.look();
        if self.expanded < self.end && self.stopped.is_none() {
            return true;
        }
        self.send_all();
        // Who has nothing to say says nothing: a level of which nobody speaks is the last.
        let unsaved = self.keeper.as_mut().is_some_and(Keeper::has_failed_lately);
        if self.start < self.end || unsaved {
            let (stored, decided) = ((self.end - self.start) as u64, self.decided());
            let due = self.keeper.as_ref().is_some_and(Keeper::is_due);
            self.announce(&Body::Level { stored, decided, due, unsaved });
        }
        false
    }

    fn successors(&mut self, (task, goals): Asked<'_>, number: u32, state: &[u64], next: &mut [u64]) {
        let mut stuck = true;
        for candidate in task.system.enabled(state) {
            stuck = false;
            match candidate {
                Ok(t) => self.take((task, goals), t, (number, state), next),
                Err((t, _)) => self.found.error(state, t, t, (self.level, 0)),
            }
        }
        if stuck && !task.system.at_end(state) {
            self.found.deadlock(goals, state, (self.level, 0));
        }
    }

    fn take(&mut self, (task, goals): Asked<'_>, t: TransitionId, (number, state): (u32, &[u64]), next: &mut [u64]) {
        if task.system.fire(t, state, next).is_err() {
            return self.found.error(state, t, t, (self.level, 0));
        }
        self.found.fired(t);
        if task.passes {
            let before = self.found.transitions;
            let passed = pass(&task.system, next, |t| self.found.fired(t));
            self.found.passed += self.found.transitions - before;
            if let Err(wrong) = passed {
                return self.found.error(state, t, wrong, (self.level, 0));
            }
        }
        let hash = hash(next);
        let owner = self.owner(hash);
        if owner == self.own {
            return self.insert((task, goals), (next, hash), (self.own, number), self.level + 1);
        }
        let (states, parents) = &mut self.leaving[owner as usize];
        states.extend_from_slice(next);
        parents.push(number);
        if parents.len() >= PARCEL {
            self.send(owner);
        }
    }

    fn send(&mut self, to: u32) {
        let (states, parents) = std::mem::take(&mut self.leaving[to as usize]);
        if !parents.is_empty() {
            self.out.push(Parcel { to, from: self.own, body: Body::States { states, parents } });
        }
    }

    fn send_all(&mut self) {
        (0..self.peers).for_each(|to| self.send(to));
    }

    /// Keeps the budget, and tells how far this worker is.
    fn look(&mut self) {
        let figures = &self.task.figures;
        let now =
            (self.found.stored - self.found.held, self.found.transitions, self.store.bytes() + self.bytes_beside());
        let order = Ordering::Relaxed;
        figures.states.fetch_add(now.0 - self.told.0, order);
        figures.transitions.fetch_add(now.1 - self.told.1, order);
        let bytes = figures
            .bytes
            .fetch_add(now.2.wrapping_sub(self.told.2), order)
            .wrapping_add(now.2)
            .wrapping_sub(self.told.2);
        figures.waiting.store((self.store.len() - self.expanded) as u64, order);
        figures.peak.fetch_max(bytes, order);
        self.told = now;
        if let Err(reason) = self.task.budget.check(bytes) {
            self.stop(reason);
        }
    }
}
