//! One goal that is left alone has all the time: one reduced net, and whoever may settle the goal takes turns on it.
//!
//! Turns are short at first, so that what one engine sees at once does not wait for the others, and nothing is done twice:
//! who waits for a turn keeps what it has. Rounds, in which everybody begins anew with more time, left open what an
//! unfolding settles in half a second, because each of its tries ended just before.

use std::time::Duration;

use engines::net::Task;
use engines::net::search::{Order, Scope};
use engines::net::walk::WalkOptions;
use evidence::{Budget, Reason};

use super::schedule::Crew;
use crate::turns::{Clock, Ended, Turn, Work, take_turns};

/// The first turn of an engine whose share is one. Those who settle most that can be settled in a moment have several at once,
/// before others set up what they need, which for large nets takes longer than a turn: of 85 classic nets that are safe, an
/// unfolding was the quickest for most that take longer than a twentieth of a second.
const TURN: Duration = Duration::from_millis(5);
/// How long to look for what no search can exclude, because the net is unbounded, where there is no limit.
const HOPE: Duration = Duration::from_secs(16);

/// What somebody does about the goal.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// Walks, beginning with a seed.
    Walk(u64),
    Search(Order),
    Unfold,
    Prove,
    Unroll,
    Induct,
    Invent,
}

/// Who comes first has the first turns.
const PARTS: [Part; 7] = [
    Part::Unfold,
    Part::Search(Order::Depth),
    Part::Prove,
    Part::Search(Order::Best),
    Part::Unroll,
    Part::Induct,
    Part::Invent,
];

/// Works on the only goal of a task, the goal of an inquiry with this number.
pub(super) fn settle(crew: &Crew<'_>, task: &Task<'_>, goal: usize) {
    // Where there are threads for all, the others walk.
    let walks = (0..crew.threads.saturating_sub(PARTS.len()).max(1) as u64).map(Part::Walk);
    let parts: Vec<Part> = walks.chain(PARTS).collect();
    let works: Vec<_> = parts.iter().map(|&part| Entrant { crew, task, goal, part, others: parts.len() - 1 }).collect();
    let works: Vec<&dyn Work> = works.iter().map(|work| work as &dyn Work).collect();
    // Half of the memory is for the search in depth, and the other half for all others.
    take_turns(&works, crew.threads, task.budget, 2);
}

struct Entrant<'a> {
    crew: &'a Crew<'a>,
    task: &'a Task<'a>,
    goal: usize,
    part: Part,
    others: usize,
}

impl Work for Entrant<'_> {
    fn is_wanted(&self) -> bool {
        let endless = || self.task.budget.left().is_none() && self.crew.ledger.is_endless(self.goal);
        !(self.task.board.is_done() || endless() && self.crew.worked() > HOPE)
    }

    fn turn(&self) -> Turn {
        let share = match self.part {
            Part::Unfold => 4,
            Part::Walk(_) | Part::Search(Order::Depth) | Part::Prove => 2,
            Part::Search(_) | Part::Unroll | Part::Induct | Part::Invent => 1,
        };
        Turn::Time(share * TURN)
    }

    fn run(&self, budget: &Budget, _: &Clock) -> Ended {
        let crew = self.crew;
        let budget = match self.part {
            Part::Search(Order::Depth) => budget.clone(),
            _ => budget.memory_share(self.others),
        };
        let task = Task { budget: &budget, ..*self.task };
        match self.part {
            Part::Walk(seed) => crew.walk(&task, seed, &WalkOptions::default()),
            Part::Search(order) => match crew.search(&task, Scope::One(0), order) {
                Err(Reason::Memory) if order == Order::Depth => {
                    crew.ledger.note_hungry(self.goal);
                    return Ended::WantsMemory;
                }
                Err(why @ (Reason::Unbounded(_) | Reason::Unsupported(_))) => crew.ledger.note_endless(self.goal, why),
                _ => {}
            },
            Part::Unfold => crew.unfold(&task),
            Part::Prove => crew.prove(&task),
            Part::Unroll => crew.unroll(&task, &[self.goal]),
            Part::Induct => crew.induct(&task),
            Part::Invent => crew.invent(&task),
        }
        Ended::Done
    }
}
