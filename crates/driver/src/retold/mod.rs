//! Runs that are easier to read: what a run does not need is left out, and each process' steps stand together.
//!
//! An engine's run is right but accidental: a walk goes astray, a search takes the steps of processes in turn. Whatever is
//! made of it here is replayed, and shown only if it comes to the same; otherwise the engine's own run is.

mod gather;
mod shorten;
#[cfg(test)]
mod tests;

use check::{CheckedTrace, replay};
use evidence::Trace;
use model::{Property, System};

use gather::Gathering;
use shorten::Shortening;

/// In another order more can be left out, so many times.
const ROUNDS: usize = 3;
/// How many steps may be fired for an attempt, by the size of a state.
const EFFORT: usize = 400_000;
/// Longer runs only lose their rounds: nobody reads them.
const STEPS: usize = 2_000;
/// Runs whose states would take more words than this stay as they are.
const WORDS: usize = 1 << 22;

/// A run that comes to the same and has no more steps.
pub(crate) fn retold<'a>(system: &'a System, property: &Property, run: CheckedTrace<'a>) -> CheckedTrace<'a> {
    let mut run = gathered(system, property, run);
    for _ in 0..ROUNDS {
        let Some(shorter) = Shortening::new(system, property, &run).shortest() else { break };
        run = gathered(system, property, shorter);
    }
    run
}

/// The same steps, so that those of each process stand together.
pub(crate) fn gathered<'a>(system: &'a System, property: &Property, run: CheckedTrace<'a>) -> CheckedTrace<'a> {
    if !is_told_by_its_end(property) || !is_readable(&run) || run.trace().steps() > STEPS {
        return run;
    }
    let stem = Gathering::new(&run).stem();
    let other = Trace { stem, cycle: run.trace().cycle.clone() };
    let same = |other: &CheckedTrace<'_>| other.finding() == run.finding() && other.last() == run.last();
    replay(system, property, &other).ok().filter(same).unwrap_or(run)
}

/// Whether a run shows something by where its stem ends, so that it does not matter how it came there. A partial deadlock is
/// shown by all that can follow, which is too much to be looked at for every attempt.
fn is_told_by_its_end(property: &Property) -> bool {
    !matches!(property, Property::Temporal(_) | Property::PartialDeadlockFree)
}

fn is_readable(run: &CheckedTrace<'_>) -> bool {
    run.trace().steps().saturating_mul(run.last().len()) <= WORDS
}

/// How many steps may be fired where states are this large.
fn effort(system: &System) -> usize {
    EFFORT / (1 + system.words() / 8)
}
