//! k-induction: a goal that is not reached within fewer than k steps, and that no k steps through markings without it
//! lead to, is never reached.
//!
//! The steps are those of a shortest run, in a normal form. Transitions are independent if no place that one of them
//! changes is touched by the other; they can change places in a run. Every run is, up to such changes, a sequence of
//! steps of pairwise independent transitions, in which each transition has one in the next step that it depends on
//! (Foata's normal form, from the end). In a shortest run to the goal, moreover, every transition of the last step
//! changes a place that the goal looks at: others could be left out. And no marking between two steps satisfies the
//! goal, or the run to there were shorter. So if the goal is reachable, but by no run of fewer than k steps, the last k
//! steps of a shortest run exist and are all that. The step of the induction asks the propositional solver for them,
//! from any marking that keeps the place invariants and the traps that are marked in the beginning; the base case asks
//! for a run of fewer than k steps from the initial marking.
//!
//! With steps of many transitions, a small k looks further back than with single ones, and what does not concern the
//! goal takes no part. Places with large bounds, or none, are counted up to a small number, beyond which anything may
//! be: more steps than there are, so that what is proved holds still. Runs are replayed.
//!
//! Measured on reduced nets of the contest: it excludes some deadlocks that the state equation does not, all with one
//! step, without which invariants and traps alone do not exclude them; of other goals it excluded none that the state
//! equation had left. The base case finds near goals fast.

mod base;
mod facts;
mod patience;
mod step;
#[cfg(test)]
mod tests;
mod unrolling;

use std::time::Duration;

use model::nets::{Goal, Predicate};
use model::views::NetTransitionId;
use solve::sat::Answer;

use self::base::{Base, base};
use self::facts::Facts;
use self::patience::Patience;
use self::step::Induction;
use super::target::predicate;
use super::{Finding, Proof, Task};

/// The technique, as reports name it.
const TECHNIQUE: &str = "K_INDUCTION";
/// The time that each goal gets in the first round; four times as much in each later one.
const SLICE: Duration = Duration::from_millis(50);
/// The time for the search for place invariants.
const FLOWS: Duration = Duration::from_secs(2);
/// More steps are not tried.
const DEEPEST: usize = 200;

/// What became of the work on a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    /// Never reached: shown with so many steps.
    Never(usize),
    Reached(Vec<NetTransitionId>),
    /// It is not known.
    Open,
    /// This engine cannot tell.
    Declined,
}

/// Proves goals unreachable, and reaches some that are near. Maxima are left to others.
pub fn run(task: &Task<'_>) {
    let serves = |&goal: &usize| !matches!(task.goals[goal], Goal::Maximum(_));
    let mut left: Vec<usize> = task.board.open().into_iter().filter(serves).collect();
    if left.is_empty() {
        return;
    }
    let start = task.budget.now();
    let mut stop = || task.budget.now() - start > FLOWS || task.budget.check(0).is_err() || task.board.is_done();
    let facts = Facts::new(task.net, &mut stop);
    let mut slice = SLICE;
    while !left.is_empty() {
        left.retain(|&goal| goes_on(task, goal) && work(task, &facts, goal, slice));
        slice *= 4;
    }
}

fn goes_on(task: &Task<'_>, goal: usize) -> bool {
    task.board.is_open(goal) && task.budget.check(0).is_ok()
}

/// Gives a goal some time. Whether more of it may help.
fn work(task: &Task<'_>, facts: &Facts<'_>, goal: usize, slice: Duration) -> bool {
    let patience = Patience { task, goal, end: task.budget.now() + slice };
    let asked = predicate(task.net, &task.goals[goal], &mut || patience.is_over(0));
    let outcome = asked.map(|goal| attempt(facts, &goal, slice, &patience));
    match outcome.unwrap_or(Outcome::Declined) {
        // What ended before its time did so for want of memory, or because its run was an illusion.
        Outcome::Open => return task.budget.now() >= patience.end,
        Outcome::Declined => {}
        Outcome::Reached(run) => task.board.tell(goal, TECHNIQUE, Finding::Reached(run)),
        Outcome::Never(steps) => {
            let words = format!("{steps}-induction with place invariants and traps excludes it");
            task.board.tell(goal, TECHNIQUE, Finding::Never(Proof::Structure(words)));
        }
    }
    false
}

fn attempt(facts: &Facts<'_>, goal: &Predicate, slice: Duration, patience: &Patience<'_>) -> Outcome {
    let Some(mut induction) = Induction::new(facts, goal) else { return Outcome::Declined };
    // So many steps from the initial marking do not reach the goal.
    let mut excluded = None;
    while induction.depth() < DEEPEST {
        if induction.deepen(patience).is_none() {
            return Outcome::Open;
        }
        let depth = induction.depth();
        let (steps, patience) = match induction.ask(patience) {
            Answer::Unknown => return Outcome::Open,
            Answer::Impossible => (depth - 1, *patience),
            Answer::Model if depth.is_power_of_two() => {
                (depth, Patience { end: patience.end.min(patience.task.budget.now() + slice / 4), ..*patience })
            }
            Answer::Model => continue,
        };
        let found = match excluded {
            Some(excluded) if excluded >= steps => Base::Nothing,
            _ => base(facts, goal, &induction.cones()[..steps], &patience),
        };
        match found {
            Base::Run(run) => return Outcome::Reached(run),
            Base::Nothing if steps < depth => return Outcome::Never(depth),
            Base::Nothing => excluded = Some(steps),
            Base::Unknown if steps < depth => return Outcome::Open,
            Base::Unknown => {}
        }
    }
    Outcome::Declined
}
