//! Invariants that others found are taken over, and what is suspected here is told.
//!
//! A lemma need not be inductive by itself: it holds in every reachable state, and a backward search that stays where all
//! reachable states are misses none of them.

use std::sync::Arc;
use std::time::Duration;

use evidence::Goal;
use solve::bdd::Bdd;

use crate::diagrams::{Space, Stop};
use crate::exchange::{Candidate, Member};
use crate::lemma::Lemma;
use crate::question::satisfies;

/// How many lemmas are added at once, before one looks how large the set has become.
const BATCH: usize = 32;
/// The most nodes of the invariant with what others know.
const NODES: usize = 1 << 18;
/// How long lemmas are added: there may be thousands, and the rest of the work has to be done as well.
const PATIENCE: Duration = Duration::from_millis(500);
/// How many suspects are told.
const TOLD: usize = 8;

/// What is left of a set and of the suspects in it when all that others exclude is left out. Of the set, only as much is
/// left out as keeps it small.
pub(super) fn trimmed(space: &Space<'_>, lemmas: &[Arc<Lemma>], set: Bdd, suspects: Bdd) -> Result<(Bdd, Bdd), Stop> {
    let (mut set, mut suspects) = (set, suspects);
    let end = space.budget().now() + PATIENCE;
    for batch in lemmas.chunks(BATCH) {
        if suspects.is_none() || space.budget().now() >= end {
            break;
        }
        let mut smaller = set.clone();
        for lemma in batch {
            space.check()?;
            let inside = inside(space, lemma)?;
            suspects = suspects.minus(&inside)?;
            smaller = smaller.minus(&inside)?;
        }
        if smaller.nodes() <= NODES.max(set.nodes()) {
            set = smaller;
        }
    }
    Ok((set, suspects))
}

/// The states that a lemma excludes.
fn inside(space: &Space<'_>, lemma: &Lemma) -> Result<Bdd, Stop> {
    let confined = |c| lemma.confined.iter().find(|(member, _)| *member == c).map(|(_, states)| states.clone());
    space.product(confined)
}

/// Tells some suspects, each with the goal that it satisfies.
pub(super) fn tell(space: &Space<'_>, goals: &[Goal], suspects: &Bdd, others: Member<'_>) -> Result<(), Stop> {
    let mut left = suspects.clone();
    for _ in 0..TOLD {
        let Some(states) = space.pick(&left) else { break };
        left = left.minus(&space.state(&states)?)?;
        if let Some(&goal) = goals.iter().find(|&&goal| satisfies(space.network(), goal, &states)) {
            others.suspects(&Candidate { goal, states });
        }
    }
    Ok(())
}
