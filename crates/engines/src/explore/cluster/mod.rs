//! Breadth-first search by workers that share nothing, in one process or on several machines, on timely dataflow.
//!
//! A state belongs to the worker that its hash names, who stores and expands it; successors travel to their owners in parcels.
//! The timestamp of a parcel is the level of its states: a worker expands a level when timely says that no more parcels of it
//! can come. So levels are those of any breadth-first search, and verdicts, figures and the lengths of runs do not depend on who
//! is quicker, nor on the number of workers. Each state knows the worker and the number of the state that it was reached from;
//! the run to what was found is told backwards, from owner to owner.
//!
//! Who is out of budget tells everybody, and everybody stops. A process that is lost takes its states with it: timely ends the
//! workers that hear of it, and the answer is that nothing is known.

mod parcel;
mod route;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use evidence::{Budget, Reason, Snapshot};
use model::{Property, System};
use timely::{CommunicationConfig, WorkerConfig};

use super::breadth::run_through;
use super::findings::Findings;
use super::search::{End, Goal, Search};

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

impl Team {
    fn config(self) -> timely::Config {
        let threads = self.workers.max(1);
        let communication = match self.hosts.len() {
            0 | 1 => CommunicationConfig::Process(threads),
            _ => CommunicationConfig::Cluster {
                threads,
                process: self.process,
                addresses: self.hosts.to_vec(),
                report: false,
                zerocopy: false,
            },
        };
        timely::Config { communication, worker: WorkerConfig::default() }
    }
}

/// What every worker of this process knows.
struct Task {
    system: System,
    goals: Vec<Goal>,
    /// By question, whether its goal is wished for.
    wished: Vec<bool>,
    passes: bool,
    /// Whether everything is to be visited in any case.
    whole: bool,
    budget: Budget,
    figures: Figures,
    /// What all processes must agree on.
    fingerprint: u64,
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
    /// For each lead, the states on the way there.
    routes: Vec<Vec<Vec<u64>>>,
}

/// How long the other processes may take to hear that this one stops.
const GRACE: Duration = Duration::from_secs(5);
/// How long a worker without work sleeps if nobody wakes it.
const PARK: Duration = Duration::from_millis(1);
const LOOK: Duration = Duration::from_millis(200);

/// Searches for all questions at once.
pub(super) fn run(search: &mut Search<'_>, team: Team, properties: &[&Property], whole: bool) -> Result<End, Reason> {
    let (budget, progress) = search.limits();
    let system = search.system.clone();
    let fingerprint = parcel::fingerprint(&(&system, properties));
    let task = Arc::new(Task {
        goals: properties.iter().map(|p| Goal::of(&system, p)).collect(),
        wished: properties.iter().map(|p| matches!(p, Property::Reachable(_))).collect(),
        passes: search.passes,
        whole,
        budget: budget.clone(),
        figures: Figures::default(),
        fingerprint,
        system,
    });
    let (send, receive) = mpsc::channel();
    let common = Arc::clone(&task);
    // It is not joined: nothing ends a thread that waits for a process which never comes.
    std::thread::spawn(move || drop(send.send(together(team, common))));
    let mut over = None;
    let found = loop {
        match receive.recv_timeout(LOOK) {
            Ok(found) => break found?,
            Err(mpsc::RecvTimeoutError::Disconnected) => return Err(lost()),
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
            let since = *over.get_or_insert_with(std::time::Instant::now);
            if since.elapsed() > GRACE {
                return Err(reason);
            }
        }
    };
    search.depth = found.depth;
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
        None if !whole && search.may_stop_with(std::iter::once(&found.findings)) => Ok(End::Stopped),
        None => Ok(End::Complete),
    }
}

fn lost() -> Reason {
    Reason::Lost("another process of the cluster was lost, and its states with it".to_owned())
}

/// Runs the workers of this process; what they found, if nobody was lost.
fn together(team: Team, task: Arc<Task>) -> Result<Found, Reason> {
    let all = catch_unwind(AssertUnwindSafe(|| {
        let workers = timely::execute(team.config(), move |worker| worker::work(worker, &task));
        Ok::<_, Reason>(workers.map_err(Reason::Lost)?.join())
    }));
    let results = all.map_err(|_| lost())??;
    let mut first = None;
    for result in results {
        let found = result.map_err(|_| lost())?;
        first = first.or(Some(found));
    }
    first.ok_or_else(lost)
}
