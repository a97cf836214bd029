//! Runs of a net that an automaton accepts: found by walks, or excluded by a search of the product.
//!
//! Positions are markings; a run that ends repeats its last marking for ever.

mod lasso;
mod position;
mod reduction;
mod search;
#[cfg(test)]
mod tests;
mod walk;

pub use reduction::always_ends;
pub use search::search;
pub use walk::walk;

use evidence::Budget;
use model::nets::Predicate;
use model::views::{Net, NetTransitionId};

use crate::refuter::Refuter;

/// What is searched for: a maximal run of a net that an automaton accepts. The net has no places where tokens may stay
/// for good, and no transition that is a model error.
#[derive(Clone, Copy, Debug)]
pub struct RunTask<'a> {
    /// The net.
    pub net: &'a Net,
    /// The automaton.
    pub refuter: &'a Refuter,
    /// What its atoms mean.
    pub atoms: &'a [Predicate],
    /// Which runs count.
    pub runs: Whole,
    /// The limits.
    pub budget: &'a Budget,
}

/// Which runs of a net count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// Those that are infinite or end where nothing is enabled.
    Maximal,
    /// All: a run may also end anywhere. What a search finds is not told.
    Any,
}

/// A maximal run: the stem once, then the cycle for ever. Without a cycle nothing is enabled at the end of the stem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// What comes first.
    pub stem: Vec<NetTransitionId>,
    /// What is repeated.
    pub cycle: Vec<NetTransitionId>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Searched {
    /// There is no such run.
    None,
    /// There is this one.
    Run(Lasso),
    /// There is one, but it takes too much to write it down.
    Untold,
}
