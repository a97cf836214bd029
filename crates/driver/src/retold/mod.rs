//! Runs that are easier to read: what a run does not need is left out, and each process' steps stand together.
//!
//! An engine's run is right but accidental: a walk goes astray, a search takes the steps of processes in turn. Whatever is
//! made of it here is replayed, and shown only if it comes to the same; otherwise the engine's own run is.

mod gather;
mod shorten;
#[cfg(test)]
mod tests;

use std::time::Duration;

use check::{CheckedTrace, replay};
use evidence::{Budget, Trace};
use model::{Property, System};

use gather::Gathering;
use shorten::Shortening;

/// In another order more can be left out, so many times.
const ROUNDS: usize = 3;
/// How many steps may be fired for an attempt, by the size of a state.
const EFFORT: usize = 400_000;
/// Longer runs only lose their rounds: nobody reads them.
const STEPS: usize = 2_000;
/// Runs whose states would take more words than this stay as they are: to number the states takes about a microsecond each.
const WORDS: usize = 1 << 19;

/// How long a run may be worked on, whatever time is left.
const TIME: Duration = Duration::from_secs(1);

/// A run that comes to the same and has no more steps.
pub(crate) fn retold<'a>(
    system: &'a System,
    property: &Property,
    run: CheckedTrace<'a>,
    budget: &Budget,
) -> CheckedTrace<'a> {
    let grace = budget.grace(TIME);
    let mut run = gathered(system, property, run);
    for _ in 0..ROUNDS {
        let Some(shorter) = Shortening::new(system, property, &run, &grace).shortest() else { break };
        run = gathered(system, property, shorter);
    }
    run
}

/// The same steps, so that those of each process stand together: on the way there, and in what repeats.
pub(crate) fn gathered<'a>(system: &'a System, property: &Property, run: CheckedTrace<'a>) -> CheckedTrace<'a> {
    if !is_tellable(property) || !is_readable(&run) || run.trace().steps() > STEPS {
        return run;
    }
    let takes = |run: CheckedTrace<'a>, other: Trace| {
        let same = |other: &CheckedTrace<'_>| other.finding() == run.finding() && other.last() == run.last();
        replay(system, property, &other).ok().filter(same).unwrap_or(run)
    };
    let stem = Gathering::stem(&run).steps();
    let cycle = run.trace().cycle.clone();
    let run = takes(run, Trace { stem, cycle });
    let (stem, cycle) = (run.trace().stem.clone(), Gathering::cycle(&run).steps());
    if cycle.is_empty() { run } else { takes(run, Trace { stem, cycle }) }
}

/// Whether a run shows something by itself. A partial deadlock is shown by all that can follow, which is too much to be
/// looked at for every attempt.
fn is_tellable(property: &Property) -> bool {
    !matches!(property, Property::PartialDeadlockFree)
}

fn is_readable(run: &CheckedTrace<'_>) -> bool {
    run.trace().steps().saturating_mul(run.last().len()) <= WORDS
}

/// How many steps may be fired where states are this large.
fn effort(system: &System) -> usize {
    EFFORT / (1 + system.words() / 8)
}
