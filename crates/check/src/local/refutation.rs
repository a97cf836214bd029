//! The steps of a refutation: each clause follows from its hints by unit propagation in the order given.

use evidence::{LratStep, Refutation, Sign};

use super::clause::{Checker, variable};
use crate::certificate::{CertificateError, ensure};

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
    pub(super) fn refutation(&self, number: usize, refutation: &Refutation) -> Result<(), CertificateError> {
        let ensure = |is_so: bool, why: String| ensure(is_so, || format!("in refutation {number}, {why}"));
        ensure(self.has_goal(refutation.goal), "the goal is an unknown rule".to_owned())?;
        let given = refutation.given.iter().map(|given| given.clause.as_slice());
        let clauses: Vec<&[Sign]> = given.chain(refutation.steps.iter().map(|step| step.clause.as_slice())).collect();
        let is_there = |&sign: &Sign| sign != 0 && sign.unsigned_abs() <= self.sets.len() as u64;
        if let Some(clause) = clauses.iter().position(|clause| !clause.iter().all(is_there)) {
            ensure(false, format!("clause {clause} has an unknown variable"))?;
        }
        for (clause, given) in refutation.given.iter().enumerate() {
            match self.holds(&given.clause, given.why, refutation.goal) {
                Some(true) => {}
                Some(false) => ensure(false, format!("clause {clause} does not hold for its reason"))?,
                None => ensure(false, format!("the reason of clause {clause} is unknown, or is none for this goal"))?,
            }
        }
        let mut assignment = Assignment { signs: vec![0; self.sets.len()], changed: Vec::new() };
        for (step, content) in refutation.steps.iter().enumerate() {
            let followed = assignment.follow(content, &clauses[..refutation.given.len() + step]);
            followed.or_else(|why| ensure(false, format!("step {step} {why}")))?;
        }
        let last = refutation.steps.last().is_some_and(|step| step.clause.is_empty());
        ensure(last, "the last step is not the empty clause".to_owned())
    }
}

impl Assignment {
    /// Checks one step against the clauses before it.
    fn follow(&mut self, step: &LratStep, earlier: &[&[Sign]]) -> Result<(), String> {
        step.clause.iter().for_each(|&sign| self.set(-sign));
        let mut outcome = Err("does not follow from its hints".to_owned());
        for (place, &hint) in step.hints.iter().enumerate() {
            match earlier.get(hint).map(|clause| self.rest(clause)) {
                Some(Rest::Unit(sign)) => self.set(sign),
                Some(Rest::Nothing) if place + 1 == step.hints.len() => outcome = Ok(()),
                Some(Rest::Nothing | Rest::More) => {
                    outcome = Err(format!("has a hint, number {place}, that does not leave one literal"));
                    break;
                }
                None => {
                    outcome = Err("uses a clause that does not come before it".to_owned());
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
