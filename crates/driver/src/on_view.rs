//! The engines for nets, asked about a system that is seen as a net.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use check::CheckedRun;
use engines::net::Proof;
use engines::{Engine, Problem};
use evidence::{Budget, Evidence, Outcome, Progress, Reason, Statistics, Trace, Verdict};
use model::Property;
use model::nets::AskedNet;

use crate::nets::{NetAnswer, NetEngines, NetInquiry, NetVerdict, answer_net};

/// The engines for nets, side by side, on the net that a system is seen as.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnView {
    pub(crate) engines: NetEngines,
    pub(crate) threads: usize,
}

impl Engine for OnView {
    fn name(&self) -> &'static str {
        "net"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        seen(problem).map(|_| ())
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, _: &dyn Progress) -> Outcome {
        match seen(problem) {
            Ok(asked) => self.ask(&asked, problem.property, budget),
            Err(why) => Outcome::unknown(Reason::Unsupported(why)),
        }
    }
}

/// The system as a net.
fn seen(problem: &Problem<'_>) -> Result<AskedNet, String> {
    AskedNet::new(problem.system, &[problem.property]).map_err(|e| e.message)
}

impl OnView {
    fn ask(self, asked: &AskedNet, property: &Property, budget: &Budget) -> Outcome {
        let (start, goals) = (Instant::now(), asked.unwanted(0).to_vec());
        // A run to what is asked for is all there is to know; without one, there must be no error either.
        let listener = |goal: usize, answer: &NetAnswer| match (goal, &answer.verdict) {
            (0, NetVerdict::Reached(_)) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let (net, claims) = (Arc::new(asked.net.clone()), Vec::new());
        let inquiry = NetInquiry { net, goals, claims, threads: self.threads, engines: self.engines };
        let answers = answer_net(inquiry, budget, Box::new(listener));
        let answers = answers.unwrap_or_else(|contradiction| panic!("engines contradict each other: {contradiction}"));
        let statistics = Statistics { seconds: start.elapsed().as_secs_f64(), ..Statistics::default() };
        let techniques = answers.iter().flatten().flat_map(|answer| &answer.techniques).map(|t| shown(t));
        let mut techniques: Vec<String> = techniques.collect();
        techniques.sort();
        techniques.dedup();
        Outcome { techniques, ..Outcome::new(verdict(asked, property, &answers), statistics) }
    }
}

fn verdict(asked: &AskedNet, property: &Property, answers: &[Result<NetAnswer, Reason>]) -> Verdict {
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
        (Err(reason), _) if wished => Verdict::Unknown(reason.clone()),
        (_, Ok(NetAnswer { verdict: NetVerdict::Reached(reached), .. })) => {
            let steps = asked.error_after(reached.run()).expect("an error was reached");
            Verdict::Violated(Evidence::Run(Trace::finite(steps)))
        }
        (Err(reason), _) | (_, Err(reason)) => Verdict::Unknown(reason.clone()),
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
