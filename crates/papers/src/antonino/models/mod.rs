//! The benchmark problems, one file a family, each for a size `n`.
//!
//! The paper takes its models from Roscoe's "Understanding Concurrent Systems"; these are written anew, from what is
//! generally known of the problems.

mod abp;
mod cyclers;
mod philosophers;
mod routing;
mod swp;
mod telephone;

use model::views::Network;
use serde::Serialize;

/// A problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// The alternating bit protocol; at most `n` losses in a row.
    Abp,
    /// The sliding window protocol, with windows of `n` messages.
    Swp,
    /// A binary telephone switch of `n` layers, for 2^n lines.
    Telephone,
    /// The mad postman on a grid of n x n nodes.
    Routing,
    /// `n` dining philosophers, one of whom takes the forks in the other order.
    Phils,
    /// `n` dining philosophers and a butler that knows who sits.
    Butler,
    /// The same with a butler that counts.
    CountingButler,
    /// Milner's scheduler of `n` cells.
    Milner,
    /// A token that goes around `n` stations.
    TokenRing,
    /// `n` dining philosophers that get stuck.
    PlainPhils,
}

impl Family {
    /// The network of size `n`, which must be at least 2 (1 for protocols).
    pub fn network(self, n: usize) -> Network {
        match self {
            Family::Abp => abp::abp(n),
            Family::Swp => swp::swp(n),
            Family::Telephone => telephone::telephone(n),
            Family::Routing => routing::routing(n),
            Family::Phils => philosophers::asymmetric(n),
            Family::Butler => philosophers::butler(n),
            Family::CountingButler => philosophers::counting_butler(n),
            Family::Milner => cyclers::milner(n),
            Family::TokenRing => cyclers::token_ring(n),
            Family::PlainPhils => philosophers::plain(n),
        }
    }

    /// About how many moves the components have together: what it takes to write the network down.
    pub(crate) fn moves(self, n: usize) -> u64 {
        let n = n as u64;
        match self {
            Family::Abp => 10 * n + 30,
            Family::Swp => 2 * n * (3u64.pow(n as u32) * (4 * n + 2) + (3 * n + 2) * (2 << n)),
            Family::Telephone => (9 * n) << n,
            Family::Routing => 24 * n * n,
            Family::Butler => n << n,
            _ => 10 * n,
        }
    }
}
