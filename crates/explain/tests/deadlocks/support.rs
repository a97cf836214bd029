//! Finding deadlocks, and saying little to build a system.

use check::replay;
use evidence::Trace;
use explain::text::{self, Limits};
use explain::{Conclusion, Deadlock, SourceText, explain};
use model::{Builder, LocationId, ProcessId, Property, System, TransitionId};

/// More states than this are not searched.
const STATES: usize = 500;

/// The first deadlock met, by the plainest of searches, explained.
pub(crate) fn deadlock_of(system: &System) -> (Deadlock, String) {
    let path = path_to_deadlock(system).expect("the system has a deadlock");
    let (deadlock, text, _) = explained(system, path);
    (deadlock, text)
}

/// The deadlock at the end of a path, as data and as text, and its state.
pub(crate) fn explained(system: &System, path: Vec<TransitionId>) -> (Deadlock, String, Vec<u64>) {
    let trace = Trace::finite(path);
    let checked = replay(system, &Property::DeadlockFree, &trace).expect("the trace is right");
    let explanation = explain(&checked, &Property::DeadlockFree, &SourceText::new("model", ""));
    let text = text::explanation(&explanation, Limits::SHORT);
    let state = checked.last().to_vec();
    match explanation.conclusion {
        Conclusion::Deadlock(d) => (d, text, state),
        other => panic!("a deadlock was found, not {other:?}"),
    }
}

/// The shortest way to a deadlock, on which nothing that could happen instead is a model error.
pub(crate) fn path_to_deadlock(system: &System) -> Option<Vec<TransitionId>> {
    let mut seen = vec![(system.initial_state(), Vec::new())];
    let mut at = 0;
    while let Some((state, path)) = seen.get(at).cloned().filter(|_| seen.len() < STATES) {
        at += 1;
        let Ok(enabled) = system.enabled(&state).collect::<Result<Vec<TransitionId>, _>>() else { continue };
        if enabled.is_empty() && !system.at_end(&state) {
            return Some(path);
        }
        for t in enabled {
            let mut next = vec![0; system.words()];
            if system.fire(t, &state, &mut next).is_ok() && !seen.iter().any(|(s, _)| *s == next) {
                let path = path.iter().copied().chain([t]).collect();
                seen.push((next, path));
            }
        }
    }
    None
}

pub(crate) fn process(b: &mut Builder, name: &str, locations: &[&str]) -> (ProcessId, Vec<LocationId>) {
    let p = b.process(name);
    (p, locations.iter().map(|l| b.location(p, *l)).collect())
}

pub(crate) fn cycle(d: &Deadlock) -> Vec<&str> {
    d.cycle.iter().map(|l| l.text.as_str()).collect()
}

/// What is said about a process: the reasons of all its steps.
pub(crate) fn reasons(d: &Deadlock, process: usize) -> Vec<String> {
    let blockers = d.processes[process].waits.iter().flat_map(|w| &w.blockers);
    blockers.map(|b| b.advice.as_ref().map_or(b.text.clone(), |a| format!("{} ({a})", b.text))).collect()
}
