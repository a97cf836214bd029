//! Who could remove an obstacle: the dynamic half of "who can change this?".
//!
//! A lock names its holder and a joint step names its partner. For everything else the static writers count that can
//! still get to their write; among them the one whose step made the condition false is preferred, because a variable
//! that is used as a lock is given back by whoever took it.

use check::CheckedTrace;
use model::{Command, Expr, ObjectId, ProcessId, System, Value};

use crate::obstacle::{Obstacle, first_message, matches};
use crate::values::objects_read;
use crate::writers::{Write, Writers};

/// The last state of a run, and what is needed to argue about it.
#[derive(Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) system: &'a System,
    pub(crate) state: &'a [u64],
    pub(crate) writers: Writers<'a>,
    trace: &'a CheckedTrace<'a>,
}

/// How a process came to be the one that is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It holds the lock.
    Holder,
    /// It takes part in the same step.
    Partner,
    /// It made the condition false, in this step, and has a step that could make it true.
    Culprit(usize),
    /// It has a step that could help.
    Writer,
    /// There is somebody with such a step, who can never take it any more.
    NoLonger,
    /// There is no such step in the model.
    Nobody,
}

/// Who could help.
#[derive(Clone, Debug)]
pub(crate) struct Help {
    pub(crate) role: Role,
    pub(crate) processes: Vec<ProcessId>,
}

impl Help {
    /// Whether the edge names a definite culprit rather than everybody who might help.
    pub(crate) fn is_definite(&self) -> bool {
        matches!(self.role, Role::Holder | Role::Partner | Role::Culprit(_))
    }
}

impl<'a> Scene<'a> {
    /// The scene at the end of a trace.
    pub(crate) fn new(trace: &'a CheckedTrace<'a>) -> Self {
        let system = trace.system();
        let state = trace.states().last().expect("a trace has its initial state");
        Self { system, state, writers: Writers::new(system, state), trace }
    }

    /// Who could remove an obstacle of `process`.
    pub(crate) fn help(&self, process: ProcessId, obstacle: &Obstacle<'_>) -> Help {
        match obstacle {
            Obstacle::Elsewhere(m) if self.writers.can_reach(m.process, m.from) => {
                Help { role: Role::Partner, processes: vec![m.process] }
            }
            Obstacle::Elsewhere(_) => Help { role: Role::NoLonger, processes: Vec::new() },
            Obstacle::False(e) => self.by_writing(process, &objects_read(self.system, e, self.state), e),
            Obstacle::Undefined(_, object, needed) => match self.system.value(*object, self.state) {
                Value::Lock(Some(holder)) => Help { role: Role::Holder, processes: vec![holder] },
                _ => self.by_writing(process, &[*object], needed),
            },
            Obstacle::Mismatch(_, channel) => self.by_receiving(process, *channel),
        }
    }

    fn by_writing(&self, process: ProcessId, objects: &[ObjectId], condition: &Expr) -> Help {
        let mut writes: Vec<Write<'_>> = Vec::new();
        for &object in objects {
            let useful = |w: &Write<'_>| self.writers.may_help(*w, object, condition);
            writes.extend(self.writers.of(object).filter(useful));
        }
        let help = self.among(process, &writes);
        let Some((step, culprits)) = self.made_false(condition) else { return help };
        let processes: Vec<ProcessId> = help.processes.iter().copied().filter(|p| culprits.contains(p)).collect();
        if processes.is_empty() { help } else { Help { role: Role::Culprit(step), processes } }
    }

    /// The last step after which the condition was false and before which it was true, and its processes.
    fn made_false(&self, condition: &Expr) -> Option<(usize, Vec<ProcessId>)> {
        let predicate = self.system.predicate(condition);
        let before = self.trace.states().iter().rposition(|s| predicate.holds(self.system, s) == Ok(true))?;
        let t = self.trace.trace().stem.get(before)?;
        Some((before + 1, self.system.transition(*t).moves.iter().map(|m| m.process).collect()))
    }

    /// Somebody else who takes the message that is in the way.
    fn by_receiving(&self, process: ProcessId, channel: ObjectId) -> Help {
        let message = first_message(self.system, channel, self.state).unwrap_or_default();
        let takes =
            |(_, c): &Write<'_>| matches!(c, Command::Receive(_, p) if matches(self.system, p, &message, self.state));
        let writes: Vec<Write<'_>> = self.writers.of(channel).filter(takes).collect();
        self.among(process, &writes)
    }

    /// The processes behind helpful operations that can still happen: others before oneself.
    fn among(&self, process: ProcessId, writes: &[Write<'_>]) -> Help {
        let possible = writes.iter().map(|(t, _)| *t).filter(|t| self.writers.can_happen(t));
        let mut able: Vec<ProcessId> = possible.flat_map(|t| t.moves.iter().map(|m| m.process)).collect();
        able.sort_unstable();
        able.dedup();
        if able.iter().any(|p| *p != process) {
            able.retain(|p| *p != process);
        }
        let role = match (able.is_empty(), writes.is_empty()) {
            (false, _) => Role::Writer,
            (true, false) => Role::NoLonger,
            (true, true) => Role::Nobody,
        };
        Help { role, processes: able }
    }
}
