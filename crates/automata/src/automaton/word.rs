//! Ultimately periodic words, and whether an automaton accepts them.

use super::{Automaton, Edge, State};
use crate::lasso::Shape;

/// A word that repeats its cycle for ever: valuations as bit sets of true atoms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    shape: Shape,
    letters: Vec<u64>,
}

impl Word {
    /// A word of a stem and a cycle, which must not be empty.
    pub fn new(stem: &[u64], cycle: &[u64]) -> Option<Self> {
        let shape = Shape::new(stem.len(), cycle.len())?;
        Some(Self { shape, letters: [stem, cycle].concat() })
    }

    /// Its shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The valuation at a position.
    pub fn letter(&self, position: usize) -> u64 {
        self.letters[position]
    }
}

impl Automaton {
    /// Whether some run over the word is accepting.
    pub fn accepts(&self, word: &Word) -> bool {
        self.accepting(word)[self.initial.index()]
    }

    /// For every state, whether some run over the word from there is accepting: whether an accepting component of the
    /// product of states and positions can be reached.
    pub fn accepting(&self, word: &Word) -> Vec<bool> {
        let positions = word.shape.positions();
        let pair = |state: State, position: usize| State((state.index() * positions + position) as u32);
        let mut edges = Vec::with_capacity(self.size() * positions);
        for state in self.states() {
            for position in 0..positions {
                let taken = self.from(state).iter().filter(|e| e.label.holds(word.letter(position)));
                let next = word.shape.successor(position);
                edges.push(taken.map(|e| Edge { label: (), marks: e.marks, target: pair(e.target, next) }).collect());
            }
        }
        let runs = Automaton { atoms: self.atoms, sets: self.sets, initial: pair(self.initial, 0), edges };
        let useful = runs.useful();
        self.states().map(|state| useful[pair(state, 0).index()]).collect()
    }
}
