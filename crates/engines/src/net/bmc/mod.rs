//! Bounded model checking: a run to the goal of at most k *parallel steps*, by satisfiability, for growing k.
//!
//! A step offers every transition once, in a fixed order, and each fires or does not (Ogata, Tsuchiya and Kikuno 2004 for
//! safe nets; an ∃-step in the words of Rintanen, Heljanko and Niemelä 2006). The transitions of a step need not be
//! independent: who comes later sees what those before have left. So a model of the clauses *is* a run, its firings in
//! the order of steps and, within a step, in the fixed order, and nothing has to be said about conflicts. Every run of k
//! firings is one of at most k steps, with one firing each; but a run that follows the order takes one step, whatever its
//! length, and the order is that in which tokens spread over the net ([`order`]). ∀-steps, of pairwise independent
//! transitions, as in [`super::induction`], take fewer literals (one for each place instead of one for each arc) and many
//! more steps.
//!
//! Steps may be empty, so k steps include fewer, and depths may be skipped. A question that takes longer than all before
//! it together is left open for the next depth, as a run of more steps is often found faster than it is shown that fewer do
//! not suffice (Rintanen 2004). All goals share the clauses.
//!
//! Places are counted within [`windows`]. Whoever finds a run has one; it is replayed nevertheless, because goals over very
//! long sums are not encoded. That none is found means nothing, with two exceptions, where no run leaves the windows: it
//! is then known how many steps do not suffice, and if no run has something in each of k steps, then no run has k firings,
//! all runs were looked at, and the goal is never reached.

mod attempt;
mod chain;
mod order;
#[cfg(test)]
mod tests;
mod windows;

use std::time::Duration;

use self::attempt::{Attempt, Sought};
use self::order::order;
use self::windows::{Whole, Windows};
use super::Task;
use super::structural::Flows;
use super::target::predicate;

/// The time for the search for place invariants, which bound places.
const FLOWS: Duration = Duration::from_secs(2);
/// The windows of places without small bounds that are tried in turn.
const WIDTHS: [u64; 3] = [1, 4, 16];
/// The time that each of them gets in the first round; four times as much in each later one.
const SLICE: Duration = Duration::from_millis(500);

/// How many steps do not suffice to reach a goal, as far as that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    steps: Vec<(usize, usize)>,
}

impl Covered {
    /// By goal, a number of steps that do not suffice.
    pub fn steps(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.steps.iter().copied()
    }

    fn note(&mut self, goal: usize, steps: usize, _: Whole) {
        match self.steps.iter_mut().find(|known| known.0 == goal) {
            Some(known) => known.1 = known.1.max(steps),
            None => self.steps.push((goal, steps)),
        }
    }
}

/// Looks for runs to goals until they are found or the budget ends. Maxima are left to others.
pub fn run(task: &Task<'_>) -> Covered {
    let mut covered = Covered::default();
    let start = task.budget.now();
    let mut stop = || task.budget.check(0).is_err() || task.board.is_done();
    let asked = |goal: usize, stop: &mut dyn FnMut() -> bool| {
        predicate(task.net, &task.goals[goal], stop).map(|predicate| Sought { goal, predicate })
    };
    let sought: Vec<Sought> = task.board.open().into_iter().filter_map(|goal| asked(goal, &mut stop)).collect();
    if sought.is_empty() {
        return covered;
    }
    let flows = Flows::new(task.net, &mut || task.budget.now() - start > FLOWS || stop());
    let (order, mut slice) = (order(task.net), SLICE);
    loop {
        let mut more = false;
        for width in WIDTHS {
            let windows = Windows::new(task.net, &flows, width);
            let whole = windows.whole().is_some();
            more |= Attempt::new(task, &order, &windows, (!whole).then_some(slice)).work(&sought, &mut covered);
            if whole || stop() {
                return covered;
            }
        }
        if !more {
            return covered;
        }
        slice *= 4;
    }
}
