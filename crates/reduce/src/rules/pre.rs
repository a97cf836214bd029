//! Pre-agglomeration: what a transition puts on a place is put there only when it is used.
//!
//! Condition: that of [free agglomeration](super::FreeAgglomeration), and each producer `h` takes tokens from at least
//! one place, and from places where nobody else does.
//!
//! Why: free agglomeration preserves observations. As to deadlocks, let the reduced net be dead, and fire in the original
//! net each `h` until it is disabled: nobody loses tokens by this, and no consumer of `p` that `k` firings of `h` have served
//! is enabled, or `h^k·f` was. So this is dead too, and it is what the way back does. From a dead marking of the
//! original net take back the firings of `h` that nobody used: the tokens that return are useful to `h` alone, and `h^k·f`
//! is enabled only if there were tokens on `p` to enable `f`.
//!
//! Runs are preserved up to stuttering. In a maximal run each `h` can wait for the `f` that uses its tokens, and one whose tokens are
//! never used can be left out: nobody sees it, and what it takes nobody else does. Each `h` takes a token, and none of them puts one where
//! an `h` takes some, so that an infinite run has infinitely many other steps. A run that ends is the case of deadlocks.

use model::views::{NetTransitionId, PlaceId};

use super::agglomerate::Growth;
use super::free;
use crate::class::{Deadlocks, Observations, Preserves, Stuttering};
use crate::scheduler::{Local, Rule};
use crate::work::Work;

/// Joins the consumers of a place with producers that lose nothing by waiting.
#[derive(Clone, Copy, Debug)]
pub struct PreAgglomeration(pub Growth);

impl Preserves<Deadlocks> for PreAgglomeration {}
impl Preserves<Observations> for PreAgglomeration {}
impl Preserves<Stuttering> for PreAgglomeration {}

impl Rule for PreAgglomeration {
    fn name(&self) -> &'static str {
        "pre-agglomeration"
    }
}

impl Local for PreAgglomeration {
    fn at(&self, work: &mut Work, p: PlaceId) -> bool {
        if !work.producers(p).iter().all(|&(h, _)| is_without_rival(work, h)) {
            return false;
        }
        let rests = work.producers(p).iter().map(|&(h, _)| work.rest(h)).collect();
        let applies = free::agglomerate(work, p, self.0);
        if applies {
            work.way.fire_rest(rests);
        }
        applies
    }
}

pub(crate) fn is_without_rival(work: &Work, h: NetTransitionId) -> bool {
    let pre = work.pre(h);
    !pre.is_empty() && pre.iter().all(|&(q, _)| work.consumers(q).len() == 1)
}
