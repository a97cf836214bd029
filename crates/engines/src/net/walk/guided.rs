//! Walks that are told how often each transition should fire: the Parikh vector of a solution of the state equation.
//!
//! The vector says nothing about the order. The walk fires what the vector has left and the marking enables, in some
//! order; where nothing of it is enabled, a few steps outside of the vector may help, as the trap or the loop that the
//! equation does not see often needs one.

use evidence::Reason;
use model::views::NetTransitionId;

use super::walker::{Stop, Walker};
use super::{Strategy, Task, Wiring};

/// What is left of a vector.
struct Left {
    times: Vec<u64>,
    /// Enabled transitions that have something left, and some that are not enabled any more.
    ready: Vec<NetTransitionId>,
    is_ready: Vec<bool>,
    total: u64,
}

/// Walks along a vector, in several orders, until a goal is settled; whatever else is found on the way is reported as
/// well. The walks take at most a few times the length of the vector.
pub fn guided(task: &Task<'_>, goal: usize, parikh: &[(NetTransitionId, u64)], seed: u64) -> Result<(), Reason> {
    const ATTEMPTS: usize = 8;
    // A run is handed out firing by firing.
    const MOST: u64 = 1 << 24;
    if parikh.iter().fold(0u64, |sum, &(_, n)| sum.saturating_add(n)) > MOST {
        return Ok(());
    }
    let wiring = Wiring::new(task.net);
    let mut walker = Walker::new(task, &wiring, seed, u64::MAX);
    let mut attempts = || {
        walker.begin()?;
        (0..ATTEMPTS).try_for_each(|i| {
            if !task.board.is_open(goal) {
                return Err(Stop::Done);
            }
            attempt(&mut walker, parikh, i)
        })
    };
    match attempts() {
        Err(Stop::Budget(reason)) => Err(reason),
        Ok(()) | Err(Stop::Done) => Ok(()),
    }
}

/// One walk: at first each transition as often as possible at a time, later once at a time.
fn attempt(walker: &mut Walker<'_, '_>, parikh: &[(NetTransitionId, u64)], number: usize) -> Result<(), Stop> {
    walker.restart(Strategy::Uniform);
    let mut left = Left::new(parikh, walker);
    // Not more steps outside of the vector than this, all in all.
    let mut detours = 64 * number as u64;
    while left.total > 0 && !walker.live.enabled().is_empty() {
        let (t, times) = match left.pick(walker, number.is_multiple_of(2)) {
            Some(choice) => choice,
            None if detours == 0 => break,
            None => {
                detours -= 1;
                (walker.random.pick(walker.live.enabled()), 1)
            }
        };
        if !walker.step(t, times)? {
            break;
        }
        left.spend(t, times.into(), walker);
    }
    walker.tell_peaks();
    walker.check()
}

impl Left {
    fn new(parikh: &[(NetTransitionId, u64)], walker: &Walker<'_, '_>) -> Self {
        let transitions = walker.task.net.transitions().len();
        let mut times = vec![0; transitions];
        for &(t, n) in parikh {
            times[t.index()] += n;
        }
        let total = times.iter().sum();
        let mut left = Self { times, ready: Vec::new(), is_ready: vec![false; transitions], total };
        for &t in walker.live.enabled() {
            left.offer(t);
        }
        left
    }

    fn offer(&mut self, t: NetTransitionId) {
        if self.times[t.index()] > 0 && !std::mem::replace(&mut self.is_ready[t.index()], true) {
            self.ready.push(t);
        }
    }

    /// A transition of the vector that is enabled.
    fn pick(&mut self, walker: &mut Walker<'_, '_>, many: bool) -> Option<(NetTransitionId, u32)> {
        while !self.ready.is_empty() {
            let i = walker.random.below(self.ready.len());
            let t = self.ready[i];
            if self.times[t.index()] > 0 && walker.live.is_enabled(t) {
                let most = if many { walker.wiring.times(t, walker.live.tokens()).unwrap_or(u64::MAX) } else { 1 };
                return Some((t, most.min(self.times[t.index()]).min(1 << 20) as u32));
            }
            self.ready.swap_remove(i);
            self.is_ready[t.index()] = false;
        }
        None
    }

    fn spend(&mut self, t: NetTransitionId, times: u64, walker: &Walker<'_, '_>) {
        let spent = times.min(self.times[t.index()]);
        self.times[t.index()] -= spent;
        self.total -= spent;
        for &t in &walker.live.fresh {
            self.offer(t);
        }
    }
}
