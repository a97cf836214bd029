//! Free agglomeration: a transition whose only use is to serve the consumers of one place fires just before them.
//!
//! Condition: no goal looks at `p`; each producer `h` puts tokens on `p` alone, all of them the same number `w`, takes none
//! from there, and leaves the observed places as they are; each consumer takes a multiple `k·w`, with `k = 1` if there are
//! several producers; fewer than `w` tokens are on `p` in the beginning. Each producer `h` and consumer `f` become `h^k·f`,
//! and `p` goes.
//!
//! Why: a firing of `h` that waits until its tokens are used leaves its own tokens where they were for longer, and nobody
//! else misses those on `p`; one whose tokens are never used can be left out, and no goal sees it. So observations are
//! preserved, and what runs begin with. Deadlocks are not: where `h` has rivals, what it takes from them may be what makes a marking dead.
//! (Thierry-Mieg 2020.)

use model::views::{NetTransitionId, PlaceId};

use super::agglomerate::{Growth, Pair, neighbours, products, replace};
use crate::class::{Observations, Prefixes, Preserves};
use crate::scheduler::{Local, Rule};
use crate::work::Work;

/// Joins the consumers of a place with producers that serve nobody else.
#[derive(Clone, Copy, Debug)]
pub struct FreeAgglomeration(pub Growth);

impl Preserves<Observations> for FreeAgglomeration {}
impl Preserves<Prefixes> for FreeAgglomeration {}

impl Rule for FreeAgglomeration {
    fn name(&self) -> &'static str {
        "free agglomeration"
    }
}

impl Local for FreeAgglomeration {
    fn at(&self, work: &mut Work, p: PlaceId) -> bool {
        agglomerate(work, p, self.0)
    }
}

/// Agglomerates a place if the condition holds and the net does not grow too much.
pub(super) fn agglomerate(work: &mut Work, p: PlaceId, growth: Growth) -> bool {
    let Some(weight) = produced(work, p).filter(|_| growth.allows(work, p)) else { return false };
    let Some(pairs) = pairs(work, p, weight) else { return false };
    let old = neighbours(work, p);
    let Some(steps) = products(work, &pairs, &old) else { return false };
    replace(work, &pairs, steps, &old);
    work.remove_place(p);
    true
}

/// What every producer puts, if they satisfy the condition.
fn produced(work: &Work, p: PlaceId) -> Option<u32> {
    let &(_, weight) = work.producers(p).first().filter(|_| !work.is_observed(p))?;
    let suits = |&(h, w): &(NetTransitionId, u32)| {
        w == weight && work.post(h).len() == 1 && work.pre(h).iter().all(|&(q, _)| q != p && !work.is_observed(q))
    };
    (work.initial(p) < weight && work.producers(p).iter().all(suits)).then_some(weight)
}

fn pairs(work: &Work, p: PlaceId, weight: u32) -> Option<Vec<Pair>> {
    let several = work.producers(p).len() > 1;
    let fits = |&(_, taken): &(NetTransitionId, u32)| if several { taken == weight } else { taken % weight == 0 };
    if !work.consumers(p).iter().all(fits) {
        return None;
    }
    let with = |&(h, _): &(NetTransitionId, u32)| {
        let pair = move |&(f, taken): &(NetTransitionId, u32)| Pair { first: (h, taken / weight), then: (f, 1) };
        work.consumers(p).iter().map(pair)
    };
    Some(work.producers(p).iter().flat_map(with).collect())
}
