//! Questions about Petri nets: reduced first, then walked, proved and searched side by side.

mod alone;
mod engines;
mod examination;
mod ledger;
mod runs;
mod schedule;
mod size;

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use ::engines::exchange::Exchange;
use ::engines::net::Proof;
use check::CheckedRun;
use evidence::{Budget, Reason};
use model::nets::Goal;
use model::views::{Net, PlaceId, PlaceMeaning};

pub use self::engines::NetEngines;
pub use ::engines::net::search::{Counts, state_space};
pub use examination::{Asked, AskedValue};
use ledger::Ledger;
pub use runs::{RunInquiry, RunQuestion, answer_runs};
use schedule::Means;
pub use size::{ReducedSize, reduced_for_deadlock};

/// The name among others who work on the same question.
pub(crate) const NAME: &str = "net";

/// The places that mean something in a system, by that.
pub(crate) fn by_meaning(net: &Net) -> HashMap<&PlaceMeaning, PlaceId> {
    net.place_ids().map(|p| (&net.place(p).meaning, p)).collect()
}

/// The answer about a goal, with the techniques it is due to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetAnswer {
    /// What is known.
    pub verdict: NetVerdict,
    /// How it became known, as reports name it.
    pub techniques: Vec<&'static str>,
}

/// What is known about a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetVerdict {
    /// This run of the net leads there.
    Reached(CheckedRun),
    /// There is no such run.
    Never(Proof),
    /// The greatest value, with a run to it and why there is no greater one.
    Maximum(i64, CheckedRun, Proof),
}

/// What is asked of a net.
#[derive(Debug)]
pub struct NetInquiry {
    /// The net.
    pub net: Arc<Net>,
    /// What is searched for.
    pub goals: Vec<Goal>,
    /// Sets of places that somebody says hold at most one token together: those that can be proved help.
    pub claims: Vec<Vec<PlaceId>>,
    /// What others who work on the same question know.
    pub others: Option<Arc<Exchange>>,
    /// How many threads work.
    pub threads: usize,
    /// What may be used.
    pub engines: NetEngines,
}

/// Hears each answer as soon as it is certain, and says whether more are wanted.
pub type Listener = Box<dyn FnMut(usize, &NetAnswer) -> ControlFlow<()> + Send>;

/// Engines that contradict each other, or the checker: one of them is wrong, and so is any answer.
#[derive(Clone, Debug)]
pub struct NetContradiction {
    /// The number of the goal.
    pub goal: usize,
    /// What does not fit.
    pub what: String,
}

impl fmt::Display for NetContradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "goal {}: {}", self.goal, self.what)
    }
}

impl std::error::Error for NetContradiction {}

/// Why there is no answer about a goal, and what is known nevertheless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsettled {
    /// Why there is none.
    pub why: Reason,
    /// How many parallel steps do not suffice to reach it.
    pub covered: Option<u64>,
}

/// For each goal its answer, or why there is none.
pub type NetAnswers = Vec<Result<NetAnswer, Unsettled>>;

/// Answers what it can within the budget.
pub fn answer_net(inquiry: NetInquiry, budget: &Budget, listener: Listener) -> Result<NetAnswers, NetContradiction> {
    let NetInquiry { net, goals, claims, others, threads, engines } = inquiry;
    let ledger = Arc::new(Ledger::new(net, goals, listener));
    schedule::work(&ledger, &claims, &Means { threads: threads.max(1), engines, others: others.as_deref(), budget });
    let otherwise = match budget.check(0) {
        Err(spent) => spent,
        Ok(()) => Reason::Unsupported("none of the engines for nets could decide it".to_owned()),
    };
    ledger.finish(&otherwise)
}
