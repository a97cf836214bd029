//! The order in which the transitions of a step are offered.

use std::collections::VecDeque;

use model::views::{Net, NetTransitionId};

/// The transitions that tokens get to, in the order in which they do if none is ever used up: what feeds a transition
/// comes before it, as far as there are no cycles, so that tokens go far in one step. The others never fire.
pub(super) fn order(net: &Net) -> Vec<NetTransitionId> {
    let mut takers = vec![Vec::new(); net.places().len()];
    let mut missing = vec![0_usize; net.transitions().len()];
    let mut marked: Vec<bool> = net.places().iter().map(|place| place.initial > 0).collect();
    for t in net.transition_ids() {
        for (p, _) in net.pre(t).iter().filter(|(p, _)| !marked[p.index()]) {
            takers[p.index()].push(t);
            missing[t.index()] += 1;
        }
    }
    let mut waiting: VecDeque<NetTransitionId> = net.transition_ids().filter(|t| missing[t.index()] == 0).collect();
    let mut order = Vec::with_capacity(net.transitions().len());
    while let Some(t) = waiting.pop_front() {
        order.push(t);
        for (p, _) in net.post(t) {
            if std::mem::replace(&mut marked[p.index()], true) {
                continue;
            }
            for &taker in &takers[p.index()] {
                missing[taker.index()] -= 1;
                if missing[taker.index()] == 0 {
                    waiting.push_back(taker);
                }
            }
        }
    }
    order
}
