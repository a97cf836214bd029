//! Breadth-first search by workers that share nothing, in one process or on several machines, on timely dataflow.
//!
//! A state belongs to the worker that its hash names, who stores and expands it; successors travel to their owners in parcels.
//! The timestamp of a parcel is the level of its states: a worker expands a level when timely says that no more parcels of it
//! can come. So levels are those of any breadth-first search, and verdicts, figures and the lengths of runs do not depend on who
//! is quicker, nor on the number of workers. Each state knows the worker and the number of the state that it was reached from;
//! the run to what was found is told backwards, from owner to owner.
//!
//! Who is out of budget tells everybody, and everybody stops. A process that is lost, or says nothing any more (`line`), takes
//! its states with it: timely ends the workers that hear of it, and the answer is that nothing is known.

mod checkpoint;
mod connect;
mod line;
mod parcel;
mod route;
#[cfg(test)]
mod tests;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use evidence::{Budget, Reason, Snapshot};
use model::{Property, System};
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Config, Hooks};
use timely::{WorkerConfig, execute::execute_from};

use super::breadth::{Place, run_through};
use super::findings::Findings;
use super::search::{End, Goal, Search};
use crate::sealed;
use line::Silence;

/// Who searches together.
#[derive(Clone, Copy, Debug)]
pub struct Team {
    /// The workers of each process.
    pub workers: usize,
    /// The number of this process.
    pub process: usize,
    /// Where the processes listen, `host:port`, in the order of their numbers; one process alone if there are none.
    pub hosts: &'static [String],
}

/// Whether a panic with this message is how timely tells that a process was lost.
pub fn is_loss(message: &str) -> bool {
    let known = ["timely communication error", "MergeQueue poisoned", "Send thread panic", "Recv thread panic"];
    known.iter().any(|start| message.starts_with(start))
}

/// What a process was given, as far as all must have been given the same: everything that decides which dataflows there are
/// and what they carry.
#[derive(Clone, Copy, Debug)]
struct Given {
    /// Of the program's version, the model, the questions and the options.
    fingerprint: u64,
    /// Whether there are checkpoints.
    checkpoints: bool,
}

/// What every worker of this process knows.
struct Task {
    system: System,
    goals: Vec<Goal>,
    /// By question, whether its goal is wished for.
    wished: Vec<bool>,
    passes: bool,
    /// After all is decided, go on until this many states were visited.
    finish: u64,
    budget: Budget,
    figures: Figures,
    /// Where checkpoints are, if they are wanted.
    place: Option<Place>,
}

/// How far the workers of this process are, a little behind.
#[derive(Debug, Default)]
struct Figures {
    states: AtomicU64,
    transitions: AtomicU64,
    waiting: AtomicU64,
    bytes: AtomicU64,
    peak: AtomicU64,
}

/// What all workers together found, which all of them know in the end.
struct Found {
    findings: Findings,
    stopped: Option<Reason>,
    depth: u64,
    /// How many states were not expanded.
    left: u64,
    /// What the user should know.
    notes: Vec<String>,
    /// For each lead, the states on the way there.
    routes: Vec<Vec<Vec<u64>>>,
}

/// How long the other processes may take to hear that this one stops.
const GRACE: Duration = Duration::from_secs(5);
/// How long a worker without work sleeps if nobody wakes it.
const PARK: Duration = Duration::from_millis(1);
const LOOK: Duration = Duration::from_millis(200);

/// Searches for all questions at once.
pub(super) fn run(search: &mut Search<'_>, team: Team, properties: &[&Property], finish: u64) -> Result<End, Reason> {
    let (budget, progress) = search.limits();
    let system = search.system.clone();
    let team = Team { workers: team.workers.max(1), ..team };
    let (version, passes) = (env!("CARGO_PKG_VERSION"), search.passes);
    let text = format_args!("{version} {system:?} {properties:?} {finish} {passes}");
    let given = Given { fingerprint: sealed::fingerprint(text) as u64, checkpoints: search.place.is_some() };
    let task = Arc::new(Task {
        goals: properties.iter().map(|p| Goal::of(&system, p)).collect(),
        wished: properties.iter().map(|p| matches!(p, Property::Reachable(_))).collect(),
        passes: search.passes,
        finish,
        budget: budget.clone(),
        figures: Figures::default(),
        place: search.place.clone(),
        system,
    });
    let (send, receive) = mpsc::channel();
    let common = Arc::clone(&task);
    // It is not joined: nothing ends a worker that waits for a process which hangs.
    std::thread::spawn(move || drop(send.send(together(team, given, common))));
    let mut over = None;
    let found = loop {
        match receive.recv_timeout(LOOK) {
            Ok(Ok(found)) => break found,
            Ok(Err(reason)) => return Err(without(search, &task, reason)),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Err(without(search, &task, lost(&Silence::default())));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        let figures = &task.figures;
        let read = |figure: &AtomicU64| figure.load(Ordering::Relaxed);
        progress.update(&Snapshot {
            states: read(&figures.states),
            transitions: read(&figures.transitions),
            waiting: read(&figures.waiting),
            bytes: read(&figures.bytes),
        });
        if let Err(reason) = budget.check(0) {
            let since = *over.get_or_insert_with(Instant::now);
            if since.elapsed() > GRACE {
                return Err(without(search, &task, reason));
            }
        }
    };
    search.depth = found.depth;
    search.warnings.extend(found.notes);
    search.used(task.figures.peak.load(Ordering::Relaxed));
    let patience = budget.grace(GRACE);
    let leads = found.findings.leads().zip(&found.routes);
    let runs: Result<Vec<_>, Reason> = leads
        .map(|(lead, route)| {
            let run = run_through(search.system, search.passes, route, &patience)?;
            Ok(run.into_iter().chain(lead.last).collect())
        })
        .collect();
    search.take_figures(&found.findings);
    search.take_runs(&found.findings, runs?);
    match found.stopped {
        Some(reason) => Err(reason),
        None if found.left > 0 => Ok(End::Stopped),
        None => Ok(End::Complete),
    }
}

/// The search ends without an answer of all: how far the workers of this process had come is told, and what is left of it.
fn without(search: &mut Search<'_>, task: &Task, reason: Reason) -> Reason {
    let figures = &task.figures;
    let none = Findings::new(task.goals.len(), task.system.transitions().len(), false);
    let (stored, transitions) = (figures.states.load(Ordering::Relaxed), figures.transitions.load(Ordering::Relaxed));
    search.take_figures(&Findings { stored, transitions, ..none });
    search.used(figures.peak.load(Ordering::Relaxed));
    if stored > 0 {
        search.warnings.push("the figures are of this process alone".to_owned());
        let kept =
            "checkpoints stay, as far as there are any: the same commands go on from the last level that all have";
        search.warnings.extend(task.place.as_ref().map(|_| kept.to_owned()));
    }
    reason
}

/// Somebody was lost; who, if it was by silence.
fn lost(silence: &Silence) -> Reason {
    let who = silence.get().map_or("another process of the cluster was lost", String::as_str);
    Reason::Lost(format!("{who}, and its states with it"))
}

/// Runs the workers of this process; what they found, if nobody was lost.
fn together(team: Team, given: Given, task: Arc<Task>) -> Result<Found, Reason> {
    let (builders, connections, silence) = builders(team, given, &task.budget)?;
    let lost = || lost(&silence);
    let all = catch_unwind(AssertUnwindSafe(|| {
        let work = move |worker: &mut timely::worker::Worker| worker::work(worker, &task);
        let workers = execute_from(builders, connections, WorkerConfig::default(), work);
        Ok::<_, Reason>(workers.map_err(Reason::Lost)?.join())
    }));
    let mut found = Err(lost());
    let mut notes = Vec::new();
    for result in all.map_err(|_| lost())?? {
        let mut one = result.map_err(|_| lost())?;
        notes.append(&mut one.notes);
        found = Ok(one);
    }
    // What several workers say is said once.
    notes.sort();
    notes.dedup();
    found.map(|found| Found { notes, ..found })
}

type Connections = Box<dyn std::any::Any + Send>;

/// What workers are made of, and what must be kept while they work.
fn builders(
    team: Team,
    given: Given,
    budget: &Budget,
) -> Result<(Vec<AllocatorBuilder>, Connections, Silence), Reason> {
    let Team { workers, process, hosts } = team;
    if hosts.len() < 2 {
        let (builders, guard) = Config::Process(workers).try_build().map_err(Reason::Lost)?;
        return Ok((builders, guard, Silence::default()));
    }
    let (lines, silence) = connect::connect(team, given, budget)?;
    let hooks = Hooks::default();
    let own = ProcessBuilder::new_typed_vector(workers, hooks.refill.clone(), hooks.spill.clone());
    let (builders, guard) = initialize_networking_from_sockets(own, lines, process, workers, hooks)
        .map_err(|error| Reason::Lost(format!("a connection of the cluster cannot be used: {error}")))?;
    Ok((builders.into_iter().map(AllocatorBuilder::Tcp).collect(), Box::new(guard), silence))
}
