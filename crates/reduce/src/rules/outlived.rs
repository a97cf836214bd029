//! Arcs that ask for what must be there: the tokens were needed before, and tokens there never get fewer.
//!
//! Condition: no transition decreases `p`; the transition `t` needs `w` tokens of `p`, and tokens of another place `q` that are
//! not there in the beginning; and every transition that increases `q` leaves at least `w` on `p`. When `t` finds its tokens
//! on `q`, one of these has fired, and since then there are `w` tokens on `p`. So `t` need not ask: both arcs with `p` become
//! lighter by `w`. The same transitions are enabled in each reachable marking, and do the same: everything is preserved.

use model::views::{NetTransitionId, PlaceId};

use crate::arcs::{weight, within};
use crate::class::{Deadlocks, Observations, Preserves, Runs};
use crate::scheduler::{Local, Rule};
use crate::work::Work;

/// Inputs with more producers are not looked at.
const PRODUCERS: usize = 64;

/// Removes arcs whose tokens are known to be there.
#[derive(Clone, Copy, Debug)]
pub struct OutlivedArc;

impl Preserves<Deadlocks> for OutlivedArc {}
impl Preserves<Observations> for OutlivedArc {}
impl Preserves<Runs> for OutlivedArc {}

impl Rule for OutlivedArc {
    fn name(&self) -> &'static str {
        "outlived arc"
    }
}

impl Local for OutlivedArc {
    fn at(&self, work: &mut Work, p: PlaceId) -> bool {
        if !within(work.consumers(p), work.producers(p)) {
            return false;
        }
        let sure = |&&(t, w): &&(NetTransitionId, u32)| work.pre(t).iter().any(|&arc| implies(work, arc, (p, w)));
        let all: Vec<(NetTransitionId, u32)> = work.consumers(p).iter().filter(sure).copied().collect();
        for &(t, w) in &all {
            work.lighten(t, p, w);
        }
        !all.is_empty()
    }
}

/// Whether `taken` tokens of `q` are there only after `w` were left on `p`.
fn implies(work: &Work, (q, taken): (PlaceId, u32), (p, w): (PlaceId, u32)) -> bool {
    let producers = work.producers(q);
    let leaves = |&(u, _): &(NetTransitionId, u32)| work.change(u, q) <= 0 || weight(work.post(u), p) >= w;
    q != p && work.initial(q) < taken && producers.len() <= PRODUCERS && producers.iter().all(leaves)
}
