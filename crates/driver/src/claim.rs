//! What an engine says, held against the checker: every run is replayed before anybody sees it.

use std::collections::HashSet;
use std::fmt;

use check::{CheckedTrace, Finding, ReplayError, replay, replay_within};
use evidence::{Budget, Outcome, Reason, Trace, TraceFile, Verdict};
use model::{NamedProperty, Property};

use crate::answer::{Inquiry, explained_within};
use crate::report::DeadlockReport;
use crate::retold::gathered;

/// How many deadlocks of a list are told in words: explanations take far more memory than runs.
const EXPLAINED: usize = 200;

/// An engine and the checker disagree: one of them is wrong, and so is any answer.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// The property.
    pub property: String,
    /// The engine.
    pub engine: String,
    /// What the engine said.
    pub verdict: &'static str,
    /// What the checker said.
    pub checker: String,
    /// The run that the engine gave.
    pub trace: Box<TraceFile>,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "the engine `{}` says that `{}` is {}, with a run,", self.engine, self.property, self.verdict)?;
        writeln!(f, "but the checker says about that run: {}", self.checker)?;
        write!(f, "the run:\n{}", self.trace.to_json())
    }
}

impl std::error::Error for Contradiction {}

/// What an engine says about one question of an inquiry.
pub(crate) struct Claim<'a, 'i> {
    pub(crate) inquiry: &'a Inquiry<'i>,
    pub(crate) property: &'a NamedProperty,
    /// The engine, with its options.
    pub(crate) engine: &'a str,
    pub(crate) outcome: &'a Outcome,
    /// For what can follow a run.
    pub(crate) budget: &'a Budget,
}

impl<'i> Claim<'_, 'i> {
    /// Replays the run that the verdict rests on, if it rests on one, and compares what it shows with the verdict. The
    /// budget may not suffice to see what the run shows: that is no contradiction, but no answer either.
    pub(crate) fn run(&self) -> Result<Result<Option<CheckedTrace<'i>>, Reason>, Contradiction> {
        let verdict = &self.outcome.verdict;
        let Some(trace) = verdict.trace() else { return Ok(Ok(None)) };
        let checked = match replay_within(self.inquiry.system, &self.property.property, trace, self.budget) {
            Err(ReplayError::Unfinished(why)) => return Ok(Err(why)),
            checked => checked.map_err(|e| self.contradiction(trace, e.to_string()))?,
        };
        let shows_holds = checked.finding() == Finding::Reached;
        if shows_holds == matches!(verdict, Verdict::Holds(_)) {
            Ok(Ok(Some(checked)))
        } else {
            Err(self.contradiction(trace, format!("it shows the opposite: {:?}", checked.finding())))
        }
    }

    /// Replays the run to each deadlock of a list. All must end in different ones, and be as many as were met. The
    /// shortest come first.
    pub(crate) fn deadlocks(&self) -> Result<Vec<DeadlockReport>, Contradiction> {
        if !matches!(self.property.property, Property::DeadlockFree) {
            return Ok(Vec::new());
        }
        let mut runs: Vec<&Trace> = self.outcome.deadlocks.iter().collect();
        runs.sort_by_key(|run| run.stem.len());
        let mut ends = HashSet::new();
        // When no time is left, the first one is explained all the same.
        let explained = |i: usize| i == 0 || (i < EXPLAINED && self.budget.check(0).is_ok());
        let reports = runs.into_iter().enumerate().map(|(i, run)| self.deadlock(run, explained(i), &mut ends));
        let reports = reports.collect::<Result<Vec<_>, _>>()?;
        self.is_complete().map(|()| reports)
    }

    fn deadlock(
        &self,
        trace: &Trace,
        in_words: bool,
        ends: &mut HashSet<Vec<u64>>,
    ) -> Result<DeadlockReport, Contradiction> {
        let checked = self.replayed(trace)?;
        if checked.finding() != Finding::Deadlock || !matches!(self.outcome.verdict, Verdict::Violated(_)) {
            return Err(self.contradiction(trace, format!("it shows another thing: {:?}", checked.finding())));
        }
        if !ends.insert(checked.last().to_vec()) {
            return Err(self.contradiction(trace, "it ends in the deadlock of an earlier run".to_owned()));
        }
        if !in_words {
            return Ok(DeadlockReport { trace: self.saved(trace), explanation: None });
        }
        let run = gathered(self.inquiry.system, &self.property.property, checked);
        let explanation = Some(explained_within(&run, self.property, self.inquiry.source, self.budget));
        Ok(DeadlockReport { trace: self.saved(run.trace()), explanation })
    }

    /// Whether a list has as many deadlocks as the search met.
    fn is_complete(&self) -> Result<(), Contradiction> {
        let Outcome { deadlocks: runs, statistics, verdict, .. } = self.outcome;
        let listed = self.inquiry.list.deadlocks || !runs.is_empty();
        match statistics.deadlocks {
            Some(met) if listed && met != runs.len() as u64 => {
                let last = runs.last().or(verdict.trace()).cloned().unwrap_or_default();
                let checker = format!("it is the last of {} to different deadlocks, but {met} were met", runs.len());
                Err(self.contradiction(&last, checker))
            }
            _ => Ok(()),
        }
    }

    fn replayed(&self, trace: &Trace) -> Result<CheckedTrace<'i>, Contradiction> {
        let system = self.inquiry.system;
        replay(system, &self.property.property, trace).map_err(|e| self.contradiction(trace, e.to_string()))
    }

    fn contradiction(&self, trace: &Trace, checker: String) -> Contradiction {
        Contradiction {
            property: self.property.name.clone(),
            engine: self.engine.to_owned(),
            verdict: self.outcome.verdict.word(),
            checker,
            trace: Box::new(self.saved(trace)),
        }
    }

    /// A trace for a file. Numbers outside the system are kept out of it: they are in the checker's message.
    pub(crate) fn saved(&self, trace: &Trace) -> TraceFile {
        let system = self.inquiry.system;
        let known = |ts: &[model::TransitionId]| {
            ts.iter().copied().filter(|t| t.index() < system.transitions().len()).collect()
        };
        let trace = Trace { stem: known(&trace.stem), cycle: known(&trace.cycle) };
        TraceFile::new(system, self.inquiry.set.to_vec(), &self.property.name, &trace)
    }
}
