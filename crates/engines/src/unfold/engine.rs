//! Unfoldings as an engine for systems: those that can be seen as nets.
//!
//! What is asked about a state becomes a predicate over the places of the net: a *tester*, a transition that is enabled
//! where the answer is yes, is turned into arcs like any other transition; the places that it reads are the predicate,
//! and it is not part of what is unfolded. The same is done with steps that are model errors.

use std::time::Instant;

use evidence::{Budget, Evidence, Exhausted, Outcome, Progress, Reason, Statistics, Trace, Verdict};
use model::nets::{Goal, Predicate};
use model::views::{ArcSet, Limits, Net, NetTransitionId};
use model::{Expr, Property, System, TransitionId};

use super::{Sizes, Unfolding};
use crate::net::{Board, Finding, Settled, Task};
use crate::{Engine, Problem, watched};

impl Engine for Unfolding {
    fn name(&self) -> &'static str {
        "unfold"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        Questions::new(problem.system, &[problem.property]).map(|_| ())
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let outcomes = self.run_all(problem.system, &[problem.property], budget, progress);
        outcomes.into_iter().next().expect("one question has one answer")
    }

    fn run_all(&self, system: &System, properties: &[&Property], budget: &Budget, _: &dyn Progress) -> Vec<Outcome> {
        let start = Instant::now();
        let questions = match Questions::new(system, properties) {
            Ok(questions) => questions,
            Err(why) => return vec![Outcome::unknown(Reason::Unsupported(why)); properties.len()],
        };
        let (board, findings) = Board::new(questions.goals.len());
        let task = Task { net: &questions.net, goals: &questions.goals, board: &board, budget };
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

/// Nets with more transitions than this, made of data, have unfoldings that are out of reach.
const MOST_TRANSITIONS: usize = 1 << 16;

/// What is asked of a net instead of a system.
pub(super) struct Questions {
    /// The net without testers and errors.
    pub(super) net: Net,
    /// One for each property, and then one for model errors.
    goals: Vec<Goal>,
    /// The steps that are model errors, with what they need.
    errors: Vec<(TransitionId, Predicate)>,
}

impl Questions {
    pub(super) fn new(system: &System, properties: &[&Property]) -> Result<Self, String> {
        let watched = properties.iter().map(|p| watched(p)).collect::<Result<Vec<_>, _>>()?;
        let predicates: Vec<(&Expr, bool)> = watched.iter().flatten().copied().collect();
        // Which property each predicate is of.
        let owners: Vec<usize> = (0..watched.len()).filter(|&i| watched[i].is_some()).collect();
        let tested = system.with_testers(&predicates);
        let tested = tested.ok_or("the question may be a model error itself, or has too many cases")?;
        let full = view(&tested.system)?;
        // Which property a transition of the net tests.
        let tests = |t: NetTransitionId| {
            let id = full.transition(t).transition.expect("the net is made of a system").index();
            id.checked_sub(system.transitions().len()).map(|tester| owners[tested.testers[tester]])
        };
        let kept = full.transition_ids().filter(|&t| tests(t).is_none() && !full.transition(t).fault);
        let arcs = |t| ArcSet {
            transition: full.transition(t).clone(),
            pre: full.pre(t).to_vec(),
            post: full.post(t).to_vec(),
        };
        let net = Net::new(full.name(), full.places().to_vec(), kept.map(arcs).collect());
        let net = net.expect("a part of a net is a net");
        let goal = |(i, property): (usize, &&Property)| match property {
            Property::DeadlockFree => Goal::Dead,
            _ => {
                let ways = full.transition_ids().filter(|&t| tests(t) == Some(i));
                Goal::Satisfies(Predicate::any(ways.map(|t| Predicate::fireable(&full, t)).collect::<Vec<_>>()))
            }
        };
        let mut goals: Vec<Goal> = properties.iter().enumerate().map(goal).collect();
        let faulty = full.transition_ids().filter(|&t| tests(t).is_none() && full.transition(t).fault);
        let error = |t| Some((full.transition(t).transition?, Predicate::fireable(&full, t)));
        let errors: Vec<(TransitionId, Predicate)> = faulty.filter_map(error).collect();
        goals.push(Goal::Satisfies(Predicate::any(errors.iter().map(|(_, needs)| needs.clone()).collect::<Vec<_>>())));
        Ok(Self { net, goals, errors })
    }

    fn verdict(&self, property: &Property, i: usize, settled: &[Option<Finding>], reason: &Reason) -> Verdict {
        let wished = matches!(property, Property::Reachable(_));
        let complete = Evidence::Exhausted(Exhausted::CompletePrefix);
        let (asked, error) = (settled[i].as_ref(), settled[settled.len() - 1].as_ref());
        match (asked, error) {
            (Some(Finding::Reached(run)), _) if wished => Verdict::Holds(Evidence::Run(Trace::finite(self.steps(run)))),
            // Where nothing but errors can happen, no net sees anything: that is an error, and no deadlock.
            (Some(Finding::Reached(run)), _) => {
                let error = self.error(run).filter(|_| matches!(property, Property::DeadlockFree));
                let trace = error.unwrap_or_else(|| Trace::finite(self.steps(run)));
                Verdict::Violated(Evidence::Run(trace))
            }
            (None, _) if wished => Verdict::Unknown(reason.clone()),
            (_, Some(Finding::Reached(run))) => {
                Verdict::Violated(Evidence::Run(self.error(run).expect("an error was reached")))
            }
            (None, _) | (_, None) => Verdict::Unknown(reason.clone()),
            _ if wished => Verdict::Violated(complete),
            _ => Verdict::Holds(complete),
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    pub(super) fn steps(&self, run: &[NetTransitionId]) -> Vec<TransitionId> {
        run.iter().map(|&t| self.net.transition(t).transition.expect("the net is made of a system")).collect()
    }

    /// A run with one more step that is a model error, if there is one at its end.
    fn error(&self, run: &[NetTransitionId]) -> Option<Trace> {
        let last = run.iter().fold(self.net.initial_marking(), |marking, &t| self.net.fire(t, &marking));
        let (step, _) = self.errors.iter().find(|(_, needs)| needs.holds(&last))?;
        Some(Trace::finite(self.steps(run).into_iter().chain([*step]).collect()))
    }
}

/// The system as a net: with its counters as places if it can be, else with a place for each value.
fn view(system: &System) -> Result<Net, String> {
    let limits = Limits { rules: MOST_TRANSITIONS, ..Limits::default() };
    let by_value = || system.network(&limits).and_then(|network| network.net(&limits));
    system.net(&limits).or_else(|_| by_value()).map_err(|e| format!("it cannot be seen as a net: {}", e.message))
}
