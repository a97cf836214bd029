//! The choice when nobody chooses.
//!
//! Deadlocks are looked for depth-first, with stubborn sets: that settles systems whose full state space is out of reach.
//! The run found that way can be long, so a breadth-first search then tries to find a shortest one, within a few times
//! what the first search took; where it does not get there, the first run is shown. Everything else is searched
//! breadth-first, without reduction.

use std::time::Duration;

use engines::explore::{Explore, Order, Persistent, Wish};
use engines::persistent::{Algorithm, Interference};
use engines::{Engine, Problem};
use evidence::{Budget, Outcome, Progress, Verdict};
use model::Property;

/// Chooses by the property.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Auto;

/// What the search for a shorter run may take beyond three times the time and memory of the first search.
const MORE_TIME: Duration = Duration::from_millis(500);
const MORE_BYTES: u64 = 16 << 20;

const STUBBORN: Wish = Wish {
    persistent: Some(Persistent { algorithm: Algorithm::Stubborn, interference: Interference::DoNotAccord }),
    sleep: false,
    proviso: engines::explore::Proviso::None,
};

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        Explore::default().supports(problem)
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        if !matches!(problem.property, Property::DeadlockFree) {
            return Explore::default().run(problem, budget, progress);
        }
        let first = Explore { order: Order::Depth, finish: 0, reduce: STUBBORN, ..Explore::default() }
            .run(problem, budget, progress);
        if !matches!(first.verdict, Verdict::Violated(_)) {
            return first;
        }
        let time = Duration::from_secs_f64(3.0 * first.statistics.seconds) + MORE_TIME;
        let budget = budget.narrowed(time, 3 * first.statistics.peak_bytes + MORE_BYTES);
        let mut second = shortest(problem, &budget, progress);
        second.statistics.seconds += first.statistics.seconds;
        match second.verdict {
            Verdict::Violated(_) => second,
            Verdict::Unknown(_) => first,
            Verdict::Holds(_) => panic!("two searches contradict each other: {first:?} and {second:?}"),
        }
    }
}

/// A breadth-first search, reduced if that is exact.
fn shortest(problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
    let reduced = Explore { reduce: STUBBORN, ..Explore::default() };
    let engine = if reduced.supports(problem).is_ok() { reduced } else { Explore::default() };
    engine.run(problem, budget, progress)
}
