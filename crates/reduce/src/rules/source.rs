//! Source transitions: they give as many tokens as one likes.
//!
//! Condition: `t` takes nothing and puts tokens on unobserved places alone. Its places never hinder anybody who lets `t` fire
//! often enough before: they go, and each of their consumers `f` becomes `t^k·f` in the way back. A run of the original net
//! is one of the reduced net without the firings of `t`; so observations are preserved, and what runs begin with. (A net with a source transition
//! is never dead: that is decided elsewhere.)

use model::views::{NetTransitionId, PlaceId};

use crate::class::{Observations, Prefixes, Preserves};
use crate::scheduler::{Global, Rule, Stop};
use crate::work::Work;

/// Removes places that a source transition feeds, and the transition.
#[derive(Clone, Copy, Debug)]
pub struct SourceTransition;

impl Preserves<Observations> for SourceTransition {}
impl Preserves<Prefixes> for SourceTransition {}

impl Rule for SourceTransition {
    fn name(&self) -> &'static str {
        "source transition"
    }
}

impl Global for SourceTransition {
    fn everywhere(&self, work: &mut Work, _: Stop<'_>) -> usize {
        let is_source = |t: &NetTransitionId| work.pre(*t).is_empty() && work.is_invisible(*t);
        let sources: Vec<NetTransitionId> = work.transitions().filter(is_source).collect();
        sources.iter().for_each(|&t| remove(work, t));
        sources.len()
    }
}

/// Removes a source transition, with the places that it feeds.
pub(crate) fn remove(work: &mut Work, source: NetTransitionId) {
    let fed: Vec<(PlaceId, u32)> = work.post(source).to_vec();
    for (t, times) in demand(work, &fed) {
        let before = work.way.repeat(work.node(source), times);
        let node = work.way.sequence(before, work.node(t));
        work.rename(t, node);
    }
    work.remove_transition(source);
    fed.iter().for_each(|&(q, _)| work.remove_place(q));
}

/// How often the source must fire before each consumer of the places that it feeds.
fn demand(work: &Work, fed: &[(PlaceId, u32)]) -> Vec<(NetTransitionId, u32)> {
    let of = |&(q, put): &(PlaceId, u32)| {
        work.consumers(q).iter().map(move |&(t, taken)| (t, taken.div_ceil(put))).collect::<Vec<_>>()
    };
    let mut all: Vec<(NetTransitionId, u32)> = fed.iter().flat_map(of).collect();
    all.sort_unstable_by_key(|&(t, times)| (t, std::cmp::Reverse(times)));
    all.dedup_by_key(|&mut (t, _)| t);
    all
}
