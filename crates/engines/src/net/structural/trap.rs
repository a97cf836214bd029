//! Traps: sets of places that, once marked, stay marked (every transition that takes from the set also puts into it).
//!
//! Esparza and Melzer's refinement: a solution of the state equation that empties a trap that is marked in the beginning
//! is no reachable marking, so the sum over the trap must be at least one.

use model::views::{Net, NetTransitionId, PlaceId};

/// The greatest trap inside a set of places, in time linear in the arcs.
pub(super) fn greatest(net: &Net, inside: &mut [bool]) {
    let mut puts: Vec<u32> = vec![0; net.transitions().len()];
    for t in net.transition_ids() {
        puts[t.index()] = net.post(t).iter().filter(|(p, _)| inside[p.index()]).count() as u32;
    }
    let mut stack: Vec<NetTransitionId> = net.transition_ids().filter(|t| puts[t.index()] == 0).collect();
    while let Some(t) = stack.pop() {
        for &(p, _) in net.pre(t) {
            if !std::mem::replace(&mut inside[p.index()], false) {
                continue;
            }
            for &(producer, _) in net.producers(p) {
                puts[producer.index()] -= 1;
                if puts[producer.index()] == 0 {
                    stack.push(producer);
                }
            }
        }
    }
}

/// A small trap inside a trap that holds a given place: each transition that takes from it gets one place to put into,
/// if it has none yet.
pub(super) fn small(net: &Net, trap: &[bool], start: PlaceId) -> Vec<PlaceId> {
    let mut inside = vec![false; net.places().len()];
    let mut found = vec![start];
    inside[start.index()] = true;
    let mut next = 0;
    while next < found.len() {
        let p = found[next];
        next += 1;
        for &(t, _) in net.consumers(p) {
            if net.post(t).iter().any(|(q, _)| inside[q.index()]) {
                continue;
            }
            let into = net.post(t).iter().map(|&(q, _)| q).filter(|q| trap[q.index()]);
            let into = into.min_by_key(|&q| (net.consumers(q).len(), q)).expect("the transition puts into the trap");
            inside[into.index()] = true;
            found.push(into);
        }
    }
    found.sort_unstable();
    found
}

/// Small traps, marked in the beginning, among places that are to be empty; at most `most`, disjoint.
pub(in crate::net) fn marked_traps(net: &Net, mut empty: Vec<bool>, most: usize) -> Vec<Vec<PlaceId>> {
    greatest(net, &mut empty);
    let mut used = vec![false; net.places().len()];
    let mut found = Vec::new();
    for p in net.place_ids().filter(|&p| net.place(p).initial > 0 && empty[p.index()]) {
        if used[p.index()] {
            continue;
        }
        if found.len() == most {
            break;
        }
        let trap = small(net, &empty, p);
        trap.iter().for_each(|q| used[q.index()] = true);
        found.push(trap);
    }
    found
}
