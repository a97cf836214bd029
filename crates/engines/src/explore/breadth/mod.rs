//! Breadth-first search on one thread or several, level by level.
//!
//! The threads take the states of a level from one pile and store their successors, which are the next level, in one store.
//! Levels are the same whoever does what, so verdicts, figures and the lengths of runs do not depend on the threads; with a
//! reduction that asks what others have met, verdicts do not. A level that is begun is expanded whole.
//!
//! Small levels are left to one thread, so that a long narrow state space costs no waiting.

mod checkpoint;
mod crew;
mod frontier;
mod open;
mod waypoints;
mod worker;

use std::cell::OnceCell;
use std::sync::Arc;
use std::thread::Scope;
use std::time::Duration;

use evidence::{Budget, Reason};
use model::TransitionId;

use super::findings::{Findings, Lead};
use super::passing::pass;
use super::search::{End, Search};
use crate::persistent::PersistentSets;
use crate::shared::{Growable, Visited};
pub(super) use checkpoint::Place;
#[cfg(feature = "cluster")]
pub(super) use checkpoint::SHARE;
use checkpoint::{Keeper, Whole};
use crew::Crew;
use frontier::{Block, Frontier};
pub(super) use open::Open;
use waypoints::Waypoints;
pub(super) use waypoints::run_through;
use worker::{Common, Figures, Stop, Worker};

/// The time to tell runs when there is none left.
const GRACE: Duration = Duration::from_millis(500);
/// The same where levels are read from a disk.
const GRACE_OF_DISKS: Duration = Duration::from_secs(2);

/// What is said where time did not suffice for that.
const UNTOLD: &str = "more was found than there was time to tell the runs of";

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
    let words = if S::TELLS { 1 } else { system.words() };
    let mut waypoints = Waypoints::new(words, plan.reduce.is_some() || search.lists());
    let none = || Findings::new(search.goals().len(), system.transitions().len(), search.lists());
    let own = || (Block::new(words), none());
    let worker = |i| Worker::new(i == 0, store.desk(), plan.reduce, system.words(), own());
    // Threads make their things themselves: the system keeps apart what different threads ask for.
    let mut workers: Vec<Worker<'_, S::Desk>> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..plan.threads).map(|i| scope.spawn(move || worker(i))).collect();
        let others = others.into_iter().map(|other| other.join().expect("making a worker does not panic"));
        std::iter::once(worker(0)).chain(others).collect()
    });
    let (budget, progress) = search.limits();
    let mut common = Arc::new(Common {
        system,
        goals: search.goals(),
        passes: search.passes,
        threads: workers.len(),
        store: Growable::new(store),
        level: Frontier::default(),
        depth: 0,
        next: Frontier::default(),
        open: plan.open.map(|open| open()),
        kept: Default::default(),
        budget,
        pace: search.pace,
        pause: None,
        progress,
        figures: Figures::default(),
        stop: Stop::default(),
    });
    let mut keeper = Keeper::new(search.place.clone())?;
    let whole = Whole { common: alone(&mut common), workers: &mut workers, waypoints: &mut waypoints };
    if !keeper.resume(whole, words)? {
        workers[0].begin(&common);
    }
    let ended = std::thread::scope(|scope| {
        let mut team = Team { common: &mut common, workers: &mut workers, crew: None, scope };
        levels((search, plan), (&mut team, &mut waypoints), &mut keeper, &none)
    });
    let mut common = Arc::into_inner(common).expect(ALONE);
    let is_done = ended.is_ok();
    if !is_done {
        let whole = Whole { common: &mut common, workers: &mut workers, waypoints: &mut waypoints };
        keeper.interrupted(&whole, none());
    }
    let interrupted = u64::from(ended.is_err() && common.level.len() > 0);
    let (depth, peak) = (common.depth + interrupted, common.figures.peak.into_inner());
    let store = common.store.into_inner();
    let mut found = none();
    workers.into_iter().for_each(|worker| found.join(worker.found));
    search.warnings.append(&mut keeper.notes);
    let answer = conclude(search, Ended { ended, depth, peak }, found, (store, waypoints));
    // What was found is lost if its run could not be told: the search can go on to it once more.
    match &answer {
        Ok(_) | Err(Reason::Omissions(_)) => keeper.done(),
        Err(_) if is_done => keeper.untold(),
        Err(_) => {}
    }
    search.warnings.append(&mut keeper.notes);
    answer
}

/// All that threads work with, and the threads.
struct Team<'t, 'scope, 'env, 'c, 'w, S: Visited> {
    common: &'t mut Arc<Common<'c, S>>,
    workers: &'t mut Vec<Worker<'w, S::Desk>>,
    /// The threads besides this one, from the first level on that is wide enough.
    crew: Option<Crew<Job<'c, 'w, S>, Worker<'w, S::Desk>>>,
    scope: &'scope Scope<'scope, 'env>,
}

/// A level to be worked on.
type Job<'c, 'w, S> = (Worker<'w, <S as Visited>::Desk>, Arc<Common<'c, S>>);

const ALONE: &str = "nobody works between levels";

/// What threads have in common, while none of them works.
fn alone<T>(common: &mut Arc<T>) -> &mut T {
    Arc::get_mut(common).expect(ALONE)
}

/// Expands level after level.
fn levels<'scope, 'c: 'scope, 'w: 'scope, S: Visited + 'scope>(
    (search, plan): (&Search<'_>, &Plan<'_>),
    (team, waypoints): (&mut Team<'_, 'scope, '_, 'c, 'w, S>, &mut Waypoints),
    keeper: &mut Keeper,
    none: &dyn Fn() -> Findings,
) -> Result<End, Reason> {
    loop {
        if let Some(reason) = team.common.stop.why() {
            return Err(reason);
        }
        let (common, workers) = (alone(team.common), &mut *team.workers);
        keeper.when_due(&mut Whole { common, workers, waypoints }, none());
        // A level that was interrupted goes on.
        if common.level.len() == 0 {
            if S::LATER {
                settle(common, workers)?;
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
            // A store that knows levels knows the way back.
            if !S::LATER {
                let before = waypoints.bytes();
                waypoints.pass(&mut common.level, workers.iter().map(|worker| worker.found.stored).sum());
                *common.kept.get_mut() += waypoints.bytes() - before;
            }
            common.open.iter_mut().for_each(|open| open.begin(size));
        }
        team.expand(plan.narrow);
        let common = alone(team.common);
        if common.level.len() == 0 {
            common.depth += 1;
        }
    }
}

impl<'scope, 'c: 'scope, 'w: 'scope, S: Visited + 'scope> Team<'_, 'scope, '_, 'c, 'w, S> {
    /// Expands a level; alone, if it has fewer states than said.
    fn expand(&mut self, narrow: usize) {
        let others = match alone(self.common).level.len() < narrow {
            true => Vec::new(),
            false => self.workers.split_off(1),
        };
        let (common, first) = (&*self.common, &mut self.workers[0]);
        if others.is_empty() {
            return first.work(common);
        }
        let crew = self.crew.get_or_insert_with(|| Crew::start(self.scope, others.len(), take_part));
        let jobs = others.into_iter().map(|worker| (worker, Arc::clone(common)));
        let others = crew.share(jobs, || first.work(common));
        self.workers.extend(others);
    }
}

fn take_part<'w, S: Visited>((mut worker, common): Job<'_, 'w, S>) -> Worker<'w, S::Desk> {
    worker.work(&common);
    worker
}

/// Finds out which states are new, and makes them the next level.
fn settle<S: Visited>(common: &mut Common<'_, S>, workers: &mut [Worker<'_, S::Desk>]) -> Result<(), Reason> {
    let (level, budget) = (common.depth, common.budget);
    let store = common.store.get_mut();
    workers.iter_mut().try_for_each(|worker| store.hand_in(&mut worker.desk))?;
    let (first, looked_for) = (&mut workers[0], (common.system, &*common.goals));
    let rows = store.settle(level, budget, &mut |state| first.is_new(looked_for, state, level))?;
    common.next = Frontier::of(rows);
    Ok(())
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
    let mut through = |lead: &Lead| -> Result<Vec<Vec<u64>>, Reason> {
        if S::LATER {
            let budget = search.limits().0;
            let way = way_back(search, &store, lead, budget);
            // Who has used up the time has an answer all the same.
            let later = |why| way_back(search, &store, lead, &budget.grace(GRACE_OF_DISKS)).map_err(|_| why);
            return way.or_else(later);
        }
        let told = |waypoint: &[u64]| match S::TELLS {
            true => {
                let mut state = vec![0; search.system.words()];
                store.open(waypoint[0], &mut desk, &mut state);
                state
            }
            false => waypoint.to_vec(),
        };
        let mut states: Vec<Vec<u64>> = waypoints.up_to(lead.waypoint).into_iter().map(told).collect();
        states.push(lead.state.clone());
        Ok(states)
    };
    let routes = found.leads().map(&mut through).collect::<Result<Vec<_>, _>>();
    let routes = match routes {
        Ok(routes) => routes,
        Err(reason) => {
            search.take_figures(&found);
            search.warnings.push(UNTOLD.to_owned());
            return Err(reason);
        }
    };
    drop((store, waypoints));
    let (runs, untold) = Runs { search, budget: search.limits().0, grace: OnceCell::new() }.all(&found, &routes);
    search.take_figures(&found);
    search.take_runs(&found, runs);
    search.warnings.extend(untold.as_ref().map(|_| UNTOLD.to_owned()));
    untold.map_or(ended, Err)
}

/// The states on a way to what a lead shows, through the levels that the store knows: of each, one before it.
fn way_back<S: Visited>(search: &Search<'_>, store: &S, lead: &Lead, budget: &Budget) -> Result<Vec<Vec<u64>>, Reason> {
    let system = search.system;
    let mut way = vec![lead.state.clone()];
    let mut next = vec![0; system.words()];
    for level in (0..lead.length - u64::from(lead.last.is_some())).rev() {
        let (mut before, mut looked) = (None, 0u32);
        let after = way.last().expect("there is one").clone();
        store.of_level(level, &mut |state| {
            looked = looked.wrapping_add(1);
            if looked.is_multiple_of(256) {
                budget.check(store.bytes())?;
            }
            let leads = |t| {
                let fired = system.fire(t, state, &mut next).is_ok();
                fired && (!search.passes || pass(system, &mut next, |_| ()).is_ok()) && next == after
            };
            if system.enabled(state).filter_map(Result::ok).any(leads) {
                before = Some(state.to_vec());
            }
            Ok(before.is_some())
        })?;
        way.push(before.expect("a state of the level before leads to each"));
    }
    way.reverse();
    Ok(way)
}

/// Tells runs again.
struct Runs<'r, 'a> {
    search: &'r Search<'a>,
    budget: &'r Budget,
    /// For all runs together, when there is no time left.
    grace: OnceCell<Budget>,
}

impl Runs<'_, '_> {
    /// The runs to what was found, in order: as many as there is time for, and why not all.
    fn all(&self, found: &Findings, routes: &[Vec<Vec<u64>>]) -> (Vec<Vec<TransitionId>>, Option<Reason>) {
        let mut runs = Vec::new();
        for (lead, route) in found.leads().zip(routes) {
            #[cfg(test)]
            if checkpoint::tests::TELLS_NOTHING.get() {
                return (runs, Some(Reason::Cancelled));
            }
            match self.along(route, lead.last) {
                Ok(run) => runs.push(run),
                Err(reason) => return (runs, Some(reason)),
            }
        }
        (runs, None)
    }

    fn along(&self, states: &[Vec<u64>], last: Option<TransitionId>) -> Result<Vec<TransitionId>, Reason> {
        let (system, passes) = (self.search.system, self.search.passes);
        let run = run_through(system, passes, states, self.budget);
        // Who has used up the time has an answer all the same.
        let grace = || self.grace.get_or_init(|| self.budget.grace(GRACE));
        let run = run.or_else(|why| run_through(system, passes, states, grace()).map_err(|_| why))?;
        Ok(run.into_iter().chain(last).collect())
    }
}
