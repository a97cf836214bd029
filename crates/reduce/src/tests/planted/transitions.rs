//! Rules that remove transitions, or parts of the net.

use model::views::{NetTransitionId, PlaceId};

use super::{Conditions, Plant, both_need, deadlocks, deadlocks_need, observations_need};
use crate::arcs::within;
use crate::rules::*;
use crate::scheduler::{Global, Rule, Stop};
use crate::work::{Known, Work};
use crate::{Deadlocks, Preserves};

/// Removes the transitions for which another one is as it must be, one after the other.
fn remove_rivals(work: &mut Work, beats: impl Fn(&Work, NetTransitionId, NetTransitionId) -> bool) -> usize {
    let all: Vec<NetTransitionId> = work.transitions().collect();
    let mut removed = 0;
    for t in all {
        if work.transitions().any(|u| u != t && beats(work, u, t)) {
            work.remove_transition(t);
            removed += 1;
        }
    }
    removed
}

fn remove(work: &mut Work, suits: impl Fn(&Work, NetTransitionId) -> bool) -> usize {
    let all: Vec<NetTransitionId> = work.transitions().filter(|&t| suits(work, t)).collect();
    work.remove_transitions(&all);
    all.len()
}

#[test]
fn dead_by_bound() {
    let rule = |work: &mut Work, p: PlaceId, all: Conditions| {
        let tokens = work.initial(p);
        let bounded = all.hold("bounded", within(work.producers(p), work.consumers(p)));
        let dead: Vec<_> = work.consumers(p).iter().filter(|&&(_, w)| w > tokens).map(|&(t, _)| t).collect();
        if bounded {
            work.remove_transitions(&dead);
        }
        bounded && !dead.is_empty()
    };
    both_need(Plant::At(rule), &["bounded"]);
}

#[test]
fn unmarked_siphon() {
    let rule = |work: &mut Work, all: Conditions| {
        let mut marked: Vec<PlaceId> = work.places().filter(|&p| work.initial(p) > 0).collect();
        let rounds = if all.forget("all rounds") { 1 } else { work.places().count() };
        for _ in 0..rounds {
            let fires = |t: &NetTransitionId| work.pre(*t).iter().all(|(p, _)| marked.contains(p));
            let fed: Vec<PlaceId> = work.transitions().filter(fires).flat_map(|t| work.post(t)).map(|a| a.0).collect();
            marked.extend(fed);
        }
        remove(work, |work, t| work.pre(t).iter().any(|(p, _)| !marked.contains(p)))
    };
    both_need(Plant::Everywhere(rule), &["all rounds"]);
}

#[test]
fn dominated_transition() {
    let rule = |work: &mut Work, all: Conditions| {
        remove_rivals(work, |work, u, t| {
            all.hold("needs", within(work.pre(u), work.pre(t))) && all.hold("effect", work.effect(u).eq(work.effect(t)))
        })
    };
    both_need(Plant::Everywhere(rule), &["needs", "effect"]);
}

#[test]
fn neutral_transition() {
    let rule = |work: &mut Work, all: Conditions| {
        let neutral = |work: &Work, t| all.hold("neutral", work.pre(t) == work.post(t));
        let never_alone = |work: &Work, u, t| all.hold("never alone", within(work.pre(u), work.pre(t)));
        remove_rivals(work, |work, u, t| neutral(work, t) && never_alone(work, u, t))
    };
    deadlocks_need(Plant::Everywhere(rule), &["neutral", "never alone"]);
    observations_need(Plant::Everywhere(rule), &["neutral"]);
}

#[test]
fn outdone_transition() {
    let rule = |work: &mut Work, all: Conditions| {
        remove_rivals(work, |work, u, t| {
            let gain = |p: PlaceId| work.change(u, p) - work.change(t, p);
            all.hold("needs", within(work.pre(u), work.pre(t)))
                && work.places().all(|p| !work.is_observed(p) || all.hold("observed", gain(p) == 0))
                && work.places().all(|p| work.is_observed(p) || all.hold("others", gain(p) >= 0))
        })
    };
    observations_need(Plant::Everywhere(rule), &["needs", "observed", "others"]);
}

#[test]
fn idle_transition() {
    let rule = |work: &mut Work, all: Conditions| {
        remove(work, |work, t| {
            all.hold("loses", work.effect(t).all(|(_, change)| change < 0))
                && all.hold("invisible", work.is_invisible(t))
        })
    };
    observations_need(Plant::Everywhere(rule), &["loses", "invisible"]);
}

#[test]
fn irrelevant_part() {
    let rule = |work: &mut Work, all: Conditions| {
        let mut places: Vec<PlaceId> = work.places().filter(|&p| work.is_observed(p)).collect();
        let mut transitions: Vec<NetTransitionId> = Vec::new();
        let rounds = if all.forget("all rounds") { 1 } else { work.transitions().count() };
        for _ in 0..rounds {
            let helps = |t: NetTransitionId| work.effect(t).any(|(p, change)| change > 0 && places.contains(&p));
            let unseen = |t: NetTransitionId| all.hold("lowers what is observed", work.is_invisible(t));
            transitions = work.transitions().filter(|&t| helps(t) || !unseen(t)).collect();
            places.extend(transitions.iter().flat_map(|&t| work.pre(t)).map(|a| a.0));
        }
        let useless: Vec<PlaceId> = work.places().filter(|p| !places.contains(p)).collect();
        let removed = remove(work, |_, t| !transitions.contains(&t));
        useless.iter().for_each(|&p| work.remove_place(p));
        removed + useless.len()
    };
    observations_need(Plant::Everywhere(rule), &["all rounds", "lowers what is observed"]);
}

#[test]
fn source_transition() {
    let rule = |work: &mut Work, all: Conditions| {
        let free = |t: NetTransitionId| {
            // What has its tokens in the beginning need not have them again.
            let ready = work.pre(t).iter().all(|&(p, w)| w <= work.initial(p));
            ready && all.hold("takes nothing", work.pre(t).is_empty()) && all.hold("invisible", work.is_invisible(t))
        };
        let Some(t) = work.transitions().find(|&t| free(t)) else { return 0 };
        let seen: Vec<PlaceId> = work.post(t).iter().map(|a| a.0).filter(|&p| work.is_observed(p)).collect();
        seen.iter().for_each(|&p| work.replace_place(p, Known::Constant(work.initial(p))));
        source::remove(work, t);
        1
    };
    observations_need(Plant::Everywhere(rule), &["takes nothing", "invisible"]);
}

#[test]
fn never_dead() {
    let rule = |work: &mut Work, all: Conditions| {
        let forever = |t: NetTransitionId| {
            let ready = work.pre(t).iter().all(|&(p, w)| w <= work.initial(p));
            ready && within(work.pre(t), work.post(t)) && all.hold("takes nothing", work.pre(t).is_empty())
        };
        let found = work.transitions().find(|&t| forever(t));
        found.map_or(0, |t| deathless::leave(work, t))
    };
    deadlocks_need(Plant::Everywhere(rule), &["takes nothing"]);
}

#[test]
fn transient_part() {
    let rule = |work: &mut Work, all: Conditions| {
        let found = transient::flow(work);
        let kept = if all.forget("rivals") {
            (0..work.numbers().0).map(|p| found.is_shared(p)).collect()
        } else {
            transient::lasting(work, &found)
        };
        let way = work.way.clone();
        let removed = transient::keep(work, &found, &kept);
        if all.forget("the rest") {
            work.way = way;
        }
        removed
    };
    deadlocks_need(Plant::Everywhere(rule), &["rivals", "the rest"]);
}

/// A rule, scheduled for a class that it does not preserve.
#[derive(Debug)]
struct Misused<R>(R);

impl<R> Preserves<Deadlocks> for Misused<R> {}

impl<R: Rule> Rule for Misused<R> {
    fn name(&self) -> &'static str {
        self.0.name()
    }
}

impl<R: Global> Global for Misused<R> {
    fn everywhere(&self, work: &mut Work, stop: Stop<'_>) -> usize {
        self.0.everywhere(work, stop)
    }
}

/// Rules that preserve observations alone are caught where dead markings are searched for.
#[test]
fn observations_are_not_deadlocks() {
    assert!(deadlocks(Misused(IdleTransition)).is_some());
    assert!(deadlocks(Misused(IrrelevantPart)).is_some());
    assert!(deadlocks(Misused(OutdoneTransition)).is_some());
    assert!(deadlocks(Misused(SourceTransition)).is_some());
}
