//! The concurrency relation: which places may have tokens at the same time, and which may have two.
//!
//! Computed as Kovalyov does, as the least symmetric relation `C` such that, reading `(p, p)` as "two tokens on `p`",
//!
//! - the pairs of the initial marking are in `C`;
//! - if the pairs that a transition needs are in `C`, so are the pairs of what it puts, and each place that it puts a
//!   token on with each place whose pairs with everything it needs are in `C` (that one may have kept a token).
//!
//! Call a marking *allowed* if all its pairs are in `C`. The initial marking is. If an allowed marking enables `t`, the
//! pairs that `t` needs are in `C`. A pair of the next marking is one of two new tokens, or of a new one and one that
//! stayed, which stood together with all that `t` took, or of two that stayed: each is in `C`. So all reachable markings
//! are allowed: "these are never marked together" is, for all pairs outside of `C` at once, an inductive invariant, and
//! there is no greater one of this kind. What is known otherwise to be never marked together is left out of `C` from the
//! start, which takes nothing from the argument: only reachable markings matter.
//!
//! Units that hold at most one token, as authors of nets claim them, are such pairs: if the claim is inductive it is
//! found here, and if it is a lie it is not believed.

use std::collections::VecDeque;

use evidence::Budget;
use model::views::{Net, NetTransitionId, PlaceId};

use super::flows::Flows;
use crate::bits::{Bits, has, ones, set, width};

/// The relations of greater nets are not computed: bytes of both squares.
const MEMORY: u64 = 256 << 20;
/// Words between two looks at the clock.
const BREATH: usize = 1 << 20;

/// Places that may be marked together.
#[derive(Clone, Debug)]
pub(super) struct Concurrency {
    pairs: Bits,
    marked: Vec<u64>,
    /// By transition, whether the relation allows what it needs.
    enabled: Vec<bool>,
}

struct Fixpoint<'a> {
    net: &'a Net,
    relation: Concurrency,
    /// Pairs that are known to be never marked together.
    never: Bits,
    queue: VecDeque<NetTransitionId>,
    queued: Vec<bool>,
    /// Transitions that need nothing.
    sources: Vec<NetTransitionId>,
    work: usize,
}

impl Concurrency {
    /// The relation without the pairs that `flows` exclude; `None` if that takes too much memory, or too long for
    /// `stop`.
    pub(super) fn new(net: &Net, flows: &Flows, budget: &Budget, stop: &mut dyn FnMut() -> bool) -> Option<Self> {
        let bytes = 2 * Bits::bytes(net.places().len(), net.places().len());
        if bytes > MEMORY || budget.check_memory(bytes).is_err() {
            return None;
        }
        let mut fixpoint = Fixpoint::new(net, flows);
        fixpoint.begin();
        while let Some(t) = fixpoint.queue.pop_front() {
            fixpoint.queued[t.index()] = false;
            fixpoint.fire(t);
            if fixpoint.work >= BREATH {
                fixpoint.work = 0;
                if stop() {
                    return None;
                }
            }
        }
        Some(fixpoint.relation)
    }

    /// Whether two different places may have tokens together, or one place two tokens.
    pub(super) fn may_be_together(&self, p: PlaceId, q: PlaceId) -> bool {
        self.pairs.has(p.index(), q.index())
    }

    pub(super) fn may_be_marked(&self, p: PlaceId) -> bool {
        has(&self.marked, p.index())
    }

    pub(super) fn may_fire(&self, t: NetTransitionId) -> bool {
        self.enabled[t.index()]
    }

    fn allows(&self, needs: &[(PlaceId, u32)]) -> bool {
        needs.iter().enumerate().all(|(i, &(p, weight))| {
            let row = self.pairs.row(p.index());
            let twice = weight < 2 || has(row, p.index());
            self.may_be_marked(p) && twice && needs[i + 1..].iter().all(|(q, _)| has(row, q.index()))
        })
    }
}

impl<'a> Fixpoint<'a> {
    fn new(net: &'a Net, flows: &Flows) -> Self {
        let (places, transitions) = (net.places().len(), net.transitions().len());
        Self {
            net,
            relation: Concurrency {
                pairs: Bits::new(places, places),
                marked: vec![0; width(places)],
                enabled: vec![false; transitions],
            },
            never: never(places, flows),
            queue: net.transition_ids().collect(),
            queued: vec![true; transitions],
            sources: net.transition_ids().filter(|&t| net.pre(t).is_empty()).collect(),
            work: 0,
        }
    }

    fn begin(&mut self) {
        let mut marked = vec![0; self.relation.marked.len()];
        let initial = self.net.place_ids().filter(|&p| self.net.place(p).initial > 0);
        initial.for_each(|p| set(&mut marked, p.index()));
        for p in ones(&marked) {
            let row = self.relation.pairs.row_mut(p);
            row.copy_from_slice(&marked);
            if self.net.places()[p].initial < 2 {
                row[p / 64] &= !(1 << (p % 64));
            }
        }
        self.relation.marked = marked;
    }

    /// Adds the pairs that a transition brings about.
    fn fire(&mut self, t: NetTransitionId) {
        let (needs, puts) = (self.net.pre(t), self.net.post(t));
        self.work += 1 + needs.len();
        if !self.relation.allows(needs) {
            return;
        }
        self.relation.enabled[t.index()] = true;
        let mut stay = match needs {
            [] => self.relation.marked.clone(),
            [(p, _), ..] => self.relation.pairs.row(p.index()).to_vec(),
        };
        for (p, _) in needs.iter().skip(1) {
            stay.iter_mut().zip(self.relation.pairs.row(p.index())).for_each(|(word, other)| *word &= other);
        }
        self.work += stay.len() * (needs.len() + puts.len());
        for &(q, weight) in puts {
            let mut with = stay.clone();
            puts.iter().filter(|&&(r, _)| r != q || weight > 1).for_each(|(r, _)| set(&mut with, r.index()));
            self.mark(q);
            self.add(q, &mut with);
        }
    }

    fn mark(&mut self, q: PlaceId) {
        if has(&self.relation.marked, q.index()) {
            return;
        }
        set(&mut self.relation.marked, q.index());
        self.wake(q.index());
        (0..self.sources.len()).for_each(|i| self.enqueue(self.sources[i]));
    }

    /// Adds the pairs of a place with others, as far as they are new and not known to be impossible.
    fn add(&mut self, q: PlaceId, with: &mut [u64]) {
        let q = q.index();
        let known = self.relation.pairs.row_mut(q);
        let mut news = 0;
        for ((word, known), never) in with.iter_mut().zip(known).zip(self.never.row(q)) {
            *word &= !*known & !*never;
            *known |= *word;
            news |= *word;
        }
        if news == 0 {
            return;
        }
        self.wake(q);
        for r in ones(with) {
            set(self.relation.pairs.row_mut(r), q);
            self.wake(r);
            self.work += 1;
        }
    }

    /// What needs a place is to be looked at again.
    fn wake(&mut self, p: usize) {
        let net = self.net;
        net.consumers(PlaceId::new(p)).iter().for_each(|&(t, _)| self.enqueue(t));
    }

    fn enqueue(&mut self, t: NetTransitionId) {
        if !std::mem::replace(&mut self.queued[t.index()], true) {
            self.queue.push_back(t);
        }
    }
}

/// The pairs of places of which each alone takes more than half of what an invariant allows.
fn never(places: usize, flows: &Flows) -> Bits {
    let mut never = Bits::new(places, places);
    let mut heavy = vec![0; width(places)];
    for flow in flows.all() {
        heavy.fill(0);
        let half = |&&(_, weight): &&(PlaceId, i64)| weight > flow.total / 2;
        flow.weights.iter().filter(half).for_each(|(p, _)| set(&mut heavy, p.index()));
        for (p, _) in flow.weights.iter().filter(half) {
            never.row_mut(p.index()).iter_mut().zip(&heavy).for_each(|(word, other)| *word |= other);
        }
    }
    never
}
