//! Post-agglomeration: what a transition puts on a place is taken away at once.
//!
//! Condition: no goal looks at `p`; each consumer `f` takes tokens from `p` alone, all of them the same number `w`, puts
//! none there, and leaves the observed places as they are; each producer puts a multiple `k·w`. If there are several
//! consumers, `k = 1` and fewer than `w` tokens are on `p` in the beginning. Each producer `h` and consumer `f` become
//! `h·f^k`, and `p` goes; with one consumer, initial tokens are taken away first.
//!
//! Why: a token on `p` can leave whenever one likes, and nothing else can use it. So in every run each `f` can be moved to
//! the firing that provides its tokens, and tokens that stay on `p` can be taken away at the end without a change that
//! a goal sees: observations are preserved. A dead marking has fewer than `w` tokens on `p`, and `h·f^k` is enabled
//! exactly where `h` is: deadlocks are preserved. (Berthelot 1987; with weights.)
//!
//! Runs are preserved up to stuttering. In a maximal run move each `f` to the firing that provides its tokens, and add those
//! for tokens that stay on `p`: nobody finds fewer tokens, nobody sees an `f`, and an infinite run has infinitely many steps
//! other than `f`, or firings of `h` that provide for them. A run that ends leaves too few tokens on `p` for an `f`. Backwards, a run of
//! `h·f^k` is one of `h` and `f`, and ends where that ends.

use model::views::{NetTransitionId, PlaceId};

use super::agglomerate::{Growth, Pair, neighbours, products, replace};
use crate::class::{Deadlocks, Observations, Preserves, Stuttering};
use crate::scheduler::{Local, Rule};
use crate::work::Work;

/// Joins the producers of a place with consumers that need nothing else.
#[derive(Clone, Copy, Debug)]
pub struct PostAgglomeration(pub Growth);

impl Preserves<Deadlocks> for PostAgglomeration {}
impl Preserves<Observations> for PostAgglomeration {}
impl Preserves<Stuttering> for PostAgglomeration {}

impl Rule for PostAgglomeration {
    fn name(&self) -> &'static str {
        "post-agglomeration"
    }
}

impl Local for PostAgglomeration {
    fn at(&self, work: &mut Work, p: PlaceId) -> bool {
        let Some(weight) = consumed(work, p).filter(|_| self.0.allows(work, p)) else { return false };
        let Some(pairs) = pairs(work, p, weight) else { return false };
        let old = neighbours(work, p);
        let Some(steps) = products(work, &pairs, &old) else { return false };
        let at_once = work.initial(p) / weight;
        if at_once > 0 {
            let alone = work.consumers(p)[0].0;
            if work.consumers(p).len() > 1 || !work.fire_first(alone, p, at_once) {
                return false;
            }
        }
        replace(work, &pairs, steps, &old);
        work.remove_place(p);
        true
    }
}

/// What every consumer takes, if they satisfy the condition.
fn consumed(work: &Work, p: PlaceId) -> Option<u32> {
    let &(_, weight) = work.consumers(p).first().filter(|_| !work.is_observed(p))?;
    let suits = |&(f, w): &(NetTransitionId, u32)| {
        w == weight && work.pre(f).len() == 1 && work.post(f).iter().all(|&(q, _)| q != p && !work.is_observed(q))
    };
    work.consumers(p).iter().all(suits).then_some(weight)
}

fn pairs(work: &Work, p: PlaceId, weight: u32) -> Option<Vec<Pair>> {
    let several = work.consumers(p).len() > 1;
    let fits = |&(_, put): &(NetTransitionId, u32)| if several { put == weight } else { put % weight == 0 };
    if !work.producers(p).iter().all(fits) {
        return None;
    }
    let with = |&(h, put): &(NetTransitionId, u32)| {
        let pair = move |&(f, _): &(NetTransitionId, u32)| Pair { first: (h, 1), then: (f, put / weight) };
        work.consumers(p).iter().map(pair)
    };
    Some(work.producers(p).iter().flat_map(with).collect())
}
