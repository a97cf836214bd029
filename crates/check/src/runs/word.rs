//! The word of a run: where on it the atoms of a property are true.

use automata::Atom;
use automata::lasso::Shape;
use evidence::Trace;
use model::{Fault, Predicate, Proposition, System, TransitionId};

use crate::replay::ReplayError;

/// The truth of atoms at the positions of a run; the last one, if there is a last, is repeated for ever.
pub(crate) struct Word {
    pub(crate) shape: Shape,
    /// Whether there is a last position.
    pub(crate) has_last: bool,
    letters: Vec<Vec<bool>>,
}

impl Word {
    /// The word of a run that was replayed; or, if the run is finite, the fault that an atom is at its end.
    pub(crate) fn of(
        system: &System,
        atoms: &[&Proposition],
        trace: &Trace,
    ) -> Result<Result<Self, Fault>, ReplayError> {
        let all = Letters::new(system, atoms.iter().copied());
        let letter = |taken, state: &[u64]| all.letter(taken, state);
        let (mut letters, mut stem, mut seen): (Vec<Vec<bool>>, usize, Vec<u64>) = Default::default();
        for (step, (taken, state)) in states(system, trace).enumerate() {
            if system.control(&state).is_none() {
                match letter(taken, &state) {
                    Ok(letter) => letters.push(letter),
                    Err(fault) if step == trace.steps() && trace.cycle.is_empty() => return Ok(Err(fault)),
                    Err(_) => return Err(ReplayError::Faulty { step }),
                }
                seen = state;
            }
            if step == trace.stem.len() {
                stem = letters.len();
            }
        }
        let has_last = stem == letters.len();
        if has_last {
            letters.push(letter(None, &seen).expect("it was no fault before"));
        }
        let shape = Shape::new(stem, letters.len() - stem).expect("something repeats");
        Ok(Ok(Self { shape, letters, has_last }))
    }

    /// Whether an atom is true at a position.
    pub(crate) fn holds(&self, atom: Atom, position: usize) -> bool {
        self.letters[position][atom.index()]
    }

    /// The atoms that are true at a position, as a bit set.
    pub(crate) fn valuation(&self, position: usize) -> u64 {
        bit_set(&self.letters[position])
    }
}

fn bit_set(letter: &[bool]) -> u64 {
    letter.iter().take(64).enumerate().fold(0, |set, (i, holds)| set | u64::from(*holds) << i)
}

/// The atoms of a property, ready to be tested.
pub(super) struct Letters<'a> {
    system: &'a System,
    tests: Vec<Test<'a>>,
}

impl<'a> Letters<'a> {
    pub(super) fn new(system: &'a System, atoms: impl Iterator<Item = &'a Proposition>) -> Self {
        Self { system, tests: atoms.map(|p| Test::of(system, p)).collect() }
    }

    fn letter(&self, taken: Option<TransitionId>, state: &[u64]) -> Result<Vec<bool>, Fault> {
        self.tests.iter().map(|t| t.holds(self.system, taken, state)).collect()
    }

    /// The atoms that are true after a step, as a bit set.
    pub(super) fn valuation(&self, taken: Option<TransitionId>, state: &[u64]) -> Result<u64, Fault> {
        self.letter(taken, state).map(|letter| bit_set(&letter))
    }
}

/// The states of a run that was replayed, each with the step that led to it.
pub(crate) fn states<'a>(
    system: &'a System,
    trace: &'a Trace,
) -> impl Iterator<Item = (Option<TransitionId>, Vec<u64>)> + 'a {
    let next = move |(number, _, state): &(usize, Option<TransitionId>, Vec<u64>)| {
        let step = (*number < trace.steps()).then(|| trace.step(*number))?;
        let mut next = state.clone();
        system.fire_in_place(step, &mut next).expect("it fired when the trace was replayed");
        Some((number + 1, Some(step), next))
    };
    std::iter::successors(Some((0, None, system.initial_state())), next).map(|(_, taken, state)| (taken, state))
}

/// A proposition, ready to be tested.
enum Test<'a> {
    State(Predicate),
    Enabled(&'a [TransitionId]),
    Taken(&'a [TransitionId]),
}

impl<'a> Test<'a> {
    fn of(system: &System, proposition: &'a Proposition) -> Self {
        match proposition {
            Proposition::State(e) => Test::State(system.predicate(e)),
            Proposition::Enabled(transitions) => Test::Enabled(transitions),
            Proposition::Taken(transitions) => Test::Taken(transitions),
        }
    }

    fn holds(&self, system: &System, taken: Option<TransitionId>, state: &[u64]) -> Result<bool, Fault> {
        match self {
            Test::State(predicate) => predicate.holds(system, state),
            Test::Enabled(transitions) => Ok(is_one_enabled(system, transitions, state)),
            Test::Taken(transitions) => Ok(taken.is_some_and(|t| transitions.contains(&t))),
        }
    }
}

/// Whether one of the transitions is enabled; one whose guard is a model error is, as a step that somebody would take.
pub(crate) fn is_one_enabled(system: &System, transitions: &[TransitionId], state: &[u64]) -> bool {
    transitions.iter().any(|t| system.is_enabled(*t, state) != Ok(false))
}
