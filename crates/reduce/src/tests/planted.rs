//! Planted bugs: rules with a dropped condition, which the comparisons must catch.

use model::views::{NetTransitionId, PlaceId};
use testkit::nets;

use super::compare::{deadlocks, observations};
use crate::rules::*;
use crate::scheduler::{Global, Local, Rule, Stop};
use crate::work::{Known, Work};
use crate::{Class, Deadlocks, Observations, Preserves, Scheduler};

/// A wrong rule: what it does at a place.
#[derive(Clone, Copy, Debug)]
struct Wrong(fn(&mut Work, PlaceId) -> bool);

impl Preserves<Deadlocks> for Wrong {}
impl Preserves<Observations> for Wrong {}

impl Rule for Wrong {
    fn name(&self) -> &'static str {
        "wrong"
    }
}

impl Local for Wrong {
    fn at(&self, work: &mut Work, p: PlaceId) -> bool {
        (self.0)(work, p)
    }
}

/// A right rule, scheduled for a class that it does not preserve.
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

fn caught_by_deadlocks<C: Class>(rules: &Scheduler<C>) -> bool {
    (0..2000).any(|seed| deadlocks(rules, &nets::random(seed)).is_err())
}

fn caught_by_observations<C: Class>(rules: &Scheduler<C>) -> bool {
    (0..2000).any(|seed| observations(rules, &nets::random(seed), &[PlaceId::new(0)]).is_err())
}

/// Free agglomeration is pre-agglomeration without the condition on rivals, and without the rest of the way back.
#[test]
fn rivals_matter_for_deadlocks() {
    let free = Wrong(|work, p| FreeAgglomeration(Growth::SMALL).at(work, p));
    assert!(caught_by_deadlocks(&Scheduler::<Deadlocks>::new().local(0, free)));
}

#[test]
fn what_is_idle_for_observations_is_not_for_deadlocks() {
    assert!(caught_by_deadlocks(&Scheduler::<Deadlocks>::new().global(Misused(IdleTransition))));
    assert!(caught_by_deadlocks(&Scheduler::<Deadlocks>::new().global(Misused(IrrelevantPart))));
}

#[test]
fn a_sink_place_that_is_observed_is_missed() {
    let sink = Wrong(|work, p| {
        let applies = work.consumers(p).is_empty();
        if applies {
            work.replace_place(p, Known::Constant(work.initial(p)));
        }
        applies
    });
    assert!(caught_by_observations(&Scheduler::<Observations>::new().local(0, sink)));
}

#[test]
fn places_with_the_same_consumers_are_not_implied() {
    let implied = |work: &mut Work, p: PlaceId| {
        let Some(&(t, _)) = work.consumers(p).first() else { return false };
        let twin = |&&(q, _): &&(PlaceId, u32)| q != p && work.consumers(q) == work.consumers(p);
        let applies = !work.is_observed(p) && work.pre(t).iter().find(twin).is_some();
        if applies {
            work.remove_place(p);
        }
        applies
    };
    assert!(caught_by_deadlocks(&Scheduler::<Deadlocks>::new().local(0, Wrong(implied))));
    assert!(caught_by_observations(&Scheduler::<Observations>::new().local(0, Wrong(implied))));
}

/// The run that a transition stands for is forgotten: answers are right, runs are not.
#[test]
fn a_wrong_way_back_is_noticed() {
    let forgetful = |work: &mut Work, p: PlaceId| {
        let applies = PostAgglomeration(Growth::SMALL).at(work, p);
        let joined: Vec<NetTransitionId> = work.transitions().filter(|&t| !work.way.head(work.node(t)).1).collect();
        for t in joined {
            let head = work.way.head(work.node(t)).0;
            let node = work.way.leaf(head);
            work.rename(t, node);
        }
        applies
    };
    assert!(caught_by_observations(&Scheduler::<Observations>::new().local(0, Wrong(forgetful))));
}
