//! Unit propagation with two watched literals a clause.

use std::collections::HashMap;

use evidence::Sign;

/// Clauses, and what follows from them by unit propagation.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    clauses: Vec<Vec<Sign>>,
    watchers: HashMap<Sign, Vec<usize>>,
    /// Clauses of one literal, or none.
    short: Vec<Vec<Sign>>,
}

/// Literals that are true.
#[derive(Default)]
struct Trail {
    order: Vec<Sign>,
    is_true: std::collections::HashSet<Sign>,
}

impl Trail {
    /// Makes a literal true; false if it is false already.
    fn push(&mut self, literal: Sign) -> bool {
        if self.is_true.contains(&-literal) {
            return false;
        }
        if self.is_true.insert(literal) {
            self.order.push(literal);
        }
        true
    }
}

impl Clauses {
    pub(super) fn add(&mut self, clause: &[Sign]) {
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        clause.dedup();
        if clause.len() < 2 {
            self.short.push(clause);
            return;
        }
        for &literal in &clause[..2] {
            self.watchers.entry(literal).or_default().push(self.clauses.len());
        }
        self.clauses.push(clause);
    }

    /// Whether the negation of a clause leads to a contradiction.
    pub(super) fn implies(&mut self, clause: &[Sign]) -> bool {
        let mut trail = Trail::default();
        for short in &self.short {
            match short[..] {
                [literal] if trail.push(literal) => {}
                _ => return true,
            }
        }
        if !clause.iter().all(|&literal| trail.push(-literal)) {
            return true;
        }
        let mut next = 0;
        while next < trail.order.len() {
            let literal = trail.order[next];
            next += 1;
            if !self.propagate(-literal, &mut trail) {
                return true;
            }
        }
        false
    }

    /// Visits the clauses that watch a literal that became false; false on a contradiction.
    fn propagate(&mut self, falsified: Sign, trail: &mut Trail) -> bool {
        let watching = self.watchers.remove(&falsified).unwrap_or_default();
        let mut stay = Vec::with_capacity(watching.len());
        let mut consistent = true;
        for number in watching {
            if !consistent {
                stay.push(number);
                continue;
            }
            let clause = &mut self.clauses[number];
            if clause[0] == falsified {
                clause.swap(0, 1);
            }
            let other = clause[0];
            let free = (2..clause.len()).find(|&i| !trail.is_true.contains(&-clause[i]));
            match free {
                Some(i) if !trail.is_true.contains(&other) => {
                    clause.swap(1, i);
                    let watched = clause[1];
                    self.watchers.entry(watched).or_default().push(number);
                }
                _ => {
                    stay.push(number);
                    consistent = trail.push(other);
                }
            }
        }
        self.watchers.insert(falsified, stay);
        consistent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_travel() {
        let mut clauses = Clauses::default();
        [&[1, 2][..], &[-2, 3], &[-3, -1]].into_iter().for_each(|clause| clauses.add(clause));
        assert!(clauses.implies(&[-1, -2]) && clauses.implies(&[2, -3]));
        assert!(!clauses.implies(&[-1, 2]) && !clauses.implies(&[1]));
        clauses.add(&[-2]);
        assert!(clauses.implies(&[1]) && !clauses.implies(&[]));
        clauses.add(&[-1]);
        assert!(clauses.implies(&[]));
    }
}
