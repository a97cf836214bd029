//! Engines side by side on the questions that are open.

use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use engines::Problem;
use evidence::{Attempt, Budget, Outcome, Progress, Reason, Silent, Verdict};
use model::{Property, System};

use super::{Portfolio, rules};

/// The first turn of an engine.
const TURN: Duration = Duration::from_secs(1);
/// On one thread, search has as many turns at once.
const SEARCH_TURNS: u32 = 4;
/// Why search is tried.
const SEARCH: &str = "search settles what is small, and finds runs";

/// Whether an engine may say more in another turn.
fn wants_time(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, Verdict::Unknown(Reason::Timeout))
}

/// Some questions, and what is known about them.
pub(super) struct Race<'a> {
    portfolio: &'a Portfolio,
    system: &'a System,
    questions: Vec<&'a Property>,
    known: Mutex<Vec<Known>>,
}

/// What is known about one question.
struct Known {
    /// The best answer so far.
    outcome: Outcome,
    /// Everybody's last try.
    attempts: Vec<Attempt>,
}

impl<'a> Race<'a> {
    /// A race about questions that a first search left open.
    pub(super) fn new(
        portfolio: &'a Portfolio,
        system: &'a System,
        questions: Vec<&'a Property>,
        first: Vec<Outcome>,
    ) -> Self {
        let known = first.into_iter().map(|outcome| Known { outcome, attempts: Vec::new() }).collect();
        Self { portfolio, system, questions, known: Mutex::new(known) }
    }

    pub(super) fn run(self, budget: &Budget, progress: &dyn Progress) -> Vec<Outcome> {
        let race = budget.apart();
        if self.portfolio.threads > 1 {
            // States are what takes memory.
            let memory = |budget: &Budget, parts: u64| match budget.memory() {
                Some(bytes) => budget.clone().with_memory(bytes / 8 * parts),
                None => budget.clone(),
            };
            let (search, others) = (memory(&race, 7), memory(&race, 1));
            std::thread::scope(|scope| {
                scope.spawn(|| self.turns(&others, false, progress));
                self.search(&search, progress);
            });
        } else {
            self.turns(&race, true, progress);
        }
        let known = self.known.into_inner().expect("no lane panics");
        let told = |Known { mut outcome, attempts }| {
            // Somebody else than the winner stopped the race.
            if let (Verdict::Unknown(reason), Err(Reason::Cancelled)) = (&mut outcome.verdict, budget.check(0)) {
                *reason = Reason::Cancelled;
            }
            Outcome { attempts, ..outcome }
        };
        known.into_iter().map(told).collect()
    }

    /// The questions that nobody has answered.
    fn open(&self) -> Vec<usize> {
        let known = self.known.lock().expect("no lane panics");
        (0..known.len()).filter(|&i| matches!(known[i].outcome.verdict, Verdict::Unknown(_))).collect()
    }

    /// Explicit search for all that is open; whether it may want another turn.
    fn search(&self, budget: &Budget, progress: &dyn Progress) -> bool {
        let (open, start, engine) = (self.open(), Instant::now(), &self.portfolio.search);
        let asked: Vec<&Property> = open.iter().map(|&i| self.questions[i]).collect();
        let mut again = false;
        progress.engine(engine.name(), true);
        let outcomes = engine.run_all(self.system, &asked, budget, progress);
        progress.engine(engine.name(), false);
        for (i, outcome) in open.into_iter().zip(outcomes) {
            again |= wants_time(&outcome);
            self.tell(i, engine.name(), SEARCH, start.elapsed(), outcome, budget);
        }
        again
    }

    /// The listed engines in turns, and search among them if it has no lane of its own.
    fn turns(&self, budget: &Budget, mut search: bool, progress: &dyn Progress) {
        let mut turn = TURN;
        // By question, the engines that may still say something.
        let mut left: Vec<Vec<&rules::Entrant>> =
            self.questions.iter().map(|p| rules::entrants(p.class()).iter().collect()).collect();
        loop {
            for i in self.open() {
                left[i].retain(|entrant| {
                    budget.check(0).is_err() || self.turn(i, entrant, &budget.for_at_most(turn), progress)
                });
            }
            let open = self.open();
            if open.is_empty() || budget.check(0).is_err() {
                return;
            }
            if search {
                let time = turn.saturating_mul(SEARCH_TURNS);
                search = self.search(&budget.for_at_most(time), progress);
            }
            if !search && open.iter().all(|&i| left[i].is_empty()) {
                return;
            }
            turn = turn.saturating_mul(2);
        }
    }

    /// One turn of an engine; whether it may want another.
    fn turn(&self, i: usize, entrant: &rules::Entrant, budget: &Budget, progress: &dyn Progress) -> bool {
        let (engine, start) = (self.portfolio.engine(entrant.engine), Instant::now());
        let problem = Problem { system: self.system, property: self.questions[i] };
        if !self.open().contains(&i) {
            return false;
        }
        progress.engine(entrant.engine, true);
        let outcome = engine.run(&problem, budget, &Silent);
        progress.engine(entrant.engine, false);
        if matches!(outcome.verdict, Verdict::Unknown(Reason::Unsupported(_))) {
            return false;
        }
        let again = wants_time(&outcome);
        self.tell(i, entrant.engine, entrant.why, start.elapsed(), outcome, budget);
        again
    }

    /// Notes what an engine says; when all is answered, everybody stops.
    pub(super) fn tell(
        &self,
        i: usize,
        engine: &str,
        why: &str,
        time: Duration,
        mut outcome: Outcome,
        budget: &Budget,
    ) {
        let mut known = self.known.lock().expect("no lane panics");
        let this = &mut known[i];
        let said = match &outcome.verdict {
            Verdict::Unknown(Reason::Cancelled) => "was stopped".to_owned(),
            Verdict::Unknown(reason) => reason.to_string(),
            decided => decided.word().to_owned(),
        };
        this.attempts.retain(|attempt| attempt.engine != engine);
        let (engine, why, seconds) = (engine.to_owned(), why.to_owned(), time.as_secs_f64());
        outcome.engine.get_or_insert_with(|| engine.clone());
        this.attempts.push(Attempt { engine, why, seconds, said });
        match (&this.outcome.verdict, &outcome.verdict) {
            // What is told of candidates is more than that the time is over.
            (Verdict::Unknown(Reason::Candidates(_)), Verdict::Unknown(_))
            | (_, Verdict::Unknown(Reason::Cancelled)) => {}
            (Verdict::Unknown(_), _) => this.outcome = outcome,
            (old, new) if std::mem::discriminant(old) == std::mem::discriminant(new) => {}
            (_, Verdict::Unknown(_)) => {}
            (old, new) => panic!("engines contradict each other: {old:?} and {new:?}"),
        }
        if known.iter().all(|known| !matches!(known.outcome.verdict, Verdict::Unknown(_))) {
            budget.cancel_flag().store(true, Ordering::Relaxed);
        }
    }
}
