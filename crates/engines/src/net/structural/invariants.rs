//! What holds of the tokens in all reachable markings, and the goals that it settles without a linear program.
//!
//! Place invariants, the concurrency relation and sets that are proved to hold at most one token are found once; each
//! place gets the least and the most tokens that they allow. Thousands of small goals are then looked up.

use evidence::Budget;
use model::views::{Net, NetTransitionId, PlaceId};

use super::concurrency::Concurrency;
use super::exclusive;
use super::flows::{Flow, Flows};
use super::{part, stop};
use crate::net::Task;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Invariants {
    pub(super) flows: Flows,
    pub(super) concurrency: Option<Concurrency>,
    /// Whether claims about sets of places were proved and are among the flows.
    claims: bool,
    least: Vec<u64>,
    most: Vec<Option<u64>>,
}

impl Invariants {
    /// Nothing but place invariants.
    pub(super) fn linear(net: &Net, stop: &mut dyn FnMut() -> bool) -> Self {
        Self { flows: Flows::new(net, stop), ..Self::default() }
    }

    /// Those of `claims` that are proved: sets of places that may hold at most one token.
    pub(super) fn claimed(task: &Task<'_>, claims: &[Vec<PlaceId>]) -> Self {
        let sets = exclusive::proved(task.net, claims, &mut stop(task, part(task.budget))).unwrap_or_default();
        let mut invariants =
            Self { claims: !sets.is_empty(), flows: Flows::of_sets(task.net, sets), ..Self::default() };
        invariants.find_bounds(task.net);
        invariants
    }

    /// Adds place invariants.
    pub(super) fn add_flows(&mut self, net: &Net, mut flows: Flows) {
        flows.append(std::mem::take(&mut self.flows));
        self.flows = flows;
        self.find_bounds(net);
    }

    /// Adds the concurrency relation, if it is found within a budget.
    pub(super) fn relate(&mut self, task: &Task<'_>, budget: Budget) {
        self.concurrency = Concurrency::new(task.net, &self.flows, task.budget, &mut stop(task, budget));
        if self.concurrency.is_some() {
            self.find_bounds(task.net);
        }
    }

    fn find_bounds(&mut self, net: &Net) {
        self.most = net.place_ids().map(|p| self.find_most(net, p)).collect();
        let full: Vec<Full> = self.flows.all().iter().map(|flow| self.full(flow)).collect();
        self.least = net.place_ids().map(|p| self.find_least(net, p, &full)).collect();
    }

    /// What is used, in words.
    pub(super) fn words(&self) -> &'static str {
        match (&self.concurrency, self.claims) {
            (Some(_), true) => {
                "place invariants, proved units and pairs of places that are never marked together exclude it"
            }
            (Some(_), false) => "place invariants and pairs of places that are never marked together exclude it",
            (None, true) => "place invariants and units that are proved to hold at most one token exclude it",
            (None, false) => "place invariants exclude it",
        }
    }

    /// The fewest tokens of a place.
    pub(super) fn least(&self, p: PlaceId) -> u64 {
        self.least[p.index()]
    }

    /// The most tokens of a place, if there is a bound.
    pub(super) fn most(&self, p: PlaceId) -> Option<u64> {
        self.most[p.index()]
    }

    /// Whether two places are never marked together.
    pub(super) fn exclude(&self, p: PlaceId, q: PlaceId) -> bool {
        self.concurrency.as_ref().is_some_and(|c| !c.may_be_together(p, q))
    }

    /// Whether a transition may become enabled.
    pub(super) fn may_fire(&self, t: NetTransitionId) -> bool {
        self.concurrency.as_ref().is_none_or(|c| c.may_fire(t))
    }

    fn find_most(&self, net: &Net, p: PlaceId) -> Option<u64> {
        let concurrent = self.concurrency.as_ref().and_then(|c| match (c.may_be_marked(p), c.may_be_together(p, p)) {
            (false, _) => Some(0),
            (true, false) => Some(1),
            (true, true) => None,
        });
        let grows = net.producers(p).iter().any(|&(t, put)| self.may_fire(t) && put > weight(net.pre(t), p));
        let fixed = (!grows).then(|| u64::from(net.place(p).initial));
        self.flows.bound(p).into_iter().chain(concurrent).chain(fixed).min()
    }

    fn find_least(&self, net: &Net, p: PlaceId, full: &[Full]) -> u64 {
        let shrinks = net.consumers(p).iter().any(|&(t, taken)| self.may_fire(t) && taken > weight(net.post(t), p));
        if !shrinks {
            return net.place(p).initial.into();
        }
        let numbers = self.flows.numbers(p).iter().map(|&f| f as usize);
        numbers.filter_map(|f| self.rest(&self.flows.all()[f], &full[f], p)).max().unwrap_or(0)
    }

    /// What the places of an invariant weigh with all the tokens that they can have.
    fn full(&self, flow: &Flow) -> Full {
        let most = |&(q, w): &(PlaceId, i64)| self.most(q).map(|most| i128::from(w) * i128::from(most));
        let sum = flow.weights.iter().filter_map(most).try_fold(0_i128, i128::checked_add);
        Full { sum, boundless: flow.weights.iter().filter(|e| self.most(e.0).is_none()).count() }
    }

    /// What an invariant leaves for a place when the others have all that they can.
    fn rest(&self, flow: &Flow, full: &Full, p: PlaceId) -> Option<u64> {
        let own = i128::from(flow.weights[flow.weights.binary_search_by_key(&p, |e| e.0).ok()?].1);
        let taken = match (self.most(p), full.boundless) {
            (Some(most), 0) => full.sum? - own * i128::from(most),
            (None, 1) => full.sum?,
            _ => return None,
        };
        let left = i128::from(flow.total).saturating_sub(taken).max(0);
        flow.constant.then(|| u64::try_from((left + own - 1) / own).unwrap_or(u64::MAX))
    }
}

/// The weight of all places of an invariant that have a bound, if it is a number, and how many have none.
struct Full {
    sum: Option<i128>,
    boundless: usize,
}

/// The weight of a place among arcs.
fn weight(arcs: &[(PlaceId, u32)], p: PlaceId) -> u32 {
    arcs.binary_search_by_key(&p, |e| e.0).map_or(0, |at| arcs[at].1)
}
