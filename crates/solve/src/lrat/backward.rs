//! The two passes: to the contradiction, and back to what it needs.

use super::clauses::Clauses;
use super::propagation::{Mode, Propagation};
use super::{Elaborated, Step};
use crate::sat::Literal;

/// How many clauses are looked at between two questions whether to stop.
const PATIENCE: usize = 256;

/// A clause that a step uses.
#[derive(Clone, Copy, Debug)]
enum Hint {
    Clause(usize),
    /// The step that says that the variable's literal holds for good.
    Unit(usize),
}

#[derive(Debug)]
pub(super) struct Trimmer {
    state: Propagation,
    given: usize,
    /// For the given clauses together and then for each learned clause that was added: where its block of the trail
    /// starts. The last one led to the contradiction.
    blocks: Vec<usize>,
    /// By variable: why its literal holds for good, if that is needed.
    units: Vec<Option<Vec<Hint>>>,
    wanted: Vec<bool>,
    /// By learned clause: why it holds, if it is needed.
    learned: Vec<Vec<Hint>>,
    /// All literals that hold for good when the contradiction is found.
    trail: Vec<Literal>,
    last: Vec<Hint>,
    /// Variables that have been met in the explanation of one step, or need none.
    seen: Vec<bool>,
}

impl Trimmer {
    pub(super) fn new(given: &[Vec<Literal>], learned: &[Vec<Literal>]) -> Self {
        let mut clauses = Clauses::new();
        given.iter().chain(learned).for_each(|clause| clauses.push(clause));
        let variables = clauses.variables();
        Self {
            state: Propagation::new(clauses),
            given: given.len(),
            blocks: Vec::new(),
            units: vec![None; variables],
            wanted: vec![false; variables],
            learned: Vec::new(),
            trail: Vec::new(),
            last: Vec::new(),
            seen: vec![false; variables],
        }
    }

    /// Adds clauses until there is a contradiction.
    pub(super) fn forward(&mut self, stop: &dyn Fn() -> bool) -> Option<()> {
        let given = self.given;
        let mut conflict = self.add(0..given);
        for number in given..self.state.clauses.len() {
            if conflict.is_some() {
                break;
            }
            if number % PATIENCE == 0 && stop() {
                return None;
            }
            conflict = self.add(number..number + 1);
        }
        self.trail = self.state.trail().to_vec();
        self.last = self.follow(conflict?, None);
        Some(())
    }

    /// Adds some clauses; a clause whose literals are false for good, if there is one.
    fn add(&mut self, mut clauses: std::ops::Range<usize>) -> Option<usize> {
        self.blocks.push(self.state.trail().len());
        let refuted = clauses.find(|&clause| !self.state.attach(clause));
        refuted.or_else(|| self.state.propagate(Mode::ForGood))
    }

    /// Takes the learned clauses away again, and finds out why the needed ones hold.
    pub(super) fn backward(&mut self, stop: &dyn Fn() -> bool) -> Option<()> {
        self.learned = vec![Vec::new(); self.blocks.len() - 1];
        for block in (1..self.blocks.len()).rev() {
            if block % PATIENCE == 0 && stop() {
                return None;
            }
            let clause = self.given + block - 1;
            self.explain_units(self.blocks[block]);
            self.state.detach(clause, self.blocks[block]);
            if self.state.is_needed(clause) {
                self.learned[block - 1] = self.explain(clause)?;
            }
        }
        self.explain_units(0);
        Some(())
    }

    /// Why the wanted literals of the last block hold for good.
    fn explain_units(&mut self, start: usize) {
        for position in (start..self.state.trail().len()).rev() {
            let variable = self.state.trail()[position].variable();
            if self.wanted[variable] {
                let reason = self.state.reason(variable).expect("nothing is assumed for good");
                self.units[variable] = Some(self.follow(reason, Some(variable)));
            }
        }
    }

    /// Hints for a clause whose literals, but for a variable, are false for good.
    fn follow(&mut self, clause: usize, but: Option<usize>) -> Vec<Hint> {
        let literals = self.state.clauses.get(clause);
        let others: Vec<usize> = literals.iter().map(|l| l.variable()).filter(|&v| Some(v) != but).collect();
        let mut hints: Vec<Hint> = others.into_iter().map(|variable| self.unit(variable)).collect();
        hints.push(self.clause(clause));
        hints
    }

    /// What says that a literal holds for good.
    fn unit(&mut self, variable: usize) -> Hint {
        let reason = self.state.reason(variable).expect("nothing is assumed for good");
        if self.state.clauses.get(reason).len() == 1 {
            return self.clause(reason);
        }
        self.wanted[variable] = true;
        Hint::Unit(variable)
    }

    fn clause(&mut self, clause: usize) -> Hint {
        self.state.need(clause);
        Hint::Clause(clause)
    }

    /// Why a learned clause follows from those before it; `None` if it does not by unit propagation.
    fn explain(&mut self, clause: usize) -> Option<Vec<Hint>> {
        let literals = self.state.clauses.get(clause).to_vec();
        if let Some(holds) = literals.iter().find(|&&l| self.state.is_true(l)) {
            return Some(vec![self.unit(holds.variable())]);
        }
        let base = self.state.trail().len();
        for &literal in &literals {
            self.seen[literal.variable()] = true;
            if !self.state.is_false(literal) {
                self.state.assume(!literal);
            }
        }
        let conflict = self.state.propagate(Mode::Assumed);
        let hints = conflict.map(|conflict| self.analyse(conflict, base));
        literals.iter().for_each(|l| self.seen[l.variable()] = false);
        self.state.cut(base);
        hints
    }

    /// The hints of a contradiction: what holds for good, then the propagations that matter, in their order.
    fn analyse(&mut self, conflict: usize, base: usize) -> Vec<Hint> {
        let mut found = Vec::new();
        let mut used = vec![conflict];
        self.meet(conflict, &mut found);
        for position in (base..self.state.trail().len()).rev() {
            let variable = self.state.trail()[position].variable();
            if let Some(reason) = self.state.reason(variable).filter(|_| self.seen[variable]) {
                used.push(reason);
                self.meet(reason, &mut found);
            }
        }
        found.iter().for_each(|&variable| self.seen[variable] = false);
        found.retain(|&variable| self.state.position(variable) < base);
        let mut hints: Vec<Hint> = found.into_iter().map(|variable| self.unit(variable)).collect();
        hints.extend(used.into_iter().rev().map(|clause| self.clause(clause)));
        hints
    }

    /// Marks the variables of a clause, and notes those that are met for the first time.
    fn meet(&mut self, clause: usize, found: &mut Vec<usize>) {
        for literal in self.state.clauses.get(clause) {
            let variable = literal.variable();
            if !std::mem::replace(&mut self.seen[variable], true) {
                found.push(variable);
            }
        }
    }

    /// The proof in its order: after each clause, what holds for good with it.
    pub(super) fn elaborated(self) -> Elaborated {
        let used: Vec<usize> = (0..self.given).filter(|&clause| self.state.is_needed(clause)).collect();
        let mut writer = Writer {
            clauses: vec![0; self.given + self.learned.len()],
            units: vec![0; self.units.len()],
            number: used.len(),
            steps: Vec::new(),
        };
        used.iter().enumerate().for_each(|(number, &clause)| writer.clauses[clause] = number);
        for block in 0..self.blocks.len() {
            if block > 0 && self.state.is_needed(self.given + block - 1) {
                let clause = self.given + block - 1;
                writer.clauses[clause] = writer.step(self.state.clauses.get(clause).to_vec(), &self.learned[block - 1]);
            }
            let end = self.blocks.get(block + 1).copied().unwrap_or(self.trail.len());
            for &literal in &self.trail[self.blocks[block]..end] {
                if let Some(hints) = &self.units[literal.variable()] {
                    writer.units[literal.variable()] = writer.step(vec![literal], hints);
                }
            }
        }
        writer.step(Vec::new(), &self.last);
        Elaborated { used, steps: writer.steps }
    }
}

/// Numbers the steps.
struct Writer {
    /// By clause, and by variable that holds for good or whose negation does: the number in the proof.
    clauses: Vec<usize>,
    units: Vec<usize>,
    /// The next number.
    number: usize,
    steps: Vec<Step>,
}

impl Writer {
    fn step(&mut self, clause: Vec<Literal>, hints: &[Hint]) -> usize {
        let number = |hint: &Hint| match *hint {
            Hint::Clause(clause) => self.clauses[clause],
            Hint::Unit(variable) => self.units[variable],
        };
        let hints = hints.iter().map(number).collect();
        self.steps.push(Step { clause, hints });
        self.number += 1;
        self.number - 1
    }
}
