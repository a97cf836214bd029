//! The exact phase of Bensalem, Griesmayer, Legay, Nguyen and Peled, "Efficient Deadlock Detection for Concurrent
//! Systems" (2011), section III and Figure 3: which suspects are reachable, and how.
//!
//! Given is a set `inv` that holds the initial states and that no step leaves, and suspects inside it. Backwards from
//! the suspects, *onion rings* are built inside `inv`: ring `i` are the states whose shortest way to a suspect has `i`
//! steps. If a ring meets the initial states, a forward pass through the rings finds every suspect that is reachable in
//! as many steps; those are taken out, and the others are tried again. If a ring is empty, none of the suspects is
//! reachable.
//!
//! *Restrict.* A ring may be replaced by any smaller diagram that agrees with it inside `inv`; the first ring stays as
//! it is (the theorem of the paper prints the arguments of `restrict` in the wrong order). What is added lies outside of
//! `inv` and, as no step leaves `inv`, has no predecessor inside. The images have to be trimmed to `inv` as they are
//! made, as in the paper, or what leads to the added states makes them explode.
//!
//! *Chained passes* ([`Pace::Chained`]) give up distances: each rule is applied to what the rules before it just added,
//! and a forward pass goes through all that was found. Measured in seconds of one core, each with the conserved
//! quantities of the forks as invariant: the first way to the deadlock of 40 philosophers of four states takes 2.0 by
//! distances (2.1 with restrict, rings of 4,570 nodes and not 17,943) and 0.03 chained, of 400 philosophers 4.9
//! chained; all ways are shortest ones there. Without the invariant, 18 philosophers take 5.5 by distances and 120
//! take 3.2 chained.
//!
//! *One by one.* If a ring gets too large, suspects are taken by themselves. If the states of `inv` from which one of
//! them can be reached hold no initial state, they are taken out of `inv`: no step leads from what is left into them,
//! or else it would have started in one of them, so what is left is an invariant again. Then all are tried together
//! again, after twice as many suspects each time.

mod forward;
mod onion;
mod runs;
mod search;

use evidence::Goal;
use model::views::StateId;
use solve::bdd::Bdd;

use crate::diagrams::{Space, Stop};
use crate::question::Run;

/// How rings are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// A ring are all states at one distance, as in the paper: runs are shortest.
    Shortest,
    /// A ring is what a pass over all rules adds, each applied to what those before it just added.
    Chained,
}

/// How suspects are decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rings {
    /// How rings are built.
    pub pace: Pace,
    /// Replace rings by smaller diagrams that agree inside the invariant.
    pub restrict: bool,
    /// Decide every suspect, and not only until one was found to be reachable.
    pub all: bool,
    /// Take suspects one by one where a ring has more nodes than this, or where there is no room for it.
    pub one_by_one: Option<usize>,
}

/// What was found out about suspects.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The suspects that are reachable: all of them, or one if only one was asked for, or as many as were found before
    /// the search had to end.
    pub reached: Bdd,
    /// The initial state and the way from there to a suspect, for as many suspects as wished.
    pub runs: Vec<(Vec<StateId>, Run)>,
    /// All other suspects are unreachable.
    pub refuted: bool,
    /// Why the search ended early, though runs were found.
    pub stopped: Option<Stop>,
    /// The invariant without what was found to be unreachable; no step leaves it.
    pub invariant: Bdd,
    /// What it took.
    pub figures: Figures,
}

/// What it took to decide the suspects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// How often rings were built for all open suspects together.
    pub rounds: usize,
    /// The rings of all rounds.
    pub rings: usize,
    /// The nodes of the largest ring, as it was kept.
    pub largest: usize,
    /// The nodes of the largest ring before it was replaced by a smaller one.
    pub exact: usize,
    /// The suspects that were taken by themselves.
    pub singles: usize,
    /// How often the invariant was strengthened because such a suspect is unreachable.
    pub strengthened: usize,
}

impl Decided {
    /// Whether it is certain that no suspect is reachable.
    pub fn excludes_all(&self) -> bool {
        self.refuted && self.reached.is_none()
    }
}

impl Figures {
    /// For a report.
    pub fn words(&self) -> Vec<String> {
        let rings = |n: usize| format!("{n} {}", if n == 1 { "ring" } else { "rings" });
        let rounds = |n: usize| format!("{n} {}", if n == 1 { "round" } else { "rounds" });
        let mut words = vec![format!(
            "{} in {}, the largest of {} nodes ({} without the invariant's help)",
            rings(self.rings),
            rounds(self.rounds),
            self.largest,
            self.exact
        )];
        if self.singles > 0 {
            words.push(format!(
                "{} suspects taken one by one, {} of them to strengthen the invariant",
                self.singles, self.strengthened
            ));
        }
        words
    }

    /// A ring of so many nodes was replaced by one of so many.
    fn ring(&mut self, exact: usize, kept: usize) {
        self.rings += 1;
        self.exact = self.exact.max(exact);
        self.largest = self.largest.max(kept);
    }
}

/// Which suspects are reachable. The invariant holds the initial states, no step leaves it, and the suspects are
/// inside. At most `runs` ways are shown; without `all`, one if any.
pub fn decide(space: &Space<'_>, inv: &Bdd, suspects: &Bdd, rings: &Rings, runs: usize) -> Result<Decided, Stop> {
    search::Search::new(space, inv, suspects, rings)?.decide(runs)
}

/// Plain backward search for the first way to a goal: no invariant, all states that satisfy a goal are suspects.
pub fn backward(space: &Space<'_>, goals: &[Goal], pace: Pace) -> Result<Decided, Stop> {
    let valid = space.valid()?;
    let suspects = space.wanted(goals, &valid)?;
    let rings = Rings { pace, restrict: false, all: false, one_by_one: None };
    decide(space, &valid, &suspects, &rings, 1)
}
