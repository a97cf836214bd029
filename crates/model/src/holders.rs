//! Who can hold a lock, and whether locations alone tell.
//!
//! A net needs a place for every holder of a lock only because releasing a lock that one does not hold is a fault. If
//! every location of a process says whether the process holds the lock, those places are redundant. A forward pass
//! over the locations decides that: what one process holds no other one can change, so only its own steps matter.

use std::collections::BTreeSet;

use crate::objects::Value;
use crate::{Command, Expr, ObjectId, ProcessId, System, Target, Transition};

/// The transitions of a system by what they concern, so that asking about every lock takes linear time in all.
#[derive(Debug)]
pub(crate) struct LockUses<'a> {
    system: &'a System,
    by_process: Vec<Vec<&'a Transition>>,
    /// By object: the transitions that acquire or release it.
    by_lock: Vec<Vec<&'a Transition>>,
    /// By object: whether a guard asks more about it than whether it is free.
    asked: Vec<bool>,
}

struct Operation<'a> {
    transition: &'a Transition,
    process: ProcessId,
    acquires: bool,
    /// Whether this lock is meant, not one of an array.
    fixed: bool,
}

impl<'a> LockUses<'a> {
    pub(crate) fn new(system: &'a System) -> Self {
        let mut by_process = vec![Vec::new(); system.processes().len()];
        let mut by_lock: Vec<Vec<&Transition>> = vec![Vec::new(); system.objects().len()];
        for transition in system.transitions() {
            transition.moves.iter().for_each(|m| by_process[m.process.index()].push(transition));
            for command in &transition.command {
                if let Command::Acquire(t, _) | Command::Release(t, _) = command {
                    t.objects().for_each(|o| by_lock[o.index()].push(transition));
                }
            }
        }
        Self { system, by_process, by_lock, asked: asked(system) }
    }

    fn operations(&self, lock: ObjectId) -> impl Iterator<Item = Operation<'a>> {
        let mut transitions = self.by_lock[lock.index()].clone();
        transitions.dedup_by(|a, b| std::ptr::eq(*a, *b));
        transitions.into_iter().flat_map(move |transition| {
            let own = move |c: &Command| {
                let (target, process, acquires) = match c {
                    Command::Acquire(t, p) => (t, *p, true),
                    Command::Release(t, p) => (t, *p, false),
                    _ => return None,
                };
                let fixed = target.index.is_none();
                target.objects().any(|o| o == lock).then_some(Operation { transition, process, acquires, fixed })
            };
            transition.command.iter().filter_map(own)
        })
    }

    /// The processes that may hold the lock, the first holder included.
    pub(crate) fn holders(&self, lock: ObjectId) -> BTreeSet<ProcessId> {
        let mut holders: BTreeSet<ProcessId> =
            self.operations(lock).filter(|o| o.acquires).map(|o| o.process).collect();
        if let Value::Lock(Some(p)) = self.system.object(lock).initial {
            holders.insert(p);
        }
        holders
    }

    /// Whether no release can be a fault and no guard asks more than whether the lock is free: one place is enough.
    pub(crate) fn free_place_suffices(&self, lock: ObjectId) -> bool {
        !self.asked[lock.index()] && self.releases_are_lawful(lock)
    }

    /// Whether no release of the lock can be a fault.
    pub(crate) fn releases_are_lawful(&self, lock: ObjectId) -> bool {
        let known = |o: &Operation<'_>| o.fixed && o.transition.part(o.process).is_some();
        let users: BTreeSet<ProcessId> = self.operations(lock).map(|o| o.process).collect();
        self.operations(lock).all(|o| known(&o)) && users.into_iter().all(|p| self.locations_tell(lock, p))
    }

    /// Whether, at each location that steps can lead to, the process always or never holds the lock, and releases it only
    /// where it does.
    fn locations_tell(&self, lock: ObjectId, process: ProcessId) -> bool {
        let system = self.system;
        let start = system.process(process).initial;
        let mut holds = vec![None; system.process(process).locations.len()];
        holds[start.index()] = Some(system.object(lock).initial == Value::Lock(Some(process)));
        let mut open = vec![start];
        while let Some(location) = open.pop() {
            for t in &self.by_process[process.index()] {
                let Some(m) = t.part(process).filter(|m| m.from == location) else { continue };
                let before = holds[location.index()].expect("a location is open once it is known");
                let after = match after(t, lock, process, before) {
                    After::Disabled => continue,
                    After::Fault => return false,
                    After::Holds(after) => after,
                };
                match holds[m.to.index()] {
                    None => {
                        holds[m.to.index()] = Some(after);
                        open.push(m.to);
                    }
                    Some(known) if known != after => return false,
                    Some(_) => {}
                }
            }
        }
        true
    }
}

/// By object, whether a guard asks more than whether it is free.
fn asked(system: &System) -> Vec<bool> {
    let mut asked = vec![false; system.objects().len()];
    let plain = |e: &&Expr| matches!(e, Expr::Free(t) if t.index.is_none());
    for e in system.transitions().iter().flat_map(|t| &t.guard).filter(|e| !plain(e)) {
        e.walk(&mut |e| e.target().into_iter().flat_map(Target::objects).for_each(|o| asked[o.index()] = true));
    }
    asked
}

enum After {
    Disabled,
    Fault,
    Holds(bool),
}

fn after(t: &Transition, lock: ObjectId, process: ProcessId, mut holds: bool) -> After {
    for c in &t.command {
        match c {
            Command::Acquire(target, p) if target.first == lock && *p == process => {
                if holds {
                    return After::Disabled;
                }
                holds = true;
            }
            Command::Release(target, p) if target.first == lock && *p == process => {
                if !holds {
                    return After::Fault;
                }
                holds = false;
            }
            _ => {}
        }
    }
    After::Holds(holds)
}
