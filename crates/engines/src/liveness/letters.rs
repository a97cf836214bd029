//! What an automaton reads: the truth values of its atoms at a position.

use model::{Fault, Predicate, Proposition, State, System, TransitionId};

/// The atoms of an automaton, ready to be evaluated.
pub(super) struct Letters<'a> {
    system: &'a System,
    atoms: Vec<Atom<'a>>,
}

enum Atom<'a> {
    State(Predicate),
    Enabled(&'a [TransitionId]),
    /// By transition, whether it counts.
    Taken(Vec<bool>),
}

impl<'a> Letters<'a> {
    pub(super) fn new(system: &'a System, propositions: &[&'a Proposition]) -> Self {
        let atom = |p: &&'a Proposition| match p {
            Proposition::State(e) => Atom::State(system.predicate(e)),
            Proposition::Enabled(some) => Atom::Enabled(some),
            Proposition::Taken(some) => {
                let mut taken = vec![false; system.transitions().len()];
                some.iter().for_each(|t| taken[t.index()] = true);
                Atom::Taken(taken)
            }
        };
        Self { system, atoms: propositions.iter().map(atom).collect() }
    }

    /// The bit set of the atoms that are true in a state, to which `last` led.
    pub(super) fn read(&self, state: &State, last: Option<TransitionId>) -> Result<u64, Fault> {
        let mut letter = 0;
        for (bit, atom) in self.atoms.iter().enumerate() {
            letter |= u64::from(self.holds(atom, state, last)?) << bit;
        }
        Ok(letter)
    }

    fn holds(&self, atom: &Atom<'_>, state: &State, last: Option<TransitionId>) -> Result<bool, Fault> {
        match atom {
            Atom::State(predicate) => predicate.holds(self.system, state),
            Atom::Taken(taken) => Ok(last.is_some_and(|t| taken[t.index()])),
            Atom::Enabled(some) => {
                for &t in *some {
                    if self.system.is_enabled(t, state)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }
}
