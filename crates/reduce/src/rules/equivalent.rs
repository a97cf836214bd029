//! Places with the same future: their tokens are as good as each other.
//!
//! Condition: no goal looks at `p` or `q`; the consumers of both take one token there; and they are the same transitions, apart
//! from `p` in one case and `q` in the other. A marking and one with tokens moved between `p` and `q` are bisimilar: whatever
//! one does, the other does with the twin transition. So the two become one place that has the tokens of both, and of
//! twins one is left: everything is preserved. On the way back the place that has a token decides which of the twins fires.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use model::views::{NetTransitionId, PlaceId};

use crate::arcs::{Arcs, Step, weight};
use crate::class::{Deadlocks, Observations, Preserves, Runs};
use crate::scheduler::{Global, Rule, Stop};
use crate::work::Work;

/// Consumers with more arcs are not compared.
const ARCS: usize = 128;
/// At most so many places with the same hash are compared with each one.
const CANDIDATES: usize = 8;

/// Joins places with the same future.
#[derive(Clone, Copy, Debug)]
pub struct EquivalentPlaces;

impl Preserves<Deadlocks> for EquivalentPlaces {}
impl Preserves<Observations> for EquivalentPlaces {}
impl Preserves<Runs> for EquivalentPlaces {}

impl Rule for EquivalentPlaces {
    fn name(&self) -> &'static str {
        "equivalent places"
    }
}

impl Global for EquivalentPlaces {
    fn everywhere(&self, work: &mut Work, stop: Stop<'_>) -> usize {
        let all: Vec<PlaceId> = work.places().filter(|&p| is_candidate(work, p)).collect();
        let mut alike: HashMap<u64, Vec<PlaceId>> = HashMap::new();
        let mut joined = 0;
        for (i, &q) in all.iter().enumerate() {
            if i.is_multiple_of(256) && stop() {
                break;
            }
            let mut hasher = DefaultHasher::new();
            let future = future(work, q);
            future.iter().for_each(|(f, _)| f.hash(&mut hasher));
            let seen = alike.entry(hasher.finish()).or_default();
            if seen.iter().take(CANDIDATES).any(|&p| join(work, p, q)) {
                joined += 1;
            } else {
                seen.push(q);
            }
        }
        joined
    }
}

fn is_candidate(work: &Work, p: PlaceId) -> bool {
    let consumers = work.consumers(p);
    !work.is_observed(p)
        && !consumers.is_empty()
        && consumers.iter().all(|&(t, weight)| weight == 1 && work.step(t).len() <= ARCS)
}

/// What the consumers take beside their token, what they put, and how much of it on the place itself.
type Future = (Arcs, Arcs, u32);
/// A transition that makes a part of the future of a place.
type Consumer = (Future, NetTransitionId);

/// The future of a place, in a fixed order, and the transitions that make it.
pub(crate) fn future(work: &Work, p: PlaceId) -> Vec<Consumer> {
    let others = |row: &[(PlaceId, u32)]| row.iter().filter(|&&(q, _)| q != p).copied().collect::<Arcs>();
    let one = |&(t, _): &(NetTransitionId, u32)| {
        let Step { pre, post } = work.step(t);
        ((others(pre), others(post), weight(post, p)), t)
    };
    let mut all: Vec<Consumer> = work.consumers(p).iter().map(one).collect();
    all.sort_unstable();
    all
}

/// Joins two places if they have the same future now.
fn join(work: &mut Work, p: PlaceId, q: PlaceId) -> bool {
    let (of_p, of_q) = (future(work, p), future(work, q));
    let same = of_p.len() == of_q.len() && of_p.iter().zip(&of_q).all(|(a, b)| a.0 == b.0);
    same && merge(work, (p, &of_p), (q, &of_q))
}

/// Joins two places whose consumers are twins, in this order; false if a number becomes too large.
pub(crate) fn merge(work: &mut Work, (p, of_p): (PlaceId, &[Consumer]), (q, of_q): (PlaceId, &[Consumer])) -> bool {
    let tokens = work.initial(p).checked_add(work.initial(q));
    if tokens.is_none() || !heavier(work, p, q) {
        return false;
    }
    // The group of `p` grows with every join; to ask that of `q` keeps the way back short.
    let group = work.group(q);
    for (&(_, twin), &(_, other)) in of_p.iter().zip(of_q) {
        let node = work.way.choice(group, work.node(other), work.node(twin));
        work.rename(twin, node);
    }
    let others: Vec<NetTransitionId> = of_q.iter().map(|&(_, other)| other).collect();
    work.remove_transitions(&others);
    work.redirect(q, p);
    work.absorb(p, q).expect("the sum of the tokens fits");
    true
}

/// Whether the weights of arcs to both places have sums.
fn heavier(work: &Work, p: PlaceId, q: PlaceId) -> bool {
    let sum = |&(t, put): &(NetTransitionId, u32)| weight(work.post(t), p).checked_add(put);
    work.producers(q).iter().all(|arc| sum(arc).is_some())
}
