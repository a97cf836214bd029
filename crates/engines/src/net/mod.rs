//! Engines on Petri nets themselves, for nets that are too large, or not bounded, to be treated as systems.
//!
//! They share a [`Board`]: many goals about one net are searched for at once, by engines side by side, and whoever
//! settles a goal tells the others.

pub mod bmc;
mod board;
pub(crate) mod cnf;
mod distance;
pub mod ic3;
pub mod induction;
mod random;
mod record;
mod report;
pub mod runs;
pub mod search;
pub mod structural;
mod target;
mod touch;
pub mod walk;
mod watch;

pub use board::{Board, Finding, Proof, Settled};

use evidence::Budget;
use model::nets::Goal;
use model::views::Net;

/// What is to be done: goals about one net. The net has no places where tokens may stay for good, and no transition
/// that is a model error: a marking is dead if nothing is enabled.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The net.
    pub net: &'a Net,
    /// The goals, as numbered on the board.
    pub goals: &'a [Goal],
    /// Which are open, and where findings go.
    pub board: &'a Board,
    /// The limits.
    pub budget: &'a Budget,
}
