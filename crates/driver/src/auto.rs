//! The choice when nobody chooses.
//!
//! - *Small*: a breadth-first search settles small systems, with shortest runs. It visits everything; where only deadlocks are
//!   asked for and no step can be a model error, what stubborn sets leave.
//! - *Reduced*: a depth-first search with stubborn sets settles systems whose full state space is out of reach. For more
//!   than deadlocks it keeps the component proviso, which left the fewest states in our measurements.
//! - The two take turns that grow, because either may be done in no time where the other is not, and the small one ends after a
//!   moment in all. Between its turns a search waits with all that it knows. Where memory does not suffice for the reduced
//!   one, the small one is asked again, with all of it: breadth-first, states take less.
//! - *Shorter*: the runs found that way can be long, so a breadth-first search then tries to find shortest ones, within a
//!   few times what the second search took; where it does not get there, the run found first is shown.
//! - Turns and moments are measured in work, by how often searches ask whether they may go on, and not in time: so the
//!   answer, its run and its figures are the same on every machine and on every day.
//! - Infinite runs are asked for apart: claims about runs by their own engine, divergence in a search of everything.
//! - So are partial deadlocks, which the component proviso keeps; a run to one is then sought that is a shortest.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engines::explore::{Explore, Order, Persistent, Proviso, Wish};
use engines::liveness::Liveness;
use engines::persistent::{Algorithm, Interference};
use engines::{Engine, Problem};
use evidence::{Budget, Evidence, Outcome, Progress, Reason, Tally, Verdict};
use model::{Class, Property, System};

use crate::turns::{Clock, Ended, Turn, Work, take_turns};

/// Chooses by the property.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Auto;

/// The first turns of the small search and of the reduced one: some thousandths of a second, or hundredths where states are large.
const TURNS: [u64; 2] = [1 << 4, 1 << 5];
/// What the small search may take in all: about half a second.
const MOMENT: u64 = 1 << 12;
const LITTLE: u64 = 64 << 20;
/// And at most such a part of the memory, because the other search keeps what it has meanwhile.
const PART: usize = 8;
/// What the search for a shorter run, or for something else, may take beyond so many times what the one before took.
const TIMES: u32 = 2;
const MORE: u64 = 1 << 6;
const MORE_BYTES: u64 = 16 << 20;

const STUBBORN: Wish = Wish {
    persistent: Some(Persistent { algorithm: Algorithm::Stubborn, interference: Interference::DoNotAccord }),
    sleep: false,
    proviso: Proviso::None,
};

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        match problem.property {
            Property::Temporal(_) => Liveness::default().supports(problem),
            _ => Explore::default().supports(problem),
        }
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let outcomes = self.run_all(problem.system, &[problem.property], budget, progress);
        outcomes.into_iter().next().expect("one question has one answer")
    }

    fn run_all(
        &self,
        system: &System,
        properties: &[&Property],
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Vec<Outcome> {
        if properties.iter().all(|p| p.class() == Class::Branching) {
            let reducible = !system.has_holds() && !system.has_last_resorts();
            let wish = if reducible { Wish { proviso: Proviso::Component, ..STUBBORN } } else { Wish::default() };
            return reduced(system, properties, wish, budget, progress);
        }
        if properties.iter().any(|p| matches!(p.class(), Class::Liveness | Class::Branching)) {
            return apart(system, properties, budget, progress);
        }
        let deadlocks = properties.iter().all(|p| p.class() == Class::Deadlock);
        let (small, wish) = match deadlocks {
            true => (level_by_level(system), STUBBORN),
            false => (Explore::default(), Wish { proviso: proviso(system), ..STUBBORN }),
        };
        let answers = Answers::new(properties);
        let everything = |asked: &[&Property], budget: &Budget| small.run_all(system, asked, budget, progress);
        let small = |asked: &[&Property], budget: &Budget| everything(asked, &moment(&budget.memory_share(PART)));
        let reduced = |asked: &[&Property], budget: &Budget| reduced(system, asked, wish, budget, progress);
        let small = Searching { answers: &answers, search: &small, turn: TURNS[0], has_all: false };
        let reduced = Searching { answers: &answers, search: &reduced, turn: TURNS[1], has_all: true };
        take_turns(&[&small, &reduced], 1, budget, 1);
        if answers.lack_memory() && budget.check(0).is_ok() {
            Searching { answers: &answers, search: &everything, turn: u64::MAX, has_all: true }.ask(budget);
        }
        answers.finish(budget)
    }
}

/// The same limits, for a search that is done soon or not at all.
fn moment(budget: &Budget) -> Budget {
    budget.counted(Some(MOMENT)).0.narrowed(Duration::MAX, LITTLE)
}

/// What two searches find out that take turns.
struct Answers<'a> {
    properties: &'a [&'a Property],
    outcomes: Mutex<Vec<Outcome>>,
}

impl<'a> Answers<'a> {
    fn new(properties: &'a [&'a Property]) -> Self {
        let open = properties.iter().map(|_| Outcome::unknown(Reason::Timeout)).collect();
        Self { properties, outcomes: Mutex::new(open) }
    }

    fn outcomes(&self) -> MutexGuard<'_, Vec<Outcome>> {
        self.outcomes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self) -> Vec<usize> {
        let outcomes = self.outcomes();
        (0..outcomes.len()).filter(|&i| is_open(&outcomes[i])).collect()
    }

    /// Takes an answer of one search. That time or memory is used up is said by who has all of it, unless it was stopped.
    fn tell(&self, i: usize, new: Outcome, has_all: bool) {
        let old = &mut self.outcomes()[i];
        match (&old.verdict, &new.verdict) {
            (Verdict::Unknown(_), Verdict::Unknown(reason)) => {
                let is_own = match reason {
                    Reason::Cancelled => false,
                    Reason::Timeout | Reason::Memory => has_all,
                    _ => true,
                };
                if is_own {
                    *old = new;
                } else if new.statistics.states > old.statistics.states {
                    old.statistics = new.statistics;
                }
            }
            (Verdict::Unknown(_), _) => *old = new,
            (_, Verdict::Unknown(_)) => {}
            (a, b) if std::mem::discriminant(a) == std::mem::discriminant(b) => {}
            _ => panic!("two searches contradict each other: {old:?} and {new:?}"),
        }
    }

    /// Whether memory is why something is open.
    fn lack_memory(&self) -> bool {
        self.outcomes().iter().any(|outcome| matches!(outcome.verdict, Verdict::Unknown(Reason::Memory)))
    }

    fn finish(self, budget: &Budget) -> Vec<Outcome> {
        let mut outcomes = self.outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
        if budget.check(0) == Err(Reason::Cancelled) {
            let open = outcomes.iter_mut().filter(|outcome| is_open(outcome));
            open.for_each(|outcome| outcome.verdict = Verdict::Unknown(Reason::Cancelled));
        }
        outcomes
    }
}

/// One of two searches that take turns.
struct Searching<'a> {
    answers: &'a Answers<'a>,
    search: &'a (dyn Fn(&[&Property], &Budget) -> Vec<Outcome> + Sync),
    turn: u64,
    /// Whether it may use all the time and memory that there is.
    has_all: bool,
}

impl Searching<'_> {
    fn ask(&self, budget: &Budget) {
        let open = self.answers.open();
        let asked: Vec<&Property> = open.iter().map(|&i| self.answers.properties[i]).collect();
        for (i, outcome) in open.into_iter().zip((self.search)(&asked, budget)) {
            self.answers.tell(i, outcome, self.has_all);
        }
    }
}

impl Work for Searching<'_> {
    fn is_wanted(&self) -> bool {
        !self.answers.open().is_empty()
    }

    fn turn(&self) -> Turn {
        Turn::Work(self.turn)
    }

    fn run(&self, budget: &Budget, _: &Clock) -> Ended {
        self.ask(budget);
        Ended::Done
    }
}

/// Asks for infinite runs apart from the rest: each sort of question has a search of its own.
fn apart(system: &System, properties: &[&Property], budget: &Budget, progress: &dyn Progress) -> Vec<Outcome> {
    let sort = |p: &Property| match p {
        Property::DivergenceFree(_) => 1,
        Property::Temporal(_) => 2,
        Property::PartialDeadlockFree => 3,
        _ => 0,
    };
    let engines: [&dyn Engine; 4] = [&Auto, &Explore::default(), &Liveness::default(), &Auto];
    let mut open = properties.len();
    let mut answers = engines.map(|_| Vec::new().into_iter());
    for (k, engine) in engines.into_iter().enumerate() {
        let asked: Vec<&Property> = properties.iter().copied().filter(|p| sort(p) == k).collect();
        if !asked.is_empty() {
            answers[k] = engine.run_all(system, &asked, &budget.shares(asked.len(), open), progress).into_iter();
            open -= asked.len();
        }
    }
    properties.iter().map(|p| answers[sort(p)].next().expect("every question is answered")).collect()
}

/// Whether more time, or another engine, may decide it.
pub(crate) fn is_open(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, Verdict::Unknown(Reason::Timeout | Reason::Memory))
}

/// A reduced search, and then one for shorter runs.
fn reduced(
    system: &System,
    properties: &[&Property],
    reduce: Wish,
    budget: &Budget,
    progress: &dyn Progress,
) -> Vec<Outcome> {
    let engine = Explore { order: Order::Depth, finish: 0, reduce, merge: true, live: true, ..Explore::default() };
    let (counted, tally) = budget.counted(None);
    let mut outcomes = engine.run_all(system, properties, &counted, progress);
    let shown: Vec<usize> = (0..properties.len()).filter(|&i| outcomes[i].verdict.trace().is_some()).collect();
    if shown.is_empty() {
        return outcomes;
    }
    let narrow = few_times(&tally, &outcomes, budget);
    let questions: Vec<&Property> = shown.iter().map(|&i| properties[i]).collect();
    let level_by_level = if reduce == STUBBORN { level_by_level(system) } else { Explore::default() };
    let second = level_by_level.run_all(system, &questions, &narrow, progress);
    for (i, second) in shown.into_iter().zip(second) {
        improve(&mut outcomes[i], second);
    }
    outcomes
}

/// A few times what a search took.
pub(crate) fn few_times(tally: &Tally, outcomes: &[Outcome], budget: &Budget) -> Budget {
    let bytes = outcomes.iter().map(|o| o.statistics.peak_bytes).max().unwrap_or_default();
    let work = u64::from(TIMES) * tally.asked() + MORE;
    budget.counted(Some(work)).0.narrowed(Duration::MAX, u64::from(TIMES) * bytes + MORE_BYTES)
}

/// Takes the second answer, with a shorter run, if there is one.
fn improve(first: &mut Outcome, mut second: Outcome) {
    second.statistics.seconds += first.statistics.seconds;
    match (&first.verdict, &second.verdict) {
        (_, Verdict::Unknown(_)) => {}
        // A search for partial deadlocks that is cut has a run that need not be a shortest one.
        (Verdict::Violated(Evidence::Run(a)), Verdict::Violated(Evidence::Run(b))) if a.stem.len() < b.stem.len() => {}
        (Verdict::Holds(_), Verdict::Holds(_)) | (Verdict::Violated(_), Verdict::Violated(_)) => *first = second,
        _ => panic!("two searches contradict each other: {first:?} and {second:?}"),
    }
}

/// Finds every deadlock: with shortest runs if a breadth-first search can, else with any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EveryDeadlock;

impl Engine for EveryDeadlock {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        Explore::default().supports(problem)
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let shortest = Explore { all: true, ..level_by_level(problem.system) };
        if shortest.reduce == STUBBORN {
            return shortest.run(problem, budget, progress);
        }
        // Only a proviso would make a reduction exact, and the one that leaves the fewest states needs depth-first order.
        let first = shortest.run(problem, &moment(budget), progress);
        if first.statistics.complete == Some(true) || budget.check(0).is_err() {
            return first;
        }
        let second = Explore { all: true, ..with_proviso(problem.system) }.run(problem, budget, progress);
        // What is certain already stays so, even if the second search gets nowhere.
        if is_open(&second) { first } else { second }
    }
}

/// A search that takes somewhere every step that can be taken.
pub(crate) fn every_step(system: &System) -> Explore {
    Explore { finish: u64::MAX, ..with_proviso(system) }
}

/// A search that finds shortest runs to deadlocks and model errors, reduced where that keeps them.
fn level_by_level(system: &System) -> Explore {
    let reduce = if system.is_lawful() { STUBBORN } else { Wish::default() };
    Explore { reduce, ..Explore::default() }
}

/// The proviso that leaves the fewest states; where processes go on alone, there is but one.
fn proviso(system: &System) -> Proviso {
    if system.has_holds() { Proviso::Stack } else { Proviso::Component }
}

fn with_proviso(system: &System) -> Explore {
    let reduce = Wish { proviso: proviso(system), ..STUBBORN };
    Explore { order: Order::Depth, reduce, ..Explore::default() }
}

#[cfg(test)]
mod tests {
    use evidence::Silent;

    use super::*;

    /// All values of twelve bits, in no order that a reduction could use.
    #[test]
    fn where_memory_is_short_states_are_kept_as_trees() {
        let text = "var x[12] : bool
            process Bit[i in 0..11] { states there  there -> there : flip do x[i] := !x[i] }
            property some: invariant (count i in 0..11: x[i]) <= 12";
        let loaded = frontend::native::load("bits", text, &[]);
        let (system, property) = loaded.map(|l| (l.system, l.properties[0].property.clone())).expect("a model");
        let problem = Problem { system: &system, property: &property };
        let least = Explore::default().run(&problem, &Budget::unlimited(), &Silent).statistics.peak_bytes;
        let budget = Budget::unlimited().with_memory(least + least / 4);
        let deep = Explore { order: Order::Depth, ..Explore::default() }.run(&problem, &budget, &Silent);
        assert_eq!(deep.verdict, Verdict::Unknown(Reason::Memory), "else this shows nothing");
        assert!(matches!(Auto.run(&problem, &budget, &Silent).verdict, Verdict::Holds(_)));
    }
}
