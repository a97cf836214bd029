//! Fairness to processes as SPIN has it: who sends in a rendezvous takes the step, and who receives only goes along.

use model::{Fairness, Joining, ProcessId, Strength, System, Transition, TransitionId};

/// One condition for each process that ever takes a step.
pub(super) fn processes(system: &System, strength: Strength) -> Vec<Fairness> {
    let mut own: Vec<Vec<TransitionId>> = vec![Vec::new(); system.processes().len()];
    for t in system.transition_ids() {
        if let Some(process) = taker(system.transition(t)) {
            own[process.index()].push(t);
        }
    }
    let named = system.processes().iter().zip(own).filter(|(_, to)| !to.is_empty());
    named.map(|(process, to)| Fairness { name: process.name.clone(), strength, to: to.into() }).collect()
}

/// Who takes a step.
fn taker(transition: &Transition) -> Option<ProcessId> {
    match transition.joining {
        Joining::Rendezvous { sender, .. } => Some(sender),
        Joining::Run { by } => Some(by),
        Joining::Plain | Joining::Action | Joining::Lost(_) => transition.moves.first().map(|m| m.process),
    }
}
