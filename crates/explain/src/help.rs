//! Who could remove an obstacle: the dynamic half of "who can change this?".
//!
//! A process never waits for itself, nor for the other parts of a step of its own: what only it can change is a step
//! ruled out, not something to wait for. A lock names its holder. For everything else the static writers count that can
//! still get to their write; among them the one whose step made the condition false is preferred, because a variable
//! that is used as a lock is given back by whoever took it.
//!
//! Thousands may wait for the same: what could help is found out once for all of them (`supply`).

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use check::Walk;
use model::{Command, Expr, Kind, ObjectId, Pattern, ProcessId, Retrieve, System, Value};

use crate::crowd::Crowd;
use crate::obstacle::{Obstacle, in_reach, is_false, matches};
use crate::ownership::{Write, writing_processes};
use crate::path::Path;
use crate::permits::forgotten;
use crate::supply::{Supply, Topic};
use crate::values::objects_read;
use crate::writers::Writers;

/// The last state of a run, and what is needed to argue about it.
#[derive(Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) system: &'a System,
    pub(crate) state: &'a [u64],
    pub(crate) writers: Writers<'a>,
    path: Path<'a>,
    pub(crate) walk: &'a Walk<'a>,
    supplies: RefCell<HashMap<Topic, Rc<Supply<'a>>>>,
    releases: RefCell<HashMap<(ProcessId, ObjectId), bool>>,
    forgotten: RefCell<HashMap<ObjectId, Rc<[usize]>>>,
}

/// How processes came to be the ones that are waited for, or why nobody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It holds the lock.
    Holder,
    /// It holds the lock, and can never come to a step that releases it.
    Keeper,
    /// They made the condition false, in this step, and have a step that could make it true.
    Culprit(usize),
    /// They have a step that could help.
    Writer,
    /// Only transitions that belong to no process could help.
    Unowned,
    /// Only the waiting process itself could.
    Itself,
    /// Others could, but only in a step that the waiting process takes with them from where it is.
    Together,
    /// There is somebody with such a step, who can never take it any more.
    NoLonger,
    /// There is no such step in the model.
    Nobody,
    /// All permits were taken, and those who took them have passed on without giving them back.
    Forgotten,
}

/// What may still become of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Hope {
    /// Others could make it possible.
    Open,
    /// Somebody has what it needs and never gives it back.
    Kept,
    /// Nobody else can make it possible.
    Gone,
}

/// Who could help.
#[derive(Clone, Debug)]
pub(crate) struct Help {
    pub(crate) role: Role,
    /// Those whom the role is about.
    pub(crate) processes: Crowd,
    /// The only process that could help, if there is just one.
    pub(crate) sole: Option<ProcessId>,
    /// The steps that took what was not given back.
    pub(crate) taken: Rc<[usize]>,
}

impl Help {
    pub(crate) fn new(role: Role, processes: Crowd) -> Self {
        let sole = processes.only();
        Self { role, processes, sole, taken: Rc::default() }
    }

    /// Whether it names a definite culprit rather than everybody who might help.
    pub(crate) fn is_definite(&self) -> bool {
        matches!(self.role, Role::Holder | Role::Keeper | Role::Culprit(_))
    }

    pub(crate) fn hope(&self) -> Hope {
        match self.role {
            Role::Holder | Role::Culprit(_) | Role::Writer | Role::Unowned => Hope::Open,
            Role::Keeper => Hope::Kept,
            Role::Itself | Role::Together | Role::NoLonger | Role::Nobody | Role::Forgotten => Hope::Gone,
        }
    }

    /// Those who are waited for, if somebody is.
    pub(crate) fn awaited(&self) -> Option<&Crowd> {
        Some(&self.processes).filter(|who| self.hope() != Hope::Gone && !who.is_empty())
    }
}

impl<'a> Scene<'a> {
    /// The scene at the end of a walk.
    pub(crate) fn new(walk: &'a Walk<'a>) -> Self {
        let system = walk.system();
        let state = walk.last();
        Self {
            system,
            state,
            writers: Writers::new(system, state),
            path: Path::new(walk),
            walk,
            supplies: RefCell::default(),
            releases: RefCell::default(),
            forgotten: RefCell::default(),
        }
    }

    /// Whether a process is there at all.
    pub(crate) fn is_there(&self, p: ProcessId) -> bool {
        self.system.process(p).is_code(self.system.location(p, self.state))
    }

    /// Who could remove an obstacle of `process`.
    pub(crate) fn help(&self, process: ProcessId, obstacle: &Obstacle<'_>) -> Help {
        match obstacle {
            Obstacle::False(e) => self.for_condition(process, e),
            Obstacle::Undefined(Command::Take(..), object, _) if !self.forgotten(*object).is_empty() => {
                Help { taken: self.forgotten(*object), ..Help::new(Role::Forgotten, Crowd::new(Vec::new())) }
            }
            Obstacle::Undefined(_, object, needed) => match self.system.value(*object, self.state) {
                Value::Lock(Some(holder)) => self.by_holder(process, holder, *object),
                _ => self.by_writing(process, &[*object], needed),
            },
            Obstacle::Mismatch(command, channel) => self.for_message(process, command, *channel),
        }
    }

    /// Who could make a condition true for `process`.
    pub(crate) fn for_condition(&self, process: ProcessId, condition: &Expr) -> Help {
        self.by_writing(process, &objects_read(self.system, condition, self.state), condition)
    }

    fn by_holder(&self, process: ProcessId, holder: ProcessId, lock: ObjectId) -> Help {
        let can_release = || self.writers.can_release(holder, lock);
        let able = *self.releases.borrow_mut().entry((holder, lock)).or_insert_with(can_release);
        let role = match (holder == process, able) {
            (true, _) => Role::Itself,
            (false, true) => Role::Holder,
            (false, false) => Role::Keeper,
        };
        Help::new(role, Crowd::new(vec![holder]))
    }

    /// The steps that took the permits of a semaphore that nobody gives back, found out once.
    fn forgotten(&self, object: ObjectId) -> Rc<[usize]> {
        if !matches!(self.system.object(object).kind, Kind::Semaphore { .. }) {
            return Rc::default();
        }
        if let Some(known) = self.forgotten.borrow().get(&object) {
            return Rc::clone(known);
        }
        let found: Rc<[usize]> = forgotten(self.walk, &self.writers, object).unwrap_or_default().into();
        self.forgotten.borrow_mut().insert(object, Rc::clone(&found));
        found
    }

    /// What could help in some matter, found out once.
    fn supply(&self, topic: Topic, find: impl FnOnce() -> Supply<'a>) -> Rc<Supply<'a>> {
        if let Some(known) = self.supplies.borrow().get(&topic) {
            return Rc::clone(known);
        }
        let found = Rc::new(find());
        self.supplies.borrow_mut().insert(topic, Rc::clone(&found));
        found
    }

    fn by_writing(&self, process: ProcessId, objects: &[ObjectId], condition: &Expr) -> Help {
        let supply = self.supply(Topic::Condition(objects.to_vec(), condition.clone()), || {
            let able = |t: &_| self.writers.can_happen(t);
            Supply::new(self.system, self.writers.helping(objects, condition), able)
        });
        let mut help = supply.to(self.system, process, self.state);
        if help.role == Role::Writer
            && let Some((step, culprits)) = supply.culprits(|| self.made_false(condition, objects))
        {
            let able: Vec<ProcessId> = culprits.iter().copied().filter(|p| help.processes.contains(*p)).collect();
            if !able.is_empty() {
                help.role = Role::Culprit(*step);
                help.processes = Crowd::new(able);
            }
        }
        help
    }

    /// The last step after which the condition was false and before which it was true, and the processes behind it.
    fn made_false(&self, condition: &Expr, objects: &[ObjectId]) -> Option<(usize, Vec<ProcessId>)> {
        let predicate = self.system.predicate(condition);
        let holds = |state: &[u64]| predicate.holds(self.system, state) == Ok(true);
        if holds(self.state) {
            return None;
        }
        // Only a step that can change something that the condition asks about can make it false.
        let touching = self.writers.touching(condition);
        let before = self.path.last_left(|t| touching[t.index()], holds)?;
        Some((before + 1, writing_processes(self.system, self.walk.trace().stem[before], objects)))
    }

    /// Somebody else who takes the message that is in the way or brings another one, or who changes what the receive
    /// asks for.
    fn for_message(&self, process: ProcessId, receive: &Command, channel: ObjectId) -> Help {
        let topic = Topic::Message(without_variables(receive), channel);
        let supply = self.supply(topic, || {
            let able = |t: &_| self.writers.can_happen(t);
            Supply::new(self.system, self.bringing(receive, channel), able)
        });
        supply.to(self.system, process, self.state)
    }

    /// The operations that could bring a message that a receive takes.
    fn bringing(&self, receive: &Command, channel: ObjectId) -> Vec<Write<'a>> {
        let anywhere = matches!(receive, Command::Retrieve(_, _, Retrieve { anywhere: true, .. }));
        let messages = in_reach(self.system, receive, channel, self.state);
        let taken = |p: &[Pattern]| messages.iter().any(|m| matches(self.system, p, m, self.state));
        let helps = |w: &Write<'_>| match w.command() {
            Command::Send(..) => anywhere,
            // It may end up before all others.
            Command::Insert(..) => true,
            Command::Receive(_, p) | Command::Retrieve(_, p, Retrieve { keep: false, .. }) => !anywhere && taken(p),
            _ => false,
        };
        let mut writes: Vec<Write<'a>> = self.writers.of(channel).filter(helps).collect();
        for (pattern, value) in messages.iter().flat_map(|m| receive.patterns().iter().zip(m)) {
            if let Pattern::Match(e) = pattern {
                let wanted = e.clone().is(*value);
                let objects = objects_read(self.system, &wanted, self.state);
                if is_false(self.system, &wanted, self.state) {
                    writes.extend(self.writers.helping(&objects, &wanted));
                }
            }
        }
        writes
    }
}

/// The same receive whatever is done with the message: that does not matter for who could bring one.
fn without_variables(receive: &Command) -> Command {
    let anonymous = |patterns: &[Pattern]| {
        patterns.iter().map(|p| if matches!(p, Pattern::Match(_)) { p.clone() } else { Pattern::Ignore }).collect()
    };
    match receive {
        Command::Receive(t, patterns) => Command::Receive(t.clone(), anonymous(patterns)),
        Command::Retrieve(t, patterns, how) => Command::Retrieve(t.clone(), anonymous(patterns), *how),
        other => other.clone(),
    }
}
