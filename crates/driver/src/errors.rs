//! Deadlocks and model errors of one model: each has its own answer, and mostly one search gives both.
//!
//! A search that finds no deadlock finds no model error either. What it finds first hides the other: then another search
//! looks for that, within a few times what the first one took. A model error breaks freedom from deadlock as well, as any
//! other property, but where there is a deadlock, that is shown.

use check::{Finding, replay};
use engines::explore::Explore;
use engines::{Engine, Problem};
use evidence::{Budget, Evidence, Outcome, Progress, Reason, Trace, Verdict};
use model::{Expr, Fault, Property, System};

use crate::auto::{Auto, EveryDeadlock, few_times};

/// Whether a property is true wherever there is no model error.
pub(crate) fn asks_for_errors(property: &Property) -> bool {
    matches!(property, Property::Invariant(Expr::Const(value)) if *value != 0)
}

/// Answers both questions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeadlocksAndErrors {
    /// Whether every deadlock is to be listed.
    pub(crate) all: bool,
}

impl Engine for DeadlocksAndErrors {
    fn name(&self) -> &'static str {
        "explore"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        Explore::default().supports(problem)
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        Auto.run(problem, budget, progress)
    }

    fn run_all(
        &self,
        system: &System,
        properties: &[&Property],
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Vec<Outcome> {
        let problem = Problem { system, property: &Property::DeadlockFree };
        let (counted, tally) = budget.counted(None);
        let first = match self.all {
            true => EveryDeadlock.run(&problem, &counted, progress),
            false => Auto.run(&problem, &counted, progress),
        };
        let narrow = few_times(&tally, std::slice::from_ref(&first), budget);
        let [deadlock, error] = apart(system, first, [&narrow, budget], progress);
        let answer = |p: &&Property| if asks_for_errors(p) { error.clone() } else { deadlock.clone() };
        properties.iter().map(answer).collect()
    }
}

/// The answers for deadlocks and for errors, given one for whatever comes first; the other is looked for within a part of the
/// budget.
fn apart(system: &System, first: Outcome, [narrow, budget]: [&Budget; 2], progress: &dyn Progress) -> [Outcome; 2] {
    let unlisted = Outcome { deadlocks: Vec::new(), ..first.clone() };
    let Verdict::Violated(Evidence::Run(run)) = &first.verdict else { return [first, unlisted] };
    let finding = replay(system, &Property::DeadlockFree, run).map(|checked| checked.finding());
    match finding {
        // The model is read anew; or the run is none, which is told when it is replayed once more.
        Ok(Finding::Fault(Fault::Unforeseen(_))) | Err(_) => [first, unlisted],
        Ok(Finding::Fault(_)) if !first.deadlocks.is_empty() => {
            let shown = shortest(&first.deadlocks).map_or(first.verdict.clone(), shown);
            [Outcome { verdict: shown, ..first }, unlisted]
        }
        Ok(Finding::Fault(_)) => {
            let problem = Problem { system, property: &Property::DeadlockFree };
            let mut second = EveryDeadlock.run(&problem, narrow, progress);
            second.statistics.seconds += first.statistics.seconds;
            let found = shortest(&second.deadlocks).map(shown);
            let deadlock = match found {
                Some(verdict) => Outcome { verdict, deadlocks: Vec::new(), ..second },
                None => first,
            };
            [deadlock, unlisted]
        }
        Ok(_) => {
            let problem = Problem { system, property: &Property::Invariant(Expr::TRUE) };
            let mut second = Auto.run(&problem, narrow, progress);
            if matches!(second.verdict, Verdict::Unknown(Reason::Timeout | Reason::Memory)) && budget.check(0).is_ok() {
                let why = "a deadlock was found before all was searched; asked for alone, it is searched to the end";
                second.verdict = Verdict::Unknown(Reason::Unsupported(why.to_owned()));
            }
            [first, second]
        }
    }
}

fn shortest(runs: &[Trace]) -> Option<&Trace> {
    runs.iter().min_by_key(|run| run.stem.len())
}

fn shown(run: &Trace) -> Verdict {
    Verdict::Violated(Evidence::Run(run.clone()))
}
