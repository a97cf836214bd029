//! Limits that every engine keeps, and the way it tells how far it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::gate::clock;
use crate::{Gate, Reason};

/// How long an engine may speak after it was asked to stop.
const LONGEST_GRACE: Duration = Duration::from_secs(2);

/// Wall-clock time, memory and a flag to stop. Engines ask often enough to keep each within a second.
#[derive(Clone, Debug)]
pub struct Budget {
    /// By the engine's own clock.
    deadline: Option<Instant>,
    gate: Option<Arc<Gate>>,
    /// For an engine that may be suspended: by the clocks of those who let it take turns, which go on meanwhile; without a
    /// gate by the one on the wall.
    outer: Vec<(Option<Arc<Gate>>, Instant)>,
    memory: Option<u64>,
    /// How often may be asked.
    tallies: Vec<Arc<Tally>>,
    /// Any of them stops; the last one is its own.
    cancel: Vec<Arc<AtomicBool>>,
}

/// Counts how often engines ask whether they may go on. They ask after so much work, so that it says how much was done,
/// whatever the machine.
#[derive(Debug, Default)]
pub struct Tally {
    asked: AtomicU64,
    most: Option<u64>,
}

impl Tally {
    /// How often was asked.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    fn is_full(&self) -> bool {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        self.most.is_some_and(|most| asked >= most)
    }
}

impl Default for Budget {
    fn default() -> Self {
        let (outer, tallies) = Default::default();
        Self { deadline: None, gate: None, outer, memory: None, tallies, cancel: vec![Arc::default()] }
    }
}

impl Budget {
    /// No limits.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Ends `time` from now.
    #[must_use]
    pub fn with_timeout(mut self, time: Duration) -> Self {
        self.deadline = self.now().checked_add(time);
        self
    }

    /// The same limits for an engine that waits whenever a gate is closed, as it is at first. Limits that are set from here
    /// on count the time in which it is open only. The keeper hears when the gate closes by itself.
    pub fn gated(&self, keeper: impl Fn() + Send + Sync + 'static) -> (Self, Arc<Gate>) {
        let gate = Arc::new(Gate::within(self.gate.clone(), keeper));
        let mut gated = Self { deadline: None, gate: Some(Arc::clone(&gate)), ..self.clone() };
        gated.outer.extend(self.deadline.map(|deadline| (self.gate.clone(), deadline)));
        (gated, gate)
    }

    /// The time by the engine's own clock, which stands still while it is suspended.
    pub fn now(&self) -> Instant {
        clock(self.gate.as_deref())
    }

    /// The same limits, with an equal share of the time that is left for each of `parts` that still come.
    #[must_use]
    pub fn share(&self, parts: usize) -> Self {
        self.shares(1, parts)
    }

    /// The same limits, with the time of `some` of the `parts` that still come.
    #[must_use]
    pub fn shares(&self, some: usize, parts: usize) -> Self {
        let part = some.min(parts).max(1) as f64 / parts.max(1) as f64;
        // A time that no clock shows is no limit.
        let deadline = self.left().and_then(|left| {
            let time = Duration::try_from_secs_f64(left.as_secs_f64() * part).ok()?;
            self.now().checked_add(time)
        });
        Self { deadline, ..self.clone() }
    }

    /// The time that is left, if there is a limit.
    pub fn left(&self) -> Option<Duration> {
        let own = self.deadline.map(|d| d.saturating_duration_since(self.now()));
        let outer = self.outer.iter().map(|(gate, d)| d.saturating_duration_since(clock(gate.as_deref())));
        own.into_iter().chain(outer).min()
    }

    /// The same limits, and at most this time from now.
    #[must_use]
    pub fn for_at_most(&self, time: Duration) -> Self {
        let soon = self.now().checked_add(time);
        Self { deadline: self.deadline.into_iter().chain(soon).min(), ..self.clone() }
    }

    /// The same limits for an engine whose work is counted, and which may ask at most so often.
    pub fn counted(&self, most: Option<u64>) -> (Self, Arc<Tally>) {
        let tally = Arc::new(Tally { asked: AtomicU64::new(0), most });
        let mut counted = self.clone();
        counted.tallies.push(Arc::clone(&tally));
        (counted, tally)
    }

    /// So much time from now, whatever is left, and any memory, for an engine that has its answer and must only say it. Who
    /// was asked to stop may say it, too: what was found would be lost otherwise. So the time is never long.
    #[must_use]
    pub fn grace(&self, time: Duration) -> Self {
        let deadline = self.now().checked_add(time.min(LONGEST_GRACE));
        Self { deadline, gate: self.gate.clone(), ..Self::default() }
    }

    /// Allows an engine's tables this many bytes.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// The bytes that are allowed, if there is a limit.
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// The same limits, and at most this time from now and this memory.
    #[must_use]
    pub fn narrowed(&self, time: Duration, bytes: u64) -> Self {
        Self { memory: Some(self.memory.map_or(bytes, |m| m.min(bytes))), ..self.for_at_most(time) }
    }

    /// The same limits, with an equal share of the memory for each of `parts` that run at the same time.
    #[must_use]
    pub fn memory_share(&self, parts: usize) -> Self {
        Self { memory: self.memory.map(|m| m / parts.max(1) as u64), ..self.clone() }
    }

    /// The flag that stops the engines that share this budget, when set.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(self.cancel.last().expect("there is always one"))
    }

    /// The same limits for engines that can be stopped without those that share this budget.
    #[must_use]
    pub fn apart(&self) -> Self {
        let mut apart = self.clone();
        apart.cancel.push(Arc::default());
        apart
    }

    /// Whether an engine that uses `bytes` may go on.
    pub fn check(&self, bytes: u64) -> Result<(), Reason> {
        if let Some(gate) = &self.gate {
            gate.pass();
        }
        if self.cancel.iter().any(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Reason::Cancelled);
        }
        // All count.
        if self.tallies.iter().filter(|tally| tally.is_full()).count() > 0 {
            return Err(Reason::Timeout);
        }
        if self.left() == Some(Duration::ZERO) {
            return Err(Reason::Timeout);
        }
        self.check_memory(bytes)
    }

    /// Why something was not done: because nothing is left, or else for this reason.
    pub fn spent_or(&self, reason: Reason) -> Reason {
        self.check(0).err().unwrap_or(reason)
    }

    /// Whether tables of `bytes` are allowed: asked before a table grows.
    pub fn check_memory(&self, bytes: u64) -> Result<(), Reason> {
        if self.memory.is_some_and(|m| bytes > m) { Err(Reason::Memory) } else { Ok(()) }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot {
    /// States stored.
    pub states: u64,
    /// Transitions fired.
    pub transitions: u64,
    /// States that still have to be expanded.
    pub waiting: u64,
    /// Bytes of the engine's tables.
    pub bytes: u64,
}

/// Hears from a running engine a few times a second.
pub trait Progress: Sync {
    /// Called with the current figures.
    fn update(&self, snapshot: &Snapshot);

    /// Called when an engine begins or ends its work, by its name.
    fn engine(&self, name: &str, works: bool) {
        let _ = (name, works);
    }

    /// Called at once with what the user should know while the search goes on.
    fn warn(&self, text: &str) {
        let _ = text;
    }
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn update(&self, _: &Snapshot) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_gets_what_is_left() {
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(100));
        let left = |b: &Budget| b.left().expect("it has a limit").as_secs();
        assert!((24..=25).contains(&left(&budget.share(4))));
        assert!((99..=100).contains(&left(&budget.share(1))) && (99..=100).contains(&left(&budget.share(0))));
        assert!(Budget::unlimited().share(3).left().is_none());
        let spent = Budget::unlimited().with_timeout(Duration::ZERO).share(2);
        assert_eq!(spent.check(0), Err(Reason::Timeout));
    }

    #[test]
    fn times_without_end_can_be_shared() {
        let long = Budget::unlimited().with_timeout(Duration::from_secs(i64::MAX as u64 - 10_000_000));
        assert!(long.left().is_some() && long.share(1).check(0).is_ok() && long.share(3).left().is_some());
        assert!(long.for_at_most(Duration::MAX).narrowed(Duration::MAX, 1).left().is_some());
        assert!(Budget::unlimited().with_timeout(Duration::MAX).share(2).left().is_none());
    }

    #[test]
    fn grace_outlives_a_cancel_but_not_for_long() {
        let budget = Budget::unlimited().with_memory(1);
        budget.cancel_flag().store(true, Ordering::Relaxed);
        let grace = budget.grace(Duration::from_secs(60));
        assert_eq!(grace.check(2), Ok(()));
        assert!(grace.left().is_some_and(|left| left <= LONGEST_GRACE));
        assert_eq!(budget.grace(Duration::ZERO).check(0), Err(Reason::Timeout));
    }

    #[test]
    fn work_is_counted() {
        let (all, first) = Budget::unlimited().counted(None);
        let (few, second) = all.counted(Some(2));
        let answers: Vec<_> = (0..4).map(|_| few.share(2).check(0)).collect();
        assert_eq!(answers, [Ok(()), Ok(()), Err(Reason::Timeout), Err(Reason::Timeout)]);
        assert_eq!(all.check(0), Ok(()));
        assert_eq!((first.asked(), second.asked()), (5, 4));
    }

    #[test]
    fn shares_stop_together() {
        let budget = Budget::unlimited();
        let share = budget.share(2);
        budget.cancel_flag().store(true, Ordering::Relaxed);
        assert_eq!(share.check(0), Err(Reason::Cancelled));
    }
}
