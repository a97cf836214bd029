//! The product of a system and an automaton, with what fairness adds to it.
//!
//! A node is a state of the system and the state of the automaton *after* it has read that position, so that the step
//! that led there need not be remembered. A step to a state in which somebody has control is no position: the automaton
//! stays where it is. Marks tell what a cycle has done: which acceptance sets it met, and which fairness sets it was
//! fair to.

use automata::Automaton;
use automata::automaton::State as Place;
use model::{Fairness, Fault, State, Strength, System, TransitionId};

use super::letters::Letters;

/// What a step has done for acceptance and fairness.
pub(super) type Marks = u128;

/// The most that there is room for.
pub(super) const MOST_MARKS: usize = Marks::BITS as usize;

/// The step of a run that has ended: its last position once more.
pub(super) const STAY: TransitionId = TransitionId(u32::MAX);

pub(super) struct Product<'a> {
    pub(super) system: &'a System,
    pub(super) automaton: &'a Automaton,
    letters: Letters<'a>,
    /// By transition, the fairness sets that it is in.
    fair: Vec<Marks>,
    /// The marks of weak and of strong fairness.
    weak: Marks,
    strong: Marks,
    /// The mark of every edge, if the automaton has no acceptance sets: a run that has only finitely many positions is
    /// not accepted.
    position: Marks,
    /// Whether runs that end count.
    finite: bool,
}

impl<'a> Product<'a> {
    pub(super) fn new(
        system: &'a System,
        automaton: &'a Automaton,
        letters: Letters<'a>,
        fairness: &[Fairness],
        finite: bool,
    ) -> Self {
        let mut fair = vec![0; system.transitions().len()];
        let (mut weak, mut strong) = (0, 0);
        for (bit, fairness) in (automaton.sets.max(1)..).zip(fairness) {
            let mark = 1 << bit;
            fairness.to.iter().for_each(|t| fair[t.index()] |= mark);
            match fairness.strength {
                Strength::Weak => weak |= mark,
                Strength::Strong => strong |= mark,
            }
        }
        let position = Marks::from(automaton.sets == 0);
        Self { system, automaton, letters, fair, weak, strong, position, finite }
    }

    /// The number of words of a node.
    pub(super) fn words(&self) -> usize {
        self.system.words() + 1
    }

    /// The parts of a node.
    pub(super) fn parts<'n>(&self, node: &'n [u64]) -> (&'n State, Place) {
        let (state, place) = node.split_at(self.system.words());
        (state, Place(place[0] as u32))
    }

    pub(super) fn state<'n>(&self, node: &'n [u64]) -> &'n State {
        self.parts(node).0
    }

    pub(super) fn set_place(&self, node: &mut [u64], place: Place) {
        node[self.system.words()] = u64::from(place.0);
    }

    /// What every cycle that counts must have done.
    pub(super) fn required(&self) -> Marks {
        Marks::from(self.automaton.all_marks().0) | self.position | self.weak
    }

    /// Whether some fairness is strong.
    pub(super) fn is_strong(&self) -> bool {
        self.strong != 0
    }

    /// The fairness sets that have a transition enabled in a state, as far as anybody asks there: not while somebody
    /// has control.
    pub(super) fn offered(&self, state: &State, enabled: &[TransitionId]) -> Marks {
        match self.weak | self.strong {
            0 => 0,
            _ if self.system.control(state).is_some() => self.weak,
            _ => enabled.iter().fold(0, |all, t| all | self.fair[t.index()]),
        }
    }

    /// What a cycle must have done as well if it passes states in which these sets are offered.
    pub(super) fn owed(&self, offered: Marks) -> Marks {
        offered & self.strong
    }

    /// What a step from a state in which these sets are offered does for fairness.
    pub(super) fn fairness_of(&self, t: TransitionId, offered: Marks) -> Marks {
        let taken = if t == STAY { 0 } else { self.fair[t.index()] };
        taken | (self.weak & !offered)
    }

    /// Everything that is enabled in a state, or the first transition whose guard is a model error.
    pub(super) fn list(&self, state: &State, steps: &mut Vec<TransitionId>) -> Result<(), (TransitionId, Fault)> {
        steps.clear();
        for candidate in self.system.enabled(state) {
            steps.push(candidate?);
        }
        Ok(())
    }

    /// Whether a run may end in a state in which nothing is enabled, and does count.
    pub(super) fn may_stay(&self) -> bool {
        self.finite
    }

    /// Writes the state that a step leads to into the node `next`; what is read there, unless somebody has control.
    pub(super) fn fire(&self, t: TransitionId, state: &State, next: &mut [u64]) -> Result<Option<u64>, Fault> {
        let next = &mut next[..self.system.words()];
        if t == STAY {
            next.copy_from_slice(state);
            return self.letters.read(next, None).map(Some);
        }
        self.system.fire(t, state, next)?;
        self.read(next, Some(t))
    }

    /// What is read in a state, unless somebody has control.
    pub(super) fn read(&self, state: &State, last: Option<TransitionId>) -> Result<Option<u64>, Fault> {
        match self.system.control(state) {
            Some(_) => Ok(None),
            None => self.letters.read(state, last).map(Some),
        }
    }

    /// The first edge, from the given number on, that the automaton can take: the number after it, its marks and its
    /// target.
    pub(super) fn edge(&self, place: Place, letter: Option<u64>, first: u32) -> Option<(u32, Marks, Place)> {
        let Some(letter) = letter else { return (first == 0).then_some((1, 0, place)) };
        let edges = self.automaton.from(place).get(first as usize..)?;
        let at = edges.iter().position(|e| e.label.holds(letter))?;
        let edge = &edges[at];
        Some((first + at as u32 + 1, Marks::from(edge.marks.0) | self.position, edge.target))
    }
}
