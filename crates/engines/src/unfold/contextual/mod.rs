//! Contextual unfoldings of safe nets: read arcs stay read arcs.

mod arcs;
mod concurrency;
mod cycles;
mod encoding;
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
use super::questions::Growing;
use super::unfolder::Stopped;
pub(super) use unfolder::Unfolder;

impl ContextualPrefix {
    /// The complete finite prefix of the contextual unfolding of a net. If the net is not safe, `Unsupported`.
    pub fn complete(net: &Net, order: AdequateOrder, budget: &Budget) -> Result<Self, Reason> {
        let complete = || {
            let mut unfolder = Unfolder::new(net, order, budget)?;
            while unfolder.grow(budget)? {}
            Ok(unfolder.into_prefix())
        };
        complete().map_err(|stopped| match stopped {
            Stopped::Limit(reason) => reason,
            Stopped::NotSafe(p) | Stopped::Unbounded(p) => {
                Reason::Unsupported(format!("place `{}` can have several tokens", net.place(p).name))
            }
        })
    }
}
