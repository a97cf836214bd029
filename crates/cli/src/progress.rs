//! How far a search is, on standard error: one live line on a terminal, a line now and then elsewhere if asked for.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use evidence::{Progress, Snapshot};

use crate::args::When;
use crate::quantity::{show_bytes, show_count, show_rate};

/// Shows snapshots of a search.
#[derive(Debug)]
pub(crate) struct Live {
    start: Instant,
    /// How often to show, and whether on one line; none for never.
    style: Option<(Duration, bool)>,
    last: Mutex<Instant>,
}

impl Live {
    /// Starts the clock.
    pub(crate) fn new(when: When) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let style = match when {
            When::Never => None,
            When::Auto if !terminal => None,
            When::Always if !terminal => Some((Duration::from_secs(10), false)),
            When::Auto | When::Always => Some((Duration::from_millis(200), true)),
        };
        let start = Instant::now();
        Self { start, style, last: Mutex::new(start) }
    }

    /// Removes the live line.
    pub(crate) fn clear(&self) {
        if let Some((_, true)) = self.style {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }

    fn due(&self, every: Duration) -> bool {
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let due = last.elapsed() >= every;
        if due {
            *last = Instant::now();
        }
        due
    }
}

impl Progress for Live {
    fn update(&self, snapshot: &Snapshot) {
        let Some((every, one_line)) = self.style else { return };
        if !self.due(every) {
            return;
        }
        let line = describe(snapshot, self.start.elapsed());
        // Progress that cannot be shown must not stop the search.
        let _ =
            if one_line { write!(std::io::stderr(), "\r\x1b[K{line}") } else { writeln!(std::io::stderr(), "{line}") };
    }
}

fn describe(s: &Snapshot, elapsed: Duration) -> String {
    format!(
        "{} states, {} waiting, {} states/s, {}, {:.0} s",
        show_count(s.states),
        show_count(s.waiting),
        show_rate(s.states, elapsed.as_secs_f64()),
        show_bytes(s.bytes),
        elapsed.as_secs_f64(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_in_one_line() {
        let snapshot = Snapshot { states: 1_200_000, transitions: 5, waiting: 3_000, bytes: 3 << 20 };
        let line = describe(&snapshot, Duration::from_secs(2));
        assert_eq!(line, "1,200,000 states, 3,000 waiting, 600 k states/s, 3.0 MB, 2 s");
    }
}
