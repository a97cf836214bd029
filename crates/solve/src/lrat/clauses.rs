//! Clauses one after the other in memory, without repeated literals.

use std::ops::Range;

use crate::sat::Literal;

/// A sequence of clauses.
#[derive(Debug)]
pub(super) struct Clauses {
    literals: Vec<Literal>,
    starts: Vec<usize>,
}

impl Clauses {
    pub(super) fn new() -> Self {
        Self { literals: Vec::new(), starts: vec![0] }
    }

    pub(super) fn push(&mut self, clause: &[Literal]) {
        let start = self.literals.len();
        self.literals.extend_from_slice(clause);
        self.literals[start..].sort_unstable();
        let mut kept = start;
        for i in start..self.literals.len() {
            if i == start || self.literals[i] != self.literals[kept - 1] {
                self.literals[kept] = self.literals[i];
                kept += 1;
            }
        }
        self.literals.truncate(kept);
        self.starts.push(kept);
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn range(&self, clause: usize) -> Range<usize> {
        self.starts[clause]..self.starts[clause + 1]
    }

    pub(super) fn get(&self, clause: usize) -> &[Literal] {
        &self.literals[self.range(clause)]
    }

    pub(super) fn get_mut(&mut self, clause: usize) -> &mut [Literal] {
        let range = self.range(clause);
        &mut self.literals[range]
    }

    /// One more than the greatest variable.
    pub(super) fn variables(&self) -> usize {
        self.literals.iter().map(|l| l.variable() + 1).max().unwrap_or(0)
    }

    /// Whether a clause whose literals are still in order has a variable and its negation.
    pub(super) fn is_tautology(&self, clause: usize) -> bool {
        self.get(clause).windows(2).any(|pair| pair[0] == !pair[1])
    }
}
