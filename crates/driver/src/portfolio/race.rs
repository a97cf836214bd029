//! Engines side by side on the questions that are open.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engines::Problem;
use engines::exchange::{Exchange, Taken, What};
use evidence::{Attempt, Budget, Outcome, Progress, Reason, Silent, Statistics, Verdict};
use model::{Class, Property, System};

use super::{Portfolio, rules};
use crate::turns::{Clock, Ended, Turn, Work, take_turns};

/// How long search is alone.
pub(super) const LOOK: Duration = Duration::from_millis(60);
/// The first turn of an engine.
const TURN: Turn = Turn::Time(Duration::from_millis(50));
/// On one thread, the first turn of search: some tenths of a second. What is settled in it does not depend on the machine.
const SEARCH_TURN: Turn = Turn::Work(1 << 9);
/// What engines that are suspended may keep, each, of the memory: one part of so many. Search has half of all.
const PARTS: u64 = 8;
/// Why search is tried.
const SEARCH: &str = "search settles what is small, and finds runs";

/// How an engine ended, by what it says.
fn ended(outcome: &Outcome) -> Ended {
    match outcome.verdict {
        Verdict::Unknown(Reason::Timeout) => Ended::WantsTime,
        Verdict::Unknown(Reason::Memory) => Ended::WantsMemory,
        _ => Ended::Done,
    }
}

/// Some questions, and what is known about them.
pub(super) struct Race<'a> {
    portfolio: &'a Portfolio,
    system: &'a System,
    questions: Vec<&'a Property>,
    known: Mutex<Vec<Known>>,
    /// By question, what engines tell each other.
    pub(super) exchanges: Vec<Arc<Exchange>>,
    /// Stops everybody when all is answered.
    stop: Arc<AtomicBool>,
}

/// What is known about one question.
struct Known {
    /// The best answer so far.
    outcome: Outcome,
    /// Everybody's last try.
    attempts: Vec<Attempt>,
}

impl<'a> Race<'a> {
    pub(super) fn new(portfolio: &'a Portfolio, system: &'a System, questions: Vec<&'a Property>) -> Self {
        let open = |_: &&Property| Known { outcome: Outcome::unknown(Reason::Timeout), attempts: Vec::new() };
        let known = questions.iter().map(open).collect();
        let exchanges = questions.iter().map(|_| Arc::default()).collect();
        Self { portfolio, system, questions, known: Mutex::new(known), exchanges, stop: Arc::default() }
    }

    pub(super) fn run(mut self, budget: &Budget, progress: &dyn Progress) -> Vec<Outcome> {
        let race = budget.apart();
        self.stop = race.cancel_flag();
        let search = Search { race: &self, progress };
        let entered = |i: usize| rules::entrants(self.questions[i].class()).iter().map(move |entrant| (i, entrant));
        let works: Vec<Entered<'_, '_>> = (0..self.questions.len())
            .flat_map(entered)
            .map(|(question, entrant)| Entered { race: &self, question, entrant, progress })
            .collect();
        let mut works: Vec<&dyn Work> = works.iter().map(|work| work as &dyn Work).collect();
        match self.portfolio.threads {
            0 | 1 => {
                works.insert(0, &search);
                take_turns(&works, 1, &race, PARTS / 2);
            }
            threads => {
                let half = race.memory().map_or(race.clone(), |bytes| race.clone().with_memory(bytes / 2));
                let (start, looked, mut ended) = (Instant::now(), AtomicBool::new(false), Ended::Done);
                std::thread::scope(|scope| {
                    let others = scope.spawn(|| {
                        while let Some(left) = LOOK.checked_sub(start.elapsed())
                            && !looked.load(Ordering::Relaxed)
                        {
                            std::thread::park_timeout(left);
                        }
                        take_turns(&works, threads - 1, &half, PARTS / 2);
                    });
                    ended = search.run(&half, &Clock::Since(start));
                    looked.store(true, Ordering::Relaxed);
                    others.thread().unpark();
                });
                // The others have given up, and left it all the memory.
                if ended == Ended::WantsMemory && half.memory() != race.memory() && search.is_wanted() {
                    search.run(&race, &Clock::Since(start));
                }
            }
        }
        drop(works);
        let exchanges = self.exchanges;
        let known = self.known.into_inner().unwrap_or_else(PoisonError::into_inner);
        let told = |(Known { mut outcome, mut attempts }, exchange): (Known, Arc<Exchange>)| {
            // Somebody else than the winner stopped the race.
            if let (Verdict::Unknown(reason), Err(Reason::Cancelled)) = (&mut outcome.verdict, budget.check(0)) {
                *reason = Reason::Cancelled;
            }
            // Where search was still alone there was no race.
            let alone = matches!(attempts.as_slice(), [attempt] if attempt.why == SEARCH);
            if alone && !matches!(outcome.verdict, Verdict::Unknown(_)) {
                attempts.clear();
            }
            for Taken { from, to, what, number } in exchange.taken() {
                let taker = attempts.iter_mut().find(|attempt| attempt.engine == to);
                taker.into_iter().for_each(|attempt| attempt.fed.push(words(what, number, from)));
            }
            Outcome { attempts, ..outcome }
        };
        known.into_iter().zip(exchanges).map(told).collect()
    }

    fn known(&self) -> MutexGuard<'_, Vec<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The questions that nobody has answered.
    fn open(&self) -> Vec<usize> {
        let known = self.known();
        (0..known.len()).filter(|&i| matches!(known[i].outcome.verdict, Verdict::Unknown(_))).collect()
    }

    /// Notes what an engine says; when all is answered, everybody stops.
    pub(super) fn tell(&self, i: usize, (engine, why): (&str, &str), time: Duration, mut outcome: Outcome) {
        let mut known = self.known();
        let this = &mut known[i];
        let said = match &outcome.verdict {
            Verdict::Unknown(Reason::Cancelled) => "was stopped".to_owned(),
            Verdict::Unknown(reason) => reason.to_string(),
            decided => decided.word().to_owned(),
        };
        this.attempts.retain(|attempt| attempt.engine != engine);
        let (engine, why, seconds) = (engine.to_owned(), why.to_owned(), time.as_secs_f64());
        outcome.engine.get_or_insert_with(|| engine.clone());
        let reached = match &outcome.verdict {
            Verdict::Unknown(_) => reached(&outcome.statistics),
            _ => Vec::new(),
        };
        this.attempts.push(Attempt { engine, why, seconds, said, reached, fed: Vec::new() });
        match (&this.outcome.verdict, &outcome.verdict) {
            // What is told of candidates is more than that the time is over.
            (Verdict::Unknown(Reason::Candidates(_)), Verdict::Unknown(_)) => {}
            // Who is stopped has no reason of its own, but may have come further than those before.
            (Verdict::Unknown(_), Verdict::Unknown(Reason::Cancelled)) => {
                if outcome.statistics.states > this.outcome.statistics.states {
                    let verdict = this.outcome.verdict.clone();
                    this.outcome = Outcome { verdict, ..outcome };
                }
            }
            (Verdict::Unknown(_), _) => this.outcome = outcome,
            (old, new) if std::mem::discriminant(old) == std::mem::discriminant(new) => {}
            (_, Verdict::Unknown(_)) => {}
            (old, new) => panic!("engines contradict each other: {old:?} and {new:?}"),
        }
        if known.iter().all(|known| !matches!(known.outcome.verdict, Verdict::Unknown(_))) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// How far an engine had come, in words.
fn reached(statistics: &Statistics) -> Vec<String> {
    let Statistics { states, depth, events, candidates, suspects, parallel_steps, .. } = *statistics;
    let counted = [(states, "states"), (events, "events"), (candidates, "candidates"), (suspects, "suspects")];
    let depth = depth.filter(|d| *d > 0).map(|depth| format!("depth {depth}"));
    let counted = counted.into_iter().filter_map(|(number, what)| number.map(|number| format!("{number} {what}")));
    let steps = parallel_steps.map(|steps| format!("no run of up to {steps} parallel steps"));
    counted.chain(depth).chain(steps).collect()
}

/// What was taken from whom, in words.
fn words(what: What, number: usize, from: &str) -> String {
    let (one, many) = match what {
        What::Lemma => ("lemma", "lemmas"),
        What::Candidate => ("candidate", "candidates"),
        What::Goal => return format!("goals that {from} excludes"),
        What::Survey => return format!("that {from} tried all local reasons in vain"),
    };
    format!("{number} {} of {from}", if number == 1 { one } else { many })
}

/// Nobody works on for somebody who panics.
struct StopAll<'a>(&'a AtomicBool);

impl Drop for StopAll<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Explicit search for all that is open.
struct Search<'r, 'a> {
    race: &'r Race<'a>,
    progress: &'r dyn Progress,
}

impl Work for Search<'_, '_> {
    fn is_wanted(&self) -> bool {
        !self.race.open().is_empty()
    }

    fn turn(&self) -> Turn {
        SEARCH_TURN
    }

    fn run(&self, budget: &Budget, clock: &Clock) -> Ended {
        let (race, open, engine, _panic) =
            (self.race, self.race.open(), &self.race.portfolio.search, StopAll(&self.race.stop));
        let asked: Vec<&Property> = open.iter().map(|&i| race.questions[i]).collect();
        self.progress.engine(engine.name(), true);
        let outcomes = engine.run_all(race.system, &asked, budget, self.progress);
        self.progress.engine(engine.name(), false);
        let all: Vec<Ended> = outcomes.iter().map(ended).collect();
        for (i, outcome) in open.into_iter().zip(outcomes) {
            race.tell(i, (engine.name(), SEARCH), clock.worked(), outcome);
        }
        let any = |how: Ended| all.contains(&how).then_some(how);
        any(Ended::WantsTime).or(any(Ended::WantsMemory)).unwrap_or(Ended::Done)
    }
}

/// An engine that a rule lists, on one question.
struct Entered<'r, 'a> {
    race: &'r Race<'a>,
    question: usize,
    entrant: &'static rules::Entrant,
    progress: &'r dyn Progress,
}

impl Work for Entered<'_, '_> {
    fn is_wanted(&self) -> bool {
        self.race.open().contains(&self.question)
    }

    fn turn(&self) -> Turn {
        TURN
    }

    fn run(&self, budget: &Budget, clock: &Clock) -> Ended {
        let (race, i, entrant, _panic) = (self.race, self.question, self.entrant, StopAll(&self.race.stop));
        let engine = race.portfolio.engine(entrant.engine, &race.exchanges[i]);
        let problem = Problem { system: race.system, property: race.questions[i] };
        // Others find out while they work, and to ask them first would be half of it.
        if problem.property.class() == Class::Liveness && engine.supports(&problem).is_err() {
            return Ended::Done;
        }
        self.progress.engine(entrant.engine, true);
        let outcome = engine.run(&problem, budget, &Silent);
        self.progress.engine(entrant.engine, false);
        if matches!(outcome.verdict, Verdict::Unknown(Reason::Unsupported(_))) {
            return Ended::Done;
        }
        let how = ended(&outcome);
        race.tell(i, (entrant.engine, entrant.why), clock.worked(), outcome);
        how
    }
}
