//! What is done when nobody chooses an engine: exact engines side by side.
//!
//! Explicit search has a first look alone, because it settles small systems, with shortest runs, before anything else is set up.
//! Then it goes on in one lane; in another, the engines that [`rules`] lists take turns, each turn twice as long as the one
//! before, until one has an answer. On one thread all take turns. Who gives up for another reason than time is not asked again.
//!
//! What everybody had reached is told with the answer.

mod race;
mod rules;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use engines::exchange::Exchange;
use engines::local::Local;
use engines::{Engine, Problem};
use evidence::{Budget, Outcome, Progress};
use model::{Property, System};

use crate::choice::Choice;
use crate::on_network::{Method, NetworkSource, OnNetwork};
use crate::on_view::OnView;
use race::Race;

/// The engines for systems, raced.
pub(crate) struct Portfolio {
    /// Explicit search.
    search: Box<dyn Engine>,
    /// For networks: it knows the one that the system was made of.
    local: OnNetwork,
    invariant: OnNetwork,
    threads: usize,
}

impl Portfolio {
    pub(crate) fn new(search: Box<dyn Engine>, network: Option<NetworkSource<'_>>, threads: usize) -> Self {
        let on = |method| OnNetwork::new(network, method).on_one_thread();
        let (local, invariant) = (Method::Local(Local::default()), Method::Invariants(Default::default()));
        Self { search, local: on(local), invariant: on(invariant), threads }
    }

    /// The engine that a rule names, for one question, among others who work on it.
    fn engine(&self, name: &str, exchange: &Arc<Exchange>) -> Box<dyn Engine + '_> {
        match name.parse::<Choice>().unwrap_or_else(|e| panic!("a rule names no engine: {e}")) {
            Choice::Local(_) => Box::new(self.local.clone().among(exchange)),
            Choice::Invariants(_) => Box::new(self.invariant.clone().among(exchange)),
            Choice::Net(engines) => Box::new(OnView { engines, threads: 1, exchange: Some(Arc::clone(exchange)) }),
            choice => choice.engine(),
        }
    }
}

impl Engine for Portfolio {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        self.search.supports(problem)
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let outcomes = self.run_all(problem.system, &[problem.property], budget, progress);
        outcomes.into_iter().next().expect("one question has one answer")
    }

    fn run_all(
        &self,
        system: &System,
        properties: &[&Property],
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Vec<Outcome> {
        Race::new(self, system, properties.to_vec()).run(budget, progress)
    }
}
