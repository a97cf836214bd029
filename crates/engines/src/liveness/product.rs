//! The product of a system and an automaton, with what fairness adds to it.
//!
//! A node is a state of the system and the state of the automaton *after* it has read that position, so that the step
//! that led there need not be remembered. A step to a state in which somebody has control is no position: the automaton
//! stays where it is. If it would accept the last position, repeated for ever, it may also guess that control is kept, and
//! go to a place of its own: there all is well as long as nobody gives control away. Marks tell what a cycle has done:
//! which acceptance sets it met, and which fairness sets it was fair to.

use std::cell::RefCell;
use std::collections::HashMap;

use automata::Automaton;
use automata::automaton::{State as Place, Word};
use model::{Fairness, Fault, State, Strength, System, TransitionId};

use super::letters::Letters;

/// What a step has done for acceptance and fairness.
pub(super) type Marks = u128;

/// The most that there is room for.
pub(super) const MOST_MARKS: usize = Marks::BITS as usize;

/// The step of a run that has ended: its last position once more.
pub(super) const STAY: TransitionId = TransitionId(u32::MAX);

/// What there is to be read in a state that was reached.
#[derive(Clone, Copy)]
pub(super) enum Reading {
    /// It is a position, with this letter.
    Position(u64),
    /// Somebody took control where this was the letter, but for the step that led there.
    Taken(u64),
    /// Somebody keeps control.
    Kept,
}

pub(super) struct Product<'a> {
    pub(super) system: &'a System,
    pub(super) automaton: &'a Automaton,
    letters: Letters<'a>,
    /// By transition, the fairness sets that it is in.
    fair: Vec<Marks>,
    /// The marks of weak and of strong fairness.
    weak: Marks,
    strong: Marks,
    /// The mark of every edge, if the automaton has no acceptance sets: who reads nothing any more does not accept.
    position: Marks,
    /// Whether runs count that have a last position.
    finite: bool,
    /// By letter, whether the automaton accepts it for ever, by where it is.
    for_ever: RefCell<HashMap<u64, Vec<bool>>>,
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
        Self { system, automaton, letters, fair, weak, strong, position, finite, for_ever: RefCell::default() }
    }

    /// The number of places: those of the automaton, and the last.
    pub(super) fn places(&self) -> usize {
        self.automaton.size() + 1
    }

    /// Where the automaton is that guessed that control is kept.
    fn guessed(&self) -> Place {
        Place(self.automaton.size() as u32)
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
        self.accepting() | self.weak
    }

    /// Whether some fairness is strong.
    pub(super) fn is_strong(&self) -> bool {
        self.strong != 0
    }

    /// The fairness sets that have a transition enabled in a node, as far as anybody asks there: not while somebody has
    /// control, unless it is kept for ever.
    pub(super) fn offered(&self, node: &[u64], enabled: &[TransitionId]) -> Marks {
        let (state, place) = self.parts(node);
        match self.weak | self.strong {
            0 => 0,
            _ if place != self.guessed() && self.system.control(state).is_some() => self.weak,
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

    /// Whether a run that ends where nothing is enabled counts.
    pub(super) fn may_stay(&self) -> bool {
        self.finite
    }

    /// Writes the state that a step leads to into the node `next`; what is read there.
    pub(super) fn fire(&self, t: TransitionId, state: &State, next: &mut [u64]) -> Result<Reading, Fault> {
        let next = &mut next[..self.system.words()];
        if t == STAY {
            next.copy_from_slice(state);
            return self.letters.read(next, None).map(Reading::Position);
        }
        self.system.fire(t, state, next)?;
        match (self.system.control(next), self.system.control(state)) {
            (None, _) => self.letters.read(next, Some(t)).map(Reading::Position),
            (Some(_), None) => self.letters.read(state, None).map(Reading::Taken),
            (Some(_), Some(_)) => Ok(Reading::Kept),
        }
    }

    /// What is read at first.
    pub(super) fn read_first(&self, initial: &State) -> Result<Reading, Fault> {
        self.letters.read(initial, None).map(Reading::Position)
    }

    /// The first edge, from the given number on, that the automaton can take: the number after it, its marks and its
    /// target.
    pub(super) fn edge(&self, place: Place, reading: Reading, first: u32) -> Option<(u32, Marks, Place)> {
        let waits = || (first == 0).then_some((1, 0, place));
        match reading {
            Reading::Position(_) if place == self.guessed() => None,
            Reading::Position(letter) => {
                let edges = self.automaton.from(place).get(first as usize..)?;
                let at = edges.iter().position(|e| e.label.holds(letter))?;
                let edge = &edges[at];
                Some((first + at as u32 + 1, Marks::from(edge.marks.0) | self.position, edge.target))
            }
            Reading::Kept if place == self.guessed() => (first == 0).then_some((1, self.accepting(), place)),
            Reading::Kept => waits(),
            Reading::Taken(letter) => waits()
                .or_else(|| (first == 1 && self.accepts_for_ever(place, letter)).then_some((2, 0, self.guessed()))),
        }
    }

    /// The marks of acceptance.
    fn accepting(&self) -> Marks {
        Marks::from(self.automaton.all_marks().0) | self.position
    }

    /// Whether a run counts, and is accepted, that has its last position here, with this letter.
    fn accepts_for_ever(&self, place: Place, letter: u64) -> bool {
        let word = || Word::new(&[], &[letter]).expect("it has a cycle");
        self.finite
            && self.for_ever.borrow_mut().entry(letter).or_insert_with(|| self.automaton.accepting(&word()))
                [place.index()]
    }
}
