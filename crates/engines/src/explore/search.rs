//! What both orders share: the store, the question asked of each state, the violation found, the figures.

use evidence::{Budget, Evidence, Exhausted, Outcome, Progress, Reason, Snapshot, Statistics, Trace, Verdict};
use model::{Fault, Predicate, Property, State, System, TransitionId};

use crate::store::{Inserted, StateIndex, Store};

/// What a search looks for in a state.
enum Question {
    /// A standstill, which is seen when the state is expanded.
    Deadlock,
    /// A state in which the predicate is false.
    Invariant(Predicate),
    /// A state in which the predicate is true.
    Reachable(Predicate),
    /// A state with the observer at one of these locations.
    Safety(Vec<bool>),
}

/// What a run that was found shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// What the property forbids, or asks for.
    Answer,
    /// A model error.
    Fault,
}

/// How a search ended when it was not out of budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Everything reachable was visited.
    Complete,
    /// Enough was seen.
    Stopped,
}

/// A search under way.
pub(super) struct Search<'a> {
    pub(super) system: &'a System,
    pub(super) store: Store,
    pub(super) transitions: u64,
    pub(super) depth: u64,
    /// Whether transitions are left out on purpose.
    pub(super) reduced: bool,
    question: Question,
    finish: u64,
    deadlocks: u64,
    answer: Option<Trace>,
    fault: Option<Trace>,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    work: u64,
    looks: u32,
    peak: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        system: &'a System,
        property: &Property,
        finish: u64,
        budget: &'a Budget,
        progress: &'a dyn Progress,
    ) -> Self {
        let question = match property {
            Property::DeadlockFree | Property::Ltl(_) => Question::Deadlock,
            Property::Invariant(p) => Question::Invariant(system.predicate(p)),
            Property::Reachable(p) => Question::Reachable(system.predicate(p)),
            Property::Safety(o) => Question::Safety(o.locations.iter().map(|l| l.error).collect()),
        };
        let store = Store::new(system.words());
        let (answer, fault) = (None, None);
        let (transitions, depth, deadlocks, work, looks, peak) = (0, 0, 0, 0, 0, 0);
        Self {
            system,
            store,
            transitions,
            depth,
            reduced: false,
            question,
            finish,
            deadlocks,
            answer,
            fault,
            budget,
            progress,
            work,
            looks,
            peak,
        }
    }

    /// Whether a new state is what the search looks for.
    #[inline]
    pub(super) fn is_answer(&self, state: &State) -> Result<bool, Fault> {
        match &self.question {
            Question::Deadlock => Ok(false),
            Question::Invariant(p) => Ok(!p.holds(self.system, state)?),
            Question::Reachable(p) => p.holds(self.system, state),
            Question::Safety(error) => Ok(self.system.observer_location(state).is_some_and(|l| error[l.index()])),
        }
    }

    /// Takes note of a state without enabled transitions; says whether that is what the search looks for.
    pub(super) fn standstill(&mut self, state: &State) -> bool {
        let deadlock = !self.system.at_end(state);
        self.deadlocks += u64::from(deadlock);
        deadlock && matches!(self.question, Question::Deadlock)
    }

    /// Whether a run of this kind and length is worth keeping: the first, or a shorter one.
    pub(super) fn wants(&self, sight: Sight, length: u64) -> bool {
        let kept = match sight {
            Sight::Answer => &self.answer,
            Sight::Fault => &self.fault,
        };
        kept.as_ref().is_none_or(|t| length < t.stem.len() as u64)
    }

    pub(super) fn keep(&mut self, sight: Sight, run: Vec<TransitionId>) {
        let trace = Some(Trace::finite(run));
        match sight {
            Sight::Answer => self.answer = trace,
            Sight::Fault => self.fault = trace,
        }
    }

    /// Whether the verdict is certain, no run of fewer than `shortest` steps can improve it, and nobody wants the rest.
    pub(super) fn may_stop(&self, shortest: u64) -> bool {
        let decisive = match self.question {
            Question::Reachable(_) => self.answer.as_ref(),
            _ => self.answer.iter().chain(&self.fault).min_by_key(|t| t.stem.len()),
        };
        decisive.is_some_and(|t| t.stem.len() as u64 <= shortest) && self.store.len() as u64 >= self.finish
    }

    /// Called with every expanded state and the number of its successors: keeps the budget and tells the progress now
    /// and then. `others` is the memory used beside the store.
    #[inline]
    pub(super) fn tick(&mut self, successors: usize, waiting: u64, others: u64) -> Result<(), Reason> {
        self.work += 1 + successors as u64;
        if self.work >= Self::WORK { self.report(waiting, others) } else { Ok(()) }
    }

    /// How much work may pass between two looks at the budget: far less than a second even if states are large.
    const WORK: u64 = 1 << 9;
    /// How many looks pass between two reports of progress.
    const LOOKS: u32 = 1 << 6;

    #[cold]
    fn report(&mut self, waiting: u64, others: u64) -> Result<(), Reason> {
        (self.work, self.looks) = (0, self.looks.wrapping_add(1));
        let bytes = self.store.bytes() + others;
        self.peak = self.peak.max(bytes);
        if self.looks.is_multiple_of(Self::LOOKS) {
            let (states, transitions) = (self.store.len() as u64, self.transitions);
            self.progress.update(&Snapshot { states, transitions, waiting, bytes });
        }
        self.budget.check(bytes)
    }

    /// Adds a state with its hash to the store.
    #[inline]
    pub(super) fn insert(&mut self, state: &State, hash: u64, others: u64) -> Result<Inserted, Reason> {
        self.store.reserve(others, self.budget)?;
        Ok(self.store.insert(state, hash))
    }

    /// The transition that leads from one stored state to another.
    pub(super) fn step_between(&self, from: StateIndex, to: StateIndex) -> TransitionId {
        let (state, goal) = (self.store.get(from), self.store.get(to));
        let mut next = vec![0; self.system.words()];
        self.system
            .enabled(state)
            .filter_map(Result::ok)
            .find(|&t| self.system.fire(t, state, &mut next).is_ok() && next == goal)
            .expect("a state's parent has a transition to it")
    }

    pub(super) fn outcome(mut self, ended: Result<End, Reason>) -> Outcome {
        self.peak = self.peak.max(self.store.bytes());
        let statistics = Statistics {
            states: Some(self.store.len() as u64),
            transitions: Some(self.transitions),
            deadlocks: Some(self.deadlocks),
            depth: Some(self.depth),
            complete: Some(ended == Ok(End::Complete) && !self.reduced),
            reduced: self.reduced.then_some(ended == Ok(End::Complete)),
            cleared: None,
            matched: None,
            seconds: 0.0,
            peak_bytes: self.peak,
        };
        Outcome::new(self.verdict(ended), statistics)
    }

    fn verdict(self, ended: Result<End, Reason>) -> Verdict {
        let exhausted = Evidence::Exhausted(match self.reduced {
            true => Exhausted::ReducedStateSpace,
            false => Exhausted::FullStateSpace,
        });
        if let Question::Reachable(_) = self.question {
            return match (self.answer, self.fault, ended) {
                (Some(run), _, _) => Verdict::Holds(Evidence::Run(run)),
                (None, _, Err(reason)) => Verdict::Unknown(reason),
                (None, Some(run), Ok(_)) => Verdict::Violated(Evidence::Run(run)),
                (None, None, Ok(_)) => Verdict::Violated(exhausted),
            };
        }
        let run = self.answer.into_iter().chain(self.fault).min_by_key(|t| t.stem.len());
        match (run, ended) {
            (Some(run), _) => Verdict::Violated(Evidence::Run(run)),
            (None, Err(reason)) => Verdict::Unknown(reason),
            (None, Ok(_)) => Verdict::Holds(exhausted),
        }
    }
}
