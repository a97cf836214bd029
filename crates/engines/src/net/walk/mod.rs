//! Walks: runs chosen at random, or by what looks promising, until something that is searched for turns up.
//!
//! A walk proves nothing but that what it found is there. It needs no memory of where it was, so the size of the state
//! space does not matter, and different ways to choose find different things: they take turns, each walk beginning
//! again from the initial marking, and the walks grow longer.
//!
//! All open goals are watched by every walk; the ways that aim at one goal take a random open one.

mod guided;
mod strategy;
mod walker;

pub use guided::guided;
pub use strategy::Strategy;

use evidence::Reason;
use model::nets::Goal;

use super::Task;
use crate::tokens::wiring::Wiring;
use walker::{Stop, Walker};

/// How long to walk, and how.
#[derive(Clone, Debug)]
pub struct WalkOptions {
    /// Ends after this many steps in all, or with the budget.
    pub steps: u64,
    /// The ways that take turns.
    pub strategies: Vec<Strategy>,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { steps: u64::MAX, strategies: Strategy::ALL.to_vec() }
    }
}

/// The longest walk. A run of this length is still replayed in less than a second.
const LONGEST: u64 = 1 << 22;

/// Walks until all goals are settled or the steps are used up. The same seed takes the same walks, as long as others
/// settle no goals meanwhile.
pub fn walk(task: &Task<'_>, seed: u64, options: &WalkOptions) -> Result<(), Reason> {
    let wiring = Wiring::new(task.net);
    let mut walker = Walker::new(task, &wiring, seed, options.steps);
    match rounds(&mut walker, seed as usize, options) {
        Err(Stop::Budget(reason)) => Err(reason),
        Ok(()) | Err(Stop::Done) => Ok(()),
    }
}

fn rounds(walker: &mut Walker<'_, '_>, seed: usize, options: &WalkOptions) -> Result<(), Stop> {
    walker.begin()?;
    let mut length = walker.first_length();
    loop {
        let mut useful = 0;
        for i in 0..options.strategies.len() {
            let strategy = options.strategies[(i + seed) % options.strategies.len()];
            if let Some(goal) = walker.aim(strategy) {
                useful += 1;
                walker.walk(strategy, goal, length)?;
            }
        }
        if useful == 0 {
            return Ok(());
        }
        length = (length * 3 / 2).min(walker.longest());
    }
}

/// Whether a way to walk can aim at a goal.
fn suits(strategy: Strategy, goal: &Goal) -> bool {
    match strategy {
        Strategy::Fewest => matches!(goal, Goal::Dead),
        Strategy::Greedy => !matches!(goal, Goal::Dead),
        _ => true,
    }
}
