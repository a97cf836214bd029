//! Persistent sets that are selected one state at a time reach every deadlock: the state spaces that the page draws meet the
//! naive oracle on all tiny systems and on random ones.

use std::collections::HashSet;

use engines::persistent::Selection;
use model::{Property, System, TransitionId};
use testkit::naive::{self, Naive, decide};
use testkit::random::{Profile, sample};
use testkit::{describe, tiny};

const LIMIT: usize = 600;

/// The number of deadlocks that are reached by what is selected; nothing if a step is a model error.
fn deadlocks(system: &System, mut select: impl FnMut(&[u64], &[TransitionId]) -> Vec<TransitionId>) -> Option<usize> {
    let mut states = vec![system.initial_state()];
    let mut seen: HashSet<Vec<u64>> = states.iter().cloned().collect();
    let (mut at, mut found) = (0, 0);
    while at < states.len() {
        let state = states[at].clone();
        let enabled = system.enabled(&state).collect::<Result<Vec<_>, _>>().ok()?;
        found += usize::from(enabled.is_empty() && !system.at_end(&state));
        for t in select(&state, &enabled) {
            let mut next = vec![0; system.words()];
            system.fire(t, &state, &mut next).ok()?;
            if seen.insert(next.clone()) {
                states.push(next);
            }
        }
        at += 1;
    }
    Some(found)
}

/// Compares with the oracle; whether the system was lawful and small enough for that.
fn agrees(system: &System, planted: bool) -> Option<bool> {
    let model = Naive::new(system);
    let graph = naive::explore(&model, LIMIT)?;
    if !system.is_lawful() {
        return None;
    }
    let answer = decide(&model, &graph, &Property::DeadlockFree);
    let mut selection = Selection::new(system);
    let reached = deadlocks(system, |state, enabled| {
        let mut chosen = selection.of(state, enabled);
        // The bug: one of several is forgotten.
        if planted && chosen.len() > 1 {
            chosen.remove(0);
        }
        chosen
    })?;
    Some(reached == answer.deadlocks)
}

fn systems() -> impl Iterator<Item = System> {
    let random = (0..600).map(|seed| sample(seed, &Profile::lawful()).system);
    tiny::all(3).step_by(7).chain(random)
}

#[test]
fn what_is_selected_reaches_every_deadlock() {
    let mut compared = 0;
    for system in systems() {
        match agrees(&system, false) {
            Some(agrees) => assert!(agrees, "{}", describe(&system)),
            None => continue,
        }
        compared += 1;
    }
    assert!(compared > 500, "{compared} systems were compared");
}

#[test]
fn a_selection_that_forgets_a_transition_is_noticed() {
    assert!(systems().any(|system| agrees(&system, true) == Some(false)));
}
