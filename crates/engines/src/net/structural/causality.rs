//! Which transitions of a solution of the state equation can have fired at all.
//!
//! If a set `U` of places is empty in the beginning, the first token in `U` comes from a transition that takes none from
//! `U`. So either no transition that takes from `U` fires, or one that puts into `U` without taking from it does.

use model::views::{Net, NetTransitionId, PlaceId};

/// A set of places, empty in the beginning, that a solution takes tokens from without anybody to bring the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Starved {
    pub(super) set: Vec<PlaceId>,
    /// The transitions that take from the set.
    pub(super) takers: Vec<NetTransitionId>,
    /// The transitions that put into it without taking from it.
    pub(super) feeders: Vec<NetTransitionId>,
}

/// Fires what fires of `support`, in terms of marked or not; tells what is starved, if something is.
pub(super) fn starved(net: &Net, support: &[NetTransitionId]) -> Option<Starved> {
    let mut marked: Vec<bool> = net.places().iter().map(|p| p.initial > 0).collect();
    let mut lacking: Vec<u32> = vec![u32::MAX; net.transitions().len()];
    let mut ready = Vec::new();
    for &t in support {
        let lacks = net.pre(t).iter().filter(|(p, _)| !marked[p.index()]).count() as u32;
        lacking[t.index()] = lacks;
        if lacks == 0 {
            ready.push(t);
        }
    }
    while let Some(t) = ready.pop() {
        for &(p, _) in net.post(t) {
            if std::mem::replace(&mut marked[p.index()], true) {
                continue;
            }
            for &(taker, _) in net.consumers(p) {
                if lacking[taker.index()] == u32::MAX {
                    continue;
                }
                lacking[taker.index()] -= 1;
                if lacking[taker.index()] == 0 {
                    ready.push(taker);
                }
            }
        }
    }
    if support.iter().all(|t| lacking[t.index()] == 0) {
        return None;
    }
    let unmarked: Vec<bool> = marked.iter().map(|m| !m).collect();
    Some(of_set(net, &unmarked))
}

fn of_set(net: &Net, set: &[bool]) -> Starved {
    let takes = |t: &NetTransitionId| net.pre(*t).iter().any(|(p, _)| set[p.index()]);
    let puts = |t: &NetTransitionId| net.post(*t).iter().any(|(p, _)| set[p.index()]);
    let takers = net.transition_ids().filter(takes).collect();
    let feeders = net.transition_ids().filter(|t| puts(t) && !takes(t)).collect();
    let set = net.place_ids().filter(|p| set[p.index()]).collect();
    Starved { set, takers, feeders }
}

/// The places that no run marks, and the transitions that it therefore does not fire.
pub(super) fn never(net: &Net) -> Option<Starved> {
    let all: Vec<NetTransitionId> = net.transition_ids().collect();
    starved(net, &all)
}
