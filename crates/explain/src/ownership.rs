//! Whose operation it is: in a joint step every process answers for its own part only.

use model::{Command, Edge, Joining, ObjectId, ProcessId, System, Transition, TransitionId};

use crate::obstacle::is_rendezvous;
use crate::writers::written;

/// An operation of a transition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Write<'a> {
    id: TransitionId,
    pub(crate) transition: &'a Transition,
    position: usize,
}

impl<'a> Write<'a> {
    pub(crate) fn new(system: &'a System, id: TransitionId, position: usize) -> Self {
        Self { id, transition: system.transition(id), position }
    }

    pub(crate) fn command(&self) -> &'a Command {
        &self.transition.command[self.position]
    }

    /// The processes that perform the operation: the one whose part it is, or all if the step was given as a whole.
    pub(crate) fn owners(&self, system: &System) -> Vec<ProcessId> {
        let moves = || self.transition.moves.iter().map(|m| m.process);
        let named = match self.command() {
            Command::Acquire(_, p) | Command::Release(_, p) => Some(*p),
            _ => owner(system, self.id, self.position),
        };
        named.filter(|p| moves().any(|m| m == *p)).map_or_else(|| moves().collect(), |p| vec![p])
    }
}

/// The process whose part an operation of a joint step is.
fn owner(system: &System, id: TransitionId, position: usize) -> Option<ProcessId> {
    let t = system.transition(id);
    let ends = |e: &Edge| match t.joining {
        Joining::Rendezvous { .. } => e.command.len() - 1,
        _ => e.command.len(),
    };
    let mut parts: Vec<(ProcessId, usize, bool)> =
        system.parts(id).map(|e| (e.process, ends(e), e.command.iter().any(|c| receives(system, c)))).collect();
    let mut before = t.command.len().checked_sub(parts.iter().map(|p| p.1).sum())?;
    if let Joining::Rendezvous { .. } = t.joining {
        parts.sort_by_key(|p| p.2);
        // First the message is handed over, into the receiver's variables.
        if position < before {
            return parts.last().map(|p| p.0);
        }
    }
    parts.into_iter().find_map(|(process, length, _)| {
        before += length;
        (position < before).then_some(process)
    })
}

fn receives(system: &System, command: &Command) -> bool {
    matches!(command, Command::Receive(t, _) if is_rendezvous(system, t))
}

/// The processes whose parts of a transition may write one of these objects.
pub(crate) fn writing_processes(system: &System, id: TransitionId, objects: &[ObjectId]) -> Vec<ProcessId> {
    let writes = |e: &&Edge| e.command.iter().flat_map(written).any(|o| objects.contains(&o));
    if system.parts(id).next().is_none() {
        return system.transition(id).moves.iter().map(|m| m.process).collect();
    }
    system.parts(id).filter(writes).map(|e| e.process).collect()
}
