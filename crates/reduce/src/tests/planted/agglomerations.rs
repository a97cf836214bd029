//! Agglomerations, and their ways back.

use model::views::{NetTransitionId, PlaceId};

use super::{Conditions, Plant, both_need, deadlocks_need, observations_need};
use crate::rules::agglomerate::{Pair, neighbours, products, replace};
use crate::rules::{FreeAgglomeration, Growth, PostAgglomeration, pre};
use crate::scheduler::Local;
use crate::work::Work;

/// Joins each producer with each consumer, once.
fn join(work: &mut Work, p: PlaceId) -> bool {
    let pair = |h: NetTransitionId, f: NetTransitionId| Pair { first: (h, 1), then: (f, 1) };
    let with = |&(h, _): &(NetTransitionId, u32)| work.consumers(p).iter().map(move |&(f, _)| pair(h, f));
    let pairs: Vec<Pair> = work.producers(p).iter().flat_map(with).collect();
    let old = neighbours(work, p);
    let Some(steps) = products(work, &pairs, &old) else { return false };
    replace(work, &pairs, steps, &old);
    work.remove_place(p);
    true
}

/// An unobserved place with arcs of weight 1 and without loops.
fn is_plain(work: &Work, p: PlaceId, all: Conditions) -> bool {
    let loops = work.producers(p).iter().any(|&(t, _)| work.consumers(p).iter().any(|&(u, _)| t == u));
    let light = work.producers(p).iter().chain(work.consumers(p)).all(|&(_, w)| w == 1);
    !work.is_observed(p) && !loops && all.hold("weights", light) && all.hold("initial tokens", work.initial(p) == 0)
}

fn is_unobserved(work: &Work, row: &[(PlaceId, u32)]) -> bool {
    row.iter().all(|&(p, _)| !work.is_observed(p))
}

#[test]
fn post_agglomeration() {
    let rule = |work: &mut Work, p: PlaceId, all: Conditions| {
        let suits = |&(f, _): &(NetTransitionId, u32)| {
            all.hold("needs nothing else", work.pre(f).len() == 1)
                && all.hold("invisible", is_unobserved(work, work.post(f)))
        };
        let some = !work.consumers(p).is_empty();
        some && is_plain(work, p, all) && work.consumers(p).iter().all(suits) && join(work, p)
    };
    deadlocks_need(Plant::At(rule), &["needs nothing else", "initial tokens", "weights"]);
    observations_need(Plant::At(rule), &["needs nothing else", "initial tokens", "weights", "invisible"]);
}

#[test]
fn free_agglomeration() {
    let rule = |work: &mut Work, p: PlaceId, all: Conditions| {
        let suits = |&(h, _): &(NetTransitionId, u32)| {
            all.hold("serves nobody else", work.post(h).len() == 1)
                && all.hold("invisible", is_unobserved(work, work.pre(h)))
        };
        let some = !work.producers(p).is_empty();
        some && is_plain(work, p, all) && work.producers(p).iter().all(suits) && join(work, p)
    };
    observations_need(Plant::At(rule), &["serves nobody else", "invisible", "initial tokens", "weights"]);
}

/// Pre-agglomeration is free agglomeration where the producers have no rivals, with a rest of the way back.
#[test]
fn pre_agglomeration() {
    let rule = |work: &mut Work, p: PlaceId, all: Conditions| {
        let suits = |&(h, _): &(NetTransitionId, u32)| {
            !work.pre(h).is_empty() && all.hold("no rivals", pre::is_without_rival(work, h))
        };
        let rest = work.producers(p).iter().filter(|_| !all.forget("the rest")).map(|&(h, _)| work.rest(h)).collect();
        let applies = work.producers(p).iter().all(suits) && FreeAgglomeration(Growth::SMALL).at(work, p);
        if applies {
            work.way.fire_rest(rest);
        }
        applies
    };
    deadlocks_need(Plant::At(rule), &["no rivals", "the rest"]);
}

/// The run that a transition stands for is forgotten: answers are right, runs are not.
#[test]
fn way_back() {
    let rule = |work: &mut Work, p: PlaceId, all: Conditions| {
        let applies = PostAgglomeration(Growth::SMALL).at(work, p);
        let wrong = |t: &NetTransitionId| all.forget("the way back") && !work.way.head(work.node(*t)).1;
        let joined: Vec<NetTransitionId> = work.transitions().filter(wrong).collect();
        for t in joined {
            let head = work.way.head(work.node(t)).0;
            let node = work.way.leaf(head);
            work.rename(t, node);
        }
        applies
    };
    both_need(Plant::At(rule), &["the way back"]);
}
