//! A plain walk through all states of a system: what goes wrong on the way, and how many states there are.
//!
//! No engine takes part, so that what is compared with SPIN is the meaning of the program alone.

use std::collections::HashSet;

use automata::automaton::{Marks, State as Place};
use model::{Acceptor, Expr, Fault, Proposition, State, System};

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
    /// Whether the condition is false somewhere.
    pub(crate) broken: bool,
    /// The first other model error.
    pub(crate) other: Option<String>,
    /// The first step that the reader did not foresee.
    pub(crate) unforeseen: Option<u32>,
}

/// Walks through at most so many states, in all of which a condition should hold.
pub(crate) fn walk(system: &System, condition: &Expr, limit: usize) -> Walk {
    let condition = system.predicate(condition);
    let mut walk = Walk { complete: true, ..Walk::default() };
    let initial = system.initial_state();
    let mut seen = HashSet::from([initial.clone()]);
    let mut open = vec![initial];
    while let Some(state) = open.pop() {
        if seen.len() > limit {
            return Walk { complete: false, ..walk };
        }
        walk.states += u64::from(system.control(&state).is_none());
        walk.broken |= condition.holds(system, &state) != Ok(true);
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

/// Whether a claim comes to its end within so many states, stuttering where the system has stopped; nothing if they do
/// not suffice, or if the reader did not foresee a step.
pub(crate) fn ends(system: &System, claim: &Acceptor, limit: usize) -> Option<bool> {
    let is_end = |q: Place| {
        claim.automaton.from(q).iter().any(|e| e.target == q && e.label.is_always() && e.marks != Marks::default())
    };
    let mut seen = HashSet::new();
    let mut open = Vec::new();
    let mut reach = |open: &mut Vec<(Vec<u64>, Place)>, state: &State, from: Place| {
        for place in follow(system, claim, from, state) {
            let reached = (state.to_vec(), place);
            if seen.insert(reached.clone()) {
                open.push(reached);
            }
        }
        seen.len()
    };
    reach(&mut open, &system.initial_state(), claim.automaton.initial);
    while let Some((state, at)) = open.pop() {
        if is_end(at) {
            return Some(true);
        }
        let (mut next, mut stuck) = (state.clone(), true);
        for enabled in system.enabled(&state) {
            stuck = false;
            let fired = enabled.map_err(|(_, fault)| fault).and_then(|t| system.fire(t, &state, &mut next));
            match fired {
                Ok(()) if reach(&mut open, &next, at) > limit => return None,
                Err(Fault::Unforeseen(_)) => return None,
                Ok(()) | Err(_) => {}
            }
        }
        if stuck {
            reach(&mut open, &state, at);
        }
    }
    Some(false)
}

/// Where a claim can go on a state.
fn follow(system: &System, claim: &Acceptor, at: Place, state: &State) -> Vec<Place> {
    if system.control(state).is_some() {
        return vec![at];
    }
    let holds = |atom: &Proposition| match atom {
        Proposition::State(e) => system.predicate(e).holds(system, state) == Ok(true),
        // Whether somebody waits for a timeout that comes now.
        Proposition::Enabled(steps) => system.enabled(state).any(|t| t.is_ok_and(|t| steps.contains(&t))),
        Proposition::Taken(_) => panic!("claims do not look at steps"),
    };
    let letter = claim.atoms.iter().enumerate().fold(0, |all, (i, atom)| all | u64::from(holds(atom)) << i);
    claim.automaton.from(at).iter().filter(|e| e.label.holds(letter)).map(|e| e.target).collect()
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
