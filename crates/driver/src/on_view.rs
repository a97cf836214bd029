//! The engines for nets, asked about a system that is seen as a net.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use check::CheckedRun;
use engines::exchange::{Described, Exchange, Part};
use engines::net::Proof;
use engines::{Engine, Problem, at_a_glance};
use evidence::{Budget, Evidence, Outcome, Progress, Reason, Statistics, Trace, Verdict};
use model::Property;
use model::nets::{AskedNet, Goal, Predicate};
use model::views::Net;

use crate::nets::{NAME, NetAnswer, NetEngines, NetInquiry, NetVerdict, Unsettled, answer_net, by_meaning};

/// The engines for nets, side by side, on the net that a system is seen as.
#[derive(Clone, Debug)]
pub(crate) struct OnView {
    pub(crate) engines: NetEngines,
    pub(crate) threads: usize,
    /// What others who work on the same question know.
    pub(crate) exchange: Option<Arc<Exchange>>,
}

/// How many candidates of others are looked at: each takes time from the question itself.
const CANDIDATES: usize = 2;

impl Engine for OnView {
    fn name(&self) -> &'static str {
        NAME
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        at_a_glance(|budget| seen(problem, budget))
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, _: &dyn Progress) -> Outcome {
        match seen(problem, budget) {
            Ok(asked) => self.ask(&asked, problem.property, budget),
            Err(why) => Outcome::unknown(budget.spent_or(Reason::Unsupported(why))),
        }
    }
}

/// The system as a net.
fn seen(problem: &Problem<'_>, budget: &Budget) -> Result<AskedNet, String> {
    let stop = || budget.check(0).is_err();
    AskedNet::unless(problem.system, &[problem.property], &stop).map_err(|e| e.message)
}

impl OnView {
    fn ask(&self, asked: &AskedNet, property: &Property, budget: &Budget) -> Outcome {
        let (start, net) = (Instant::now(), Arc::new(asked.net.clone()));
        let mut goals = asked.unwanted(0).to_vec();
        let others = self.exchange.as_ref().map(|exchange| exchange.outsider(NAME));
        let candidates = others.map(|others| places(&net, others.described(&mut 0))).unwrap_or_default();
        if others.is_some_and(|others| others.is_part_excluded(Part::Errors)) {
            goals[1] = Goal::Satisfies(Predicate::Constant(false));
        }
        goals.extend(candidates.iter().map(|(_, cube)| Goal::Satisfies(cube.clone())));
        let (exchange, known, wanted) = (self.exchange.clone(), candidates.clone(), goals[0].clone());
        // A run to what is asked for is all there is to know; without one, there must be no error either.
        let net_too = Arc::clone(&net);
        let listener = move |goal: usize, answer: &NetAnswer| {
            if let (NetVerdict::Never(proof), Some(exchange)) = (&answer.verdict, &exchange) {
                let others = exchange.outsider(NAME);
                match goal {
                    0 => others.excluded_part(Part::Asked, proof),
                    1 => others.excluded_part(Part::Errors, proof),
                    candidate => others.excluded_together(&known[candidate - 2].0, proof),
                }
            }
            match &answer.verdict {
                NetVerdict::Reached(run) if goal != 1 && is_met(&net_too, &wanted, run) => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        };
        let (first, claims) = (goals[0].clone(), Vec::new());
        let (others, threads, engines) = (self.exchange.clone(), self.threads, self.engines);
        let inquiry = NetInquiry { net: Arc::clone(&net), goals, claims, others, threads, engines };
        let answers = answer_net(inquiry, budget, Box::new(listener));
        let mut answers =
            answers.unwrap_or_else(|contradiction| panic!("engines contradict each other: {contradiction}"));
        // A candidate that is reached is what was asked for.
        let met = |answer: &NetAnswer| matches!(&answer.verdict, NetVerdict::Reached(run) if is_met(&net, &first, run));
        if let Some(k) = (2..answers.len()).find(|&k| answers[0].is_err() && answers[k].as_ref().is_ok_and(met)) {
            answers.swap(0, k);
        }
        answers.truncate(2);
        let (seconds, verdict) = (start.elapsed().as_secs_f64(), verdict(asked, property, &answers));
        if let Verdict::Unknown(_) = verdict {
            let statistics = Statistics { seconds, parallel_steps: covered(&answers), ..Statistics::default() };
            return Outcome::new(verdict, statistics);
        }
        let techniques = answers.iter().flatten().flat_map(|answer| &answer.techniques).map(|t| shown(t));
        let mut techniques: Vec<String> = techniques.collect();
        techniques.sort();
        techniques.dedup();
        Outcome { techniques, ..Outcome::new(verdict, Statistics { seconds, ..Statistics::default() }) }
    }
}

/// Whether a run ends where a goal is satisfied.
fn is_met(net: &Net, goal: &Goal, run: &CheckedRun) -> bool {
    let last = run.run().iter().fold(net.initial_marking(), |marking, &t| net.fire(t, &marking));
    match goal {
        Goal::Satisfies(predicate) => predicate.holds(&last),
        Goal::Dead => Predicate::dead(net).holds(&last),
        Goal::Maximum(_) => false,
    }
}

/// Candidates as cubes over places, as far as the net has places for what they mean.
fn places(net: &Net, candidates: Vec<Described>) -> Vec<(Described, Predicate)> {
    let by_meaning = by_meaning(net);
    let cube = |candidate: Described| {
        let placed: Vec<_> = candidate.into_iter().filter_map(|part| Some((*by_meaning.get(&part.2)?, part))).collect();
        let cube = Predicate::all(placed.iter().map(|(p, _)| Predicate::at_least(*p, 1)).collect::<Vec<_>>());
        (!placed.is_empty()).then(|| (placed.into_iter().map(|(_, part)| part).collect(), cube))
    };
    candidates.into_iter().filter_map(cube).take(CANDIDATES).collect()
}

/// How many parallel steps lead to nothing of what is left open.
fn covered(answers: &[Result<NetAnswer, Unsettled>]) -> Option<u64> {
    let left = answers.iter().filter_map(|answer| answer.as_ref().err().map(|unsettled| unsettled.covered));
    left.min().flatten()
}

fn verdict(asked: &AskedNet, property: &Property, answers: &[Result<NetAnswer, Unsettled>]) -> Verdict {
    let wished = matches!(property, Property::Reachable(_));
    let [goal, error] = answers else { unreachable!("two goals have two answers") };
    let run = |run: &CheckedRun| Trace::finite(asked.steps(run.run()));
    match (goal, error) {
        (Ok(NetAnswer { verdict: NetVerdict::Reached(reached), .. }), _) => {
            // Where nothing but errors can happen, the net sees a deadlock: it is an error.
            let error = asked.error_after(reached.run()).filter(|_| matches!(property, Property::DeadlockFree));
            let evidence = Evidence::Run(error.map_or_else(|| run(reached), Trace::finite));
            if wished { Verdict::Holds(evidence) } else { Verdict::Violated(evidence) }
        }
        (Err(unsettled), _) if wished => Verdict::Unknown(unsettled.why.clone()),
        (_, Ok(NetAnswer { verdict: NetVerdict::Reached(reached), .. })) => {
            let steps = asked.error_after(reached.run()).expect("an error was reached");
            Verdict::Violated(Evidence::Run(Trace::finite(steps)))
        }
        (Err(unsettled), _) | (_, Err(unsettled)) => Verdict::Unknown(unsettled.why.clone()),
        (Ok(goal), Ok(_)) => {
            let evidence = match &goal.verdict {
                NetVerdict::Never(Proof::Exhausted(how)) => Evidence::Exhausted(*how),
                NetVerdict::Never(Proof::Structure(why)) => Evidence::Structure(why.clone()),
                NetVerdict::Reached(_) | NetVerdict::Maximum(..) => unreachable!("it is not reached, and no maximum"),
            };
            if wished { Verdict::Violated(evidence) } else { Verdict::Holds(evidence) }
        }
    }
}

/// `STRUCTURAL_REDUCTION` is how the contest writes it.
pub(crate) fn shown(technique: &str) -> String {
    technique.to_lowercase().replace('_', " ")
}
