//! The word of a run: where on it the atoms of a property are true.

use automata::Atom;
use automata::lasso::Shape;
use evidence::Trace;
use model::{Fault, Predicate, Proposition, System, TransitionId};

use crate::replay::{ReplayError, nothing};

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
        for (step, (taken, state)) in states(system, trace, trace.steps()).enumerate() {
            if system.control(&state).is_none() {
                match letter(taken, &state) {
                    Ok(letter) => letters.push(letter),
                    Err(fault) if step == trace.steps() && trace.cycle.is_empty() => return Ok(Err(fault)),
                    Err(_) => {
                        let what = "what the property speaks of is a model error, but the run goes on";
                        return nothing(format!("after step {step} {what}"));
                    }
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

/// The atoms of a property, those that are predicates ready to be tested.
pub(super) struct Letters<'a> {
    system: &'a System,
    atoms: Vec<(&'a Proposition, Option<Predicate>)>,
}

impl<'a> Letters<'a> {
    pub(super) fn new(system: &'a System, atoms: impl Iterator<Item = &'a Proposition>) -> Self {
        let ready = |p: &'a Proposition| match p {
            Proposition::State(e) => (p, Some(system.predicate(e))),
            Proposition::Enabled(_) | Proposition::Taken(_) => (p, None),
        };
        Self { system, atoms: atoms.map(ready).collect() }
    }

    fn letter(&self, taken: Option<TransitionId>, state: &[u64]) -> Result<Vec<bool>, Fault> {
        let holds = |(proposition, predicate): &(&Proposition, Option<Predicate>)| match (proposition, predicate) {
            (_, Some(predicate)) => predicate.holds(self.system, state),
            (Proposition::Enabled(transitions), _) => Ok(is_one_enabled(self.system, transitions, state)),
            (Proposition::Taken(transitions), _) => Ok(taken.is_some_and(|t| transitions.contains(&t))),
            (Proposition::State(_), None) => unreachable!("predicates are ready"),
        };
        self.atoms.iter().map(holds).collect()
    }

    /// The atoms that are true after a step, as a bit set.
    pub(super) fn valuation(&self, taken: Option<TransitionId>, state: &[u64]) -> Result<u64, Fault> {
        self.letter(taken, state).map(|letter| bit_set(&letter))
    }
}

/// The states of a run, of which so many steps fired when it was replayed, each with the step that led to it.
pub(crate) fn states<'a>(
    system: &'a System,
    trace: &'a Trace,
    fired: usize,
) -> impl Iterator<Item = (Option<TransitionId>, Vec<u64>)> + 'a {
    let next = move |(number, _, state): &(usize, Option<TransitionId>, Vec<u64>)| {
        let step = (*number < fired).then(|| trace.step(*number))?;
        let mut next = state.clone();
        system.fire_in_place(step, &mut next).expect("it fired when the trace was replayed");
        Some((number + 1, Some(step), next))
    };
    std::iter::successors(Some((0, None, system.initial_state())), next).map(|(_, taken, state)| (taken, state))
}

/// Whether one of the transitions is enabled; one whose guard is a model error is, as a step that somebody would take.
pub(crate) fn is_one_enabled(system: &System, transitions: &[TransitionId], state: &[u64]) -> bool {
    transitions.iter().any(|t| system.is_enabled(*t, state) != Ok(false))
}
