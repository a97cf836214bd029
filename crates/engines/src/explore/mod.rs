//! Explicit search of the state space, state by state (Godefroid's thesis, Figure 2.1), breadth-first or depth-first.
//!
//! A *model error* met on the way is a violation of every property, with the run that ends in it; only a `Reachable`
//! property holds all the same if its goal can be reached, so that the verdict never depends on the order of search.

mod breadth;
mod depth;
mod search;

use std::time::Instant;

use evidence::{Budget, Outcome, Progress, Reason, Statistics, Verdict};
use model::Property;

use crate::{Engine, Problem};
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
}

impl Default for Explore {
    fn default() -> Self {
        Self { order: Order::default(), finish: 10_000 }
    }
}

impl Engine for Explore {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        match problem.property {
            Property::Ltl(_) => Err("explicit search decides no LTL formulas".to_owned()),
            _ => Ok(()),
        }
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        if let Err(why) = self.supports(problem) {
            return Outcome { verdict: Verdict::Unknown(Reason::Unsupported(why)), statistics: Statistics::default() };
        }
        let start = Instant::now();
        let observed = match problem.property {
            Property::Safety(observer) => Some(problem.system.observed_by(observer)),
            _ => None,
        };
        let system = observed.as_ref().unwrap_or(problem.system);
        let mut search = Search::new(system, problem.property, self.finish, budget, progress);
        let ended = match self.order {
            Order::Breadth => breadth::run(&mut search),
            Order::Depth => depth::run(&mut search),
        };
        let mut outcome = search.outcome(ended);
        outcome.statistics.seconds = start.elapsed().as_secs_f64();
        outcome
    }
}
