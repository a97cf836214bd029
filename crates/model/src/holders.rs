//! Who can hold a lock, and whether locations alone tell.
//!
//! A net needs a place for every holder of a lock only because releasing a lock that one does not hold is a fault. If
//! every location of a process says whether the process holds the lock, those places are redundant. A forward pass
//! over the locations decides that: what one process holds no other one can change, so only its own steps matter.

use std::collections::BTreeSet;

use crate::objects::Value;
use crate::{Command, Expr, ObjectId, ProcessId, System, Transition};

/// The processes that may hold the lock, the first holder included.
pub(crate) fn holders(system: &System, lock: ObjectId) -> BTreeSet<ProcessId> {
    let mut holders: BTreeSet<ProcessId> = operations(system, lock).filter(|o| o.acquires).map(|o| o.process).collect();
    if let Value::Lock(Some(p)) = system.object(lock).initial {
        holders.insert(p);
    }
    holders
}

/// Whether no release can be a fault and no guard asks more than whether the lock is free: one place is enough.
pub(crate) fn free_place_suffices(system: &System, lock: ObjectId) -> bool {
    let users: BTreeSet<ProcessId> = operations(system, lock).map(|o| o.process).collect();
    let active = operations(system, lock).all(|o| o.transition.part(o.process).is_some());
    active && only_free_is_asked(system, lock) && users.into_iter().all(|p| locations_tell(system, lock, p))
}

struct Operation<'a> {
    transition: &'a Transition,
    process: ProcessId,
    acquires: bool,
}

fn operations(system: &System, lock: ObjectId) -> impl Iterator<Item = Operation<'_>> {
    let own = move |c: &Command| match c {
        Command::Acquire(t, p) if t.objects().any(|o| o == lock) => Some((*p, true)),
        Command::Release(t, p) if t.objects().any(|o| o == lock) => Some((*p, false)),
        _ => None,
    };
    system.transitions().iter().flat_map(move |transition| {
        let operation = move |(process, acquires)| Operation { transition, process, acquires };
        transition.command.iter().filter_map(own).map(operation)
    })
}

fn only_free_is_asked(system: &System, lock: ObjectId) -> bool {
    let plain = |e: &Expr| {
        let mut asks = false;
        e.walk(&mut |e| asks |= e.target().is_some_and(|t| t.objects().any(|o| o == lock)));
        !asks || matches!(e, Expr::Free(t) if t.index.is_none())
    };
    system.transitions().iter().flat_map(|t| &t.guard).all(plain)
}

/// Whether no release of the lock can be a fault.
pub(crate) fn releases_are_lawful(system: &System, lock: ObjectId) -> bool {
    let fixed = system.transitions().iter().flat_map(|t| &t.command).all(|c| match c {
        Command::Acquire(t, _) | Command::Release(t, _) => t.index.is_none() || t.objects().all(|o| o != lock),
        _ => true,
    });
    let users: BTreeSet<ProcessId> = operations(system, lock).map(|o| o.process).collect();
    let active = operations(system, lock).all(|o| o.transition.part(o.process).is_some());
    fixed && active && users.into_iter().all(|p| locations_tell(system, lock, p))
}

/// Whether, at each location that steps can lead to, the process always or never holds the lock, and releases it only
/// where it does.
fn locations_tell(system: &System, lock: ObjectId, process: ProcessId) -> bool {
    let steps: Vec<&Transition> = system.transitions().iter().filter(|t| t.part(process).is_some()).collect();
    let start = system.process(process).initial;
    let mut holds = vec![None; system.process(process).locations.len()];
    holds[start.index()] = Some(system.object(lock).initial == Value::Lock(Some(process)));
    let mut open = vec![start];
    while let Some(location) = open.pop() {
        for t in &steps {
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
