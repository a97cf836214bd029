//! Limits from the arguments, and Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use evidence::Budget;

use crate::args::LimitArgs;
use crate::exit::Exit;

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
