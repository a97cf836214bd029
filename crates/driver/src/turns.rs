//! Engines take turns: as many as there are lanes are at work, and the others wait at their gates with all that they know.
//!
//! Turns grow, so that what takes a moment has it early and long work is seldom interrupted. Who has nobody to wait for
//! goes on. A turn is so much time, or so much work where the same must be done on every machine. A suspended engine keeps
//! its memory, so only so many are kept; beyond that a turn ends with the engine, and the next one starts anew and has more
//! time. Who stopped for want of memory is asked again when everybody else has given up.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

use evidence::{Budget, Gate};

/// The longest turn of an engine is so many times its first.
const LONGEST: u32 = 40;
/// How many engines are kept, besides those that need not be suspended because there is a lane for each.
const KEPT: usize = 12;

/// Work of one engine.
pub(crate) trait Work: Sync {
    /// Whether somebody still needs it.
    fn is_wanted(&self) -> bool;

    /// Its first turn.
    fn turn(&self) -> Turn;

    /// Works until it has an answer or none; how long it has worked is what the clock says.
    fn run(&self, budget: &Budget, clock: &Clock) -> Ended;
}

/// How long an engine is at work before others are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// So long.
    Time(Duration),
    /// Until it has asked so often whether it may go on.
    Work(u64),
}

impl Turn {
    fn times(self, factor: u32) -> Self {
        match self {
            Turn::Time(time) => Turn::Time(time.saturating_mul(factor)),
            Turn::Work(asked) => Turn::Work(asked.saturating_mul(factor.into())),
        }
    }

    /// The shorter one of two of a kind.
    fn at_most(self, longest: Self) -> Self {
        match (self, longest) {
            (Turn::Time(time), Turn::Time(longest)) => Turn::Time(time.min(longest)),
            (Turn::Work(asked), Turn::Work(longest)) => Turn::Work(asked.min(longest)),
            _ => longest,
        }
    }

    /// When it ends, if time says it.
    fn end(self, budget: &Budget) -> Option<Instant> {
        match self {
            Turn::Time(time) => budget.now().checked_add(time),
            Turn::Work(_) => None,
        }
    }

    /// Opens the gate for it.
    fn begin(self, gate: &Gate) {
        match self {
            Turn::Time(_) => gate.open(),
            Turn::Work(asked) => gate.open_for(asked),
        }
    }
}

/// What the table hears of an engine.
#[derive(Clone, Copy, Debug)]
enum News {
    Ended(Ended),
    /// The work of its turn is done.
    Spent,
}

/// How work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// There is no more to say.
    Done,
    /// More time may help.
    WantsTime,
    /// More memory may help.
    WantsMemory,
}

/// How long an engine has worked.
#[derive(Debug)]
pub(crate) enum Clock {
    /// Since then.
    Since(Instant),
    /// While its gate was open.
    Gate(Arc<Gate>),
}

impl Clock {
    pub(crate) fn worked(&self) -> Duration {
        match self {
            Clock::Since(start) => start.elapsed(),
            Clock::Gate(gate) => gate.worked(),
        }
    }
}

/// Lets works take turns until nobody needs one, all have ended, or the budget is used up. Each may have a part of the
/// memory.
pub(crate) fn take_turns(works: &[&dyn Work], lanes: usize, budget: &Budget, part: u64) {
    std::thread::scope(|scope| {
        let (send, news) = channel();
        let mut table = Table::new((scope, lanes), works, budget, part, send);
        while table.fill() {
            let next = table.working.iter().filter_map(|(_, until)| *until).min();
            let wait = next.map_or(Duration::MAX, |next| next.saturating_duration_since(budget.now()));
            match news.recv_timeout(wait) {
                Ok((k, News::Ended(how))) => table.end(k, how),
                Ok((k, News::Spent)) => table.spent(k),
                Err(RecvTimeoutError::Timeout) => table.change(),
                Err(RecvTimeoutError::Disconnected) => unreachable!("the table has a sender"),
            }
        }
    });
}

struct Table<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    works: &'env [&'env dyn Work],
    budget: &'env Budget,
    lanes: usize,
    part: u64,
    send: Sender<(usize, News)>,
    /// Those who wait for a turn, the next one first.
    waiting: VecDeque<usize>,
    /// Those who have one, and until when, if time says it.
    working: Vec<(usize, Option<Instant>)>,
    /// Those who stopped for want of memory.
    hungry: Vec<usize>,
    places: Vec<Place>,
}

struct Place {
    /// The next one.
    turn: Turn,
    /// Of an engine that has started.
    kept: Option<Kept>,
    memory: Option<u64>,
}

struct Kept {
    gate: Arc<Gate>,
    stop: Arc<AtomicBool>,
}

impl Kept {
    /// Ends an engine that waits.
    fn dismiss(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.gate.open();
    }
}

impl<'scope, 'env> Table<'scope, 'env> {
    fn new(
        (scope, lanes): (&'scope Scope<'scope, 'env>, usize),
        works: &'env [&'env dyn Work],
        budget: &'env Budget,
        part: u64,
        send: Sender<(usize, News)>,
    ) -> Self {
        let memory = budget.memory().map(|bytes| bytes / part.max(1));
        let place = |work: &&dyn Work| Place { turn: work.turn(), kept: None, memory };
        let places = works.iter().map(place).collect();
        let waiting = (0..works.len()).collect();
        Self { scope, works, budget, lanes, part, send, waiting, working: Vec::new(), hungry: Vec::new(), places }
    }

    /// Gives turns to those who wait, as long as there are lanes, and ends whom nobody needs. False when nobody works.
    fn fill(&mut self) -> bool {
        let (places, works) = (&mut self.places, self.works);
        let unwanted = self.working.iter().filter(|(k, _)| !works[*k].is_wanted());
        unwanted.filter_map(|(k, _)| places[*k].kept.as_ref()).for_each(Kept::dismiss);
        self.waiting.retain(|&k| {
            let wanted = works[k].is_wanted();
            if let Some(kept) = places[k].kept.take_if(|_| !wanted) {
                kept.dismiss();
            }
            wanted
        });
        if self.budget.check(0).is_err() {
            return false;
        }
        if self.waiting.is_empty() && self.working.is_empty() {
            self.waiting.extend(self.hungry.pop().into_iter().filter(|&k| works[k].is_wanted()));
        }
        while self.working.len() < self.lanes
            && let Some(k) = self.waiting.pop_front()
        {
            self.begin(k);
        }
        !self.working.is_empty()
    }

    fn begin(&mut self, k: usize) {
        let kept = self.places.iter().filter(|place| place.kept.is_some()).count();
        let place = &mut self.places[k];
        self.working.push((k, place.turn.end(self.budget)));
        if let Some(kept) = &place.kept {
            return place.turn.begin(&kept.gate);
        }
        let own = self.budget.apart();
        let own = place.memory.map_or(own.clone(), |bytes| own.with_memory(bytes));
        let (budget, clock) = if kept < KEPT.max(self.lanes) {
            let send = self.send.clone();
            let (gated, gate) = own.gated(move || {
                // Nobody listens when all is over.
                let _ = send.send((k, News::Spent));
            });
            place.turn.begin(&gate);
            place.kept = Some(Kept { gate: Arc::clone(&gate), stop: own.cancel_flag() });
            (gated, Clock::Gate(gate))
        } else {
            let brief = match place.turn {
                Turn::Time(time) => own.for_at_most(time),
                Turn::Work(asked) => own.counted(Some(asked)).0,
            };
            (brief, Clock::Since(Instant::now()))
        };
        let (work, send) = (self.works[k], self.send.clone());
        self.scope.spawn(move || {
            // Who panics has ended as well.
            let mut told = Told { send, k, how: Ended::Done };
            told.how = work.run(&budget, &clock);
        });
    }

    /// The work of a turn is done: others are next, if there are any.
    fn spent(&mut self, k: usize) {
        let longest = self.longest(k);
        let place = &mut self.places[k];
        place.turn = place.turn.times(2).at_most(longest);
        self.working.retain(|(working, _)| *working != k);
        self.waiting.push_back(k);
    }

    /// Somebody has ended, in the turn or just after it.
    fn end(&mut self, k: usize, how: Ended) {
        self.working.retain(|(working, _)| *working != k);
        self.waiting.retain(|waiting| *waiting != k);
        let place = &mut self.places[k];
        let suspended = place.kept.take().is_some();
        match how {
            Ended::Done => {}
            // Who is suspended when a turn is over has all the time that there is. Where that has no end, no part of it was
            // given to others either, and more of it does not help.
            Ended::WantsTime if suspended && self.budget.left().is_none() => {}
            Ended::WantsTime => {
                // Who begins anew each time must have more and more of it, or would never get further.
                place.turn = place.turn.times(2);
                self.waiting.push_back(k);
            }
            // Once with a part of it, and once with all.
            Ended::WantsMemory if self.part > 1 && place.memory.is_some_and(|m| Some(m) != self.budget.memory()) => {
                place.memory = self.budget.memory();
                self.hungry.push(k);
            }
            Ended::WantsMemory => {}
        }
    }

    /// The longest turn of who is suspended.
    fn longest(&self, k: usize) -> Turn {
        self.works[k].turn().times(LONGEST)
    }

    /// Suspends those whose turn is over, if somebody waits for it.
    fn change(&mut self) {
        let now = self.budget.now();
        for (k, until) in std::mem::take(&mut self.working) {
            let longest = self.longest(k);
            let place = &mut self.places[k];
            let is_over = until.is_some_and(|until| until <= now);
            match &place.kept {
                Some(kept) if is_over && !self.waiting.is_empty() => {
                    kept.gate.close();
                    place.turn = place.turn.times(2).at_most(longest);
                    self.waiting.push_back(k);
                }
                // Who is not kept ends by itself.
                _ => self.working.push((k, if is_over { place.turn.end(self.budget) } else { until })),
            }
        }
    }
}

/// Whatever ends the table, nobody is left waiting.
impl Drop for Table<'_, '_> {
    fn drop(&mut self) {
        for kept in self.places.iter().filter_map(|place| place.kept.as_ref()) {
            kept.dismiss();
        }
    }
}

struct Told {
    send: Sender<(usize, News)>,
    k: usize,
    how: Ended,
}

impl Drop for Told {
    fn drop(&mut self) {
        // Nobody listens when all is over.
        let _ = self.send.send((self.k, News::Ended(self.how)));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicUsize;

    use evidence::Reason;

    use super::*;

    const TURN: Duration = Duration::from_millis(100);

    /// Counts until it has counted enough, and how often it was started.
    struct Counter {
        enough: usize,
        count: AtomicUsize,
        starts: AtomicUsize,
        done: AtomicBool,
        memory: Mutex<Vec<Option<u64>>>,
    }

    impl Counter {
        fn new(enough: usize) -> Self {
            let (count, starts) = (AtomicUsize::new(0), AtomicUsize::new(0));
            Self { enough, count, starts, done: AtomicBool::new(false), memory: Mutex::default() }
        }
    }

    impl Work for Counter {
        fn is_wanted(&self) -> bool {
            !self.done.load(Ordering::Relaxed)
        }

        fn turn(&self) -> Turn {
            Turn::Time(TURN)
        }

        fn run(&self, budget: &Budget, _: &Clock) -> Ended {
            self.starts.fetch_add(1, Ordering::Relaxed);
            self.memory.lock().expect("nobody panics").push(budget.memory());
            let mut own = 0;
            while own < self.enough {
                match budget.check(2000) {
                    Ok(()) => {}
                    Err(Reason::Memory) => return Ended::WantsMemory,
                    Err(Reason::Timeout) => return Ended::WantsTime,
                    Err(_) => return Ended::Done,
                }
                std::thread::sleep(Duration::from_millis(10));
                own += 1;
                self.count.store(own, Ordering::Relaxed);
            }
            self.done.store(true, Ordering::Relaxed);
            Ended::Done
        }
    }

    #[test]
    fn turns_go_on_where_they_ended() {
        let counters = [120, 5, 90].map(Counter::new);
        let works: Vec<&dyn Work> = counters.iter().map(|c| c as &dyn Work).collect();
        take_turns(&works, 1, &Budget::unlimited(), 4);
        for counter in &counters {
            assert_eq!(counter.starts.load(Ordering::Relaxed), 1);
            assert_eq!(counter.count.load(Ordering::Relaxed), counter.enough);
        }
    }

    #[test]
    fn the_end_of_the_time_ends_all() {
        let counters = [1000, 1000, 1000].map(Counter::new);
        let works: Vec<&dyn Work> = counters.iter().map(|c| c as &dyn Work).collect();
        let start = Instant::now();
        take_turns(&works, 2, &Budget::unlimited().with_timeout(Duration::from_millis(800)), 4);
        assert!(start.elapsed() < Duration::from_secs(4));
        assert!(counters.iter().all(|c| c.count.load(Ordering::Relaxed) > 0));
    }

    /// Gives up at once, whatever it is given.
    struct Impatient(AtomicUsize);

    impl Work for Impatient {
        fn is_wanted(&self) -> bool {
            true
        }

        fn turn(&self) -> Turn {
            Turn::Time(TURN)
        }

        fn run(&self, _: &Budget, _: &Clock) -> Ended {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ended::WantsTime
        }
    }

    #[test]
    fn who_gives_up_with_all_the_time_is_not_asked_for_ever() {
        let impatient = [0, 0].map(|n| Impatient(AtomicUsize::new(n)));
        let works: Vec<&dyn Work> = impatient.iter().map(|w| w as &dyn Work).collect();
        take_turns(&works, 1, &Budget::unlimited(), 4);
        assert!(impatient.iter().all(|w| w.0.load(Ordering::Relaxed) == 1));
    }

    #[test]
    fn who_is_hungry_is_asked_again_with_all_the_memory() {
        let counters = [3, 4].map(Counter::new);
        let works: Vec<&dyn Work> = counters.iter().map(|c| c as &dyn Work).collect();
        take_turns(&works, 1, &Budget::unlimited().with_memory(4000), 4);
        for counter in &counters {
            assert!(counter.done.load(Ordering::Relaxed));
            assert_eq!(*counter.memory.lock().expect("nobody panics"), [Some(1000), Some(4000)]);
        }
    }

    #[test]
    fn many_are_not_all_kept() {
        let counters: Vec<Counter> = (0..2 * KEPT).map(|_| Counter::new(60)).collect();
        let works: Vec<&dyn Work> = counters.iter().map(|c| c as &dyn Work).collect();
        take_turns(&works, 4, &Budget::unlimited(), 4);
        assert!(counters.iter().all(|c| c.done.load(Ordering::Relaxed)));
    }

    #[test]
    fn as_many_are_kept_as_are_at_work() {
        let counters: Vec<Counter> = (0..2 * KEPT).map(|_| Counter::new(30)).collect();
        let works: Vec<&dyn Work> = counters.iter().map(|c| c as &dyn Work).collect();
        take_turns(&works, 2 * KEPT, &Budget::unlimited(), 4);
        assert!(counters.iter().all(|c| c.done.load(Ordering::Relaxed) && c.starts.load(Ordering::Relaxed) == 1));
    }

    /// Asks until it has asked enough; who asked when is written down.
    struct Asker<'a> {
        name: char,
        enough: usize,
        said: &'a Mutex<String>,
        done: AtomicBool,
    }

    impl Work for Asker<'_> {
        fn is_wanted(&self) -> bool {
            !self.done.load(Ordering::Relaxed)
        }

        fn turn(&self) -> Turn {
            Turn::Work(3)
        }

        fn run(&self, budget: &Budget, _: &Clock) -> Ended {
            for _ in 0..self.enough {
                budget.check(0).expect("there is no limit");
                self.said.lock().expect("nobody panics").push(self.name);
            }
            self.done.store(true, Ordering::Relaxed);
            Ended::Done
        }
    }

    #[test]
    fn turns_of_work_are_the_same_on_every_machine() {
        for _ in 0..50 {
            let said = Mutex::default();
            let askers = [('a', 11), ('b', 4), ('c', 30)].map(|(name, enough)| Asker {
                name,
                enough,
                said: &said,
                done: AtomicBool::new(false),
            });
            let works: Vec<&dyn Work> = askers.iter().map(|asker| asker as &dyn Work).collect();
            take_turns(&works, 1, &Budget::unlimited(), 1);
            let expected = ["aaa", "bbb", "ccc", "aaaaaa", "b", "cccccc", "aa", &"c".repeat(21)].concat();
            assert_eq!(said.into_inner().expect("nobody panics"), expected);
        }
    }
}
