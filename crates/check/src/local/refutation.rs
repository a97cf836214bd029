//! The steps of a refutation: each clause follows from its hints by unit propagation in the order given.

use evidence::{Goal, LratStep, Refutation, Sign};

use super::clause::{Checker, variable};
use super::error::Flaw;

/// Which literals are true: by variable, the sign of the one that is, or zero.
struct Assignment {
    signs: Vec<Sign>,
    changed: Vec<usize>,
}

/// What is left of a clause.
enum Rest {
    Nothing,
    Unit(Sign),
    More,
}

impl Checker<'_> {
    /// Checks that the goal is excluded.
    pub(super) fn refutation(&self, refutation: &Refutation) -> Result<(), Flaw> {
        if !self.has_goal(refutation.goal) {
            return Err(Flaw::Goal);
        }
        let given = refutation.given.iter().map(|given| given.clause.as_slice());
        let clauses: Vec<&[Sign]> = given.chain(refutation.steps.iter().map(|step| step.clause.as_slice())).collect();
        let is_there = |&sign: &Sign| sign != 0 && sign.unsigned_abs() <= self.sets.len() as u64;
        if let Some(number) = clauses.iter().position(|clause| !clause.iter().all(is_there)) {
            return Err(Flaw::Literal(number));
        }
        self.given(refutation, refutation.goal)?;
        let mut assignment = Assignment { signs: vec![0; self.sets.len()], changed: Vec::new() };
        for (number, step) in refutation.steps.iter().enumerate() {
            assignment.follow(number, step, &clauses[..refutation.given.len() + number])?;
        }
        let last = refutation.steps.last().filter(|step| step.clause.is_empty());
        last.map(|_| ()).ok_or(Flaw::NotEmpty)
    }

    fn given(&self, refutation: &Refutation, goal: Goal) -> Result<(), Flaw> {
        for (number, given) in refutation.given.iter().enumerate() {
            match self.holds(&given.clause, given.why, goal) {
                Some(true) => {}
                Some(false) => return Err(Flaw::Given(number)),
                None => return Err(Flaw::Reason(number)),
            }
        }
        Ok(())
    }
}

impl Assignment {
    /// Checks one step against the clauses before it.
    fn follow(&mut self, number: usize, step: &LratStep, earlier: &[&[Sign]]) -> Result<(), Flaw> {
        step.clause.iter().for_each(|&sign| self.set(-sign));
        let mut outcome = Err(Flaw::NoConflict(number));
        for (place, &hint) in step.hints.iter().enumerate() {
            let Some(clause) = earlier.get(hint) else {
                outcome = Err(Flaw::HintRange(number));
                break;
            };
            match self.rest(clause) {
                Rest::Unit(sign) => self.set(sign),
                Rest::Nothing if place + 1 == step.hints.len() => outcome = Ok(()),
                Rest::Nothing | Rest::More => {
                    outcome = Err(Flaw::Hint { step: number, hint: place });
                    break;
                }
            }
        }
        self.changed.drain(..).for_each(|variable| self.signs[variable] = 0);
        outcome
    }

    /// Makes a literal true, also one that was false: of a step that has a literal and its negation, one is dropped.
    fn set(&mut self, sign: Sign) {
        let variable = variable(sign);
        self.signs[variable] = sign;
        self.changed.push(variable);
    }

    fn rest(&self, clause: &[Sign]) -> Rest {
        let mut unit = None;
        for &sign in clause {
            let value = self.signs[variable(sign)];
            if value == sign || (value == 0 && unit.is_some_and(|unit| unit != sign)) {
                return Rest::More;
            }
            if value == 0 {
                unit = Some(sign);
            }
        }
        unit.map_or(Rest::Nothing, Rest::Unit)
    }
}
