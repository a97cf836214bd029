//! Whether a run that goes round a cycle for ever is fair.
//!
//! What happens again and again on such a run is what happens on its cycle, and what is so from some state on is so in
//! all states of the cycle.

use evidence::Trace;
use model::{Fairness, Strength, System};

use super::word::{is_one_enabled, states};
use crate::replay::{ReplayError, nothing};

/// Whether a run, which was replayed and has a cycle, is fair in all these ways.
pub(crate) fn fair(system: &System, ways: &[Fairness], trace: &Trace) -> Result<(), ReplayError> {
    let round: Vec<Vec<u64>> = match ways {
        [] => Vec::new(),
        _ => asked(
            system,
            states(system, trace, trace.steps()).skip(trace.stem.len() + 1).map(|(_, state)| state).collect(),
        ),
    };
    match ways.iter().find(|way| !is_fair(system, way, trace, &round)) {
        None => Ok(()),
        Some(way) => nothing(format!("the run is not fair to `{}`", way.name)),
    }
}

/// The states of a round in which it is asked what is enabled: the positions, or all if there are none.
fn asked(system: &System, round: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
    let is_position = |state: &Vec<u64>| system.control(state).is_none();
    match round.iter().any(is_position) {
        true => round.into_iter().filter(is_position).collect(),
        false => round,
    }
}

fn is_fair(system: &System, way: &Fairness, trace: &Trace, round: &[Vec<u64>]) -> bool {
    let mut enabled = round.iter().map(|state| is_one_enabled(system, &way.to, state));
    let owed = match way.strength {
        Strength::Weak => enabled.all(|e| e),
        Strength::Strong => enabled.any(|e| e),
    };
    !owed || trace.cycle.iter().any(|t| way.to.contains(t))
}
