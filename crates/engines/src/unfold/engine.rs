//! Unfoldings as an engine for systems: those that can be seen as nets.

use std::time::Instant;

use evidence::{Budget, Evidence, Exhausted, Outcome, Progress, Reason, Statistics, Trace, Verdict};
use model::nets::{AskedNet, Goal};
use model::{Property, System};

use super::{Sizes, Unfolding};
use crate::net::{Board, Finding, Settled, Task};
use crate::{Engine, Problem, at_a_glance};

impl Engine for Unfolding {
    fn name(&self) -> &'static str {
        "unfold"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        at_a_glance(|budget| Questions::new(problem.system, &[problem.property], budget))
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let outcomes = self.run_all(problem.system, &[problem.property], budget, progress);
        outcomes.into_iter().next().expect("one question has one answer")
    }

    fn run_all(&self, system: &System, properties: &[&Property], budget: &Budget, _: &dyn Progress) -> Vec<Outcome> {
        let start = Instant::now();
        let questions = match Questions::new(system, properties, budget) {
            Ok(questions) => questions,
            Err(why) => return vec![Outcome::unknown(budget.spent_or(Reason::Unsupported(why))); properties.len()],
        };
        let (board, findings) = Board::new(questions.goals.len());
        let task = Task { net: &questions.asked.net, goals: &questions.goals, board: &board, budget };
        let mut settled: Vec<Option<Finding>> = vec![None; questions.goals.len()];
        let (sizes, ended) = self.settle_and(&task, &mut || {
            findings.try_iter().for_each(|Settled { goal, finding, .. }| settled[goal] = Some(finding));
            // Errors matter to those that are not answered by a run.
            if settled[..properties.len()].iter().all(|f| matches!(f, Some(Finding::Reached(_)))) {
                board.close(properties.len());
            }
        });
        let statistics = sizes.statistics(start);
        let reason = ended.err().unwrap_or(Reason::Cancelled);
        let answers = (0..properties.len()).map(|i| questions.verdict(properties[i], i, &settled, &reason));
        answers.map(|verdict| Outcome::new(verdict, statistics)).collect()
    }
}

impl Sizes {
    /// As a report has them.
    pub fn statistics(&self, start: Instant) -> Statistics {
        Statistics {
            events: Some(self.events as u64),
            conditions: Some(self.conditions as u64),
            cutoffs: Some(self.cutoffs as u64),
            reduced: Some(self.complete),
            seconds: start.elapsed().as_secs_f64(),
            peak_bytes: self.bytes,
            ..Statistics::default()
        }
    }
}

/// What is asked of a net instead of a system: the goals of the properties, and then that of model errors.
pub(super) struct Questions {
    pub(super) asked: AskedNet,
    goals: Vec<Goal>,
}

impl Questions {
    pub(super) fn new(system: &System, properties: &[&Property], budget: &Budget) -> Result<Self, String> {
        let asked = AskedNet::unless(system, properties, &|| budget.check(0).is_err()).map_err(|e| e.message)?;
        let goals = asked.goals.iter().cloned().chain([asked.error()]).collect();
        Ok(Self { asked, goals })
    }

    fn verdict(&self, property: &Property, i: usize, settled: &[Option<Finding>], reason: &Reason) -> Verdict {
        let wished = matches!(property, Property::Reachable(_));
        let complete = Evidence::Exhausted(Exhausted::CompletePrefix);
        let (asked, error) = (settled[i].as_ref(), settled[settled.len() - 1].as_ref());
        match (asked, error) {
            (Some(Finding::Reached(run)), _) if wished => {
                Verdict::Holds(Evidence::Run(Trace::finite(self.asked.steps(run))))
            }
            // Where nothing but errors can happen, no net sees anything: that is an error, and no deadlock.
            (Some(Finding::Reached(run)), _) => {
                let error = self.asked.error_after(run).filter(|_| matches!(property, Property::DeadlockFree));
                Verdict::Violated(Evidence::Run(Trace::finite(error.unwrap_or_else(|| self.asked.steps(run)))))
            }
            (None, _) if wished => Verdict::Unknown(reason.clone()),
            (_, Some(Finding::Reached(run))) => {
                let steps = self.asked.error_after(run).expect("an error was reached");
                Verdict::Violated(Evidence::Run(Trace::finite(steps)))
            }
            (None, _) | (_, None) => Verdict::Unknown(reason.clone()),
            _ if wished => Verdict::Violated(complete),
            _ => Verdict::Holds(complete),
        }
    }
}
