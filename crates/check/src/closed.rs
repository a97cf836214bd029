//! Sets of states that no step leaves: one that is given shows that nothing that must not be is ever reached; all that
//! can follow a state shows who is stuck for good.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use evidence::{Budget, ClosedSet};
use model::{Class, Fault, ProcessId, Property, System, TransitionId};

use crate::certificate::{CertificateError, UNSUPPORTED, ensure, wrong};
use crate::replay::{Finding, ReplayError, UNREMARKABLE, judge};

/// What is said of states that are none, and of sets that are left.
pub(crate) const NO_STATE: &str = "a state in it has more words than states have";
pub(crate) const LEAVES: &str = "it lacks the initial state or the successor of another";

/// Checks that the set has the initial state and the successors of every state that is reached inside it, and that none
/// of these is what the property speaks of, nor a model error. What else the set has is not looked at: it need not even
/// be states.
pub(crate) fn check_closed_set(system: &System, property: &Property, set: &ClosedSet) -> Result<(), CertificateError> {
    let system = match property {
        Property::Safety(observer) => Cow::Owned(system.observed_by(observer)),
        Property::Temporal(_) | Property::DivergenceFree(_) => return wrong(UNSUPPORTED),
        _ => Cow::Borrowed(system),
    };
    let reached = check_reachable(&system, set, |state| match judge(&system, property, state) {
        Ok(Finding::Fault(fault)) => Err(CertificateError::Fault(fault)),
        Ok(_) => wrong("its set of states has one that must not be"),
        Err(_) => Ok(()),
    })?;
    if property.class() == Class::Branching { check_nobody_stuck(&system, &reached) } else { Ok(()) }
}

/// Checks that in each of these states, which no step leaves, every process is at an end or takes a step in something that
/// can follow: steps are gone back from where it does.
fn check_nobody_stuck(system: &System, reached: &HashSet<Box<[u64]>>) -> Result<(), CertificateError> {
    let numbers: HashMap<&[u64], usize> = reached.iter().zip(0..).map(|(state, i)| (&**state, i)).collect();
    // By state, those one step before it; by process, those in which it takes a step or is at an end.
    let (mut before, mut free) = (vec![Vec::new(); reached.len()], vec![Vec::new(); system.processes().len()]);
    let mut next = system.initial_state();
    for (state, &i) in &numbers {
        system.process_ids().filter(|p| system.may_stop(*p, state)).for_each(|p| free[p.index()].push(i));
        for t in system.enabled(state).flatten() {
            system.fire(t, state, &mut next).map_err(CertificateError::Fault)?;
            before[numbers[&*next]].push(i);
            system.transition(t).moves.iter().for_each(|m| free[m.process.index()].push(i));
        }
    }
    free.into_iter().zip(system.processes()).try_for_each(|(mut open, process)| {
        let mut stuck = vec![true; reached.len()];
        while let Some(i) = open.pop() {
            open.extend(before[i].iter().filter(|_| stuck[i]));
            stuck[i] = false;
        }
        ensure(!stuck.contains(&true), || format!("in one of its states `{}` is stuck for good", process.name))
    })
}

/// Checks that the set has every reachable state, that no step is a model error, and what else is asked of these states,
/// which are returned.
pub(crate) fn check_reachable(
    system: &System,
    set: &ClosedSet,
    check: impl Fn(&[u64]) -> Result<(), CertificateError>,
) -> Result<HashSet<Box<[u64]>>, CertificateError> {
    let initial = system.initial_state();
    let mut unvisited: HashSet<Box<[u64]>> = HashSet::with_capacity(set.states.len());
    let known = set.all(&initial, |state| _ = unvisited.insert(state.into()));
    ensure(known.is_some(), || NO_STATE.to_owned())?;
    let mut visited: HashSet<Box<[u64]>> = HashSet::with_capacity(unvisited.len());
    let meet = |state: &[u64]| match unvisited.take(state) {
        Some(state) => Ok(visited.insert(state)),
        None if visited.contains(state) => Ok(false),
        None => wrong(LEAVES),
    };
    visit(system, &initial, meet, |state, step| match step {
        None => check(state),
        Some(step) => step.map(drop).map_err(CertificateError::Fault),
    })?;
    Ok(visited)
}

/// The processes that take a step in something that can follow a state; an error if a step there is a model error.
pub(crate) fn movers(system: &System, start: &[u64], budget: &Budget) -> Result<Vec<ProcessId>, ReplayError> {
    /// What a visited state takes besides its words.
    const VISITED: usize = 64;
    let (mut moves, mut met) = (vec![false; system.processes().len()], HashSet::<Box<[u64]>>::new());
    let meet = |state: &[u64]| {
        let bytes = met.len() * (VISITED + 16 * state.len());
        budget.check(bytes as u64).map_err(ReplayError::Unfinished)?;
        Ok(met.insert(Box::from(state)))
    };
    visit(system, start, meet, |_, step| {
        let moved = step.transpose().map_err(|_| ReplayError::ShowsNothing(UNREMARKABLE.into()))?;
        let moved = moved.into_iter().flat_map(|t: TransitionId| &system.transition(t).moves);
        moved.for_each(|m| moves[m.process.index()] = true);
        Ok(())
    })?;
    Ok(system.process_ids().filter(|p| moves[p.index()]).collect())
}

/// Visits what can follow a state, each state once: `meet` says whether one is new. `see` is shown every state, and then
/// every step from there.
fn visit<E>(
    system: &System,
    start: &[u64],
    mut meet: impl FnMut(&[u64]) -> Result<bool, E>,
    mut see: impl FnMut(&[u64], Option<Result<TransitionId, Fault>>) -> Result<(), E>,
) -> Result<(), E> {
    let (mut open, mut next) = (Vec::new(), start.to_vec());
    if meet(start)? {
        open.push(Box::from(start));
    }
    while let Some(state) = open.pop() {
        see(&state, None)?;
        for step in system.enabled(&state) {
            let fired = step.map_err(|(_, fault)| fault);
            let fired = fired.and_then(|t| system.fire(t, &state, &mut next).map(|()| t));
            see(&state, Some(fired))?;
            if meet(&next)? {
                open.push(Box::from(&*next));
            }
        }
    }
    Ok(())
}
