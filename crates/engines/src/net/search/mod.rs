//! Exact search through the reachable markings of a net.
//!
//! No bounds are needed: markings are stored as trees with shared parts (`tokens::tree`), and a net that grows without
//! end is noticed (`growth`). A search for one goal visits only what stubborn sets leave (`tokens::stubborn`,
//! `question`); a search for all goals visits everything. Either reports whatever else it comes across.

mod breadth;
mod depth;
mod explorer;
mod growth;
#[cfg(test)]
mod planted;
mod question;
mod space;

pub(super) use explorer::{expected, uncountable};
pub use space::{Counts, reduced_state_space, state_space};

use evidence::{Exhausted, Reason};
use model::nets::Goal;

use super::{Finding, Proof, Task};
use crate::tokens::stubborn::{Scapegoats, Stubborn};
use crate::tokens::wiring::Wiring;
use explorer::{Explorer, Successors};
use question::Question;

/// What a search decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All open goals, by visiting every reachable marking.
    All,
    /// One goal, by visiting what stubborn sets for it leave.
    One(usize),
}

/// Which marking comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The newest: takes the least memory.
    #[default]
    Depth,
    /// The oldest: gives shortest runs, if nothing is left out.
    Breadth,
    /// The one that looks nearest to the goal.
    Best,
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// For what.
    pub scope: Scope,
    /// In which order.
    pub order: Order,
}

/// Searches until the goals in its scope are settled. An error says why they are not: a limit, or a net without bounds;
/// what was found until then is on the board.
pub fn search(task: &Task<'_>, options: &SearchOptions) -> Result<(), Reason> {
    let wiring = Wiring::new(task.net);
    let successors = match options.scope {
        Scope::All => Successors::All,
        Scope::One(g) => Successors::Stubborn(
            g,
            Question::new(&task.goals[g], &wiring),
            Box::new(Stubborn::new(task.net, Scapegoats::FewGivers)),
        ),
    };
    let mut explorer = Explorer::new(task, &wiring, successors);
    if !explorer.is_wanted() {
        return Ok(());
    }
    let asked = match options.scope {
        Scope::All => task.board.open(),
        Scope::One(goal) => vec![goal],
    };
    let exhausted = match options.order {
        Order::Depth => depth::search(&mut explorer)?,
        Order::Breadth => breadth::search(&mut explorer, false)?,
        Order::Best => breadth::search(&mut explorer, true)?,
    };
    if exhausted {
        asked.iter().for_each(|&goal| conclude(&explorer, goal));
    }
    Ok(())
}

/// Everything was visited: what was not found is not there.
fn conclude(explorer: &Explorer<'_>, goal: usize) {
    let (board, proof) = (
        explorer.task.board,
        match explorer.goal() {
            Some(_) => Exhausted::ReducedStateSpace,
            None => Exhausted::FullStateSpace,
        },
    );
    let proof = Proof::Exhausted(proof);
    match &explorer.task.goals[goal] {
        Goal::Maximum(_) if explorer.reporter.beyond || !explorer.watch.watches(goal) => {}
        Goal::Maximum(_) => {
            let most = board.least(goal).expect("the initial marking has a value");
            board.tell(goal, "search", Finding::AtMost(most, proof));
        }
        Goal::Dead | Goal::Satisfies(_) => board.tell(goal, "search", Finding::Never(proof)),
    }
}
