//! Contextual unfoldings of safe nets: read arcs stay read arcs.

mod arcs;
mod concurrency;
mod extensions;
mod ids;
mod past;
mod prefix;
#[cfg(test)]
mod tests;
mod unfolder;

pub use ids::{EnrichedId, HistoryId};
pub use prefix::{ContextualPrefix, CutOff};

use evidence::{Budget, Reason};
use model::views::Net;

use super::AdequateOrder;
use super::unfolder::Stopped;
use unfolder::Unfolder;

impl ContextualPrefix {
    /// The complete finite prefix of the contextual unfolding of a net. If the net is not safe, `Unsupported`.
    pub fn complete(net: &Net, order: AdequateOrder, budget: &Budget) -> Result<Self, Reason> {
        let prefix = Unfolder::new(net, order).and_then(|unfolder| unfolder.complete(budget));
        prefix.map_err(|stopped| match stopped {
            Stopped::Limit(reason) => reason,
            Stopped::NotSafe(p) | Stopped::Unbounded(p) => {
                Reason::Unsupported(format!("place `{}` can have several tokens", net.place(p).name))
            }
        })
    }
}
