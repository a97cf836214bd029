//! Contextual unfoldings of safe nets: read arcs stay read arcs.
//!
//! An event consumes its preset and reads its *context*. Readers of one condition are concurrent. What is new is
//! *asymmetric conflict*: who reads a condition can occur before who consumes it, but not after. A *configuration* is a
//! set of events that has the causes of its events, and in which nothing has to occur before itself. What has to occur
//! before an event in a configuration, the event included, is its *history* there: the causes, who has read what it
//! consumes, and so on. An event has many histories, one for each set of readers that came before it, for instance
//! (Baldan, Bruni, Corradini, König, Rodríguez, Schwoon, *Efficient
//! unfolding of contextual Petri nets*, TCS 2012; Rodríguez, Schwoon, Baldan, *Efficient contextual unfolding*, CONCUR
//! 2011).
//!
//! **Histories as events.** A configuration is the union of the histories of its events, which are compatible: what comes
//! before something in one of them is in it. The other way round, pairwise compatible histories make a configuration. So
//! histories, ordered by inclusion of this kind, behave as the events of an ordinary unfolding do; they *are* those of
//! the unfolding with a replica of the place for each reader, which a test confirms. Hence the construction is the usual
//! one, with histories in place of events, the level of a history in place of the depth of an event, and so are the
//! orders. Only the event of a history and its conditions are shared with the other histories of the event.
//!
//! **Cut-offs.** A history is a cut-off if a smaller one leads to the same marking. *Every reachable marking is that of
//! a configuration without cut-offs*: take the smallest configuration C with the marking. If a history H in it were a
//! cut-off because of H', then C is H and then some run, since nothing outside H comes before something in H; the same
//! run is possible after H', leads to the same marking, and the order is preserved: a contradiction.
//!
//! **Orders.** By size and by the transitions that occur: both only depend on the run. By Foata normal form, with the
//! levels of asymmetric conflict: let two configurations have the same transitions and the same marking, let level i be
//! the first in which they differ, and let both be extended by t. If t gets a level j <= i in one of them, then nothing
//! from level j on makes or consumes what t needs or reads what t consumes there; the same transitions are from level j
//! on in the other, so t gets level j in both, and the order is kept. Otherwise level i stays as it is.
//!
//! **Who only reads.** A transition that changes nothing has one event for each context, and no event needs it. It is
//! there to show that it is enabled, and counts as a cut-off.
//!
//! **Nets that are not safe** are refused: extensions are searched for as if a place had one token at most. The smallest
//! configuration that puts a second token on a place has no cut-off, by the argument above, so it is met in all cases,
//! and the prefix is thrown away. What consumes nothing but produces something would occur once only in the unfolding:
//! it is enough that it is enabled.
//!
//! What is gained are events and conditions, which is what the clauses of a question are made of; histories are as many
//! as the events of an unfolding with replicas, but cheaper, since who consumes a place consumes one condition.

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
