//! The transient part: tokens there come to rest by themselves, whatever the rest of the net does.
//!
//! Keep the places and transitions on cycles of the net, and, again and again, every transition that takes tokens from a
//! kept place or puts some there, with its inputs. The other places form an acyclic part whose consumers take tokens there
//! alone and put them there alone. If the kept net is dead, these can fire to exhaustion, in the order of the last of their
//! inputs, and all is dead. From a run to a dead marking leave out their firings: the kept part ends in the same tokens,
//! and enables nothing. So deadlocks are preserved. (After Thierry-Mieg 2020, with a closure that keeps rivals.)

use model::views::{NetTransitionId, PlaceId};

use crate::class::{Deadlocks, Preserves};
use crate::components::{Components, components};
use crate::scheduler::{Global, Rule, Stop};
use crate::work::Work;

/// Removes the part of the net where nothing can go on for ever.
#[derive(Clone, Copy, Debug)]
pub struct TransientPart;

impl Preserves<Deadlocks> for TransientPart {}

impl Rule for TransientPart {
    fn name(&self) -> &'static str {
        "transient part"
    }
}

impl Global for TransientPart {
    fn everywhere(&self, work: &mut Work, _: Stop<'_>) -> usize {
        let found = flow(work);
        let kept = lasting(work, &found);
        keep(work, &found, &kept)
    }
}

/// Removes all places but these, and the transitions that take tokens there; how many places.
pub(crate) fn keep(work: &mut Work, found: &Components, kept: &[bool]) -> usize {
    let places: Vec<PlaceId> = work.places().filter(|p| !kept[p.index()]).collect();
    let rests = |t: &NetTransitionId| work.pre(*t).first().is_some_and(|&(p, _)| !kept[p.index()]);
    let mut transitions: Vec<NetTransitionId> = work.transitions().filter(rests).collect();
    // Components are numbered against the arcs.
    let last = |t: NetTransitionId| work.pre(t).iter().map(|&(p, _)| found.of[p.index()]).min();
    transitions.sort_by_key(|&t| std::cmp::Reverse(last(t)));
    let block = transitions.iter().map(|&t| work.rest(t)).collect();
    work.way.fire_rest(block);
    work.remove_transitions(&transitions);
    places.iter().for_each(|&p| work.remove_place(p));
    places.len()
}

/// The components of the places, then the transitions.
pub(crate) fn flow(work: &Work) -> Components {
    let (places, transitions) = work.numbers();
    components(places + transitions, |node, i| {
        if node < places {
            let &(t, _) = work.consumers(PlaceId::new(node)).get(i)?;
            Some(places + t.index())
        } else {
            let &(p, _) = work.post(NetTransitionId::new(node - places)).get(i)?;
            Some(p.index())
        }
    })
}

/// The places that are kept.
pub(crate) fn lasting(work: &Work, found: &Components) -> Vec<bool> {
    let (places, transitions) = work.numbers();
    let (mut kept, mut seen) = (vec![false; places], vec![false; transitions]);
    let mut queue: Vec<PlaceId> = Vec::new();
    let mut keep = |p: PlaceId, queue: &mut Vec<PlaceId>| {
        if !std::mem::replace(&mut kept[p.index()], true) {
            queue.push(p);
        }
    };
    work.places().filter(|&p| found.is_shared(p.index())).for_each(|p| keep(p, &mut queue));
    while let Some(p) = queue.pop() {
        for &(t, _) in work.producers(p).iter().chain(work.consumers(p)) {
            if !std::mem::replace(&mut seen[t.index()], true) {
                work.pre(t).iter().for_each(|&(q, _)| keep(q, &mut queue));
            }
        }
    }
    kept
}
