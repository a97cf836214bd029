//! Runs a trace on the original system: the only way to a [`CheckedTrace`], and so to anything that is shown.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use evidence::{Budget, Reason, Trace};
use model::{Fault, LocationId, ProcessId, Property, System, TransitionId};

use crate::checked::{CheckedTrace, Walk};
use crate::closed::movers;
use crate::runs::whole_run;

/// What a trace was found to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// In the last state nothing is enabled, and some process is not at an end location.
    Deadlock,
    /// From the last state on some process that is not at an end location never takes a step, whatever happens; and
    /// something can happen.
    PartialDeadlock,
    /// The invariant is false in the last state.
    InvariantBroken,
    /// The predicate that was asked for is true in the last state.
    Reached,
    /// The observer is at an error location in the last state.
    ErrorLocation(LocationId),
    /// The steps of the cycle are silent and lead back to where they began.
    Divergence,
    /// The formula is false of the run, which counts.
    FormulaFalse,
    /// The automaton accepts the run, which counts.
    Accepted,
    /// After the last step the automaton accepts whatever follows.
    Ended,
    /// The last step, or evaluating something in the last state, is a model error.
    Fault(Fault),
}

/// Why a trace does not show what it should. Always a bug of whoever made the trace, or of a changed model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// There is no such transition, or it is not enabled where the trace takes it.
    NotEnabled {
        /// The position in the trace.
        step: usize,
        /// The transition.
        transition: TransitionId,
    },
    /// The steps are possible, but do not show it: why not.
    ShowsNothing(Cow<'static, str>),
    /// There was not enough time or memory to see everything that can follow the last state.
    Unfinished(Reason),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::NotEnabled { step, transition } => {
                write!(f, "step {}: the transition {transition:?} is not enabled, or not there", step + 1)
            }
            ReplayError::ShowsNothing(why) => f.write_str(why),
            ReplayError::Unfinished(why) => write!(f, "what can follow the run was not seen to the end: {why}"),
        }
    }
}

/// Says why a run shows nothing.
pub(crate) fn nothing<T>(why: impl Into<Cow<'static, str>>) -> Result<T, ReplayError> {
    Err(ReplayError::ShowsNothing(why.into()))
}

/// What is said of a run that is possible and ends in nothing remarkable.
pub(crate) const UNREMARKABLE: &str = "the run does not show what it should";

impl std::error::Error for ReplayError {}

/// Replays a trace and finds out what it says about the property. Only of properties of whole runs is a cycle shown.
pub fn replay<'a>(system: &'a System, property: &Property, trace: &Trace) -> Result<CheckedTrace<'a>, ReplayError> {
    replay_within(system, property, trace, &Budget::unlimited())
}

/// The same within a budget, which is for what can follow a partial deadlock; all else takes no longer than the run.
pub fn replay_within<'a>(
    system: &'a System,
    property: &Property,
    trace: &Trace,
    budget: &Budget,
) -> Result<CheckedTrace<'a>, ReplayError> {
    let for_ever = matches!(property, Property::DivergenceFree(_) | Property::Temporal(_));
    if !trace.cycle.is_empty() && !for_ever {
        return nothing("an infinite run shows nothing about such a property");
    }
    let system = match property {
        Property::Safety(observer) => Cow::Owned(system.observed_by(observer)),
        _ => Cow::Borrowed(system),
    };
    let mut last = system.initial_state();
    let fault = run(&system, trace, 0..trace.stem.len(), &mut last)?;
    let (fired, mut moving) = (trace.steps() - usize::from(fault.is_some()), Vec::new());
    let finding = match (fault, property) {
        (Some(fault), _) => Finding::Fault(fault),
        (None, Property::DivergenceFree(_)) if trace.cycle.is_empty() => return nothing(UNREMARKABLE),
        (None, Property::DivergenceFree(label)) => {
            go_round(&system, Some(label), trace, &mut last)?;
            Finding::Divergence
        }
        (None, Property::Temporal(temporal)) => {
            go_round(&system, None, trace, &mut last)?;
            whole_run(&system, temporal, trace, &last)?
        }
        (None, Property::PartialDeadlockFree) => match judge(&system, property, &last) {
            Ok(deadlock) => deadlock,
            Err(_) => {
                moving = movers(&system, &last, budget)?;
                let stuck = |p: ProcessId| !moving.contains(&p) && !system.may_stop(p, &last);
                let shown = system.process_ids().any(stuck).then_some(Finding::PartialDeadlock);
                shown.map_or_else(|| nothing(UNREMARKABLE), Ok)?
            }
        },
        (None, _) => judge(&system, property, &last)?,
    };
    Ok(CheckedTrace { walk: Walk { system, trace: trace.clone(), fired, last }, finding, movers: moving })
}

/// Takes transitions one by one from the initial state. The last one may be a model error, which is told and leads nowhere.
pub fn walk(system: &System, steps: Vec<TransitionId>) -> Result<(Walk<'_>, Option<Fault>), ReplayError> {
    let (trace, mut last) = (Trace::finite(steps), system.initial_state());
    let fault = run(system, &trace, 0..trace.stem.len(), &mut last)?;
    let fired = trace.steps() - usize::from(fault.is_some());
    Ok((Walk { system: Cow::Borrowed(system), trace, fired, last }, fault))
}

/// Fires some of the transitions one by one; a fault is only accepted at the end of a finite trace, and of such a step the
/// state before it is the last one.
fn run(
    system: &System,
    trace: &Trace,
    steps: Range<usize>,
    state: &mut Vec<u64>,
) -> Result<Option<Fault>, ReplayError> {
    for step in steps {
        let (transition, last) = (trace.step(step), trace.cycle.is_empty() && step + 1 == trace.stem.len());
        let (is_there, before) = (transition.index() < system.transitions().len(), last.then(|| state.clone()));
        let fired = match is_there.then(|| system.is_enabled(transition, state)) {
            Some(Ok(true)) => system.fire_in_place(transition, state),
            Some(Err(fault)) => Err(fault),
            Some(Ok(false)) | None => return Err(ReplayError::NotEnabled { step, transition }),
        };
        match (fired, before) {
            (Ok(()), _) => {}
            (Err(fault), Some(before)) => {
                *state = before;
                return Ok(Some(fault));
            }
            (Err(_), None) => return Err(ReplayError::NotEnabled { step, transition }),
        }
    }
    Ok(None)
}

/// Fires the transitions of the cycle from the last state of the stem back to it; they must be silent, if a label is said
/// to be.
fn go_round(system: &System, silent: Option<&str>, trace: &Trace, state: &mut Vec<u64>) -> Result<(), ReplayError> {
    let (start, steps) = (state.clone(), trace.stem.len()..trace.steps());
    let _no_fault = run(system, trace, steps.clone(), state)?;
    let visible = |&step: &usize| silent.is_some_and(|label| &*system.transition(trace.step(step)).label != label);
    match steps.clone().find(visible) {
        Some(step) => nothing(format!("step {}, {:?}, should be silent, and is not", step + 1, trace.step(step))),
        None if *state == start => Ok(()),
        None => nothing("the steps that should repeat do not lead back to where they began"),
    }
}

/// What a state shows by itself about a property.
pub(crate) fn judge(system: &System, property: &Property, state: &[u64]) -> Result<Finding, ReplayError> {
    let shown = match property {
        // Nobody sees the states that a process passes alone.
        Property::Invariant(_) | Property::Reachable(_) if system.control(state).is_some() => None,
        // Where everything stands still, it is all who are stuck.
        Property::DeadlockFree | Property::PartialDeadlockFree => {
            (system.enabled(state).next().is_none() && !system.at_end(state)).then_some(Finding::Deadlock)
        }
        Property::Invariant(p) | Property::Reachable(p) => match (system.predicate(p).holds(system, state), property) {
            (Ok(false), Property::Invariant(_)) => Some(Finding::InvariantBroken),
            (Ok(true), Property::Reachable(_)) => Some(Finding::Reached),
            (Ok(_), _) => None,
            (Err(fault), _) => Some(Finding::Fault(fault)),
        },
        Property::Safety(observer) => {
            system.observer_location(state).filter(|l| observer.locations[l.index()].error).map(Finding::ErrorLocation)
        }
        Property::Temporal(_) | Property::DivergenceFree(_) => None,
    };
    shown.map_or_else(|| nothing(UNREMARKABLE), Ok)
}
