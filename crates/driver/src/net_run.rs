//! A run of a system as a run of the net that the system was made of, or is seen as.

use std::collections::HashMap;

use model::views::{Net, NetTransitionId};
use model::{System, TransitionId};

/// The steps of the net that the steps of a system are; the last may be a model error, which the net marks. If a step
/// cannot happen when its turn comes, its number, from 0.
pub fn net_run(net: &Net, system: &System, steps: &[TransitionId]) -> Result<Vec<NetTransitionId>, usize> {
    let mut pieces: HashMap<TransitionId, Vec<NetTransitionId>> = HashMap::new();
    for t in net.transition_ids() {
        // A system that was made of a net has its transitions, with their numbers.
        pieces.entry(net.transition(t).transition.unwrap_or(TransitionId(t.0))).or_default().push(t);
    }
    let (mut state, mut marking, mut run) = (system.initial_state(), net.initial_marking(), Vec::new());
    for (number, step) in steps.iter().enumerate() {
        let next = after(system, *step, &state, number + 1 == steps.len()).ok_or(number)?;
        let reached = next.as_ref().map_or_else(|| Some(marking.clone()), |next| net.marking_of(system, next));
        let fits = |t: &NetTransitionId| {
            let fired = || net.fire(*t, &marking);
            net.transition(*t).fault == next.is_none()
                && net.is_enabled(*t, &marking)
                && reached.as_ref().is_none_or(|reached| *reached == fired())
        };
        let taken = pieces.get(step).into_iter().flatten().copied().find(fits).ok_or(number)?;
        marking = net.fire(taken, &marking);
        run.push(taken);
        state = next.unwrap_or(state);
    }
    Ok(run)
}

/// The state after a step, or `Some(None)` if the step is a model error and the last one; `None` if it cannot happen.
fn after(system: &System, step: TransitionId, state: &[u64], last: bool) -> Option<Option<Vec<u64>>> {
    let mut next = vec![0; system.words()];
    let fired = match system.is_enabled(step, state) {
        Ok(true) => system.fire(step, state, &mut next),
        Ok(false) => return None,
        Err(fault) => Err(fault),
    };
    match fired {
        Ok(()) => Some(Some(next)),
        Err(_) if last => Some(None),
        Err(_) => None,
    }
}
