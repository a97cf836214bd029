//! Stubborn unfoldings as an engine for deadlocks of systems that can be seen as nets.

use std::time::Instant;

use evidence::{Budget, Evidence, Exhausted, Outcome, Progress, Reason, Statistics, Trace, Verdict};
use model::Property;
use model::views::{Net, NetTransitionId};

use super::{End, SearchOrder, StubbornPrefix, StubbornUnfolding};
use crate::unfold::engine::Questions;
use crate::{Engine, Problem, at_a_glance};

impl StubbornUnfolding {
    /// Whether there is a deadlock, and what it cost to know; `trace` makes a run of the system out of one of the net.
    pub fn outcome(
        self,
        net: &Net,
        budget: &Budget,
        trace: impl Fn(&[NetTransitionId]) -> Result<Trace, Reason>,
    ) -> Outcome {
        let start = Instant::now();
        let found = match self.run(net, budget) {
            Ok(found) => found,
            Err(reason) => return Outcome::unknown(reason),
        };
        let statistics = found.statistics(self.order, start);
        let deadlocks: Result<Vec<Trace>, Reason> = found.deadlocks.iter().map(|run| trace(run)).collect();
        match (deadlocks, found.end) {
            (Err(reason), _) => Outcome::new(Verdict::Unknown(reason), statistics),
            (Ok(deadlocks), end) => match (deadlocks.first().cloned(), end) {
                (Some(first), end) => {
                    let deadlocks = if end == End::AtDeadlock { Vec::new() } else { deadlocks };
                    Outcome { deadlocks, ..Outcome::new(Verdict::Violated(Evidence::Run(first)), statistics) }
                }
                (None, End::Stopped(reason)) => Outcome::new(Verdict::Unknown(reason), statistics),
                (None, _) => {
                    let searched = Evidence::Exhausted(Exhausted::StubbornUnfolding);
                    Outcome::new(Verdict::Holds(searched), statistics)
                }
            },
        }
    }
}

impl StubbornPrefix {
    /// As a report has them. Without a memory of markings it is not known how many there are.
    pub fn statistics(&self, order: SearchOrder, start: Instant) -> Statistics {
        Statistics {
            states: (order == SearchOrder::Breadth).then_some(self.markings),
            transitions: Some(self.firings),
            deadlocks: Some(self.deadlocks.len() as u64),
            events: Some(self.prefix.events() as u64),
            conditions: Some(self.prefix.conditions() as u64),
            cutoffs: Some(self.prefix.cutoffs() as u64),
            reduced: Some(self.end == End::Complete),
            seconds: start.elapsed().as_secs_f64(),
            peak_bytes: self.bytes,
            ..Statistics::default()
        }
    }
}

/// The questions about deadlocks, if no step is a model error: a run to one may be among those that are left out.
fn questions(problem: &Problem<'_>, budget: &Budget) -> Result<Questions, String> {
    if !matches!(problem.property, Property::DeadlockFree) {
        return Err("stubborn unfoldings find deadlocks, and nothing else".to_owned());
    }
    let questions = Questions::new(problem.system, &[problem.property], budget)?;
    match !questions.asked.errors.is_empty() {
        false => Ok(questions),
        true => Err("a step can be a model error, and a stubborn unfolding may leave it out".to_owned()),
    }
}

impl Engine for StubbornUnfolding {
    fn name(&self) -> &'static str {
        "unfold"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        at_a_glance(|budget| questions(problem, budget))
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, _: &dyn Progress) -> Outcome {
        match questions(problem, budget) {
            Ok(questions) => {
                self.outcome(&questions.asked.net, budget, |run| Ok(Trace::finite(questions.asked.steps(run))))
            }
            Err(why) => Outcome::unknown(budget.spent_or(Reason::Unsupported(why))),
        }
    }
}
