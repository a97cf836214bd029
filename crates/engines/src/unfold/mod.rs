//! Unfoldings of Petri nets: complete finite prefixes, and smaller ones that find deadlocks.

mod concurrency;
mod configuration;
pub mod contextual;
mod encoding;
mod engine;
mod extensions;
mod ids;
mod order;
mod part;
mod prefix;
mod prepared;
mod process;
mod questions;
pub mod stubborn;
mod tally;
#[cfg(test)]
mod tests;
mod unfolder;

pub use ids::{ConditionId, EventId};
pub use order::AdequateOrder;
pub use prefix::{Companion, Prefix};
pub use prepared::Reads;

use evidence::{Budget, Reason};
use model::views::Net;

use order::Order;
use prepared::Prepared;
use unfolder::{Stopped, Unfolder};

/// What is unfolded, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unfolding {
    /// Which of two local configurations comes first. If the net is not safe, one that needs no safe net is taken.
    pub order: AdequateOrder,
    /// What becomes of transitions that only read a place.
    pub reads: Reads,
}

/// How large a prefix is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Its events, cut-offs included.
    pub events: usize,
    /// Its conditions, those behind cut-offs included.
    pub conditions: usize,
    /// The histories of its events, cut-offs included; one for each event, unless read arcs are kept.
    pub histories: usize,
    /// How many of these are cut-offs.
    pub cutoffs: usize,
    /// Whether it is complete.
    pub complete: bool,
    /// The bytes that it took to build it.
    pub bytes: u64,
}

impl Sizes {
    fn of(prefix: &Prefix, bytes: u64) -> Self {
        let (events, conditions, cutoffs) = (prefix.events(), prefix.conditions(), prefix.cutoffs());
        Self { events, conditions, histories: events, cutoffs, complete: false, bytes }
    }
}

impl Unfolding {
    /// The complete finite prefix of a net.
    pub fn prefix(self, net: &Net, budget: &Budget) -> Result<Prefix, Reason> {
        Ok(self.prefix_within(net, usize::MAX, budget)?.expect("no prefix has more nodes than there are numbers"))
    }

    /// The same, unless it has more events and conditions than this.
    pub fn prefix_within(self, net: &Net, most: usize, budget: &Budget) -> Result<Option<Prefix>, Reason> {
        prefix_within(net, (self.order.into(), self.reads), most, budget)
    }
}

/// The prefix that another unfolder, cunf, builds of a safe net: to compare sizes, and for nothing else, since the order
/// it takes is not known to be adequate.
pub fn lexical_prefix(net: &Net, budget: &Budget) -> Result<Prefix, Reason> {
    let prefix = prefix_within(net, (Order::Lexical, Reads::Loops), usize::MAX, budget)?;
    Ok(prefix.expect("no prefix has more nodes than there are numbers"))
}

fn prefix_within(
    net: &Net,
    (order, reads): (Order, Reads),
    most: usize,
    budget: &Budget,
) -> Result<Option<Prefix>, Reason> {
    if net.places().iter().map(|p| u64::from(p.initial)).sum::<u64>() > most as u64 {
        return Ok(None);
    }
    let prepared = Prepared::new(net, reads.resolved(net));
    let complete = |order| {
        let mut unfolder = Unfolder::new(&prepared.net, order, budget)?;
        let is_small = |prefix: &Prefix| prefix.events() + prefix.conditions() <= most;
        while is_small(unfolder.prefix()) && unfolder.grow(budget)? {}
        Ok(Some(unfolder.into_prefix()).filter(is_small))
    };
    let prefix = match complete(order) {
        Err(Stopped::NotSafe(_)) => complete(AdequateOrder::Parikh.into()),
        other => other,
    };
    prefix.map_err(|stopped| prepared.reason(net, stopped))
}
