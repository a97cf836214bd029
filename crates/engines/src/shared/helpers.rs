//! Work that those take part in who wait for it to be done.
//!
//! When a table grows, all threads but one wait. New threads for the work would first have to be given a processor, which takes
//! as long as many a table; those that wait have one. They may come at any time, or not at all: whoever has posted the work does what
//! nobody else takes. What is worked on is owned, because those who help stay longer than any borrow.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::patience::patiently;

/// Where work is posted.
pub(crate) struct Helpers {
    posted: Mutex<Option<Arc<dyn Work>>>,
}

impl fmt::Debug for Helpers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Helpers").finish_non_exhaustive()
    }
}

trait Work: Send + Sync {
    /// Works until nothing is left to begin with; whether there was something.
    fn help(&self) -> bool;
}

/// Things, what is to be done with each, and what became of them.
struct Batch<T, R, F> {
    left: Mutex<std::iter::Enumerate<std::vec::IntoIter<T>>>,
    done: Mutex<Vec<(usize, R)>>,
    work: F,
}

impl<T: Send, R: Send, F: Fn(T) -> R + Send + Sync> Work for Batch<T, R, F> {
    fn help(&self) -> bool {
        let next = || self.left.lock().expect("nobody panics with what is left").next();
        let mut helped = false;
        while let Some((i, thing)) = next() {
            let result = (self.work)(thing);
            self.done.lock().expect("nobody panics with what is done").push((i, result));
            helped = true;
        }
        helped
    }
}

impl Helpers {
    pub(crate) const fn new() -> Self {
        Self { posted: Mutex::new(None) }
    }

    /// Does something with each of many things, together with those who wait; the results, in order.
    pub(super) fn map<T, R>(&self, things: Vec<T>, work: impl Fn(T) -> R + Send + Sync + 'static) -> Vec<R>
    where
        T: Send + 'static,
        R: Send + 'static,
    {
        let (count, done) = (things.len(), Mutex::new(Vec::with_capacity(things.len())));
        let batch = Arc::new(Batch { left: Mutex::new(things.into_iter().enumerate()), done, work });
        self.post(Some(Arc::clone(&batch) as Arc<dyn Work>));
        batch.help();
        self.post(None);
        let mut done = alone(batch).done.into_inner().expect("nobody panics with what is done");
        assert_eq!(done.len(), count, "a thread that helped has panicked");
        done.sort_unstable_by_key(|(i, _)| *i);
        done.into_iter().map(|(_, result)| result).collect()
    }

    /// Takes part in what is posted; whether there was something to do.
    pub(super) fn help(&self) -> bool {
        let posted = self.posted.lock().unwrap_or_else(PoisonError::into_inner).clone();
        posted.is_some_and(|work| work.help())
    }

    fn post(&self, work: Option<Arc<dyn Work>>) {
        *self.posted.lock().unwrap_or_else(PoisonError::into_inner) = work;
    }
}

/// What is shared, once everybody else has let go of it: they are about to.
fn alone<T>(mut shared: Arc<T>) -> T {
    loop {
        let others_gone = || (Arc::strong_count(&shared) == 1).then_some(());
        if patiently(others_gone).is_none() {
            std::thread::yield_now();
        }
        match Arc::try_unwrap(shared) {
            Ok(it) => return it,
            Err(still) => shared = still,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// Calls what is given while two others help whenever they can.
    fn with_help(work: impl FnOnce(&Helpers)) {
        let (helpers, over) = (Helpers::new(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !over.load(Ordering::Relaxed) {
                        helpers.help();
                        std::thread::yield_now();
                    }
                });
            }
            work(&helpers);
            over.store(true, Ordering::Relaxed);
        });
    }

    #[test]
    fn results_are_in_order_whoever_helps() {
        let doubled = |helpers: &Helpers, n: usize| {
            let results = helpers.map((0..n).collect(), |n: usize| 2 * n);
            assert_eq!(results, (0..n).map(|n| 2 * n).collect::<Vec<_>>());
        };
        with_help(|helpers| (0..2000).for_each(|round| doubled(helpers, round % 50)));
        doubled(&Helpers::new(), 3);
    }

    /// Nobody can do this alone.
    #[test]
    fn others_do_help() {
        with_help(|helpers| {
            let meeting = Arc::new(Barrier::new(3));
            let met = helpers.map(vec![(); 3], move |()| meeting.wait().is_leader());
            assert_eq!(met.into_iter().filter(|leads| *leads).count(), 1);
        });
    }
}
