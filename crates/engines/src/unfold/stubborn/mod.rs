//! Stubborn unfoldings: prefixes that have only what stubborn sets ask for. They find every dead marking, and often are
//! much smaller than complete prefixes, whose other markings they do not have.
//!
//! Wang and Buy, *Deadlock detection with stubborn unfoldings*, Figure 4. A search goes from configuration to
//! configuration. In each it takes a stubborn set of the marking and fires its enabled transitions: each adds an event,
//! unless the event is there already. Behind a cut-off it does not go on. The paper leaves open whether this is right,
//! and what exactly a cut-off is. It is right in the following form.
//!
//! **Definitions.** `[e]` is the local configuration of an event, `m(C)` the marking that a configuration `C` leads to,
//! and `m(e)` stands for `m([e])`. The distance between two markings is the length of a shortest run of the *whole* net.
//! When `e` is added, it is a cut-off if `m(e)` is the initial marking, or there is an event `f` with `m(f) = m(e)` and
//! `|[f]| < |[e]|`; `f` may be a cut-off as well. Once decided, this is not changed.
//!
//! **Stubborn sets keep distances.** Let `d` be a dead marking, `w` a run from `m` to `d`, not empty, and `S` a stubborn
//! set of `m`. Some transition of `w` is in `S`: an enabled one of `S` is not enabled in `d`, and nothing outside of `S`
//! disables it. The first one, `t`, is enabled in `m`, as nothing outside of `S` enables a transition of `S`; and what
//! comes before it in `w` commutes with it. So there is a run from `m` to `d` that begins with `t`, and is as long as
//! `w`. If `w` is a shortest one, the marking after `t` is by one nearer to `d`.
//!
//! **Lemma.** Let `n` be the distance of `d` from the initial marking, `C` a configuration with `k` events, and let
//! `m(C)` have the distance `n - k` from `d`. Then no event of `C` is a cut-off. *Proof.* Let `e` be an event of `C` and
//! `|[f]| < |[e]|` for an `f` with the same marking, or 0 events instead of `[f]`. The events of `C` that are not in
//! `[e]` are a run from `m(e)` to `m(C)` of `k - |[e]|` steps. The same run is possible after `[f]`. So `d` can be reached
//! in `|[f]| + (k - |[e]|) + (n - k) < n` steps, which is less than its distance. ∎
//!
//! The lemma does not say which tokens a transition takes if a place has several: any choice will do, and one is made.
//!
//! **Depth-first order, without a memory of markings, finds every dead marking `d`.** The search visits the empty
//! configuration. If it visits a `C` of `k < n` events whose marking has the distance `n - k` from `d`, then the stubborn
//! set has a transition that leads to a configuration of `k + 1` events whose marking has the distance `n - k - 1`. By the
//! lemma its event is no cut-off, and the search visits it. After `n` steps the distance is 0. It ends: see
//! `occurrences` for why an infinite run has a cut-off, if the net is bounded.
//!
//! **Breadth-first order, where a configuration is not visited if one with its marking was, finds every dead marking.**
//! It visits configurations by their number of events. As before, let it visit a `C` of `k` events with the distance
//! `n - k`. The next one is no cut-off; if it is not visited, then a configuration with the same marking was, with at most
//! `k + 1` events; and with at least as many, or `d` were nearer than `n`. So that one has what is needed to go on.
//!
//! **What is not right**, each shown by a test:
//! - any known marking makes a cut-off, as section 5 of the paper reads ("check this cut against existing cuts stored in
//!   the hash table"): a marking met first on a detour cuts off the short way, and is itself cut off farther on. This
//!   loses the only deadlock of a net with six transitions, in a third of the orders in which these can be listed;
//! - the same for local configurations of equal size;
//! - depth-first order with a memory of markings: one that is met on a long run, and cut off behind it, is not visited
//!   again when the short run arrives;
//! - not going on behind an event that is in the prefix already: what matters is the configuration, not the event;
//! - leaving off altogether when something is found that can go on for ever: see `forever`.
//!
//! **What it costs.** The prefix is small, but the search is not: it fires as much as a search with stubborn sets and
//! without unfolding does. It saves memory, if configurations share events; markings are stored only to be recognised,
//! by breadth-first search. Depth-first search can visit a marking once for each run that leads to it, and there can be
//! exponentially many. It is not true that the prefix is never larger than a complete one: events of larger local
//! configurations may come first.

mod breadth;
mod depth;
mod engine;
mod forever;
mod occurrences;
mod search;
#[cfg(test)]
mod tests;

use evidence::{Budget, Reason};
use model::views::{Net, NetTransitionId};

use super::prefix::Prefix;
use super::prepared::{Prepared, Reads};
use crate::tokens::wiring::Wiring;
use search::Search;

/// What is unfolded, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StubbornUnfolding {
    /// Which configuration is gone on from next.
    pub order: SearchOrder,
    /// When to stop.
    pub until: Until,
    /// Which stubborn set is taken.
    pub choice: Choice,
    /// What becomes of transitions that only read a place.
    pub reads: Reads,
}

/// Which configuration is gone on from next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchOrder {
    /// The smallest, and only if its marking is new.
    #[default]
    Breadth,
    /// The newest, also if its marking is not new: takes less memory, and can take very much more time.
    Depth,
}

/// When to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Until {
    /// At the first deadlock.
    #[default]
    FirstDeadlock,
    /// When all dead markings are found.
    AllDeadlocks,
    /// When nothing is left to add: also behind markings from which no dead one can be reached.
    End,
}

/// Which stubborn set is taken. On 57 classic nets (Corbett's examples and those that come with PEP), the second fires
/// a quarter less than the first, has 4 per cent fewer events, and takes two and a half times as long. Whether events
/// that are in the prefix are preferred among equally small sets, or old or new tokens, makes no difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// A small one, found in little time.
    #[default]
    Cheap,
    /// One with the fewest enabled transitions.
    Fewest,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct StubbornPrefix {
    /// The events that were fired, each with the conditions that it uses and makes. It belongs to the net with what
    /// [`Reads`] asks for, the transitions of which are those of the given net.
    pub prefix: Prefix,
    /// A run to each dead marking that was found.
    pub deadlocks: Vec<Vec<NetTransitionId>>,
    /// How often a transition was fired.
    pub firings: u64,
    /// How many markings were visited; by depth-first search, each as often as it was.
    pub markings: u64,
    /// Why the search ended.
    pub end: End,
    /// The bytes of its tables in the end, those of markings apart.
    pub bytes: u64,
}

/// Why a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything was searched: there are no other dead markings.
    Complete,
    /// A deadlock was found, and no more were asked for.
    AtDeadlock,
    /// It had to.
    Stopped(Reason),
}

impl StubbornUnfolding {
    /// Unfolds a net.
    pub fn run(self, net: &Net, budget: &Budget) -> Result<StubbornPrefix, Reason> {
        let prepared = Prepared::new(net, self.reads);
        let wiring = Wiring::new(&prepared.net);
        let reason = |stopped| prepared.reason(net, stopped);
        let mut search = Search::new(net, &prepared, &wiring, self, budget).map_err(reason)?;
        let end = match self.order {
            SearchOrder::Breadth => breadth::search(&mut search),
            SearchOrder::Depth => depth::search(&mut search),
        };
        Ok(search.result(end.unwrap_or_else(|stopped| End::Stopped(reason(stopped)))))
    }
}
