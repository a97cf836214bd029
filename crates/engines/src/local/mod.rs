//! Local analysis: proofs of deadlock freedom from what components do alone and in pairs (Antonino, Gibson-Robinson and
//! Roscoe, 2015), and from invariants of the whole.
//!
//! A *candidate* is a choice of a state for each component in which no rule is enabled (or in which a rule is, that must
//! never be), and which no pair of components rules out. One question to a SAT solver finds a candidate or shows that
//! there is none. Beyond the paper: rules may have any number of participants; a candidate is held against linear
//! invariants and traps of the network, and what excludes it is learned as a clause before the question is asked again.
//! So each method works on what the others leave. What is proved has a certificate; a candidate that survives proves
//! nothing and is never called a deadlock.

mod canonical;
mod certificate;
mod encoding;
mod engine;
mod equation;
mod guided;
mod inequality;
mod kinds;
mod pairs;
mod projection;
mod prover;
mod quantities;
mod refine;
mod report;
pub mod sdd;
mod survey;

use evidence::{Budget, Goal, LocalProof, Progress, Reason};
use model::views::Network;

pub use crate::exchange::Candidate;
pub use report::Figures;

use crate::exchange::Member;
use crate::question::Run;
use certificate::Certificate;
use prover::{Prover, Settled};
use survey::Survey;

/// How many candidates may survive before the search for more is given up.
const SURVIVORS: usize = 32;

/// What to use. Each switch proves systems that the others cannot.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// Cycles of ungranted requests, for an explanation, or alone.
    pub sdd: bool,
    /// What pairs of components reach together.
    pub pairs: bool,
    /// Linear invariants.
    pub linear: bool,
    /// Traps.
    pub traps: bool,
    /// The most members of a group that is looked at because of a candidate; up to 2: none.
    pub groups: usize,
    /// Whether a run to a candidate that survives is looked for.
    pub confirm: bool,
    /// How many threads work on pairs.
    pub threads: usize,
}

impl Default for Local {
    fn default() -> Self {
        Self { sdd: true, pairs: true, linear: true, traps: true, groups: 5, confirm: true, threads: 1 }
    }
}

/// What was found out about a network.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The answer.
    pub verdict: LocalVerdict,
    /// How large it was.
    pub figures: Figures,
    /// What was used.
    pub techniques: Vec<String>,
}

/// The answer about a network.
#[derive(Clone, Debug)]
pub enum LocalVerdict {
    /// No reachable state satisfies a goal. Without a certificate if cycles of requests alone showed it, or if it would be
    /// too large.
    Proved(Option<Box<LocalProof>>),
    /// No reachable state satisfies a goal: a search for one visited all of them.
    Exhausted,
    /// A run to a state that satisfies a goal.
    Reached(Run),
    /// These candidates survive. They need not be reachable.
    Open(Vec<Candidate>),
    /// The budget is used up.
    Stopped(Reason),
}

impl Local {
    /// Whether the network can deadlock, or get to where a rule that is a model error is enabled.
    pub fn analyse(&self, network: &Network, budget: &Budget, progress: &dyn Progress) -> Analysis {
        let faults = network.rule_ids().filter(|&r| network.rule(r).fault).map(|r| Goal::Enabled(r.index()));
        let goals: Vec<Goal> = std::iter::once(Goal::Deadlock).chain(faults).collect();
        self.exclude(network, &goals, budget, progress)
    }

    /// Whether the network can get to where one of the goals is satisfied.
    pub fn exclude(&self, network: &Network, goals: &[Goal], budget: &Budget, _: &dyn Progress) -> Analysis {
        self.exclude_fed(network, goals, budget, None)
    }

    /// The same, with what others know.
    pub(crate) fn exclude_fed(
        &self,
        network: &Network,
        goals: &[Goal],
        budget: &Budget,
        others: Option<Member<'_>>,
    ) -> Analysis {
        let mut analysis =
            Analysis { verdict: LocalVerdict::Open(Vec::new()), figures: Figures::default(), techniques: Vec::new() };
        analysis.verdict = match self.answer((network, goals), budget, others, &mut analysis) {
            Ok(verdict) => verdict,
            Err(reason) => LocalVerdict::Stopped(reason),
        };
        analysis
    }

    /// The candidates that survive, no more than `most`.
    pub fn candidates(
        &self,
        network: &Network,
        goals: &[Goal],
        most: usize,
        budget: &Budget,
    ) -> Result<Vec<Candidate>, Reason> {
        let survey = Survey::new(network, self.pairs, self.threads, budget)?;
        let mut prover = Prover::new(self, &survey, goals, budget, most);
        prover.settle_all(None)?;
        Ok(prover.survivors)
    }

    fn answer(
        &self,
        (network, goals): (&Network, &[Goal]),
        budget: &Budget,
        others: Option<Member<'_>>,
        analysis: &mut Analysis,
    ) -> Result<LocalVerdict, Reason> {
        let survey = Survey::new(network, self.pairs || self.sdd, self.threads, budget)?;
        analysis.figures = Figures::of(&survey);
        if self.sdd && goals.contains(&Goal::Deadlock) {
            let cycles = sdd::look(&survey, budget)?;
            analysis.techniques.push(report::of_cycles(network, &cycles));
            let others = self.pairs || self.linear || self.traps || goals.len() > 1;
            if cycles == sdd::Cycles::Acyclic && !others {
                return Ok(LocalVerdict::Proved(None));
            }
        }
        // Cycles of requests need pairs; without the switch, nothing else may use them.
        let survey = if self.pairs { survey } else { Survey::new(network, false, self.threads, budget)? };
        let mut prover = Prover::new(self, &survey, goals, budget, SURVIVORS).fed_by(others);
        let mut certificate = Some(Certificate::new(&survey));
        let settled = prover.settle_all(Some(&mut certificate)).and_then(|settled| prover.hunt_survivors(settled));
        analysis.figures.add(&prover.figures);
        analysis.techniques.extend(report::of_methods(self, &analysis.figures));
        Ok(match settled? {
            Settled::Excluded => LocalVerdict::Proved(certificate.map(|c| Box::new(c.finish()))),
            Settled::Reached(run) => LocalVerdict::Reached(run),
            Settled::Exhausted => LocalVerdict::Exhausted,
            Settled::Open => LocalVerdict::Open(prover.survivors),
        })
    }
}
