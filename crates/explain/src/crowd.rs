//! Processes that are waited for alike: shared by all who wait, so that thousands who wait for thousands take no more room
//! than all of them together.

use std::rc::Rc;

use model::{ProcessId, System};

/// So many are named; of the others it is said how many there are.
pub(crate) const NAMED: usize = 24;

/// Some processes, in their order, and one who is not meant even if it is among them.
#[derive(Clone, Debug)]
pub(crate) struct Crowd {
    all: Rc<[ProcessId]>,
    except: Option<ProcessId>,
}

impl Crowd {
    /// Those who are given, each once.
    pub(crate) fn new(mut processes: Vec<ProcessId>) -> Self {
        processes.sort_unstable();
        processes.dedup();
        Self { all: processes.into(), except: None }
    }

    /// All of some who are sorted, but one: nobody waits for himself.
    pub(crate) fn others(all: &Rc<[ProcessId]>, but: ProcessId) -> Self {
        Self { all: Rc::clone(all), except: all.binary_search(&but).is_ok().then_some(but) }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = ProcessId> + '_ {
        self.all.iter().copied().filter(|p| Some(*p) != self.except)
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len() - usize::from(self.except.is_some())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn contains(&self, p: ProcessId) -> bool {
        Some(p) != self.except && self.all.binary_search(&p).is_ok()
    }

    /// The only one, if there is just one.
    pub(crate) fn only(&self) -> Option<ProcessId> {
        self.iter().next().filter(|_| self.len() == 1)
    }

    /// What all crowds have in common that are shared, whoever is left out of them.
    pub(crate) fn shared(&self) -> &Rc<[ProcessId]> {
        &self.all
    }

    /// The names of the first, and how many more there are.
    pub(crate) fn names(&self, system: &System) -> (Vec<String>, usize) {
        let named = self.iter().take(NAMED).map(|p| system.process(p).name.clone()).collect();
        (named, self.len().saturating_sub(NAMED))
    }

    /// The names in one line.
    pub(crate) fn listed(&self, system: &System) -> String {
        let (names, more) = self.names(system);
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        names.join(", ") + &rest
    }
}
