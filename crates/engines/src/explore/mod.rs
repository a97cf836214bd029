//! Explicit search of the state space, state by state (Godefroid's thesis, Figure 2.1), breadth-first or depth-first.
//!
//! A *model error* met on the way is a violation of every property, with the run that ends in it; only a `Reachable`
//! property holds all the same if its goal can be reached, so that the verdict never depends on the order of search.

mod breadth;
mod depth;
mod reduction;
mod search;
mod selective;
mod sleep;

pub use reduction::{Persistent, Proviso, Wish};

use std::time::Instant;

use evidence::{Budget, Outcome, Progress, Reason};
use model::Property;

use crate::persistent::PersistentSets;
use crate::{Engine, Problem};
use reduction::Reduction;
use search::Search;

/// In which order states are expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// Level by level: the run to a violation is a shortest one.
    #[default]
    Breadth,
    /// Along one path as far as it goes: no memory for the way back, the first run found.
    Depth,
}

/// The explicit search and its switches.
#[derive(Clone, Copy, Debug)]
pub struct Explore {
    /// The order of expansion.
    pub order: Order,
    /// After a violation, go on until this many states are stored, so that small state spaces are counted whole.
    pub finish: u64,
    /// What is to be left out.
    pub reduce: Wish,
    /// Find every deadlock, with a run to each.
    pub all: bool,
    /// Keep at most this many states besides those on the stack (state-space caching, section 8.4).
    pub cache: Option<u64>,
}

impl Default for Explore {
    fn default() -> Self {
        Self { order: Order::default(), finish: 10_000, reduce: Wish::default(), all: false, cache: None }
    }
}

impl Explore {
    /// The reduction that this search may use, if it is to use one; or why it cannot treat the problem.
    fn plan(&self, problem: &Problem<'_>) -> Result<Option<Reduction>, String> {
        if let Property::Ltl(_) = problem.property {
            return Err("explicit search decides no LTL formulas".to_owned());
        }
        let breadth = self.order == Order::Breadth;
        if breadth && (self.reduce.sleep || self.reduce.proviso != Proviso::None) {
            return Err("sleep sets and the proviso need depth-first order: order=depth".to_owned());
        }
        if self.reduce.is_none() {
            return Ok(None);
        }
        let reduction = Reduction::grant(self.reduce, problem.property, problem.system)?;
        if breadth && reduction.wish().proviso == Proviso::Stack {
            return Err("a step may be a model error, which needs the proviso: order=depth".to_owned());
        }
        Ok(Some(reduction))
    }
}

impl Engine for Explore {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        self.plan(problem).map(|_| ())
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let start = Instant::now();
        let reduction = match self.plan(problem) {
            Ok(reduction) => reduction,
            Err(why) => return Outcome::unknown(Reason::Unsupported(why)),
        };
        let observed = match problem.property {
            Property::Safety(observer) => Some(problem.system.observed_by(observer)),
            _ => None,
        };
        let system = observed.as_ref().unwrap_or(problem.system);
        let mut search = Search::new(system, problem.property, self.finish, budget, progress);
        let ended = match (self.order, reduction) {
            (Order::Breadth, None) => breadth::run(&mut search, None),
            (Order::Depth, None) => depth::run(&mut search),
            (order, Some(reduction)) => {
                search.reduced = true;
                let wish = reduction.wish();
                let persistent = wish.persistent.unwrap_or(Persistent::TRIVIAL);
                let mut sets = PersistentSets::new(system, persistent.algorithm, persistent.interference);
                match order {
                    Order::Breadth => breadth::run(&mut search, Some(&mut sets)),
                    Order::Depth => selective::run(&mut search, sets, reduction),
                }
            }
        };
        let mut outcome = search.outcome(ended);
        outcome.statistics.seconds = start.elapsed().as_secs_f64();
        outcome
    }
}
