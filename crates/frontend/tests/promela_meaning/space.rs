//! The whole state space of a small program, walked step by step.

use std::collections::{BTreeSet, HashSet};

use frontend::promela::elaborate::{Patience, Reading};
use frontend::promela::{Options, reading};
use model::{Fault, System};

/// What the search of a program found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// No state is stuck where it should not be, and there is no error.
    Fine,
    /// A process is stuck where it may not stop.
    Stuck,
    /// A statement has no meaning, or an assertion fails.
    Faulty,
}

/// A state space.
#[derive(Debug, Default)]
pub(crate) struct Space {
    /// The states in which nobody has control.
    pub(crate) states: usize,
    /// Whether a state is stuck where it should not be.
    pub(crate) stuck: bool,
    /// What goes wrong, as it is told.
    pub(crate) faults: BTreeSet<String>,
    /// Whether not all states were seen.
    pub(crate) cut: bool,
}

impl Space {
    /// The answer in a word.
    pub(crate) fn answer(&self) -> Answer {
        match (self.faults.is_empty(), self.stuck) {
            (false, _) => Answer::Faulty,
            (true, true) => Answer::Stuck,
            (true, false) => Answer::Fine,
        }
    }
}

/// Reads a program that includes nothing.
pub(crate) fn read(text: &str, options: &Options) -> Reading {
    let reader = |name: &str| Err(format!("{name} is not there"));
    match reading("test", text, &reader, options, Patience::default()) {
        Ok(reading) => reading,
        Err(diagnostics) => panic!("not read: {diagnostics:?}"),
    }
}

/// All states of a program, up to a limit; the plan is widened where a search meets what it does not foresee.
pub(crate) fn explore(mut reading: Reading, limit: usize) -> Space {
    loop {
        match walk(&reading.loaded().system, limit) {
            Ok(space) => return space,
            Err(number) => reading = reading.widen(number).expect("a wider system can be made"),
        }
    }
}

/// The states, or the number of a step that was not foreseen.
fn walk(system: &System, limit: usize) -> Result<Space, u32> {
    let mut space = Space::default();
    let mut seen = HashSet::from([system.initial_state()]);
    let mut open = vec![system.initial_state()];
    let mut next = system.initial_state();
    while let Some(state) = open.pop() {
        space.states += usize::from(system.control(&state).is_none());
        let mut steps = 0;
        for t in system.enabled(&state) {
            steps += 1;
            match t.map_err(|(_, fault)| fault).and_then(|t| system.fire(t, &state, &mut next)) {
                Err(Fault::Unforeseen(number)) => return Err(number),
                Err(fault) => drop(space.faults.insert(fault.show(system))),
                Ok(()) if seen.len() >= limit => space.cut = true,
                Ok(()) => {
                    if seen.insert(next.clone()) {
                        open.push(next.clone());
                    }
                }
            }
        }
        space.stuck |= steps == 0 && !system.at_end(&state);
    }
    Ok(space)
}

/// Holds the number of states and the answer against SPIN's, whether or not statements are merged.
pub(crate) fn check(text: &str, states: usize, answer: Answer) {
    for merge in [true, false] {
        let space = explore(read(text, &Options { merge, ..Options::default() }), 100_000);
        assert_eq!((space.states, space.answer()), (states, answer), "merge: {merge}, {:?}", space.faults);
    }
}
