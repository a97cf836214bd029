//! Points of no return: tokens that stay for good and keep a transition enabled for good.
//!
//! Condition: no transition decreases `p`; some transition needs nothing but `w` tokens of `p`; each transition that increases
//! `p` leaves at least `w` there; and `p` has fewer than `w` in the beginning. After such an increase no marking is dead. So the
//! transitions that do it become neutral: they keep alive the markings that enable them, and lead nowhere. A run to a
//! dead marking never fires one, before or after the change, apart from neutral firings that do nothing in the way back:
//! deadlocks are preserved. With `w` tokens on `p` in the beginning nothing is ever dead, and a source transition says so.

use model::views::{NetTransitionId, PlaceId};

use crate::arcs::{Step, within};
use crate::class::{Deadlocks, Preserves};
use crate::scheduler::{Local, Rule};
use crate::work::Work;

/// Removes what happens after a point of no return.
#[derive(Clone, Copy, Debug)]
pub struct EverlastingToken;

impl Preserves<Deadlocks> for EverlastingToken {}

impl Rule for EverlastingToken {
    fn name(&self) -> &'static str {
        "everlasting token"
    }
}

impl Local for EverlastingToken {
    fn at(&self, work: &mut Work, p: PlaceId) -> bool {
        if !within(work.consumers(p), work.producers(p)) {
            return false;
        }
        let alone = work.consumers(p).iter().filter(|&&(t, _)| work.pre(t).len() == 1);
        let Some((forever, enough)) = alone.map(|&(t, w)| (t, w)).min_by_key(|&(_, w)| w) else { return false };
        if work.initial(p) >= enough {
            let node = work.node(forever);
            work.add_transition(Step::default(), node);
            work.remove_place(p);
            return true;
        }
        let increases = |&&(t, _): &&(NetTransitionId, u32)| work.change(t, p) > 0;
        let fatal: Vec<(NetTransitionId, u32)> = work.producers(p).iter().filter(increases).copied().collect();
        let applies = !fatal.is_empty() && fatal.iter().all(|&(_, left)| left >= enough);
        if applies {
            fatal.iter().for_each(|&(t, _)| neutralise(work, t));
        }
        applies
    }
}

/// The transition is enabled as before, and does nothing.
pub(crate) fn neutralise(work: &mut Work, t: NetTransitionId) {
    let pre = work.pre(t).to_vec();
    let node = work.node(t);
    let node = work.way.nothing(node);
    work.remove_transition(t);
    work.add_transition(Step { post: pre.clone(), pre }, node);
}
