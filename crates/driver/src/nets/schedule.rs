//! Who works on what, and for how long.
//!
//! First what the net as a whole says about small goals, of which there may be thousands: those that are settled cost
//! nothing later, and the net is reduced further without them. Then all goals together: one reduced net, walked, searched and
//! unfolded for moments that grow, so that what one of them sees at once does not wait for the others, and then proved about;
//! a single goal has all the time for that ([`alone`](super::alone)).
//! What is left is then treated goal by goal, because a net reduced for one goal is smaller, in rounds: in each round
//! every open goal gets a job to *seek* (structure, walks guided by what it suggests, induction, bounded
//! model checking, IC3, unfolding, walks) and a job to
//! *search*, and each job twice the time that it had in the round before. So what is easy is settled early, and what is
//! hard gets most of the time. Where there are too many goals for that, groups of goals take the place of goals.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use check::check_exclusion;
use engines::exchange::Exchange;
use engines::net::search::{Order, Scope, SearchOptions, search};
use engines::net::walk::{WalkOptions, guided, walk};
use engines::net::{Finding, Proof, Task, bmc, ic3, induction, structural};
use engines::unfold::Unfolding;
use evidence::{Budget, Reason};
use model::nets::{Goal, Predicate};
use model::views::{Net, PlaceId, PlaceMeaning};

use reduce::Reduced;

use super::ledger::Ledger;
use super::{NetEngines, alone, by_meaning};

/// The time of a job in the first round.
const FIRST: Duration = Duration::from_secs(1);
/// The longest time to seek what no search can exclude, because the net is unbounded.
const HOPE: Duration = Duration::from_secs(8);
/// The part of the time that all goals together may take.
const TOGETHER: usize = 6;
/// The time that all goals together may take if there is no limit.
const TOGETHER_MOST: Duration = Duration::from_secs(20);
/// The memory of a search for all goals together.
const LITTLE: u64 = 256 << 20;
/// The steps, and the time, of a first walk, before anything is proved.
const FEW: u64 = 100_000;
const MOMENT: Duration = Duration::from_millis(300);
/// How long walks, searches and unfoldings of all goals are tried first, each in turn.
const MOMENTS: [Duration; 3] = [Duration::from_millis(15), Duration::from_millis(60), Duration::from_millis(240)];
/// Reduced nets are kept from round to round for at most so many goals.
const KEPT: usize = 64;

/// How much of what others say is listened to: each costs time on every level.
const SAID: usize = 500;

/// What there is to work with.
pub(super) struct Means<'a> {
    pub(super) threads: usize,
    pub(super) engines: NetEngines,
    /// What others who work on the same question know.
    pub(super) others: Option<&'a Exchange>,
    pub(super) budget: &'a Budget,
}

/// Works on the goals of a ledger until they are settled, or the budget is used up.
pub(super) fn work(ledger: &Arc<Ledger>, claims: &[Vec<PlaceId>], means: &Means<'_>) {
    let &Means { threads, engines, others, budget } = means;
    let kept = (0..KEPT).map(|_| OnceLock::new()).collect();
    let crew = Crew { ledger, threads, engines, others, said: Mutex::default(), budget, start: budget.now(), kept };
    crew.glance(claims);
    if ledger.open().len() > 1 && crew.goes_on() {
        crew.together();
    }
    // Depth first takes the least memory; what looks nearest first may find what is far from the beginning.
    let orders = [Order::Depth, Order::Best].into_iter().cycle();
    let mut time = FIRST;
    for order in orders.take_while(|_| crew.goes_on()) {
        if let [goal] = *ledger.open() {
            return crew.alone(goal);
        }
        if !crew.round(time, order) {
            break;
        }
        time = time.saturating_mul(2);
    }
}

pub(super) struct Crew<'a> {
    pub(super) ledger: &'a Arc<Ledger>,
    pub(super) threads: usize,
    engines: NetEngines,
    others: Option<&'a Exchange>,
    /// What others have said, and how much of it was heard.
    said: Mutex<(Vec<Said>, usize)>,
    budget: &'a Budget,
    start: Instant,
    /// The nets reduced for each of the first goals.
    kept: Vec<OnceLock<Arc<Reduced>>>,
}

/// Of what is listed, something is so, or is not so, in every reachable state.
type Said = Vec<(PlaceMeaning, bool)>;

/// What one job does for one goal.
#[derive(Clone, Copy, Debug)]
enum Job {
    Seek,
    Search,
}

impl Crew<'_> {
    /// How long work has been going on.
    pub(super) fn worked(&self) -> Duration {
        self.budget.now().saturating_duration_since(self.start)
    }

    fn goes_on(&self) -> bool {
        self.budget.check(0).is_ok() && !self.ledger.open().is_empty()
    }

    fn reduced(&self, goals: &[usize], budget: &Budget) -> Arc<Reduced> {
        let asked: Vec<Goal> = goals.iter().map(|&g| self.ledger.goal(g).clone()).collect();
        let stop = || budget.check(0).is_err() || !goals.iter().any(|&goal| self.ledger.is_open(goal));
        Arc::new(match self.engines.reduce {
            true => reduce::reduce(self.ledger.net(), &asked, &stop),
            false => reduce::unreduced(self.ledger.net(), &asked),
        })
    }

    /// The net of one of the first goals, if it was reduced before.
    fn kept_or_reduced(&self, goals: &[usize]) -> Arc<Reduced> {
        let fresh = || self.reduced(goals, &self.budget.share(2));
        let kept = goals.first().and_then(|goal| self.kept.get(*goal)).filter(|_| goals.len() == 1);
        kept.map_or_else(fresh, |kept| Arc::clone(kept.get_or_init(fresh)))
    }

    /// What follows from the structure without much ado, and what a first walk finds, on the net as it is.
    fn glance(&self, claims: &[Vec<PlaceId>]) {
        let goals: Arc<[usize]> = self.ledger.open().into();
        if goals.iter().all(|&goal| matches!(self.ledger.goal(goal), Goal::Dead)) {
            return;
        }
        let budget = self.budget.shares(1, TOGETHER).narrowed(TOGETHER_MOST, u64::MAX);
        let all: Vec<Goal> = goals.iter().map(|&g| self.ledger.goal(g).clone()).collect();
        let same = Arc::new(reduce::unreduced(self.ledger.net(), &all));
        let board = self.ledger.board(&same, &goals);
        let task = Task { net: &same.net, goals: &same.goals, board: &board, budget: &budget };
        settle_constants(&task);
        if self.threads == 1 || !self.engines.structural {
            self.walk_a_little(&task, 0);
        }
        if !self.engines.structural || board.is_done() {
            return;
        }
        let seen = AtomicBool::new(false);
        let walkers = if self.engines.walk { self.threads as u64 } else { 1 };
        std::thread::scope(|scope| {
            for seed in 1..walkers {
                let (task, seen) = (&task, &seen);
                scope.spawn(move || {
                    let goes_on = |_: &u64| !seen.load(Ordering::Relaxed) && !task.board.is_done();
                    (seed..).step_by(self.threads).take_while(goes_on).for_each(|seed| self.walk_a_little(task, seed));
                });
            }
            structural::glance(&task, claims);
            seen.store(true, Ordering::Relaxed);
        });
    }

    /// All goals at once: one thread proves, the others walk.
    fn together(&self) {
        let budget = self.budget.shares(1, TOGETHER).narrowed(TOGETHER_MOST, u64::MAX);
        let goals: Arc<[usize]> = self.ledger.open().into();
        let reduced = self.reduced(&goals, &budget.share(2));
        let board = self.ledger.board(&reduced, &goals);
        let task = Task { net: &reduced.net, goals: &reduced.goals, board: &board, budget: &budget };
        settle_constants(&task);
        std::thread::scope(|scope| {
            for seed in 1..self.threads {
                scope.spawn(move || self.walk(&task, seed as u64, &WalkOptions::default()));
            }
            MOMENTS
                .into_iter()
                .enumerate()
                .for_each(|(k, moment)| self.try_all(&task, moment, (k * self.threads) as u64));
            let _ = self.search(&Task { budget: &budget.narrowed(FIRST, LITTLE), ..task }, Scope::All, Order::Depth);
            self.prove(&task);
            self.walk(&task, 0, &WalkOptions::default());
        });
    }

    /// A goal that is left alone, with all the time that is left.
    fn alone(&self, goal: usize) {
        let goals: Arc<[usize]> = [goal].into();
        let reduced = self.kept_or_reduced(&goals);
        let board = self.ledger.board(&reduced, &goals);
        let task = Task { net: &reduced.net, goals: &reduced.goals, board: &board, budget: self.budget };
        settle_constants(&task);
        alone::settle(self, &task, goal);
    }

    /// What finds a run, and what sees everything, for a moment each.
    fn try_all(&self, task: &Task<'_>, moment: Duration, seed: u64) {
        let brief = || task.budget.narrowed(moment, LITTLE);
        self.walk(&Task { budget: &brief(), ..*task }, seed, &WalkOptions { steps: FEW, ..WalkOptions::default() });
        let _ = self.search(&Task { budget: &brief(), ..*task }, Scope::All, Order::Depth);
        self.unfold(&Task { budget: &brief(), ..*task });
    }

    /// Every group of open goals for itself. False if all jobs ended before their time: more of it would not help.
    fn round(&self, time: Duration, order: Order) -> bool {
        let searched = self.ledger.open_to_search();
        let sought = if time <= HOPE { self.ledger.open() } else { searched.clone() };
        let mut jobs: Vec<(Arc<[usize]>, Job)> =
            self.groups(&searched, time).map(|goals| (goals, Job::Search)).collect();
        jobs.extend(self.groups(&sought, time).map(|goals| (goals, Job::Seek)));
        jobs.sort_by_key(|(goals, _)| goals[0]);
        let (next, more) = (AtomicUsize::new(0), AtomicBool::new(false));
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    while let Some((goals, job)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if self.budget.check(0).is_err() {
                            break;
                        }
                        let start = Instant::now();
                        self.one(goals, *job, time, order);
                        more.fetch_or(start.elapsed() >= time.mul_f64(0.9), Ordering::Relaxed);
                    }
                });
            }
        });
        more.into_inner()
    }

    /// Each goal, or, if there are many, as many groups as half of the time that is left suffices for.
    fn groups(&self, goals: &[usize], time: Duration) -> impl Iterator<Item = Arc<[usize]>> {
        let rounds = self.budget.left().map_or(f64::INFINITY, |left| left.as_secs_f64() / time.as_secs_f64());
        // Two jobs for each group: half of the time is enough for so many.
        let groups = ((rounds * self.threads as f64 / 4.0) as usize).clamp(1, KEPT);
        let size = if goals.len() > KEPT { goals.len().div_ceil(groups) } else { 1 };
        goals.chunks(size).map(Arc::from)
    }

    fn one(&self, goals: &[usize], job: Job, time: Duration, order: Order) {
        let goals: Arc<[usize]> = goals.iter().copied().filter(|&goal| self.ledger.is_open(goal)).collect();
        let Some(&goal) = goals.first() else { return };
        let reduced = self.kept_or_reduced(&goals);
        let board = self.ledger.board(&reduced, &goals);
        let budget = self.budget.narrowed(time, u64::MAX).memory_share(self.threads);
        let task = Task { net: &reduced.net, goals: &reduced.goals, board: &board, budget: &budget };
        settle_constants(&task);
        match job {
            Job::Search => {
                // Towards one goal after the other, a search meets more of them than in depth.
                let (scope, order) = if goals.len() == 1 { (Scope::One(0), order) } else { (Scope::All, Order::Best) };
                if let Err(why @ (Reason::Unbounded(_) | Reason::Unsupported(_))) = self.search(&task, scope, order) {
                    // Without the others, the net of a goal may be bounded.
                    if goals.len() == 1 {
                        self.ledger.note_endless(goal, why);
                    }
                }
            }
            Job::Seek => {
                // Half of the time for proofs; of what is left then, an equal part for each who comes.
                let NetEngines { walk, bmc, ic3, unfold, .. } = self.engines;
                let part = |after: &[bool]| budget.share(1 + after.iter().filter(|used| **used).count());
                self.prove(&Task { budget: &budget.narrowed(time / 2, u64::MAX), ..task });
                self.induct(&Task { budget: &part(&[bmc, ic3, unfold, walk]), ..task });
                self.unroll(&Task { budget: &part(&[ic3, unfold, walk]), ..task }, &goals);
                self.invent(&Task { budget: &part(&[unfold, walk]), ..task });
                self.unfold(&Task { budget: &part(&[walk]), ..task });
                self.walk(&task, time.as_secs(), &WalkOptions::default());
            }
        }
    }

    // Whatever ends an engine without an answer, time or a net that it cannot treat: others go on.

    pub(super) fn walk(&self, task: &Task<'_>, seed: u64, options: &WalkOptions) {
        if self.engines.walk && !task.board.is_done() {
            let _ = walk(task, seed, options);
        }
    }

    fn walk_a_little(&self, task: &Task<'_>, seed: u64) {
        let budget = task.budget.narrowed(MOMENT, u64::MAX);
        self.walk(&Task { budget: &budget, ..*task }, seed, &WalkOptions { steps: FEW, ..WalkOptions::default() });
    }

    pub(super) fn prove(&self, task: &Task<'_>) {
        if !self.engines.structural || task.board.is_done() {
            return;
        }
        structural::run(task, &mut |goal, parikh| {
            if self.engines.walk {
                let _ = guided(task, goal, &parikh, 0);
            }
        });
    }

    pub(super) fn induct(&self, task: &Task<'_>) {
        if self.engines.structural && !task.board.is_done() {
            induction::run(task);
        }
    }

    /// Looks for runs of few parallel steps. How many do not suffice is told only of the net that was asked about.
    pub(super) fn unroll(&self, task: &Task<'_>, goals: &[usize]) {
        if !self.engines.bmc || task.board.is_done() {
            return;
        }
        let covered = bmc::run(task);
        if !self.engines.reduce {
            covered.steps().for_each(|(goal, steps)| self.ledger.cover(goals[goal], steps as u64));
        }
    }

    pub(super) fn unfold(&self, task: &Task<'_>) {
        if self.engines.unfold && !task.board.is_done() {
            let _ = Unfolding::default().settle(task);
        }
    }

    /// What others say, as far as a net has the places; what a reduction made of these does not matter, because nobody
    /// relies on it.
    fn said(&self, net: &Net) -> Vec<ic3::Clause> {
        let Some(others) = self.others else { return Vec::new() };
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, heard) = &mut *said;
        all.extend(others.outsider(super::NAME).said(heard));
        let places = by_meaning(net);
        let literal = |(meaning, marked): &(PlaceMeaning, bool)| Some((*places.get(meaning)?, *marked));
        all.iter().filter_map(|clause| clause.iter().map(literal).collect()).take(SAID).collect()
    }

    /// Looks for inductive invariants, one goal after the other. What the checker does not accept proves nothing.
    pub(super) fn invent(&self, task: &Task<'_>) {
        let open = if self.engines.ic3 { task.board.open() } else { Vec::new() };
        let said = if open.is_empty() { Vec::new() } else { self.said(task.net) };
        for (done, &goal) in open.iter().enumerate() {
            let budget = task.budget.share(open.len() - done);
            match ic3::decide_with(task.net, &task.goals[goal], &said, &budget, &|| !task.board.is_open(goal)) {
                Some(ic3::Decision::Reached(run)) => task.board.tell(goal, "IC3", Finding::Reached(run)),
                Some(ic3::Decision::Never(certificate)) => {
                    let accepted = check_exclusion(task.net, &task.goals[goal], &certificate);
                    debug_assert_eq!(accepted, Ok(()), "{certificate:?}");
                    if accepted.is_ok() {
                        let clauses = certificate.invariant.len();
                        let words = format!("an inductive invariant of {clauses} clauses excludes it");
                        task.board.tell(goal, "IC3", Finding::Never(Proof::Structure(words)));
                    }
                }
                None => {}
            }
        }
    }

    pub(super) fn search(&self, task: &Task<'_>, scope: Scope, order: Order) -> Result<(), Reason> {
        match self.engines.search && !task.board.is_done() {
            true => search(task, &SearchOptions { scope, order }),
            false => Ok(()),
        }
    }
}

/// Goals that the reduction has decided.
fn settle_constants(task: &Task<'_>) {
    let technique = "STRUCTURAL_REDUCTION";
    let proof = || Proof::Structure("the structure of the net excludes it".to_owned());
    for (i, goal) in task.goals.iter().enumerate() {
        match goal {
            Goal::Satisfies(Predicate::Constant(true)) => task.board.tell(i, technique, Finding::Reached(Vec::new())),
            Goal::Satisfies(Predicate::Constant(false)) => task.board.tell(i, technique, Finding::Never(proof())),
            Goal::Maximum(expression) if expression.terms().is_empty() => {
                task.board.tell(i, technique, Finding::AtLeast(expression.constant(), Vec::new()));
                task.board.tell(i, technique, Finding::AtMost(expression.constant(), proof()));
            }
            _ => {}
        }
    }
}
