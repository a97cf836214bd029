//! Truth values of all subformulas at a position: those that a position admits, and those that can follow each other.

use model::Ltl;

use super::product::Reader;

/// The subformulas of a formula, parts before wholes.
#[derive(Clone, Debug)]
pub struct Tableau {
    parts: Vec<Part>,
}

/// A subformula; its parts by number. Atoms are numbered from left to right.
#[derive(Clone, Copy, Debug)]
enum Part {
    Atom(usize),
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    Next(usize),
    Always(usize),
    Eventually(usize),
    Until(usize, usize),
    Release(usize, usize),
}

/// The set of the subformulas that are true.
type Truth = Vec<bool>;

impl Tableau {
    /// The tableau of a formula.
    pub fn new(formula: &Ltl) -> Self {
        let mut tableau = Self { parts: Vec::new() };
        tableau.add(formula, &mut 0);
        tableau
    }

    fn add(&mut self, formula: &Ltl, atoms: &mut usize) -> usize {
        let mut of = |a: &Ltl| self.add(a, atoms);
        let part = match formula {
            Ltl::Not(a) => Part::Not(of(a)),
            Ltl::And(a, b) => Part::And(of(a), of(b)),
            Ltl::Or(a, b) => Part::Or(of(a), of(b)),
            Ltl::Next(a) => Part::Next(of(a)),
            Ltl::Always(a) => Part::Always(of(a)),
            Ltl::Eventually(a) => Part::Eventually(of(a)),
            Ltl::Until(a, b) => Part::Until(of(a), of(b)),
            Ltl::Release(a, b) => Part::Release(of(a), of(b)),
            Ltl::Atom(_) => {
                *atoms += 1;
                Part::Atom(*atoms - 1)
            }
        };
        self.parts.push(part);
        self.parts.len() - 1
    }

    /// All that can be true where these atoms are: what depends on the future may be either.
    fn truths(&self, letter: &[bool]) -> Vec<Truth> {
        let mut all: Vec<Truth> = vec![Vec::new()];
        for part in &self.parts {
            let values = |truth: &Truth| match *part {
                Part::Atom(i) => vec![letter[i]],
                Part::Not(a) => vec![!truth[a]],
                Part::And(a, b) => vec![truth[a] && truth[b]],
                Part::Or(a, b) => vec![truth[a] || truth[b]],
                _ => vec![false, true],
            };
            all = all.iter().flat_map(|t| values(t).into_iter().map(|v| [&t[..], &[v]].concat())).collect();
        }
        all
    }

    /// Whether the second can be true at the position after the first.
    fn agree(&self, now: &Truth, then: &Truth) -> bool {
        self.parts.iter().enumerate().all(|(i, part)| match *part {
            Part::Next(a) => now[i] == then[a],
            Part::Always(a) => now[i] == (now[a] && then[i]),
            Part::Eventually(a) => now[i] == (now[a] || then[i]),
            Part::Until(a, b) => now[i] == (now[b] || (now[a] && then[i])),
            Part::Release(a, b) => now[i] == (now[b] && (now[a] || then[i])),
            Part::Atom(_) | Part::Not(_) | Part::And(..) | Part::Or(..) => true,
        })
    }
}

impl Reader for Tableau {
    type Memory = Truth;

    fn start(&self, letter: &[bool]) -> Vec<Truth> {
        self.truths(letter).into_iter().filter(|t| !t[t.len() - 1]).collect()
    }

    fn next(&self, memory: &Truth, letter: &[bool]) -> Vec<Truth> {
        self.truths(letter).into_iter().filter(|then| self.agree(memory, then)).collect()
    }

    fn waits(&self, memory: &Truth) -> Truth {
        memory.clone()
    }

    fn sets(&self) -> usize {
        self.parts.len()
    }

    /// Nothing is put off for ever: what must come, or, if it need not be so always, what must fail.
    fn meets(&self, set: usize, truth: &Truth) -> bool {
        match self.parts[set] {
            Part::Eventually(b) | Part::Until(_, b) => truth[b] || !truth[set],
            Part::Always(b) | Part::Release(_, b) => !truth[b] || truth[set],
            _ => true,
        }
    }
}
