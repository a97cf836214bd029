//! How an engine is suspended between its turns, with all that it knows: where it asks whether it may go on, it waits at a
//! gate. Its own clock stands still meanwhile. An engine that lets others take turns has gates within its own: whoever works
//! for it waits at both.
//!
//! A gate is closed by who opened it, or by itself when it was passed as often as was said. An engine asks after so much
//! work, so that what it does in such a turn does not depend on the machine.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A gate that is open or closed.
#[derive(Debug)]
pub struct Gate {
    /// The gate that this one is within: times are by its clock.
    outer: Option<Arc<Gate>>,
    /// What is asked most often.
    open: AtomicBool,
    /// How often it may be passed before it closes by itself.
    passes: AtomicU64,
    /// Who is told that it has closed by itself.
    keeper: Keeper,
    state: Mutex<State>,
    opened: Condvar,
}

/// Hears that a gate has closed by itself.
struct Keeper(Box<dyn Fn() + Send + Sync>);

impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keeper")
    }
}

#[derive(Debug)]
struct State {
    /// Since when it is as it is.
    since: Instant,
    /// How long it was closed before.
    closed: Duration,
    /// How long it was open before.
    worked: Duration,
}

impl Gate {
    /// A closed gate within another.
    pub(crate) fn within(outer: Option<Arc<Gate>>, keeper: impl Fn() + Send + Sync + 'static) -> Self {
        let since = clock(outer.as_deref());
        let state = State { since, closed: Duration::ZERO, worked: Duration::ZERO };
        let (passes, keeper) = (AtomicU64::new(u64::MAX), Keeper(Box::new(keeper)));
        Self { outer, open: AtomicBool::new(false), passes, keeper, state: Mutex::new(state), opened: Condvar::new() }
    }

    /// Lets those who wait pass.
    pub fn open(&self) {
        self.open_for(u64::MAX);
    }

    /// Lets those who wait pass, and others, so often in all.
    pub fn open_for(&self, passes: u64) {
        let mut state = self.state();
        self.passes.store(passes, Ordering::Relaxed);
        self.turn(&mut state, true);
        drop(state);
        self.opened.notify_all();
    }

    /// Lets nobody pass from now on.
    pub fn close(&self) {
        self.turn(&mut self.state(), false);
    }

    /// Closes it if nobody may pass any more; false if somebody else did, or has opened it again meanwhile.
    fn closes_by_itself(&self) -> bool {
        let mut state = self.state();
        self.passes.load(Ordering::Relaxed) == 0 && self.turn(&mut state, false)
    }

    /// Opens or closes it; false if it was so.
    fn turn(&self, state: &mut State, open: bool) -> bool {
        let turned = self.open.swap(open, Ordering::Relaxed) != open;
        if turned {
            let now = clock(self.outer.as_deref());
            let passed = now.saturating_duration_since(std::mem::replace(&mut state.since, now));
            *(if open { &mut state.closed } else { &mut state.worked }) += passed;
        }
        turned
    }

    /// For how long it has been open.
    pub fn worked(&self) -> Duration {
        self.sums().1
    }

    /// Waits until it is open, and those that it is within.
    pub(crate) fn pass(&self) {
        self.wait();
        // Who comes when nobody may pass any more closes the gate, and waits with the others.
        while self.passes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_err() {
            if self.closes_by_itself() {
                (self.keeper.0)();
            }
            self.wait();
        }
        if let Some(outer) = &self.outer {
            outer.pass();
        }
    }

    fn wait(&self) {
        if !self.open.load(Ordering::Relaxed) {
            let mut state = self.state();
            while !self.open.load(Ordering::Relaxed) {
                state = self.opened.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// The time by a clock that stands still while the gate is closed.
    pub(crate) fn now(&self) -> Instant {
        let now = clock(self.outer.as_deref());
        now.checked_sub(self.sums().0).unwrap_or(now)
    }

    /// For how long it has been closed, and open.
    fn sums(&self) -> (Duration, Duration) {
        let state = self.state();
        let now = clock(self.outer.as_deref()).saturating_duration_since(state.since);
        match self.open.load(Ordering::Relaxed) {
            true => (state.closed, state.worked + now),
            false => (state.closed + now, state.worked),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One pass less of so many; without end there are as many as before.
fn less(passes: u64) -> Option<u64> {
    if passes == u64::MAX { Some(passes) } else { passes.checked_sub(1) }
}

/// The time by the clock of a gate, or on the wall.
pub(crate) fn clock(gate: Option<&Gate>) -> Instant {
    gate.map_or_else(Instant::now, Gate::now)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::{Budget, Reason};

    const LONG: Duration = Duration::from_millis(60);

    #[test]
    fn who_is_suspended_neither_works_nor_grows_old() {
        let rounds = AtomicUsize::new(0);
        let (budget, gate) = Budget::unlimited().gated(|| ());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let own = budget.for_at_most(LONG / 2);
                // The first question waits for the gate, and only then does time begin to pass.
                while own.check(0).is_ok() {
                    rounds.fetch_add(1, Ordering::Relaxed);
                }
                assert_eq!(own.check(0), Err(Reason::Timeout));
            });
            std::thread::sleep(LONG);
            assert_eq!(rounds.load(Ordering::Relaxed), 0);
            assert_eq!(gate.worked(), Duration::ZERO);
            gate.open();
        });
        assert!(rounds.into_inner() > 0 && gate.worked() >= LONG / 2);
    }

    #[test]
    fn the_wall_clock_goes_on() {
        let (budget, gate) = Budget::unlimited().with_timeout(LONG).gated(|| ());
        assert!(budget.left().is_some_and(|left| left <= LONG));
        std::thread::sleep(LONG);
        gate.open();
        assert_eq!(budget.check(0), Err(Reason::Timeout));
        assert_eq!(budget.left(), Some(Duration::ZERO));
    }

    #[test]
    fn who_is_cancelled_while_waiting_does_not_go_on() {
        let (budget, gate) = Budget::unlimited().gated(|| ());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| budget.check(0));
            budget.cancel_flag().store(true, Ordering::Relaxed);
            gate.open();
            assert_eq!(waiting.join().expect("it does not panic"), Err(Reason::Cancelled));
        });
    }

    #[test]
    fn a_gate_that_was_passed_often_enough_closes_by_itself() {
        let (told, heard) = std::sync::mpsc::channel();
        let (budget, gate) = Budget::unlimited().gated(move || told.send(()).expect("somebody listens"));
        let rounds = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while budget.check(0).is_ok() {
                        rounds.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            for (passes, all) in [(10, 10), (1, 11), (25, 36)] {
                gate.open_for(passes);
                heard.recv().expect("it closes");
                // Who passed last may still be on the way.
                while rounds.load(Ordering::Relaxed) < all {
                    std::thread::yield_now();
                }
                std::thread::sleep(LONG / 10);
                assert_eq!(rounds.load(Ordering::Relaxed), all);
                assert!(heard.try_recv().is_err(), "it is told once");
            }
            budget.cancel_flag().store(true, Ordering::Relaxed);
            gate.open();
        });
    }

    #[test]
    fn who_works_for_somebody_suspended_is_suspended() {
        let (outer_budget, outer) = Budget::unlimited().gated(|| ());
        let (budget, gate) = outer_budget.with_timeout(LONG).gated(|| ());
        gate.open();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| budget.check(0));
            std::thread::sleep(LONG);
            assert!(!waiting.is_finished() && gate.worked() == Duration::ZERO);
            outer.open();
            assert_eq!(waiting.join().expect("it does not panic"), Ok(()), "no time has passed by the outer clock");
            gate.close();
            std::thread::sleep(LONG);
            gate.open();
            assert_eq!(budget.check(0), Err(Reason::Timeout), "the outer clock went on");
            assert!(outer.worked() >= LONG && gate.worked() < LONG);
        });
    }
}
