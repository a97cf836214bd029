//! Decides whether a set of states shows that nothing that must not be is ever reached.

use std::borrow::Cow;
use std::collections::HashSet;

use evidence::ClosedSet;
use model::{Property, System};

use crate::certificate::CertificateError;
use crate::replay::{Finding, judge};

/// Checks that the set has the initial state and the successors of every state that is reached inside it, and that none
/// of these is what the property speaks of, nor a model error. What else the set has is not looked at: it need not even
/// be states.
pub(crate) fn check_closed_set(system: &System, property: &Property, set: &ClosedSet) -> Result<(), CertificateError> {
    let system = match property {
        Property::Safety(observer) => Cow::Owned(system.observed_by(observer)),
        Property::Temporal(_) | Property::DivergenceFree(_) => return Err(CertificateError::Unsupported),
        Property::DeadlockFree | Property::Invariant(_) | Property::Reachable(_) => Cow::Borrowed(system),
    };
    check_reachable(&system, set, |state| match judge(&system, property, state) {
        Ok(Finding::Fault(fault)) => Err(CertificateError::Fault(fault)),
        Ok(_) => Err(CertificateError::Reached),
        Err(_) => Ok(()),
    })
}

/// Checks that the set has every reachable state, that no step is a model error, and what else is asked of these states.
pub(crate) fn check_reachable(
    system: &System,
    set: &ClosedSet,
    check: impl Fn(&[u64]) -> Result<(), CertificateError>,
) -> Result<(), CertificateError> {
    let initial = system.initial_state();
    let mut unvisited: HashSet<Box<[u64]>> = HashSet::with_capacity(set.states.len());
    let known = set.all(&initial, |state| _ = unvisited.insert(state.into()));
    known.ok_or(CertificateError::NoState)?;
    let mut visited: HashSet<Box<[u64]>> = HashSet::with_capacity(unvisited.len());
    let mut open = Vec::new();
    let mut meet = |state: &[u64], open: &mut Vec<Box<[u64]>>| match unvisited.take(state) {
        Some(state) => {
            visited.insert(state.clone());
            open.push(state);
            Ok(())
        }
        None if visited.contains(state) => Ok(()),
        None => Err(CertificateError::Leaves),
    };
    meet(&initial, &mut open)?;
    let mut next = initial.clone();
    while let Some(state) = open.pop() {
        check(&state)?;
        for step in system.enabled(&state) {
            let fired = step.map_err(|(_, fault)| fault).and_then(|t| system.fire(t, &state, &mut next));
            fired.map_err(CertificateError::Fault)?;
            meet(&next, &mut open)?;
        }
    }
    Ok(())
}
