//! Explicit search of the state space, state by state (Godefroid's thesis, Figure 2.1), breadth-first or depth-first.
//!
//! A *model error* met on the way is a violation of every property, with the run that ends in it; only a `Reachable`
//! property holds all the same if its goal can be reached, so that the verdict never depends on the order of search.

mod breadth;
mod cache;
#[cfg(feature = "cluster")]
mod cluster;
mod component;
mod depth;
mod divergence;
mod findings;
mod movers;
mod pace;
mod parents;
mod passing;
mod reduction;
mod search;
mod selective;
mod shorter;
mod silent;
mod sleep;

#[cfg(feature = "cluster")]
pub use cluster::{Team, is_loss};
pub use reduction::{Persistent, Proviso, Wish};

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use evidence::{Budget, Evidence, Outcome, Progress, Reason, Statistics, Verdict};
use model::{Class, Property, System};

use crate::persistent::PersistentSets;
use crate::shared::{Bits, Disk, Fingerprints, Plain, Tree};
use crate::{Engine, Problem};
use reduction::Reduction;
use search::{End, Extent, Search, Task};
use silent::Silent;

/// In which order states are expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// Level by level: the run to a violation is a shortest one; or, to a cycle of silent steps, one to the first found
    /// that is shortest through the states that were met before.
    #[default]
    Breadth,
    /// Along one path as far as it goes: no memory for the way back, the first run found.
    Depth,
}

/// How visited states are kept. What may confuse states decides nothing but by the runs that it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Keep {
    /// Exactly, as trees of shared parts.
    #[default]
    Tree,
    /// Exactly, whole states.
    Plain,
    /// By hashes of so many bits, 8 to 64.
    Hashes(u32),
    /// As a few bits of a field of so many.
    Bits(u64),
}

impl Keep {
    /// Whether no state is ever taken for another.
    pub fn is_exact(self) -> bool {
        matches!(self, Keep::Tree | Keep::Plain)
    }
}

/// The explicit search and its switches.
#[derive(Clone, Copy, Debug)]
pub struct Explore {
    /// The order of expansion.
    pub order: Order,
    /// After a violation, go on until this many states are stored, so that small state spaces are counted whole.
    pub finish: u64,
    /// What is to be left out.
    pub reduce: Wish,
    /// Find every deadlock, with a run to each.
    pub all: bool,
    /// Keep at most this many states besides those on the stack (state-space caching, section 8.4).
    pub cache: Option<u64>,
    /// Take local steps that nobody sees together with the step before them (see [`model::System::merging`]), where the
    /// question and the proviso allow it.
    pub merge: bool,
    /// Forget values that nobody will read (see [`model::System::with_live_values`]).
    pub live: bool,
    /// How states are kept in breadth-first order; in depth-first order they are kept whole.
    pub keep: Keep,
    /// How many threads search in breadth-first order.
    pub threads: usize,
    /// Levels with fewer states are left to one of them.
    pub narrow: usize,
    /// Search together with other processes.
    #[cfg(feature = "cluster")]
    pub team: Option<Team>,
}

impl Default for Explore {
    fn default() -> Self {
        Self {
            order: Order::default(),
            finish: 10_000,
            reduce: Wish::default(),
            all: false,
            cache: None,
            merge: false,
            live: false,
            keep: Keep::default(),
            threads: 1,
            narrow: 512,
            #[cfg(feature = "cluster")]
            team: None,
        }
    }
}

impl Explore {
    /// The reduction that this search may use for these questions together; or why it cannot treat them.
    fn plan(&self, system: &System, properties: &[&Property]) -> Result<Reduction, String> {
        let usual = if self.order == Order::Depth { Proviso::Stack } else { Proviso::Queue };
        let reduction = Reduction::grant(self.reduce, usual, properties, system)?;
        let proviso = reduction.wish().proviso;
        #[cfg(feature = "cluster")]
        self.can_share(properties)?;
        let liveness = properties.iter().any(|p| p.class() == Class::Liveness);
        let branching = properties.iter().any(|p| p.class() == Class::Branching);
        if branching && system.processes().is_empty() {
            return Err("there are no processes that could be stuck".to_owned());
        }
        if branching && (self.cache.is_some() || !self.keep.is_exact()) {
            return Err("to know what can still happen every state is to be kept: no cache, no lossy store".to_owned());
        }
        if self.cache.is_some() && proviso == Proviso::Component {
            return Err("the component proviso needs all states of a component: no cache".to_owned());
        }
        if self.cache.is_some() && liveness {
            return Err("to find an infinite run every state is to be kept: no cache".to_owned());
        }
        if !self.keep.is_exact() && liveness {
            return Err("to find an infinite run every state is to be kept: no lossy store".to_owned());
        }
        match (self.order, proviso) {
            (Order::Depth, _) if self.keep != Keep::default() => {
                Err("another store needs breadth-first order: order=breadth".to_owned())
            }
            (Order::Depth, Proviso::Queue) => {
                Err("the queue proviso needs breadth-first order: order=breadth".to_owned())
            }
            (Order::Depth, _) => Ok(reduction),
            _ if self.cache.is_some() => Err("a cache of states needs depth-first order: order=depth".to_owned()),
            _ if self.reduce.sleep => Err("sleep sets need depth-first order: order=depth".to_owned()),
            (_, Proviso::Stack) => Err("the stack proviso needs depth-first order: order=depth".to_owned()),
            (_, Proviso::Component) => Err("the component proviso needs depth-first order: order=depth".to_owned()),
            (_, Proviso::None | Proviso::Goal | Proviso::Queue) => Ok(reduction),
        }
    }

    /// Whether workers that share nothing can search like this.
    #[cfg(feature = "cluster")]
    fn can_share(&self, properties: &[&Property]) -> Result<(), String> {
        let wish = self.reduce;
        let plain = wish.is_none() && !self.all && self.cache.is_none() && self.keep == Keep::default();
        if self.team.is_none()
            || (plain
                && self.order == Order::Breadth
                && !properties.iter().any(|p| matches!(p.class(), Class::Liveness | Class::Branching)))
        {
            return Ok(());
        }
        Err("a cluster searches for finite runs in breadth-first order, without reduction, cache or lists".to_owned())
    }

    /// Answers several questions in one search, or one that [`is_apart`].
    fn search(
        &self,
        system: &System,
        properties: &[&Property],
        (budget, progress): (&Budget, &dyn Progress),
        files: &Files,
    ) -> Vec<Outcome> {
        let start = Instant::now();
        let place = files.checkpoints.as_ref().map(|place| breadth::Place::new(place, self, system, properties));
        let place = match place.transpose() {
            Ok(place) => place,
            Err(reason) => return vec![Outcome::unknown(reason); properties.len()],
        };
        let reduction = match self.plan(system, properties) {
            Ok(reduction) => reduction,
            Err(why) => return vec![Outcome::unknown(Reason::Unsupported(why)); properties.len()],
        };
        if let [Property::DivergenceFree(label)] = properties
            && let Some(why) = self.at_a_glance(system, label)
        {
            let seconds = start.elapsed().as_secs_f64();
            let verdict = Verdict::Holds(Evidence::Structure(why));
            return vec![Outcome::new(verdict, Statistics { seconds, ..Statistics::default() })];
        }
        let observer = properties.iter().find_map(|p| match p {
            Property::Safety(observer) => Some(observer),
            _ => None,
        });
        let other = match observer {
            Some(observer) => Some(system.observed_by(observer)),
            None => self.condensed(system, properties, reduction),
        };
        let condensed = observer.is_none() && other.is_some();
        let system = other.as_ref().unwrap_or(system);
        // Who asks for infinite runs or for what can follow has no use for a list of deadlocks.
        let all = self.all && !properties.iter().all(|p| is_beyond_states(p));
        let (finish, forgets) = (self.finish, self.cache.is_some());
        let extent = match reduction.extent() {
            Extent::Full if condensed => Extent::EveryTransition,
            extent => extent,
        };
        let begun = || {
            let mut search = Search::new(Task { system, properties, finish, all, forgets, budget, progress });
            search.extent = extent;
            search
        };
        let mut search = begun();
        search.place = place;
        let mut ended = self.explore(&mut search, reduction, properties, None);
        if let Some(folder) = &files.spill
            && ended == Err(Reason::Memory)
            && self.keep.is_exact()
            && reduction.wish().proviso != Proviso::Queue
            && !search.is_decided()
        {
            progress.warn("memory is short: the search begins anew with its states on disk");
            search = begun();
            ended = self.explore(&mut search, reduction, properties, Some(folder));
            search.warnings.push(format!("memory was short: the states were kept in {}", folder.display()));
        }
        search.outcomes(&ended, start.elapsed().as_secs_f64())
    }

    /// The system without values that nobody will read, and with local steps merged, as far as that is wished for and
    /// possible. Every transition that can be fired still is, and of every state in which some process cannot go on by
    /// itself one is still visited that differs in such values at most.
    fn condensed(&self, system: &System, properties: &[&Property], reduction: Reduction) -> Option<System> {
        let asked = || {
            properties.iter().filter_map(|p| match p {
                Property::Invariant(e) | Property::Reachable(e) => Some(e),
                _ => None,
            })
        };
        let finite = !properties.iter().any(|p| is_beyond_states(p));
        // Deadlocks that differ in such values are different ones to who lists them, and a cycle need not be one of the
        // system as it is.
        let live = (self.live && !self.all && finite).then(|| system.with_live_values(asked())).flatten();
        let merge = self.merge && finite && reduction.wish().proviso != Proviso::Component;
        let merged = merge.then(|| live.as_ref().unwrap_or(system).merging(asked())).flatten();
        merged.or(live)
    }

    /// Why there is no infinite run of silent steps, if that is plain from the processes alone. Not asked of a system
    /// with steps that may be model errors, which must be looked for, nor if everything is to be visited in any case.
    fn at_a_glance(&self, system: &System, label: &str) -> Option<String> {
        if self.finish == u64::MAX || !system.is_lawful() {
            return None;
        }
        Silent::new(system, label).cannot_go_on(system)
    }

    /// Searches; on disk, if a folder is named.
    fn explore(
        &self,
        search: &mut Search<'_>,
        reduction: Reduction,
        properties: &[&Property],
        disk: Option<&Path>,
    ) -> Result<End, Reason> {
        let wish = reduction.wish();
        if let [Property::DivergenceFree(label)] = properties {
            let silent = Silent::new(search.system, label);
            return divergence::run(search, &silent, self.order == Order::Breadth);
        }
        #[cfg(feature = "cluster")]
        if let Some(team) = self.team {
            return cluster::run(search, team, properties, self.finish);
        }
        if let [Property::PartialDeadlockFree] = properties {
            let sets = wish
                .persistent
                .map(|p| PersistentSets::new(search.system, p.algorithm, p.interference, reduction.is_uniform()));
            return component::run_for_stuck(search, sets, wish.proviso, self.order == Order::Breadth);
        }
        if wish.is_none() && self.cache.is_none() {
            return match self.order {
                Order::Breadth => self.breadth(search, None, Proviso::None, disk),
                Order::Depth => depth::run(search),
            };
        }
        let persistent = wish.persistent.unwrap_or(Persistent::TRIVIAL);
        let goals = properties.iter().filter_map(|p| match p {
            Property::Invariant(e) => Some((e, false)),
            Property::Reachable(e) => Some((e, true)),
            _ => None,
        });
        let watched = (wish.persistent.is_some() && properties.iter().any(|p| p.class() != Class::Deadlock))
            .then(|| search.system.watching(goals, wish.proviso == Proviso::Goal));
        let known = watched.as_ref().unwrap_or(search.system);
        let sets = || PersistentSets::new(known, persistent.algorithm, persistent.interference, reduction.is_uniform());
        match (self.order, wish.proviso) {
            (Order::Breadth, proviso) => self.breadth(search, Some(&sets), proviso, disk),
            (Order::Depth, Proviso::Component) => component::run(search, sets()),
            (Order::Depth, _) => selective::run(search, sets(), reduction, self.cache),
        }
    }

    fn breadth<'w>(
        &self,
        search: &mut Search<'_>,
        reduce: Option<&'w (dyn Fn() -> PersistentSets<'w> + Sync)>,
        proviso: Proviso,
        disk: Option<&Path>,
    ) -> Result<End, Reason> {
        let (threads, narrow) = (self.threads, self.narrow);
        let open = (proviso == Proviso::Queue).then_some(breadth::Open::new as fn() -> _);
        let plan = breadth::Plan { threads, narrow, reduce, open };
        let system = search.system;
        if let Some(folder) = disk {
            let memory = search.limits().0.memory().unwrap_or(USUAL_MEMORY);
            let store = Disk::new(folder, system.words(), threads.max(1), memory)?;
            return breadth::run(search, &plan, store);
        }
        match self.keep {
            Keep::Tree => breadth::run(search, &plan, Tree::new(system.used_bits())),
            Keep::Plain => breadth::run(search, &plan, Plain::new(system.words())),
            Keep::Hashes(bits) => breadth::run(search, &plan, Fingerprints::new(bits.clamp(8, 64))),
            Keep::Bits(bits) => {
                search.limits().0.check_memory(Bits::bytes_of(bits))?;
                breadth::run(search, &plan, Bits::new(bits))
            }
        }
    }
}

impl Engine for Explore {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        self.plan(problem.system, &[problem.property]).map(|_| ())
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let outcomes = self.search(problem.system, &[problem.property], (budget, progress), &Files::default());
        outcomes.into_iter().next().expect("one question has one answer")
    }

    /// One search for all questions that can share one, and one for each of the others.
    fn run_all(
        &self,
        system: &System,
        properties: &[&Property],
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Vec<Outcome> {
        together(properties, budget, |properties, budget| {
            self.search(system, properties, (budget, progress), &Files::default())
        })
    }
}

/// One search for all questions that can share one, and one for each of the others.
fn together(
    properties: &[&Property],
    budget: &Budget,
    search: impl Fn(&[&Property], &Budget) -> Vec<Outcome>,
) -> Vec<Outcome> {
    let together: Vec<&Property> = properties.iter().copied().filter(|p| !is_apart(p)).collect();
    let mut open = properties.len();
    let mut shared = match together.len() {
        0 => Vec::new(),
        n => search(&together, &budget.shares(n, open)),
    }
    .into_iter();
    open -= together.len();
    let mut answer = |property: &&Property| {
        if !is_apart(property) {
            return shared.next();
        }
        open -= 1;
        search(&[property], &budget.share(open + 1)).pop()
    };
    properties.iter().map(|property| answer(property).expect("every question that was asked is answered")).collect()
}

/// What a search may do with files.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// It leaves checkpoints, and goes on from them.
    pub checkpoints: Option<Checkpoints>,
    /// It keeps its states in this folder when memory is short.
    pub spill: Option<PathBuf>,
}

/// The memory of a search on disk that has no limit.
const USUAL_MEMORY: u64 = 1 << 30;

/// Checkpoints of a search.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    /// Where they are.
    pub folder: PathBuf,
    /// How much time passes between two of them, at least.
    pub every: Duration,
}

/// An explicit search in breadth-first order that uses files.
#[derive(Clone, Debug)]
pub struct WithFiles {
    /// The search.
    pub explore: Explore,
    /// The files.
    pub files: Files,
}

impl Engine for WithFiles {
    fn name(&self) -> &'static str {
        self.explore.name()
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        if self.explore.order != Order::Breadth || is_beyond_states(problem.property) {
            let why = "only breadth-first searches use files, and none for infinite runs or for what can follow";
            return Err(why.to_owned());
        }
        #[cfg(feature = "cluster")]
        if self.explore.team.is_some() && self.files.spill.is_some() {
            return Err("workers that share nothing keep their states in memory: leave out --spill".to_owned());
        }
        self.explore.supports(problem)
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let mut outcomes = self.run_all(problem.system, &[problem.property], budget, progress);
        outcomes.pop().expect("one question has one answer")
    }

    fn run_all(
        &self,
        system: &System,
        properties: &[&Property],
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Vec<Outcome> {
        together(properties, budget, |properties, budget| {
            self.explore.search(system, properties, (budget, progress), &self.files)
        })
    }
}

/// Whether a question needs a search of its own: an observer is part of the state, and infinite runs and who is stuck for
/// good are found in another order.
fn is_apart(property: &Property) -> bool {
    matches!(property, Property::Safety(_) | Property::DivergenceFree(_) | Property::PartialDeadlockFree)
}

/// Whether a question is about more than single states and the steps that lead there.
fn is_beyond_states(property: &Property) -> bool {
    matches!(property.class(), Class::Liveness | Class::Branching)
}

#[cfg(test)]
mod tests;
