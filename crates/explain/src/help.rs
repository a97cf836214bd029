//! Who could remove an obstacle: the dynamic half of "who can change this?".
//!
//! A lock names its holder and a joint step names its partner. For everything else the static writers count that can
//! still get to their write; among them the one whose step last changed the value is preferred, because a variable that
//! is used as a lock is given back by whoever took it.

use check::CheckedTrace;
use model::{Command, Expr, ObjectId, ProcessId, System, Transition, Value};

use crate::obstacle::{Obstacle, first_message, matches};
use crate::values::objects_read;
use crate::writers::{Write, Writers};

/// The last state of a run, and what is needed to argue about it.
#[derive(Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) system: &'a System,
    pub(crate) state: &'a [u64],
    pub(crate) writers: Writers<'a>,
    /// Of each object, the step that last changed it (counted from 1) and its processes.
    last: Vec<Option<(usize, Vec<ProcessId>)>>,
}

/// How a process came to be the one that is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It holds the lock.
    Holder,
    /// It takes part in the same step.
    Partner,
    /// It made the condition false, in this step, and has a step that could make it true.
    LastWriter(usize),
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
        matches!(self.role, Role::Holder | Role::Partner | Role::LastWriter(_))
    }
}

impl<'a> Scene<'a> {
    /// The scene at the end of a trace.
    pub(crate) fn new(trace: &'a CheckedTrace<'_>) -> Self {
        let system = trace.system();
        let state = trace.states().last().expect("a trace has its initial state");
        Self { system, state, writers: Writers::new(system, state), last: last_writers(trace) }
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
        let mut help = Help { role: Role::Nobody, processes: Vec::new() };
        for &object in objects {
            let useful = |w: &Write<'_>| self.writers.may_help(*w, object, condition);
            let writes: Vec<Write<'_>> = self.writers.of(object).filter(useful).collect();
            let here = self.among(process, &writes, Some(object));
            help = merge(help, here);
        }
        help
    }

    /// Somebody else who takes the message that is in the way.
    fn by_receiving(&self, process: ProcessId, channel: ObjectId) -> Help {
        let message = first_message(self.system, channel, self.state).unwrap_or_default();
        let takes =
            |(_, c): &Write<'_>| matches!(c, Command::Receive(_, p) if matches(self.system, p, &message, self.state));
        let writes: Vec<Write<'_>> = self.writers.of(channel).filter(takes).collect();
        self.among(process, &writes, None)
    }

    /// The processes behind helpful operations: others before oneself, the last writer before the others.
    fn among(&self, process: ProcessId, writes: &[Write<'_>], object: Option<ObjectId>) -> Help {
        let possible = |t: &&Transition| self.writers.can_happen(t);
        let mut able: Vec<ProcessId> =
            writes.iter().map(|(t, _)| *t).filter(possible).flat_map(|t| t.moves.iter().map(|m| m.process)).collect();
        able.sort_unstable();
        able.dedup();
        if able.iter().any(|p| *p != process) {
            able.retain(|p| *p != process);
        }
        if able.is_empty() {
            let role = if writes.is_empty() { Role::Nobody } else { Role::NoLonger };
            return Help { role, processes: able };
        }
        if let Some((step, who)) = object.and_then(|o| self.last[o.index()].as_ref()) {
            let culprits: Vec<ProcessId> = who.iter().copied().filter(|p| able.contains(p)).collect();
            if !culprits.is_empty() {
                return Help { role: Role::LastWriter(*step), processes: culprits };
            }
        }
        Help { role: Role::Writer, processes: able }
    }
}

/// Help by either of two objects: a definite culprit first, then everybody.
fn merge(a: Help, b: Help) -> Help {
    if a.processes.is_empty() && b.processes.is_empty() {
        return if a.role == Role::NoLonger { a } else { b };
    }
    if b.processes.is_empty() || (a.is_definite() && !b.is_definite()) {
        return a;
    }
    if a.processes.is_empty() || (b.is_definite() && !a.is_definite()) {
        return b;
    }
    let mut processes: Vec<ProcessId> = a.processes.into_iter().chain(b.processes).collect();
    processes.sort_unstable();
    processes.dedup();
    let role = match (a.role, b.role) {
        (Role::LastWriter(x), Role::LastWriter(y)) => Role::LastWriter(x.max(y)),
        (role, _) => role,
    };
    Help { role, processes }
}

fn last_writers(trace: &CheckedTrace<'_>) -> Vec<Option<(usize, Vec<ProcessId>)>> {
    let system = trace.system();
    let mut last = vec![None; system.objects().len()];
    for (i, (pair, t)) in trace.states().windows(2).zip(&trace.trace().stem).enumerate() {
        let who: Vec<ProcessId> = system.transition(*t).moves.iter().map(|m| m.process).collect();
        for object in system.object_ids() {
            if system.value(object, &pair[0]) != system.value(object, &pair[1]) {
                last[object.index()] = Some((i + 1, who.clone()));
            }
        }
    }
    last
}
