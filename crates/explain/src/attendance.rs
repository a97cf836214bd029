//! Who is not ready for an action: found out once for all who wait for it.

use std::rc::Rc;

use model::{ActionId, ProcessId};

use crate::crowd::{Crowd, NAMED};
use crate::cycle::Words;
use crate::help::Hope;
use crate::needs::{Analyst, Call, Need};

/// The members of an action that are not ready.
#[derive(Debug)]
pub(crate) struct Attendance {
    /// Those who are told one by one.
    first: Vec<Missing>,
    /// Of the others, those who could still come.
    awaited: Rc<[ProcessId]>,
    /// And those who never can.
    gone: Rc<[ProcessId]>,
}

/// A member that is not ready.
#[derive(Debug)]
pub(crate) struct Missing {
    pub(crate) process: ProcessId,
    /// Whether it has a step with the action at all.
    pub(crate) knows: bool,
    /// Whether it can still come.
    pub(crate) possible: bool,
    /// Why it does not.
    pub(crate) delay: String,
}

impl Attendance {
    fn new(missing: impl Iterator<Item = Missing>) -> Self {
        let (mut first, mut awaited, mut gone) = (Vec::new(), Vec::new(), Vec::new());
        for missing in missing {
            match missing.possible {
                _ if first.len() < NAMED => first.push(missing),
                true => awaited.push(missing.process),
                false => gone.push(missing.process),
            }
        }
        awaited.sort_unstable();
        gone.sort_unstable();
        Self { first, awaited: awaited.into(), gone: gone.into() }
    }
}

impl Analyst<'_, '_> {
    /// What a process lacks if others who know an action are not ready for it.
    pub(crate) fn members(&self, p: ProcessId, action: ActionId) -> Vec<Need> {
        let known = self.attendances.borrow().get(&action).cloned();
        let attendance = known.unwrap_or_else(|| {
            let members = self.system().members(action).iter();
            let found = Rc::new(Attendance::new(members.filter_map(|q| self.missing(*q, action))));
            self.attendances.borrow_mut().insert(action, Rc::clone(&found));
            found
        });
        let others = attendance.first.iter().filter(|missing| missing.process != p);
        let mut needs: Vec<Need> = others.map(|missing| self.member(p, action, missing)).collect();
        let name = self.system().action(action);
        let awaited = Crowd::others(&attendance.awaited, p);
        if !awaited.is_empty() {
            let text = format!("waits for {} more to take part in `{name}`", awaited.len());
            let lacks = vec![self.lack(text.clone(), format!("{} {text}", self.name(p)), None, Some(&awaited))];
            let words = Words::new(&format!("{} waits for ", self.name(p)), &format!(" to take part in `{name}`"));
            let calls = vec![Call { to: awaited, definite: true, each: true, words }];
            needs.push(Need { lacks, calls, sole: None, hope: Hope::Open });
        }
        let gone = Crowd::others(&attendance.gone, p);
        if !gone.is_empty() {
            let text = format!("waits for {} more to take part in `{name}`, who never can", gone.len());
            needs.push(Need::hopeless(vec![self.lack(text.clone(), format!("{} {text}", self.name(p)), None, None)]));
        }
        needs
    }
}
