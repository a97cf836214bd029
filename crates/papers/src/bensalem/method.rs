//! The modes of the paper and ours, as engines with switches, and what each finds out about a model.
//!
//! Models are asked as sets of states and not through the engines: one of them has two initial states, and the sizes of
//! rings are shown.

use driver::Choice;
use engines::diagrams::rings::{Decided, Pace, Rings, backward, decide};
use engines::diagrams::{Bdd, Setting, Space, Stop, deep, order};
use engines::invariant::{Exact, Invariants, invariant};
use engines::local::{Local, LocalVerdict};
use engines::symbolic::Direction;
use evidence::{Budget, Count, Goal, Reason, Silent};

use super::models::Subject;

/// Plain backward search for the first deadlock.
pub(super) const MC: &str = "symbolic:direction=backward";
/// The paper's invariants, and every suspect decided.
pub(super) const RMFP: &str = "invariant:traps=symbolic,linear=off,exact=rings,restrict=on --all";
/// The same without smaller rings.
pub(super) const RMFP_PLAIN: &str = "invariant:traps=symbolic,linear=off,exact=rings,restrict=off --all";
/// The paper's invariants, and the first deadlock.
pub(super) const ONE_SHOT: &str = "invariant:traps=symbolic,linear=off,exact=rings,restrict=off";
/// The same with smaller rings.
pub(super) const OPT_ONE_SHOT: &str = "invariant:traps=symbolic,linear=off,exact=rings,restrict=on";
/// What we recommend: conserved quantities too, and passes over all rules.
pub(super) const CHAINS: &str = "invariant:exact=chains --all";
/// All reachable states, by saturation.
pub(super) const FORWARD: &str = "symbolic";
/// Nothing but invariants, and no state of the whole.
pub(super) const ALONE: &str = "local:linear,traps";

/// How many deadlocks a run is shown to, as in the paper's gas station.
const RUNS: usize = 10;

/// What decides: an engine, and whether all deadlocks are asked for.
pub(super) fn choice(engine: &str) -> (Choice, bool) {
    let (engine, all) = engine.strip_suffix(" --all").map_or((engine, false), |engine| (engine, true));
    (engine.parse().expect("the switches of an item exist"), all)
}

/// What is found out about a model.
pub(super) fn ask(subject: &Subject, (choice, all): &(Choice, bool), budget: &Budget) -> Result<Vec<Count>, Reason> {
    if let Choice::Local(local) = choice {
        return alone(local, subject, budget);
    }
    let network = &subject.network;
    let counts = deep(Space::variables(network), || {
        let (_, order) = order::best(network);
        let space = Space::new(network, Setting { order, budget })?.starting(subject.initial.clone());
        match choice {
            Choice::Symbolic(symbolic) if symbolic.direction == Direction::Backward => {
                Ok(rings(&backward(&space, &[Goal::Deadlock], Pace::Shortest)?))
            }
            Choice::Symbolic(_) => forward(&space),
            Choice::Invariants(invariants) => suspects(&space, &Invariants { all: *all, ..*invariants }),
            _ => Err(Stop(Reason::Unsupported("it counts nothing that a table shows".to_owned()))),
        }
    });
    counts.map_err(|Stop(reason)| reason)
}

fn rings(decided: &Decided) -> Vec<Count> {
    vec![Count::new("ring", &decided.figures.largest), Count::new("runs", &decided.runs.len())]
}

/// All reachable states and deadlocks, and a run to one.
fn forward(space: &Space<'_>) -> Result<Vec<Count>, Stop> {
    let reachable = space.reachable(&space.initial()?)?;
    let deadlocks = space.blocked(&reachable)?;
    let chains = Rings { pace: Pace::Chained, restrict: true, all: false, one_by_one: None };
    let decided = decide(space, &reachable, &deadlocks, &chains, 1)?;
    let counts = [Count::new("states", &space.count(&reachable)), number_of(space, "deadlocks", &deadlocks)];
    Ok(counts.into_iter().chain(rings(&decided)).collect())
}

fn number_of(space: &Space<'_>, what: &str, set: &Bdd) -> Count {
    Count::new(what, &space.count(set))
}

/// The suspects, and what becomes of them.
fn suspects(space: &Space<'_>, engine: &Invariants) -> Result<Vec<Count>, Stop> {
    let (inv, suspects) = invariant(space, &[Goal::Deadlock], &engine.strength)?;
    // Suspects are counted only if no invariant is missing; to decide them, fewer will do.
    if engine.exact == Exact::None && (inv.used.gave_up || inv.used.skipped > 0) {
        return Err(Stop(Reason::Unsupported("not all invariants could be used".to_owned())));
    }
    let mut counts = vec![number_of(space, "suspects", &suspects)];
    if let Exact::Rings(pace) = engine.exact {
        let how = Rings { pace, restrict: engine.restrict, all: engine.all, one_by_one: engine.one_by_one };
        let decided = decide(space, &inv.set, &suspects, &how, RUNS)?;
        if engine.all {
            counts.push(number_of(space, "deadlocks", &decided.reached));
        }
        counts.extend(rings(&decided));
    }
    Ok(counts)
}

/// Proved, or the candidates that are left.
fn alone(local: &Local, subject: &Subject, budget: &Budget) -> Result<Vec<Count>, Reason> {
    match local.analyse(&subject.network, budget, &Silent).verdict {
        LocalVerdict::Proved(_) | LocalVerdict::Exhausted => Ok(vec![Count::new("suspects", &0)]),
        LocalVerdict::Open(candidates) => Ok(vec![Count::new("suspects", &candidates.len())]),
        LocalVerdict::Reached(_) => Err(Reason::Unsupported("there is a deadlock".to_owned())),
        LocalVerdict::Stopped(reason) => Err(reason),
    }
}
