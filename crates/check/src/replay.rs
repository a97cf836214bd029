//! Runs a trace on the original system: the only way to a [`CheckedTrace`], and so to anything that is shown.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use evidence::{Budget, Reason, Trace};
use model::{Fault, LocationId, ProcessId, Property, System, TransitionId};

use crate::checked::{CheckedTrace, Path, Walk};
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
    /// There is no such transition.
    NoTransition {
        /// The position in the trace.
        step: usize,
        /// The number that it has there.
        transition: TransitionId,
    },
    /// A transition is not enabled where the trace takes it.
    NotEnabled {
        /// The position in the trace.
        step: usize,
        /// The transition.
        transition: TransitionId,
    },
    /// A step of a cycle that should be silent is not.
    Visible {
        /// The position in the trace.
        step: usize,
        /// The transition.
        transition: TransitionId,
    },
    /// The steps of the cycle are possible but lead to another state than the one that they began in.
    NoCycle,
    /// Something is enabled in the last state, or is a model error there: the run does not end.
    GoesOn,
    /// The run has a last position, and only runs that go on for ever count.
    Ends,
    /// The run is not fair, and only fair ones count.
    Unfair {
        /// Whom it is not fair to.
        name: String,
    },
    /// The property has no truth value at a position that is not the last one of a finite run.
    Faulty {
        /// The number of steps before it.
        step: usize,
    },
    /// The run is possible but ends in nothing remarkable, or does not go on for ever, or the formula is true of it.
    ShowsNothing,
    /// There was not enough time or memory to see everything that can follow the last state.
    Unfinished(Reason),
    /// The trace is an infinite run, by which the property is not decided.
    Unsupported,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::NoTransition { step, transition } => {
                write!(f, "step {}: there is no transition {transition:?}", step + 1)
            }
            ReplayError::NotEnabled { step, transition } => {
                write!(f, "step {}: the transition {transition:?} is not enabled", step + 1)
            }
            ReplayError::Visible { step, transition } => {
                write!(f, "step {}: the transition {transition:?} should be silent, and is not", step + 1)
            }
            ReplayError::NoCycle => f.write_str("the steps that should repeat do not lead back to where they began"),
            ReplayError::GoesOn => f.write_str("the run does not end where it stops: something is enabled there"),
            ReplayError::Ends => f.write_str("the run ends for who looks on, and only runs that go on for ever count"),
            ReplayError::Unfair { name } => write!(f, "the run is not fair to `{name}`"),
            ReplayError::Faulty { step } => {
                write!(f, "after step {step} what the property speaks of is a model error, but the run goes on")
            }
            ReplayError::ShowsNothing => f.write_str("the run does not show what it should"),
            ReplayError::Unfinished(why) => write!(f, "what can follow the run was not seen to the end: {why}"),
            ReplayError::Unsupported => f.write_str("runs of this kind cannot be replayed"),
        }
    }
}

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
        return Err(ReplayError::Unsupported);
    }
    let system = match property {
        Property::Safety(observer) => Cow::Owned(system.observed_by(observer)),
        _ => Cow::Borrowed(system),
    };
    let mut path = Path::new(system.initial_state(), trace.steps());
    let fault = run(&system, trace, 0..trace.stem.len(), &mut path)?;
    let mut moving = Vec::new();
    let finding = match (fault, property) {
        (Some(fault), _) => Finding::Fault(fault),
        (None, Property::DivergenceFree(_)) if trace.cycle.is_empty() => return Err(ReplayError::ShowsNothing),
        (None, Property::DivergenceFree(label)) => {
            go_round(&system, Some(label), trace, &mut path)?;
            Finding::Divergence
        }
        (None, Property::Temporal(temporal)) => {
            go_round(&system, None, trace, &mut path)?;
            whole_run(&system, temporal, trace, path.last())?
        }
        (None, Property::PartialDeadlockFree) => match judge(&system, &Property::DeadlockFree, path.last()) {
            Ok(deadlock) => deadlock,
            Err(_) => {
                moving = movers(&system, path.last(), budget)?;
                let stuck = |p: ProcessId| !moving.contains(&p) && !system.may_stop(p, path.last());
                let found = system.process_ids().any(stuck).then_some(Finding::PartialDeadlock);
                found.ok_or(ReplayError::ShowsNothing)?
            }
        },
        (None, _) => judge(&system, property, path.last())?,
    };
    Ok(CheckedTrace { walk: Walk { system, trace: trace.clone(), path }, finding, movers: moving })
}

/// Takes transitions one by one from the initial state. The last one may be a model error, which is told and leads nowhere.
pub fn walk(system: &System, steps: Vec<TransitionId>) -> Result<(Walk<'_>, Option<Fault>), ReplayError> {
    let trace = Trace::finite(steps);
    let mut path = Path::new(system.initial_state(), trace.steps());
    let fault = run(system, &trace, 0..trace.stem.len(), &mut path)?;
    Ok((Walk { system: Cow::Borrowed(system), trace, path }, fault))
}

/// Fires some of the transitions one by one; a fault is only accepted at the end of a finite trace.
fn run(system: &System, trace: &Trace, steps: Range<usize>, path: &mut Path) -> Result<Option<Fault>, ReplayError> {
    for step in steps {
        let (transition, last) = (trace.step(step), trace.cycle.is_empty() && step + 1 == trace.stem.len());
        if transition.index() >= system.transitions().len() {
            return Err(ReplayError::NoTransition { step, transition });
        }
        let fired = match system.is_enabled(transition, path.last()) {
            Ok(false) => return Err(ReplayError::NotEnabled { step, transition }),
            Ok(true) if !last => path.advance(|state| system.fire_in_place(transition, state)),
            // Of a step that is a model error, the state before it is shown.
            Ok(true) => {
                let mut next = path.last().to_vec();
                path.advance(|state| {
                    system.fire_in_place(transition, &mut next)?;
                    state.copy_from_slice(&next);
                    Ok(())
                })
            }
            Err(fault) => Err(fault),
        };
        match fired {
            Ok(()) => {}
            Err(fault) if last => return Ok(Some(fault)),
            Err(_) => return Err(ReplayError::NotEnabled { step, transition }),
        }
    }
    Ok(None)
}

/// Fires the transitions of the cycle from the last state of the stem back to it; they must be silent, if a label is said
/// to be.
fn go_round(system: &System, silent: Option<&str>, trace: &Trace, path: &mut Path) -> Result<(), ReplayError> {
    let (start, steps) = (path.last().to_vec(), trace.stem.len()..trace.steps());
    let _no_fault = run(system, trace, steps.clone(), path)?;
    let visible = |&step: &usize| silent.is_some_and(|label| &*system.transition(trace.step(step)).label != label);
    match steps.clone().find(visible) {
        Some(step) => Err(ReplayError::Visible { step, transition: trace.step(step) }),
        None if path.last() == start => Ok(()),
        None => Err(ReplayError::NoCycle),
    }
}

/// What a state shows by itself about a property.
pub(crate) fn judge(system: &System, property: &Property, state: &[u64]) -> Result<Finding, ReplayError> {
    let shown = match property {
        // Nobody sees the states that a process passes alone.
        Property::Invariant(_) | Property::Reachable(_) if system.control(state).is_some() => None,
        Property::DeadlockFree => {
            (system.enabled(state).next().is_none() && !system.at_end(state)).then_some(Finding::Deadlock)
        }
        Property::Invariant(p) => match system.predicate(p).holds(system, state) {
            Ok(true) => None,
            Ok(false) => Some(Finding::InvariantBroken),
            Err(fault) => Some(Finding::Fault(fault)),
        },
        Property::Reachable(p) => match system.predicate(p).holds(system, state) {
            Ok(true) => Some(Finding::Reached),
            Ok(false) => None,
            Err(fault) => Some(Finding::Fault(fault)),
        },
        Property::Safety(observer) => {
            system.observer_location(state).filter(|l| observer.locations[l.index()].error).map(Finding::ErrorLocation)
        }
        Property::PartialDeadlockFree | Property::Temporal(_) | Property::DivergenceFree(_) => None,
    };
    shown.ok_or(ReplayError::ShowsNothing)
}
