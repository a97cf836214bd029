//! The choice when nobody chooses.
//!
//! Deadlocks are looked for depth-first, with stubborn sets: that settles systems whose full state space is out of reach.
//! The run found that way can be long, so a breadth-first search then tries to find a shortest one, within a few times
//! what the first search took; where it does not get there, the first run is shown. Everything else is searched
//! breadth-first, without reduction.

use std::time::Duration;

use engines::explore::{Explore, Order, Persistent, Proviso, Wish};
use engines::persistent::{Algorithm, Interference};
use engines::{Engine, Problem};
use evidence::{Budget, Outcome, Progress, Verdict};
use model::{Property, System};

/// Chooses by the property.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Auto;

/// What the search for a shorter run may take beyond three times the time and memory of the first search.
const MORE_TIME: Duration = Duration::from_millis(500);
const MORE_BYTES: u64 = 16 << 20;

const STUBBORN: Wish = Wish {
    persistent: Some(Persistent { algorithm: Algorithm::Stubborn, interference: Interference::DoNotAccord }),
    sleep: false,
    proviso: Proviso::None,
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
    first_that_fits(problem.system, &[level_by_level()]).run(problem, budget, progress)
}

/// A search for every deadlock: reduced as far as that is exact, and for short runs if that can be.
pub(crate) fn every_deadlock(system: &System) -> Explore {
    Explore { all: true, ..first_that_fits(system, &[level_by_level(), with_proviso()]) }
}

/// A search that takes somewhere every step that can be taken.
pub(crate) fn every_step(system: &System) -> Explore {
    Explore { finish: u64::MAX, ..first_that_fits(system, &[with_proviso()]) }
}

fn level_by_level() -> Explore {
    Explore { reduce: STUBBORN, ..Explore::default() }
}

fn with_proviso() -> Explore {
    let reduce = Wish { proviso: Proviso::Stack, ..STUBBORN };
    Explore { order: Order::Depth, reduce, ..Explore::default() }
}

/// The first search that is exact for deadlocks; one of everything always is.
fn first_that_fits(system: &System, choices: &[Explore]) -> Explore {
    let problem = Problem { system, property: &Property::DeadlockFree };
    let fits = |explore: &&Explore| explore.supports(&problem).is_ok();
    choices.iter().find(fits).copied().unwrap_or_default()
}
