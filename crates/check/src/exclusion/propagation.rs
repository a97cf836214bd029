//! Unit propagation with two watched literals a clause.

use evidence::Sign;

use crate::certificate::{CertificateError, ensure};

/// Clauses, and what follows from them by unit propagation.
#[derive(Debug)]
pub(super) struct Clauses {
    clauses: Vec<Vec<Sign>>,
    /// By literal, the clauses that watch it.
    watchers: Vec<Vec<u32>>,
    /// By literal, whether it is true.
    is_true: Vec<bool>,
    /// The literals that are true, in the order in which they became so.
    trail: Vec<Sign>,
    /// How many of them have been propagated.
    done: usize,
    contradictory: bool,
}

/// The place of a literal in a table.
fn code(literal: Sign) -> usize {
    2 * (literal.unsigned_abs() as usize - 1) + usize::from(literal < 0)
}

impl Clauses {
    pub(super) fn new(variables: usize) -> Self {
        Self {
            clauses: Vec::new(),
            watchers: vec![Vec::new(); 2 * variables],
            is_true: vec![false; 2 * variables],
            trail: Vec::new(),
            done: 0,
            contradictory: false,
        }
    }

    /// Whether the literals of a clause are literals of these variables.
    pub(super) fn has(&self, clause: &[Sign]) -> bool {
        clause.iter().all(|&literal| literal != 0 && literal.unsigned_abs() <= self.is_true.len() as u64 / 2)
    }

    /// Adds a clause, and what follows from it for good.
    pub(super) fn add(&mut self, clause: &[Sign]) {
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        clause.dedup();
        // What is false now is so for good, and what is true makes the clause superfluous.
        if self.contradictory || clause.iter().any(|&literal| self.is_true[code(literal)]) {
            return;
        }
        clause.retain(|&literal| !self.is_true[code(-literal)]);
        match clause[..] {
            [] => self.contradictory = true,
            [literal] => self.contradictory = !(self.push(literal) && self.propagate()),
            [a, b, ..] => {
                let number = self.clauses.len() as u32;
                [a, b].into_iter().for_each(|literal| self.watchers[code(literal)].push(number));
                self.clauses.push(clause);
            }
        }
    }

    /// Adds clauses, called so in messages, each of which follows from those before it.
    pub(super) fn follow(&mut self, what: &str, clauses: &[Vec<Sign>]) -> Result<(), CertificateError> {
        for (number, clause) in clauses.iter().enumerate() {
            ensure(self.implies(clause), || format!("its {what} number {number} does not follow"))?;
            self.add(clause);
        }
        Ok(())
    }

    /// Whether the negation of a clause leads to a contradiction.
    pub(super) fn implies(&mut self, clause: &[Sign]) -> bool {
        if self.contradictory {
            return true;
        }
        let before = self.trail.len();
        let consistent = clause.iter().all(|&literal| self.push(-literal)) && self.propagate();
        for literal in self.trail.drain(before..) {
            self.is_true[code(literal)] = false;
        }
        self.done = before;
        !consistent
    }

    /// Makes a literal true; false if it is false already.
    fn push(&mut self, literal: Sign) -> bool {
        if self.is_true[code(-literal)] {
            return false;
        }
        if !std::mem::replace(&mut self.is_true[code(literal)], true) {
            self.trail.push(literal);
        }
        true
    }

    /// Makes true what follows; false on a contradiction.
    fn propagate(&mut self) -> bool {
        while let Some(&literal) = self.trail.get(self.done) {
            self.done += 1;
            if !self.visit(-literal) {
                return false;
            }
        }
        true
    }

    /// Visits the clauses that watch a literal that became false; false on a contradiction.
    fn visit(&mut self, falsified: Sign) -> bool {
        let mut watching = std::mem::take(&mut self.watchers[code(falsified)]);
        let mut consistent = true;
        watching.retain(|&number| {
            let clause = &mut self.clauses[number as usize];
            if !consistent {
                return true;
            }
            if clause[0] == falsified {
                clause.swap(0, 1);
            }
            let other = clause[0];
            if self.is_true[code(other)] {
                return true;
            }
            if let Some(i) = (2..clause.len()).find(|&i| !self.is_true[code(-clause[i])]) {
                clause.swap(1, i);
                self.watchers[code(clause[1])].push(number);
                return false;
            }
            consistent = !self.is_true[code(-other)];
            if consistent {
                self.is_true[code(other)] = true;
                self.trail.push(other);
            }
            true
        });
        self.watchers[code(falsified)] = watching;
        consistent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_travel() {
        let mut clauses = Clauses::new(3);
        [&[1, 2][..], &[-2, 3], &[-3, -1]].into_iter().for_each(|clause| clauses.add(clause));
        assert!(clauses.implies(&[-1, -2]) && clauses.implies(&[2, -3]));
        assert!(!clauses.implies(&[-1, 2]) && !clauses.implies(&[1]));
        clauses.add(&[-2]);
        assert!(clauses.implies(&[1]) && !clauses.implies(&[]));
        clauses.add(&[-1]);
        assert!(clauses.implies(&[]));
    }

    #[test]
    fn clauses_that_come_late_know_what_is_true() {
        let mut clauses = Clauses::new(4);
        clauses.add(&[1]);
        clauses.add(&[-1, 2, 3]);
        assert!(clauses.implies(&[2, 3]) && !clauses.implies(&[2]) && !clauses.implies(&[3]));
        clauses.add(&[-1, -2]);
        assert!(clauses.implies(&[3]) && clauses.implies(&[4, 3]) && !clauses.implies(&[4]));
        let error = clauses.follow("clause", &[vec![3], vec![4]]).map_err(|e| e.to_string());
        assert_eq!(error, Err("its clause number 1 does not follow".to_owned()));
        assert!(clauses.has(&[4, -4]) && !clauses.has(&[5]) && !clauses.has(&[0]) && !clauses.has(&[Sign::MIN]));
    }
}
