//! Whose turn it is: who goes on alone, and what is left when nothing else can be done.

use model::{Fault, Hold, Joining, ProcessId, Transition, TransitionId};

use super::{Naive, State, Step};

impl Naive<'_> {
    /// What can be chosen in a state, in order, and whether its guard is a fault.
    pub fn choices(&self, state: &State) -> Vec<Step<()>> {
        if let Some(process) = state.control {
            let mut own = self.own(process, state);
            if self.hold(process, state) == Hold::Step {
                own.truncate(1);
            }
            return own;
        }
        let ordinary = self.possible(state, |t| !t.last_resort);
        if ordinary.is_empty() { self.possible(state, |t| t.last_resort) } else { ordinary }
    }

    /// All that a process can begin by itself.
    pub fn steps_of(&self, process: ProcessId, state: &State) -> Vec<Step<State>> {
        let step = |(id, possible): Step<()>| (id, possible.and_then(|()| self.fire(id, state)));
        self.own(process, state).into_iter().map(step).collect()
    }

    /// Whether a transition is one of these.
    pub fn is_enabled(&self, id: TransitionId, state: &State) -> Result<bool, Fault> {
        match self.choices(state).into_iter().find(|(t, _)| *t == id) {
            None => Ok(false),
            Some((_, fault)) => fault.map(|()| true),
        }
    }

    /// Who goes on alone from a state that a transition led to.
    pub(super) fn heir(&self, transition: &Transition, reached: &State) -> Result<Option<ProcessId>, Fault> {
        let Some(process) = heir(transition) else { return Ok(None) };
        let can_go_on = !self.own(process, reached).is_empty();
        match self.hold(process, reached) {
            Hold::No => Ok(None),
            Hold::Atomic | Hold::Step if can_go_on => Ok(Some(process)),
            Hold::Atomic => Ok(None),
            Hold::Step => Err(Fault::Blocked { process }),
        }
    }

    fn hold(&self, process: ProcessId, state: &State) -> Hold {
        let at = state.locations[process.index()];
        self.system.process(process).locations[at.index()].hold
    }

    /// What a process can begin by itself.
    fn own(&self, process: ProcessId, state: &State) -> Vec<Step<()>> {
        self.possible(state, |t| !t.last_resort && beginner(t) == Some(process))
    }

    fn possible(&self, state: &State, kind: impl Fn(&Transition) -> bool) -> Vec<Step<()>> {
        let mut found = Vec::new();
        for (i, transition) in self.transitions.iter().enumerate().filter(|(_, t)| kind(t)) {
            match self.is_possible(transition, state) {
                Ok(false) => {}
                Ok(true) => found.push((TransitionId::new(i), Ok(()))),
                Err(fault) => found.push((TransitionId::new(i), Err(fault))),
            }
        }
        found
    }
}

/// Who begins a transition: the sender, who runs others, or the first.
fn beginner(t: &Transition) -> Option<ProcessId> {
    match t.joining {
        Joining::Rendezvous { sender, .. } => Some(sender),
        Joining::Run { by } => Some(by),
        Joining::Plain | Joining::Action | Joining::Lost(_) => Some(t.moves.first()?.process),
    }
}

/// Who may go on alone after a transition: who got the message of a rendezvous, else who began.
fn heir(t: &Transition) -> Option<ProcessId> {
    match t.joining {
        Joining::Rendezvous { sender, .. } => t.moves.iter().map(|m| m.process).find(|p| *p != sender),
        _ => beginner(t),
    }
}
