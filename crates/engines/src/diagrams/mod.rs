//! Sets of states of a network as decision diagrams, below the engines that use them.
//!
//! The state of a component is a binary number. A set of states is a diagram over the bits of all components; the
//! order of the components decides how large it gets. Rules are a partitioned relation: a rule is never one diagram, but
//! its participants move one after the other, each by what its own event does, and nobody else is touched.

mod codes;
mod moves;
pub mod order;
pub mod rings;
mod saturation;
mod space;
mod sweep;

use std::time::Instant;

use evidence::{Budget, Outcome, Reason};
use model::views::Network;
use solve::bdd::Full;

pub use solve::bdd::{Bdd, deep};
pub use space::{Setting, Space};

/// Why a computation ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop(pub Reason);

/// Searches the space of a network: on a stack that is deep enough, with an order for its components, within limits.
pub(crate) fn answer(
    network: &Network,
    heuristic: Option<order::Heuristic>,
    budget: &Budget,
    search: impl FnOnce(&Space<'_>) -> Result<Outcome, Stop> + Send,
) -> Outcome {
    let start = Instant::now();
    let mut outcome = deep(Space::variables(network), || {
        let (heuristic, order) = order::chosen(network, heuristic);
        let space = Space::new(network, Setting { order, budget })?;
        let mut outcome = search(&space)?;
        outcome.techniques.push(format!("components ordered by {}", heuristic.name()));
        outcome.statistics.peak_bytes = space.manager().bytes();
        Ok(outcome)
    })
    .unwrap_or_else(|Stop(reason)| Outcome::unknown(reason));
    outcome.statistics.seconds = start.elapsed().as_secs_f64();
    outcome
}

impl From<Full> for Stop {
    fn from(_: Full) -> Self {
        Self(Reason::Memory)
    }
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Self {
        Self(reason)
    }
}
