//! The other threads of a search, which stay from level to level.
//!
//! A thread that is started for a level costs little by itself. But the system may put it where the first one runs, and moves it
//! only when it next looks, milliseconds later: that is as long as many levels take. Measured on two processors: of 18 levels of 2 to 10
//! milliseconds, six began with one thread for 0.5 to 3 milliseconds.

use std::sync::mpsc::{Receiver, RecvError, SyncSender, TryRecvError, sync_channel};
use std::thread::Scope;

use crate::patience::patiently;

/// Threads that wait for jobs, each with a result.
pub(super) struct Crew<J, R> {
    hands: Vec<Hand<J, R>>,
}

/// One of the threads.
struct Hand<J, R> {
    jobs: SyncSender<J>,
    results: Receiver<R>,
}

impl<J, R> Crew<J, R> {
    /// Starts so many threads, which end with the crew. What a job consists of is gone before its result is there.
    pub(super) fn start<'scope>(scope: &'scope Scope<'scope, '_>, threads: usize, work: fn(J) -> R) -> Self
    where
        J: Send + 'scope,
        R: Send + 'scope,
    {
        let hand = |_| {
            let ((jobs, wanted), (done, results)) = (sync_channel(1), sync_channel(1));
            scope.spawn(move || {
                // Who gave the job has panicked if it does not want the result.
                while receive(&wanted).is_ok_and(|job| done.send(work(job)).is_ok()) {}
            });
            Hand { jobs, results }
        };
        Self { hands: (0..threads).map(hand).collect() }
    }

    /// Gives each thread a job and does something meanwhile; the results, in the order of the jobs.
    pub(super) fn share(&self, jobs: impl IntoIterator<Item = J>, meanwhile: impl FnOnce()) -> Vec<R> {
        let busy: Vec<&Hand<J, R>> = self
            .hands
            .iter()
            .zip(jobs)
            .map(|(hand, job)| {
                assert!(hand.jobs.send(job).is_ok(), "a thread of the search has panicked");
                hand
            })
            .collect();
        meanwhile();
        busy.iter().map(|hand| receive(&hand.results).expect("no thread of the search panics")).collect()
    }
}

fn receive<T>(from: &Receiver<T>) -> Result<T, RecvError> {
    let attempt = || match from.try_recv() {
        Ok(it) => Some(Ok(it)),
        Err(TryRecvError::Disconnected) => Some(Err(RecvError)),
        Err(TryRecvError::Empty) => None,
    };
    patiently(attempt).unwrap_or_else(|| from.recv())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_jobs_round_after_round() {
        std::thread::scope(|scope| {
            let crew = Crew::start(scope, 3, |n: u64| n * n);
            for round in 0..1000 {
                let mut own = 0;
                assert_eq!(crew.share(round..round + 3, || own = round), [0, 1, 2].map(|i| (round + i) * (round + i)));
                assert_eq!(own, round);
            }
            assert_eq!(crew.share([7], || ()), [49], "fewer jobs than threads");
        });
    }

    /// Nobody waits for ever for a thread that is gone.
    #[test]
    fn a_panic_is_passed_on() {
        let ended = std::panic::catch_unwind(|| {
            std::thread::scope(|scope| {
                let crew = Crew::start(scope, 2, |fails: bool| assert!(!fails, "planted"));
                crew.share([false, true], || ());
            });
        });
        assert!(ended.is_err());
    }
}
