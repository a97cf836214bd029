//! Fairness to everybody.

use model::{Fairness, Joining, ProcessId, Strength, System, Transition, TransitionId};

/// Fairness to every process: to the steps that it takes part in. Where there are no processes, to every transition.
pub fn to_parties(system: &System, strength: Strength) -> Vec<Fairness> {
    if system.processes().is_empty() {
        let fair = |t| Fairness { name: system.transition(t).name.clone(), strength, to: [t].into() };
        return system.transition_ids().map(fair).collect();
    }
    to_each(system, strength, |transition| transition.moves.iter().map(|m| m.process).collect())
}

/// Fairness to every process as SPIN has it: to the steps that it takes itself. Who sends in a rendezvous takes the step,
/// and who receives only goes along.
pub fn to_takers(system: &System, strength: Strength) -> Vec<Fairness> {
    to_each(system, strength, |transition| taker(transition).into_iter().collect())
}

fn to_each(system: &System, strength: Strength, who: impl Fn(&Transition) -> Vec<ProcessId>) -> Vec<Fairness> {
    let mut own: Vec<Vec<TransitionId>> = vec![Vec::new(); system.processes().len()];
    for t in system.transition_ids() {
        who(system.transition(t)).into_iter().for_each(|p| own[p.index()].push(t));
    }
    let named = system.processes().iter().zip(own).filter(|(_, to)| !to.is_empty());
    named.map(|(process, to)| Fairness { name: process.name.clone(), strength, to: to.into() }).collect()
}

fn taker(transition: &Transition) -> Option<ProcessId> {
    match transition.joining {
        Joining::Rendezvous { sender, .. } => Some(sender),
        Joining::Run { by } => Some(by),
        Joining::Plain | Joining::Action | Joining::Lost(_) => transition.moves.first().map(|m| m.process),
    }
}
