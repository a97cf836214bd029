//! The size of the state space.

use evidence::{Budget, Reason};
use model::views::Net;

use super::depth;
use super::explorer::{Explorer, Successors};
use crate::net::{Board, Task};
use crate::tokens::stubborn::{Scapegoats, Stubborn};
use crate::tokens::wiring::Wiring;

/// Figures of the markings that were visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Markings.
    pub states: u64,
    /// Pairs of a marking and a transition that was fired in it.
    pub firings: u64,
    /// The most tokens on one place.
    pub place_tokens: u64,
    /// The most tokens in one marking.
    pub total_tokens: u64,
}

/// Visits every reachable marking.
pub fn state_space(net: &Net, budget: &Budget) -> Result<Counts, Reason> {
    count(net, budget, Successors::All)
}

/// Visits what is left by stubborn sets that keep every dead marking.
pub fn reduced_state_space(net: &Net, budget: &Budget) -> Result<Counts, Reason> {
    count(net, budget, Successors::KeepDead(Box::new(Stubborn::new(net, Scapegoats::FewNewGivers))))
}

fn count(net: &Net, budget: &Budget, successors: Successors<'_>) -> Result<Counts, Reason> {
    let (board, _) = Board::new(0);
    let task = Task { net, goals: &[], board: &board, budget };
    let wiring = Wiring::new(net);
    let mut explorer = Explorer::new(&task, &wiring, successors);
    depth::search(&mut explorer)?;
    Ok(Counts {
        states: explorer.tree.len() as u64,
        firings: explorer.firings,
        place_tokens: explorer.growth.peak(),
        total_tokens: explorer.most_total,
    })
}
