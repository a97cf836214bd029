//! Unfoldings: how they are chosen, and how they answer questions about a system that was made of a net.

use std::sync::Arc;
use std::time::Instant;

use engines::net::{Board, Finding, Proof, Settled, Task};
use engines::unfold::{AdequateOrder, Reads, Unfolding};
use engines::{Engine, Problem};
use evidence::{Budget, Evidence, Outcome, Progress, Reason, Verdict};
use model::nets::Goal;
use model::views::Net;
use model::{Property, System};

use crate::on_net::{NetSource, about_tokens, countable};

const ORDERS: &[(&str, AdequateOrder)] =
    &[("total", AdequateOrder::Total), ("parikh", AdequateOrder::Parikh), ("mcmillan", AdequateOrder::McMillan)];

pub(crate) const READS: &[(&str, Reads)] =
    &[("loops", Reads::Loops), ("replicas", Reads::Replicas), ("contexts", Reads::Contexts), ("auto", Reads::Auto)];

/// Reads one option; what it may be, if it is wrong.
pub(crate) fn option(mut unfolding: Unfolding, key: &str, value: &str) -> Result<Unfolding, Option<&'static str>> {
    match key {
        "order" => unfolding.order = find(ORDERS, value).ok_or("`total`, `parikh` or `mcmillan`")?,
        "reads" => unfolding.reads = find(READS, value).ok_or("`loops`, `replicas`, `contexts` or `auto`")?,
        _ => return Err(None),
    }
    Ok(unfolding)
}

pub(crate) fn find<T: Copy>(names: &[(&str, T)], name: &str) -> Option<T> {
    names.iter().find(|(n, _)| *n == name).map(|&(_, value)| value)
}

pub(crate) fn name_of<T: Copy + PartialEq>(names: &[(&'static str, T)], value: T) -> &'static str {
    names.iter().find(|(_, v)| *v == value).map_or("", |(name, _)| name)
}

/// The options as they are read.
pub(crate) fn spelled(unfolding: &Unfolding) -> String {
    format!("order={},reads={}", name_of(ORDERS, unfolding.order), name_of(READS, unfolding.reads))
}

/// The unfolding of a net.
#[derive(Clone, Debug)]
pub(crate) struct UnfoldNet {
    net: Arc<Net>,
    unfolding: Unfolding,
}

impl UnfoldNet {
    pub(crate) fn new(source: NetSource<'_>, unfolding: Unfolding) -> Self {
        Self { net: Arc::clone(source.net), unfolding }
    }

    fn verdict(&self, property: &Property, finding: Option<Finding>, reason: &Reason) -> Verdict {
        let wished = matches!(property, Property::Reachable(_));
        let (reached, evidence) = match finding {
            Some(Finding::Reached(run)) => match countable(&self.net, &run) {
                Ok(trace) => (true, Evidence::Run(trace)),
                Err(reason) => return Verdict::Unknown(reason),
            },
            Some(Finding::Never(Proof::Exhausted(how))) => (false, Evidence::Exhausted(how)),
            _ => return Verdict::Unknown(reason.clone()),
        };
        if reached == wished { Verdict::Holds(evidence) } else { Verdict::Violated(evidence) }
    }
}

impl Engine for UnfoldNet {
    fn name(&self) -> &'static str {
        "unfold"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        about_tokens(problem.property)
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let outcomes = self.run_all(problem.system, &[problem.property], budget, progress);
        outcomes.into_iter().next().expect("one question has one answer")
    }

    fn run_all(&self, _: &System, properties: &[&Property], budget: &Budget, _: &dyn Progress) -> Vec<Outcome> {
        let start = Instant::now();
        let goals: Vec<Goal> = properties.iter().map(|p| Goal::of(p).expect("it is supported")).collect();
        let (board, findings) = Board::new(goals.len());
        let (sizes, ended) = self.unfolding.settle(&Task { net: &self.net, goals: &goals, board: &board, budget });
        let mut settled: Vec<Option<Finding>> = vec![None; goals.len()];
        findings.try_iter().for_each(|Settled { goal, finding, .. }| settled[goal] = Some(finding));
        let (statistics, reason) = (sizes.statistics(start), ended.err().unwrap_or(Reason::Cancelled));
        let outcome = |(property, finding): (&&Property, Option<Finding>)| {
            Outcome::new(self.verdict(property, finding, &reason), statistics)
        };
        properties.iter().zip(settled).map(outcome).collect()
    }
}
