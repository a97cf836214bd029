//! What could help in one matter, whoever waits: the operations, and the processes behind them.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use model::{Command, Expr, ObjectId, ProcessId, System, Transition};

use crate::crowd::Crowd;
use crate::help::{Help, Role};
use crate::ownership::Write;

/// What processes wait for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Topic {
    /// That a condition on these objects gets true.
    Condition(Vec<ObjectId>, Expr),
    /// That there is a message in the channel that the receive takes.
    Message(Command, ObjectId),
}

/// The step that made something false, and the processes behind it.
type Deed = (usize, Vec<ProcessId>);

/// The operations that could help.
#[derive(Debug)]
pub(crate) struct Supply<'a> {
    /// Those that can still happen.
    possible: Vec<Write<'a>>,
    /// The processes behind them.
    able: Rc<[ProcessId]>,
    /// Those behind the others, if there are no others than those.
    unable: Rc<[ProcessId]>,
    /// Whether one of them belongs to no process.
    unowned: bool,
    /// For each process the operations of steps in which it takes part.
    parts: HashMap<ProcessId, Vec<usize>>,
    culprits: OnceCell<Option<Deed>>,
}

impl<'a> Supply<'a> {
    /// The supply by some operations, of which those help whose transition can still happen.
    pub(crate) fn new(system: &System, writes: Vec<Write<'a>>, can_happen: impl Fn(&Transition) -> bool) -> Self {
        let (possible, past): (Vec<_>, Vec<_>) = writes.into_iter().partition(|w| can_happen(w.transition));
        let unable = if possible.is_empty() { owners(system, past.iter()) } else { Vec::new() };
        let mut parts: HashMap<ProcessId, Vec<usize>> = HashMap::new();
        for (i, write) in possible.iter().enumerate() {
            write.transition.moves.iter().for_each(|m| parts.entry(m.process).or_default().push(i));
        }
        Self {
            able: owners(system, possible.iter()).into(),
            unable: unable.into(),
            unowned: possible.iter().any(|w| w.transition.moves.is_empty()),
            possible,
            parts,
            culprits: OnceCell::new(),
        }
    }

    /// Who is to blame, found out once.
    pub(crate) fn culprits(&self, find: impl FnOnce() -> Option<Deed>) -> Option<&Deed> {
        self.culprits.get_or_init(find).as_ref()
    }

    /// The help that there is for a process.
    pub(crate) fn to(&self, system: &System, process: ProcessId, state: &[u64]) -> Help {
        let at = system.location(process, state);
        let from_here = |i: &&usize| self.possible[**i].transition.part(process).is_some_and(|m| m.from == at);
        // A step that the process could take from where it is would not be waited for: it would be taken.
        let own: Vec<usize> = self.parts.get(&process).into_iter().flatten().filter(from_here).copied().collect();
        let together = Crowd::others(&owners(system, own.iter().map(|i| &self.possible[*i])).into(), process);
        let able = if together.is_empty() {
            Crowd::others(&self.able, process)
        } else {
            let others = (0..self.possible.len()).filter(|i| own.binary_search(i).is_err());
            Crowd::others(&owners(system, others.map(|i| &self.possible[i])).into(), process)
        };
        if !able.is_empty() {
            let help = Help::new(Role::Writer, able);
            return Help { sole: help.sole.filter(|_| !self.unowned), ..help };
        }
        match (self.unowned, self.possible.is_empty(), self.unable.is_empty()) {
            (true, ..) => Help::new(Role::Unowned, Crowd::new(Vec::new())),
            (false, false, _) if together.is_empty() => Help::new(Role::Itself, together),
            (false, false, _) => Help::new(Role::Together, together),
            (false, true, false) => Help::new(Role::NoLonger, Crowd::others(&self.unable, process)),
            (false, true, true) => Help::new(Role::Nobody, together),
        }
    }
}

/// The processes behind operations, each once.
fn owners<'w, 'a: 'w>(system: &System, writes: impl Iterator<Item = &'w Write<'a>>) -> Vec<ProcessId> {
    let mut owners: Vec<ProcessId> = writes.flat_map(|w| w.owners(system)).collect();
    owners.sort_unstable();
    owners.dedup();
    owners
}
