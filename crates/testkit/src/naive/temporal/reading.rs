//! An automaton that reads the positions of a run.

use automata::Automaton;
use automata::automaton::{Marks, State};

use super::product::Reader;

/// An automaton whose atoms are those of a claim.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a>(pub &'a Automaton);

impl Reader for Reading<'_> {
    /// Where it is after it read a position, and the marks of the edge.
    type Memory = (State, Marks);

    fn start(&self, letter: &[bool]) -> Vec<Self::Memory> {
        self.next(&(self.0.initial, Marks::default()), letter)
    }

    fn next(&self, memory: &Self::Memory, letter: &[bool]) -> Vec<Self::Memory> {
        let valuation = letter.iter().enumerate().map(|(i, holds)| u64::from(*holds) << i).sum();
        let edges = self.0.edges[memory.0.index()].iter().filter(|e| e.label.holds(valuation));
        edges.map(|e| (e.target, e.marks)).collect()
    }

    fn waits(&self, memory: &Self::Memory) -> Self::Memory {
        (memory.0, Marks::default())
    }

    fn sets(&self) -> usize {
        self.0.sets as usize
    }

    fn meets(&self, set: usize, memory: &Self::Memory) -> bool {
        memory.1.has(set as u32)
    }
}
