//! Waiting for another thread that will soon be done: by looking, for a while, before the system is asked to wake one.
//!
//! Who sleeps is woken after tens of microseconds, on a virtual machine after more: longer than many things take that threads wait
//! for while they search. Who has looked for so long in vain sleeps, so that a machine with other work loses little.

use std::time::{Duration, Instant};

/// How long somebody looks.
const PATIENCE: Duration = Duration::from_micros(100);
/// How many looks pass between two at the clock.
const LOOKS: u32 = 32;

/// Tries until it works out, but not for long.
pub(crate) fn patiently<T>(mut attempt: impl FnMut() -> Option<T>) -> Option<T> {
    if let Some(done) = attempt() {
        return Some(done);
    }
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        for _ in 0..LOOKS {
            std::hint::spin_loop();
            if let Some(done) = attempt() {
                return Some(done);
            }
        }
    }
    None
}
