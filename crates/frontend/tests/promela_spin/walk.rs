//! A plain walk through all states of a system: what goes wrong on the way, and how many states there are.
//!
//! No engine takes part, so that what is compared with SPIN is the meaning of the program alone.

use std::collections::HashSet;

use model::{Fault, System};

/// What was met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Walk {
    /// States in which nobody has control: those that SPIN stores.
    pub(crate) states: u64,
    /// Whether there are no others.
    pub(crate) complete: bool,
    /// Whether a state where nothing can happen is no end.
    pub(crate) invalid_end: bool,
    /// Whether an assertion failed.
    pub(crate) assertion: bool,
    /// The first other model error.
    pub(crate) other: Option<String>,
    /// The first step that the reader did not foresee.
    pub(crate) unforeseen: Option<u32>,
}

/// Walks through at most so many states.
pub(crate) fn walk(system: &System, limit: usize) -> Walk {
    let mut walk = Walk { complete: true, ..Walk::default() };
    let initial = system.initial_state();
    let mut seen = HashSet::from([initial.clone()]);
    let mut open = vec![initial];
    while let Some(state) = open.pop() {
        if seen.len() > limit {
            return Walk { complete: false, ..walk };
        }
        walk.states += u64::from(system.control(&state).is_none());
        let mut stuck = true;
        let mut next = state.clone();
        for enabled in system.enabled(&state) {
            stuck = false;
            let fired = enabled.map_err(|(_, fault)| fault).and_then(|t| system.fire(t, &state, &mut next));
            match fired {
                Ok(()) if seen.insert(next.clone()) => open.push(next.clone()),
                Ok(()) => {}
                Err(fault) => walk.note(fault, system),
            }
        }
        walk.invalid_end |= stuck && !system.at_end(&state);
    }
    walk
}

impl Walk {
    fn note(&mut self, fault: Fault, system: &System) {
        match fault {
            // SPIN takes an index outside of its array for a violated assertion.
            Fault::Assertion | Fault::Index { .. } => self.assertion = true,
            Fault::Unforeseen(number) => drop(self.unforeseen.get_or_insert(number)),
            fault => drop(self.other.get_or_insert_with(|| fault.show(system))),
        }
    }
}
