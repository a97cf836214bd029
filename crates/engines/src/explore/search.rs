//! What all orders share: the store, the question asked of each state, the violation found, the figures.

use std::collections::HashSet;

use evidence::{Budget, Evidence, Exhausted, Firing, Outcome, Progress, Reason, Snapshot, Statistics, Trace, Verdict};
use model::{Fault, Predicate, Property, State, System, TransitionId};

use super::breadth::Place;
use super::findings::Findings;
use super::pace::{Pace, WORK};
use super::passing::pass;
use crate::store::{Inserted, StateIndex, Store};

/// What is looked for in a state.
pub(super) enum Goal {
    /// A standstill, which is seen when the state is expanded.
    Deadlock,
    /// A state in which the predicate has this value.
    Value(Predicate, bool),
    /// A state with the observer at one of these locations.
    Error(Vec<bool>),
    /// An infinite run, which no single state shows.
    Divergence,
    /// Somebody who is stuck for good, which is seen when all that can follow is known.
    Stuck,
}

impl Goal {
    pub(super) fn of(system: &System, property: &Property) -> Self {
        match property {
            Property::DeadlockFree | Property::Temporal(_) => Goal::Deadlock,
            Property::Invariant(p) => Goal::Value(system.predicate(p), false),
            Property::Reachable(p) => Goal::Value(system.predicate(p), true),
            Property::Safety(o) => Goal::Error(o.locations.iter().map(|l| l.error).collect()),
            Property::DivergenceFree(_) => Goal::Divergence,
            Property::PartialDeadlockFree => Goal::Stuck,
        }
    }

    #[inline]
    pub(super) fn is_met(&self, system: &System, state: &State) -> Result<bool, Fault> {
        match self {
            Goal::Deadlock | Goal::Divergence | Goal::Stuck => Ok(false),
            // Nobody sees what a process passes alone.
            Goal::Value(p, value) => Ok(system.control(state).is_none() && p.holds(system, state)? == *value),
            Goal::Error(error) => Ok(system.observer_location(state).is_some_and(|l| error[l.index()])),
        }
    }
}

/// A question and what was found of it.
struct Asked {
    goal: Goal,
    /// Whether the goal is wished for: only then a model error elsewhere does not decide the question.
    wished: bool,
    /// A run to the goal.
    met: Option<Found>,
    /// A run to a state in which the question itself is a fault.
    fault: Option<Found>,
}

/// A run, and how many steps of the search it took.
struct Found {
    trace: Trace,
    length: u64,
}

/// How a search ended when it was not out of budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Everything reachable was visited.
    Complete,
    /// Enough was seen.
    Stopped,
}

/// Whether transitions are left out on purpose, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// None.
    Full,
    /// Some, but every transition that can be fired is fired somewhere.
    EveryTransition,
    /// Some, but every deadlock is reached.
    EveryDeadlock,
}

/// What a search is to do.
pub(super) struct Task<'a> {
    pub(super) system: &'a System,
    pub(super) properties: &'a [&'a Property],
    /// After all is decided, go on until this many states were visited.
    pub(super) finish: u64,
    /// Keep a run to every deadlock.
    pub(super) all: bool,
    /// Whether the store may forget states.
    pub(super) forgets: bool,
    pub(super) budget: &'a Budget,
    pub(super) progress: &'a dyn Progress,
}

/// A search under way.
pub(super) struct Search<'a> {
    pub(super) system: &'a System,
    pub(super) store: Store,
    pub(super) transitions: u64,
    pub(super) depth: u64,
    pub(super) extent: Extent,
    /// How many states were removed from the store.
    pub(super) cleared: u64,
    /// How many states are stored elsewhere.
    elsewhere: u64,
    /// How probable it is that a new state was taken for another, where that can happen.
    pub(super) omission: Option<f64>,
    /// Whether states are passed that somebody goes through alone.
    pub(super) passes: bool,
    /// How many steps were taken from such states.
    pub(super) passed: u64,
    /// How many states were stored though somebody has control.
    held: u64,
    /// By transition, whether it was fired.
    fired: Vec<Firing>,
    pub(super) warnings: Vec<String>,
    /// Where there are checkpoints.
    pub(super) place: Option<Place>,
    task: Task<'a>,
    asked: Vec<Asked>,
    /// A run to a model error.
    fault: Option<Found>,
    deadlocks: u64,
    /// A run to every deadlock.
    every: Vec<Trace>,
    /// The deadlocks themselves, where the store may forget them.
    known: Option<HashSet<Box<State>>>,
    /// How many bytes these two take.
    kept: u64,
    pub(super) pace: Pace,
    work: u64,
    looks: u32,
    peak: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(task: Task<'a>) -> Self {
        let system = task.system;
        let ask = |p: &&Property| Asked {
            goal: Goal::of(system, p),
            wished: matches!(p, Property::Reachable(_)),
            met: None,
            fault: None,
        };
        Self {
            system,
            store: Store::new(system.words()),
            transitions: 0,
            depth: 0,
            extent: Extent::Full,
            cleared: 0,
            elsewhere: 0,
            omission: None,
            passes: system.has_holds()
                && !task.properties.iter().any(|p| {
                    matches!(p, Property::Safety(_) | Property::DivergenceFree(_) | Property::PartialDeadlockFree)
                }),
            passed: 0,
            held: 0,
            fired: vec![Firing::Never; system.transitions().len()],
            warnings: Vec::new(),
            place: None,
            asked: task.properties.iter().map(ask).collect(),
            fault: None,
            deadlocks: 0,
            every: Vec::new(),
            known: task.forgets.then(HashSet::new),
            kept: 0,
            pace: Pace::new(system, task.properties),
            task,
            work: 0,
            looks: 0,
            peak: 0,
        }
    }

    /// How many states were visited in which nobody has control; one that was removed and came back counts again.
    pub(super) fn visited(&self) -> u64 {
        self.stored() - self.held
    }

    /// How many states were stored, again for those that came back.
    fn stored(&self) -> u64 {
        self.store.len() as u64 + self.cleared + self.elsewhere
    }

    /// Takes note of a state that is stored.
    #[inline]
    pub(super) fn is_new(&mut self, state: &State) {
        self.held += u64::from(self.system.control(state).is_some());
    }

    /// Asks the questions about a new state, to which `run` leads in `length` steps.
    #[inline]
    pub(super) fn look(&mut self, state: &State, length: u64, run: impl Fn(&Self) -> Vec<TransitionId>) {
        for i in 0..self.asked.len() {
            match self.asked[i].goal.is_met(self.system, state) {
                Ok(false) => {}
                Ok(true) => self.note(|search| &mut search.asked[i].met, length, &run),
                Err(_) => self.note(|search| &mut search.asked[i].fault, length, &run),
            }
        }
    }

    /// Takes note of a state without enabled transitions.
    #[cold]
    pub(super) fn standstill(&mut self, state: &State, length: u64, run: impl Fn(&Self) -> Vec<TransitionId>) {
        if self.system.at_end(state) || self.known.as_mut().is_some_and(|known| !known.insert(state.into())) {
            return;
        }
        self.deadlocks += 1;
        if self.known.is_some() {
            self.kept += 8 * state.len() as u64 + 32;
        }
        if self.task.all {
            self.every.push(Trace::finite(self.told(run(self))));
            self.kept += 4 * self.every.last().map_or(0, |t| t.stem.len()) as u64 + 48;
        }
        for i in 0..self.asked.len() {
            if let Goal::Deadlock = self.asked[i].goal {
                self.note(|search| &mut search.asked[i].met, length, &run);
            }
        }
        self.stuck(u64::MAX, run);
    }

    /// Whether it is known that there is an infinite run of silent steps.
    pub(super) fn diverges(&self) -> bool {
        self.asked.iter().any(|asked| matches!(asked.goal, Goal::Divergence) && asked.met.is_some())
    }

    /// Takes note of an infinite run of silent steps.
    #[cold]
    pub(super) fn divergence(&mut self, trace: Trace) {
        for asked in self.asked.iter_mut().filter(|asked| matches!(asked.goal, Goal::Divergence)) {
            asked.met = Some(Found { trace: trace.clone(), length: u64::MAX });
        }
    }

    /// Takes note of a state in which somebody is stuck for good. Of several runs the first is kept, unless one is known to
    /// be a shortest: only that has a length.
    #[cold]
    pub(super) fn stuck(&mut self, length: u64, run: impl Fn(&Self) -> Vec<TransitionId>) {
        for i in 0..self.asked.len() {
            if let Goal::Stuck = self.asked[i].goal {
                self.note(|search| &mut search.asked[i].met, length, &run);
            }
        }
    }

    /// Whether there is budget left for something aside that takes so many bytes.
    pub(super) fn can_afford(&self, bytes: u64) -> bool {
        self.task.budget.check(self.store.bytes() + self.kept + bytes).is_ok()
    }

    /// Lists what is enabled in a new state, to which `run` leads, and takes note if that is nothing; whether some guard is
    /// a model error.
    pub(super) fn list_enabled(
        &mut self,
        state: &State,
        enabled: &mut Vec<TransitionId>,
        length: u64,
        run: impl Fn() -> Vec<TransitionId>,
    ) -> bool {
        enabled.clear();
        let mut faulty = false;
        for candidate in self.system.enabled(state) {
            match candidate {
                Ok(t) => enabled.push(t),
                Err((t, _)) => {
                    faulty = true;
                    self.error(t, length + 1, |_| run().into_iter().chain([t]).collect());
                }
            }
        }
        if enabled.is_empty() && !faulty {
            self.standstill(state, length, |_| run());
        }
        faulty
    }

    /// Takes note of a transition that was fired.
    #[inline]
    pub(super) fn fired(&mut self, t: TransitionId) {
        self.transitions += 1;
        self.fired[t.index()] = Firing::Taken;
    }

    /// Takes note of a transition that is a model error, at the end of a run.
    #[cold]
    pub(super) fn error(&mut self, t: TransitionId, length: u64, run: impl Fn(&Self) -> Vec<TransitionId>) {
        self.fired[t.index()] = self.fired[t.index()].max(Firing::OnlyErrors);
        self.note(|search| &mut search.fault, length, &run);
    }

    /// Keeps a run if it is the first, or a shorter one.
    fn note(
        &mut self,
        place: impl Fn(&mut Self) -> &mut Option<Found>,
        length: u64,
        run: &impl Fn(&Self) -> Vec<TransitionId>,
    ) {
        if place(self).as_ref().is_none_or(|found| length < found.length) {
            let trace = Trace::finite(self.told(run(self)));
            *place(self) = Some(Found { trace, length });
        }
    }

    /// Whether all verdicts are certain and nobody wants the rest. In these orders a run need not be a shortest one.
    pub(super) fn may_stop(&self) -> bool {
        self.is_enough(self.visited(), |i| {
            (self.asked[i].met.is_some(), self.asked[i].fault.is_some() || self.fault.is_some())
        })
    }

    /// The same, with what the threads of a search have found at the end of a level: no later run is shorter.
    pub(super) fn may_stop_with<'f>(&self, found: impl Iterator<Item = &'f Findings> + Clone) -> bool {
        let visited = found.clone().map(|f| f.stored - f.held).sum();
        let any = |what: &dyn Fn(&Findings) -> bool| found.clone().any(what);
        self.is_enough(visited, |i| {
            (any(&|f| f.met[i].is_some()), any(&|f| f.faults[i].is_some() || f.error.is_some()))
        })
    }

    /// Whether enough is known, if of each question it is known whether its goal was met, and whether something is wrong.
    fn is_enough(&self, visited: u64, known: impl Fn(usize) -> (bool, bool)) -> bool {
        let certain = |(i, asked): (usize, &Asked)| {
            let (met, wrong) = known(i);
            met || (wrong && !asked.wished)
        };
        visited >= self.task.finish && !self.task.all && self.asked.iter().enumerate().all(certain)
    }

    /// Whether every question has its answer.
    pub(super) fn is_decided(&self) -> bool {
        let wrong = self.fault.is_some();
        self.asked.iter().all(|a| a.met.is_some() || ((wrong || a.fault.is_some()) && !a.wished))
    }

    /// What is looked for, in the order of the questions.
    pub(super) fn goals(&self) -> Vec<&Goal> {
        self.asked.iter().map(|asked| &asked.goal).collect()
    }

    /// Whether every deadlock is listed.
    pub(super) fn lists(&self) -> bool {
        self.task.all
    }

    /// The budget, and who is told how far the search is.
    pub(super) fn limits(&self) -> (&'a Budget, &'a dyn Progress) {
        (self.task.budget, self.task.progress)
    }

    /// Takes note that so many bytes were used.
    pub(super) fn used(&mut self, bytes: u64) {
        self.peak = self.peak.max(bytes);
    }

    /// Takes over what threads have counted.
    pub(super) fn take_figures(&mut self, found: &Findings) {
        (self.transitions, self.passed, self.deadlocks) = (found.transitions, found.passed, found.deadlocks);
        (self.elsewhere, self.held) = (found.stored, found.held);
        self.fired.clone_from(&found.fired);
    }

    /// Takes over what threads have found, with the runs to it in the order of [`Findings::leads`].
    pub(super) fn take_runs(&mut self, found: &Findings, runs: Vec<Vec<TransitionId>>) {
        let traces: Vec<Trace> = runs.into_iter().map(|run| Trace::finite(self.told(run))).collect();
        let mut traces = found.leads().zip(traces).map(|(lead, trace)| Found { trace, length: lead.length });
        let mut next = |is_there: bool| if is_there { traces.next() } else { None };
        self.asked.iter_mut().zip(&found.met).for_each(|(asked, met)| asked.met = next(met.is_some()));
        self.asked.iter_mut().zip(&found.faults).for_each(|(asked, fault)| asked.fault = next(fault.is_some()));
        self.fault = next(found.error.is_some());
        self.every = traces.map(|found| found.trace).collect();
    }

    /// Called with every expanded state and the number of its successors: keeps the budget and tells the progress now
    /// and then. `others` is the memory used beside the store.
    #[inline]
    pub(super) fn tick(&mut self, successors: usize, waiting: u64, others: u64) -> Result<(), Reason> {
        if self.is_due(successors) { self.report(waiting, others) } else { Ok(()) }
    }

    /// Counts the work with an expanded state; whether it is time for [`Search::report`].
    #[inline]
    pub(super) fn is_due(&mut self, successors: usize) -> bool {
        self.work += self.pace.work(1, successors);
        self.work >= WORK
    }

    /// How many looks pass between two reports of progress.
    const LOOKS: u32 = 1 << 6;

    /// Keeps the budget and tells the progress now and then.
    #[cold]
    pub(super) fn report(&mut self, waiting: u64, others: u64) -> Result<(), Reason> {
        (self.work, self.looks) = (0, self.looks.wrapping_add(1));
        let bytes = self.store.bytes() + self.kept + others;
        self.peak = self.peak.max(bytes);
        if self.looks.is_multiple_of(Self::LOOKS) {
            let (states, transitions) = (self.visited(), self.transitions);
            self.task.progress.update(&Snapshot { states, transitions, waiting, bytes });
        }
        self.task.budget.check(bytes)
    }

    /// Tells the user at the end; and now, once, if the search goes on.
    #[cold]
    pub(super) fn warn(&mut self, text: String, goes_on: bool) {
        if goes_on && self.warnings.is_empty() {
            self.task.progress.warn(&text);
        }
        self.warnings = vec![text];
    }

    /// How many transitions led to states that were stored.
    pub(super) fn matched(&self) -> u64 {
        (self.transitions + 1).saturating_sub(self.passed + self.stored())
    }

    /// Adds a state with its hash to the store.
    #[inline]
    pub(super) fn insert(&mut self, state: &State, hash: u64, others: u64) -> Result<Inserted, Reason> {
        self.store.reserve(others, self.task.budget)?;
        let inserted = self.store.insert(state, hash);
        if let Inserted::New(_) = inserted {
            self.is_new(state);
        }
        Ok(inserted)
    }

    /// The transition with which the search went from one stored state to another.
    pub(super) fn step_between(&self, from: StateIndex, to: StateIndex) -> TransitionId {
        let (state, goal) = (self.store.get(from), self.store.get(to));
        let mut next = vec![0; self.system.words()];
        self.system
            .enabled(state)
            .filter_map(Result::ok)
            .find(|&t| {
                let fired = self.system.fire(t, state, &mut next).is_ok();
                fired && (!self.passes || pass(self.system, &mut next, |_| ()).is_ok()) && next == goal
            })
            .expect("a state's parent has a transition to it")
    }

    /// The answers, in the order of the questions.
    pub(super) fn outcomes(mut self, ended: &Result<End, Reason>, seconds: f64) -> Vec<Outcome> {
        self.peak = self.peak.max(self.store.bytes() + self.kept);
        let complete = *ended == Ok(End::Complete);
        let reduced = self.extent != Extent::Full;
        let statistics = Statistics {
            states: Some(self.visited()),
            transitions: Some(self.transitions),
            deadlocks: Some(self.deadlocks),
            depth: Some(self.depth),
            // With states counted twice these are not the figures of the state space.
            complete: (self.cleared == 0 || !complete || reduced).then_some(complete && !reduced),
            reduced: reduced.then_some(complete),
            cleared: (self.cleared > 0).then_some(self.cleared),
            matched: Some(self.matched()),
            omission: self.omission,
            seconds,
            peak_bytes: self.peak,
            ..Statistics::default()
        };
        let fired = (complete && self.extent != Extent::EveryDeadlock).then_some(self.fired);
        let outcome = |asked: Asked| Outcome {
            deadlocks: if let Goal::Deadlock = asked.goal { self.every.clone() } else { Vec::new() },
            warnings: self.warnings.clone(),
            fired: fired.clone(),
            ..Outcome::new(verdict(asked, self.fault.as_ref(), ended, reduced), statistics)
        };
        self.asked.into_iter().map(outcome).collect()
    }
}

fn verdict(asked: Asked, error: Option<&Found>, ended: &Result<End, Reason>, reduced: bool) -> Verdict {
    let exhausted = Evidence::Exhausted(match reduced {
        true => Exhausted::ReducedStateSpace,
        false => Exhausted::FullStateSpace,
    });
    let met = asked.met.map(|found| found.trace);
    let wrong = asked.fault.map(|found| found.trace).into_iter().chain(error.map(|found| found.trace.clone()));
    if asked.wished {
        let wrong = wrong.min_by_key(|t| t.stem.len());
        return match (met, wrong, ended) {
            (Some(run), _, _) => Verdict::Holds(Evidence::Run(run)),
            (None, _, Err(reason)) => Verdict::Unknown(reason.clone()),
            (None, Some(run), Ok(_)) => Verdict::Violated(Evidence::Run(run)),
            (None, None, Ok(_)) => Verdict::Violated(exhausted),
        };
    }
    let run = met.into_iter().chain(wrong).min_by_key(|t| t.stem.len());
    match (run, ended) {
        (Some(run), _) => Verdict::Violated(Evidence::Run(run)),
        (None, Err(reason)) => Verdict::Unknown(reason.clone()),
        (None, Ok(_)) => Verdict::Holds(exhausted),
    }
}
