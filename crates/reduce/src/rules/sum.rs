//! Places implied by a sum: several others together hinder every transition that they would.
//!
//! Condition, for a multiset `Q` of other places: every transition changes `p` at least as much as the sum of `Q`, so that
//! `M(p) ≥ M(Q) + s` for all reachable `M`, with `s = M0(p) - M0(Q)`; every consumer `t` of `p` has `W(p,t) ≤ W(Q,t) + s`; and
//! no goal looks at `p`. As for one place (see [`ImpliedPlace`](super::ImpliedPlace)), `p` never hinders: everything is preserved.
//! Such a place is one that says "in one of these states" of a process.
//!
//! `Q` is searched for backwards: a transition that decreases `p` more than `Q` needs an input in `Q` that it decreases; those
//! who put tokens there are then the next to look at. Where there is a choice, the input with the fewest new debts is
//! taken. Only the first choice is tried in several ways. What is looked for in vain may take time that grows with the net and
//! no faster: where places have a hundred arcs each, all choices of all places took minutes.

use std::cell::Cell;
use std::collections::HashMap;

use model::views::{NetTransitionId, PlaceId};

use crate::arcs::weight;
use crate::class::{Deadlocks, Observations, Preserves, Runs};
use crate::scheduler::{Global, Rule, Stop};
use crate::work::Work;

/// At most so many places are added up, and so many first choices are tried.
const SUMMANDS: usize = 128;
const STARTS: usize = 4;
/// Places with more arcs are neither removed nor added up, and transitions with more inputs are not looked at.
const ARCS: usize = 128;
/// How many arcs may be looked at in vain, for each arc of the net.
const EFFORT: usize = 64;
/// And so many in any case.
const LITTLE: usize = 1 << 18;

/// Removes places that a sum of others implies.
#[derive(Clone, Copy, Debug)]
pub struct ImpliedBySum;

impl Preserves<Deadlocks> for ImpliedBySum {}
impl Preserves<Observations> for ImpliedBySum {}
impl Preserves<Runs> for ImpliedBySum {}

impl Rule for ImpliedBySum {
    fn name(&self) -> &'static str {
        "implied by a sum"
    }
}

impl Global for ImpliedBySum {
    fn everywhere(&self, work: &mut Work, stop: Stop<'_>) -> usize {
        let all: Vec<PlaceId> = work.places().filter(|&p| !work.is_observed(p)).collect();
        let (mut removed, effort) = (0, Cell::new(EFFORT * work.arcs() + LITTLE));
        for (i, &p) in all.iter().enumerate() {
            if effort.get() == 0 || i.is_multiple_of(64) && stop() {
                break;
            }
            let before = effort.get();
            if is_small(work, p) && is_implied(work, p, &effort) {
                work.remove_place(p);
                removed += 1;
                effort.set(before);
            }
        }
        removed
    }
}

fn is_small(work: &Work, p: PlaceId) -> bool {
    work.consumers(p).len() + work.producers(p).len() <= ARCS
}

fn is_implied(work: &Work, p: PlaceId, effort: &Cell<usize>) -> bool {
    sums(work, p, effort).any(|sum| sum.is_enough())
}

/// Sums that every transition changes at most as much as a place, as many as are found with this effort.
pub(crate) fn sums<'a>(work: &'a Work, p: PlaceId, effort: &'a Cell<usize>) -> impl Iterator<Item = Chase<'a>> {
    let chase = Chase::new(work, p, effort);
    let first = |&t: &NetTransitionId| chase.candidates(t).take(STARTS).collect();
    let starts: Vec<PlaceId> = chase.open.last().map(first).unwrap_or_default();
    starts.into_iter().filter_map(move |q| chase.clone().complete(q))
}

/// A place, the sum that may imply it, and by how much each transition changes the place more than the sum.
#[derive(Clone)]
pub(crate) struct Chase<'a> {
    work: &'a Work,
    p: PlaceId,
    sum: Vec<PlaceId>,
    gain: HashMap<NetTransitionId, i64>,
    /// Those whose gain is, or was, negative.
    open: Vec<NetTransitionId>,
    /// How many arcs may still be looked at.
    effort: &'a Cell<usize>,
}

impl<'a> Chase<'a> {
    fn new(work: &'a Work, p: PlaceId, effort: &'a Cell<usize>) -> Self {
        let mut chase = Self { work, p, sum: Vec::new(), gain: HashMap::new(), open: Vec::new(), effort };
        chase.add(p, 1);
        chase
    }

    /// Adds the changes of a place to the gains, or takes them away.
    fn add(&mut self, q: PlaceId, sign: i64) {
        let signed = |sign: i64| move |&(t, weight): &(NetTransitionId, u32)| (t, sign * i64::from(weight));
        let taken = self.work.consumers(q).iter().map(signed(-sign));
        let put = self.work.producers(q).iter().map(signed(sign));
        for (t, change) in taken.chain(put) {
            let gain = self.gain.entry(t).or_default();
            *gain += change;
            if *gain < 0 {
                self.open.push(t);
            }
        }
    }

    /// The inputs that a transition decreases.
    fn candidates(&self, t: NetTransitionId) -> impl Iterator<Item = PlaceId> + '_ {
        let inputs = self.work.pre(t).iter().take(ARCS).map(|&(q, _)| q);
        inputs.filter(move |&q| q != self.p && is_small(self.work, q) && self.work.change(t, q) < 0)
    }

    /// How many transitions would have a negative gain that have none.
    fn debts(&self, q: PlaceId) -> usize {
        let indebted = |&&(t, _): &&(NetTransitionId, u32)| {
            let (gain, change) = (self.gain.get(&t).copied().unwrap_or_default(), self.work.change(t, q));
            gain >= 0 && gain < change
        };
        let producers = self.work.producers(q);
        self.effort.set(self.effort.get().saturating_sub(producers.len()));
        producers.iter().filter(indebted).count()
    }

    fn complete(mut self, first: PlaceId) -> Option<Self> {
        self.take(first);
        while let Some(t) = self.open.pop() {
            if self.gain[&t] >= 0 {
                continue;
            }
            let q = self.candidates(t).min_by_key(|&q| self.debts(q))?;
            if self.sum.len() == SUMMANDS || self.effort.get() == 0 {
                return None;
            }
            self.open.push(t);
            self.take(q);
        }
        Some(self)
    }

    fn take(&mut self, q: PlaceId) {
        self.sum.push(q);
        self.add(q, -1);
    }

    /// Whoever finds its tokens on the sum finds them on the place.
    pub(crate) fn is_enough(&self) -> bool {
        let initial = |p: PlaceId| i64::from(self.work.initial(p));
        let slack = initial(self.p) - self.sum.iter().map(|&q| initial(q)).sum::<i64>();
        self.work.consumers(self.p).iter().all(|&(t, needed)| {
            let found: i64 = self.sum.iter().map(|&q| i64::from(weight(self.work.pre(t), q))).sum();
            i64::from(needed) <= found + slack
        })
    }
}
