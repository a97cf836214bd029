//! Breadth-first search on one thread or several, level by level.
//!
//! The threads take the states of a level from one pile and store their successors, which are the next level, in one store.
//! Levels are the same whoever does what, so verdicts, figures and the lengths of runs do not depend on the threads; with a
//! reduction that asks what others have met, verdicts do not. A level that is begun is expanded whole.
//!
//! Small levels are left to one thread, so that a long narrow state space costs no waiting.

mod frontier;
mod open;
mod waypoints;
mod worker;

use std::sync::RwLock;
use std::time::Duration;

use evidence::{Budget, Reason};
use model::TransitionId;

use super::findings::{Findings, Lead};
use super::search::{End, Search};
use crate::persistent::PersistentSets;
use crate::shared::Visited;
use frontier::{BLOCK, Block, Frontier};
pub(super) use open::Open;
use waypoints::{Waypoints, run_through};
use worker::{Common, Figures, Stop, Worker};

/// The time to tell a run when there is none left.
const GRACE: Duration = Duration::from_millis(500);

/// How a level is expanded.
pub(super) struct Plan<'w> {
    pub(super) threads: usize,
    /// Levels with fewer states are expanded by one thread.
    pub(super) narrow: usize,
    /// Makes persistent sets, if only these are to be taken.
    pub(super) reduce: Option<&'w (dyn Fn() -> PersistentSets<'w> + Sync)>,
    /// Makes what the queue proviso asks, if that is to be kept.
    pub(super) open: Option<fn() -> Open>,
}

/// Searches with a store; with persistent sets, only along these: the runs to deadlocks stay shortest ones, because some
/// permutation of a shortest run starts with a transition of the set.
pub(super) fn run<S: Visited>(search: &mut Search<'_>, plan: &Plan<'_>, store: S) -> Result<End, Reason> {
    let system = search.system;
    let words = if S::EXACT { 1 } else { system.words() };
    let mut waypoints = Waypoints::new(words, plan.reduce.is_some() || search.lists());
    let none = || Findings::new(search.goals().len(), system.transitions().len(), search.lists());
    let own = || (Block::new(words), none());
    let mut workers: Vec<Worker<'_, S::Desk>> = (0..plan.threads.max(1))
        .map(|i| Worker::new(i == 0, store.desk(), plan.reduce, system.words(), own()))
        .collect();
    let (budget, progress) = search.limits();
    let mut common = Common {
        system,
        goals: search.goals(),
        passes: search.passes,
        threads: workers.len(),
        store: RwLock::new((store, 0)),
        level: Frontier::default(),
        depth: 0,
        next: Frontier::default(),
        open: plan.open.map(|open| open()),
        kept: Default::default(),
        budget,
        progress,
        figures: Figures::default(),
        stop: Stop::default(),
    };
    workers[0].begin(&common);
    let ended = levels((search, plan), &mut common, &mut workers, &mut waypoints);
    let (depth, peak) = (common.depth, common.figures.peak.into_inner());
    let (store, _) = common.store.into_inner().expect("nobody panics with the store");
    let mut found = none();
    workers.into_iter().for_each(|worker| found.join(worker.found));
    conclude(search, Ended { ended, depth, peak }, found, (store, waypoints))
}

/// Expands level after level.
fn levels<S: Visited>(
    (search, plan): (&Search<'_>, &Plan<'_>),
    common: &mut Common<'_, S>,
    workers: &mut [Worker<'_, S::Desk>],
    waypoints: &mut Waypoints,
) -> Result<End, Reason> {
    loop {
        if let Some(reason) = common.stop.why() {
            return Err(reason);
        }
        std::mem::swap(&mut common.level, &mut common.next);
        let size = common.level.len();
        if size == 0 {
            common.depth = common.depth.saturating_sub(1);
            return Ok(End::Complete);
        }
        if search.may_stop_with(workers.iter().map(|worker| &worker.found)) {
            return Ok(End::Stopped);
        }
        let before = waypoints.bytes();
        waypoints.pass(&mut common.level, workers.iter().map(|worker| worker.found.stored).sum());
        *common.kept.get_mut() += waypoints.bytes() - before;
        common.open.iter_mut().for_each(|open| open.begin(size));
        expand(common, workers, size, plan.narrow);
        common.depth += 1;
    }
}

/// Expands a level of so many states.
fn expand<S: Visited>(common: &Common<'_, S>, workers: &mut [Worker<'_, S::Desk>], size: usize, narrow: usize) {
    let (first, others) = workers.split_first_mut().expect("somebody works");
    if size < narrow || others.is_empty() {
        return first.work(common, BLOCK);
    }
    let grain = (size / (16 * common.threads)).clamp(1, BLOCK);
    std::thread::scope(|scope| {
        for worker in others {
            scope.spawn(|| worker.work(common, grain));
        }
        first.work(common, grain);
    });
}

/// How the levels ended.
struct Ended {
    ended: Result<End, Reason>,
    depth: u64,
    peak: u64,
}

/// Tells the runs to what was found. What a store that may confuse states has not found may be there all the same.
fn conclude<S: Visited>(
    search: &mut Search<'_>,
    Ended { ended, depth, peak }: Ended,
    found: Findings,
    (store, waypoints): (S, Waypoints),
) -> Result<End, Reason> {
    search.depth = depth;
    let ended = match ended {
        Ok(End::Complete) if !S::EXACT => {
            search.omission = Some(store.omission());
            Err(Reason::Omissions(format!("{:.1e}", store.omission())))
        }
        ended => ended,
    };
    search.used(peak.max(store.bytes()));
    let mut desk = store.desk();
    let mut through = |lead: &Lead| -> Vec<Vec<u64>> {
        let told = |waypoint: &[u64]| match S::EXACT {
            true => {
                let mut state = vec![0; search.system.words()];
                store.open(waypoint[0], &mut desk, &mut state);
                state
            }
            false => waypoint.to_vec(),
        };
        let mut states: Vec<Vec<u64>> = waypoints.up_to(lead.waypoint).into_iter().map(told).collect();
        states.push(lead.state.clone());
        states
    };
    let routes = found.leads().map(&mut through).collect::<Vec<_>>();
    drop((store, waypoints));
    let runs = Runs { search, budget: search.limits().0 };
    let runs: Result<Vec<Vec<TransitionId>>, Reason> =
        found.leads().zip(&routes).map(|(lead, route)| runs.along(route, lead.last)).collect();
    search.take_figures(&found);
    search.take_runs(&found, runs?);
    ended
}

/// Tells runs again.
struct Runs<'r, 'a> {
    search: &'r Search<'a>,
    budget: &'r Budget,
}

impl Runs<'_, '_> {
    fn along(&self, states: &[Vec<u64>], last: Option<TransitionId>) -> Result<Vec<TransitionId>, Reason> {
        let (system, passes) = (self.search.system, self.search.passes);
        let run = run_through(system, passes, states, self.budget);
        // Who has used up the time has an answer all the same.
        let run = run.or_else(|_| run_through(system, passes, states, &self.budget.grace(GRACE)))?;
        Ok(run.into_iter().chain(last).collect())
    }
}
