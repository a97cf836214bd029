//! Limits from the arguments, and Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use evidence::{Budget, Reason};

use crate::args::LimitArgs;
use crate::exit::{Exit, Failure};

/// What takes long where a model is very large.
pub(crate) const READING: &str = "the model was read";
/// How often somebody who waits looks at the clock.
const GLANCE: Duration = Duration::from_millis(20);
/// How long work that looks at the clock by itself may take to say how far it came.
const GRACE: Duration = Duration::from_secs(1);
/// Texts are nested, and so are the functions that read them.
const STACK: usize = 64 << 20;

/// The flag of the search that is running.
static CURRENT: OnceLock<Mutex<Arc<AtomicBool>>> = OnceLock::new();
/// Whether somebody has asked to stop.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// A budget that starts now and that Ctrl-C cancels; a second Ctrl-C ends the program at once.
pub(crate) fn start(limits: &LimitArgs) -> Budget {
    within(limits.timeout, limits.memory)
}

/// The same, with limits from elsewhere.
pub(crate) fn within(timeout: Option<Duration>, memory: Option<u64>) -> Budget {
    let mut budget = Budget::unlimited();
    if let Some(time) = timeout {
        budget = budget.with_timeout(time);
    }
    if let Some(bytes) = memory.or_else(most_of_the_memory) {
        budget = budget.with_memory(bytes);
    }
    let flag = budget.cancel_flag();
    flag.store(interrupted(), Ordering::Relaxed);
    match CURRENT.get() {
        Some(current) => *current.lock().unwrap_or_else(PoisonError::into_inner) = flag,
        None if CURRENT.set(Mutex::new(flag)).is_ok() => install(),
        None => {}
    }
    budget
}

/// What work comes to that does not look at the budget: reading a model is a matter of moments, but for models that are very
/// large. When the budget is spent nobody waits for it any longer. It is left to itself then, until the program ends.
pub(crate) fn in_time<T: Send + 'static>(
    budget: &Budget,
    doing: &str,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let (done, result) = channel();
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || {
        // Nobody may be there any more.
        let _ = done.send(work());
    });
    worker.map_err(|e| Failure::internal(format!("no thread can be started: {e}")))?;
    let mut late: Option<Instant> = None;
    loop {
        match (result.recv_timeout(GLANCE), budget.check(0)) {
            (Ok(result), _) => return result,
            (Err(RecvTimeoutError::Disconnected), _) => panic!("who works answers, unless it panics"),
            (_, Err(Reason::Timeout)) if late.get_or_insert_with(Instant::now).elapsed() < GRACE => {}
            (_, Err(spent)) => return Err(Failure::unknown(format!("{spent} while {doing}"))),
            (_, Ok(())) => {}
        }
    }
}

/// Three quarters of what is free, where the system tells: an answer `unknown` is better than being killed.
pub(crate) fn most_of_the_memory() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024 / 4 * 3)
}

/// Whether Ctrl-C was pressed.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

fn install() {
    // Without a handler Ctrl-C still works, only without a summary.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Unknown as i32);
        }
        if let Some(current) = CURRENT.get() {
            current.lock().unwrap_or_else(PoisonError::into_inner).store(true, Ordering::Relaxed);
        }
    });
}
