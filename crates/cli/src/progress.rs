//! How far a search is, on standard error: one live line on a terminal; elsewhere, if asked for, a line after a second
//! and then ever more rarely, so that neither a short search is silent nor the log of a long one full.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use evidence::{Progress, Snapshot};
use serde_json::json;

use crate::args::When;
use formats::figures::{show_bytes, show_count, show_rate};

/// Shows snapshots of a search.
#[derive(Debug)]
pub(crate) struct Live {
    start: Instant,
    style: Option<Style>,
    /// When the next line is due, after the start.
    next: Mutex<Duration>,
    /// The engines that are at work.
    engines: Mutex<Vec<String>>,
    /// How far the search was when it was last heard of.
    last: Mutex<Snapshot>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// One line that changes.
    Line,
    /// A new line each time.
    Log,
    /// A line of JSON each time.
    Json,
}

impl Style {
    fn first(self) -> Duration {
        match self {
            Style::Line | Style::Json => Duration::from_millis(200),
            Style::Log => Duration::from_secs(1),
        }
    }

    /// When the line after the one that is shown now is due.
    fn after(self, now: Duration) -> Duration {
        match self {
            Style::Line | Style::Json => now + self.first(),
            Style::Log => now + now.clamp(self.first(), Duration::from_secs(60)),
        }
    }
}

impl Live {
    /// Starts the clock.
    pub(crate) fn new(when: When) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let style = match when {
            When::Never => None,
            When::Json => Some(Style::Json),
            When::Auto if !terminal => None,
            When::Always if !terminal => Some(Style::Log),
            When::Auto | When::Always => Some(Style::Line),
        };
        Self {
            start: Instant::now(),
            style,
            next: Mutex::new(style.map_or(Duration::ZERO, Style::first)),
            engines: Mutex::default(),
            last: Mutex::new(Snapshot { states: 0, transitions: 0, waiting: 0, bytes: 0 }),
        }
    }

    /// Removes the live line.
    pub(crate) fn clear(&self) {
        if self.style == Some(Style::Line) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }

    fn json(&self, s: &Snapshot, elapsed: Duration) -> String {
        let engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (states, waiting, transitions, bytes) = (s.states, s.waiting, s.transitions, s.bytes);
        let seconds = elapsed.as_secs_f64();
        json!({ "states": states, "transitions": transitions, "waiting": waiting, "bytes": bytes, "seconds": seconds, "engines": engines })
            .to_string()
    }

    fn due(&self, style: Style, now: Duration) -> bool {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let due = now >= *next;
        if due {
            *next = style.after(now);
        }
        due
    }
}

impl Progress for Live {
    fn update(&self, snapshot: &Snapshot) {
        let Some(style) = self.style else { return };
        let elapsed = self.start.elapsed();
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = *snapshot;
        if !self.due(style, elapsed) {
            return;
        }
        let line = match style {
            Style::Line | Style::Log => describe(snapshot, elapsed),
            Style::Json => self.json(snapshot, elapsed),
        };
        // Progress that cannot be shown must not stop the search.
        let _ = match style {
            Style::Line => write!(std::io::stderr(), "\r\x1b[K{line}"),
            Style::Log | Style::Json => writeln!(std::io::stderr(), "{line}"),
        };
    }

    fn engine(&self, name: &str, works: bool) {
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        match engines.iter().position(|n| n == name) {
            Some(position) if !works => _ = engines.remove(position),
            None if works => engines.push(name.to_owned()),
            _ => return,
        }
        drop(engines);
        if self.style == Some(Style::Json) {
            let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = writeln!(std::io::stderr(), "{}", self.json(&last, self.start.elapsed()));
        }
    }

    /// Shown however quiet the progress is: a search that goes on and on should say why.
    fn warn(&self, text: &str) {
        self.clear();
        let _ = writeln!(std::io::stderr(), "warning: {text}");
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

    #[test]
    fn a_log_becomes_rarer() {
        let mut due = vec![Style::Log.first().as_secs()];
        while due.len() < 9 {
            due.push(Style::Log.after(Duration::from_secs(due[due.len() - 1])).as_secs());
        }
        assert_eq!(due, [1, 2, 4, 8, 16, 32, 64, 124, 184]);
        assert_eq!(Style::Line.after(Duration::from_secs(9)), Duration::from_millis(9200));
    }
}
