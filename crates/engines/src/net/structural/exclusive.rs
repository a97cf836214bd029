//! Sets of places that are said to hold at most one token together: which of them are proved to.
//!
//! Units of nested-unit nets are such sets; what a file says of them is a claim. The greatest subset of the claims is
//! kept that is inductive: all claims kept hold in the initial marking, and every transition that is enabled where all
//! of them hold leads to where all of them hold. As each claim is dropped only when it is broken in the presence of all
//! that are still there, the result does not depend on the order (the fixpoint of Houdini).
//!
//! A transition breaks the claim "`S` holds at most one token" unless
//!
//! - it takes two tokens from a set that is kept: then it is never enabled; or
//! - it puts nothing into `S`, or takes one token from `S` and puts at most one: it found no other there; or
//! - it puts one token into `S`, and each place of `S` shares a set that is kept with a place that it takes from: then
//!   `S` was empty.
//!
//! Each drop makes the transitions that take from the set to be looked at again, so the time is the number of arcs and
//! of places in sets times, at worst, the number of drops. The concurrency relation finds all this and more, but takes
//! the square of the places.

use std::collections::VecDeque;

use model::views::{Net, NetTransitionId, PlaceId};

/// Work between two looks at the clock.
const BREATH: usize = 1 << 18;

/// The claims that are proved, in their order; `None` if `stop` ended the work.
pub(super) fn proved(net: &Net, claims: &[Vec<PlaceId>], stop: &mut dyn FnMut() -> bool) -> Option<Vec<Vec<PlaceId>>> {
    let mut houdini = Houdini::new(net, claims);
    while let Some(t) = houdini.queue.pop_front() {
        houdini.queued[t.index()] = false;
        houdini.check(t);
        if houdini.work >= BREATH {
            houdini.work = 0;
            if stop() {
                return None;
            }
        }
    }
    Some(claims.iter().zip(&houdini.kept).filter(|(_, kept)| **kept).map(|(claim, _)| claim.clone()).collect())
}

struct Houdini<'a> {
    net: &'a Net,
    claims: &'a [Vec<PlaceId>],
    kept: Vec<bool>,
    /// By place, the claims about it.
    of: Vec<Vec<usize>>,
    queue: VecDeque<NetTransitionId>,
    queued: Vec<bool>,
    /// By place, the last transition that was seen to find it empty, as a count of checks.
    empty: Vec<usize>,
    checks: usize,
    work: usize,
}

impl<'a> Houdini<'a> {
    fn new(net: &'a Net, claims: &'a [Vec<PlaceId>]) -> Self {
        let mut of = vec![Vec::new(); net.places().len()];
        for (number, claim) in claims.iter().enumerate() {
            claim.iter().for_each(|p| of[p.index()].push(number));
        }
        let initial = |claim: &Vec<PlaceId>| claim.iter().map(|&p| u64::from(net.place(p).initial)).sum::<u64>();
        Self {
            net,
            claims,
            kept: claims.iter().map(|claim| initial(claim) <= 1).collect(),
            of,
            queue: net.transition_ids().collect(),
            queued: vec![true; net.transitions().len()],
            empty: vec![0; net.places().len()],
            checks: 0,
            work: 0,
        }
    }

    /// The claims that are kept about a place.
    fn kept_of(&self, p: PlaceId) -> impl Iterator<Item = usize> + '_ {
        self.of[p.index()].iter().copied().filter(|&claim| self.kept[claim])
    }

    /// The tokens that arcs have in each claim that is kept, by claim.
    fn tokens(&self, arcs: &[(PlaceId, u32)]) -> Vec<(usize, u64)> {
        let parts = arcs.iter().flat_map(|&(p, weight)| self.kept_of(p).map(move |claim| (claim, u64::from(weight))));
        let mut sums: Vec<(usize, u64)> = parts.collect();
        sums.sort_unstable();
        sums.dedup_by(|b, a| {
            let same = a.0 == b.0;
            a.1 += if same { b.1 } else { 0 };
            same
        });
        sums
    }

    /// Drops what a transition breaks.
    fn check(&mut self, t: NetTransitionId) {
        let (takes, puts) = (self.tokens(self.net.pre(t)), self.tokens(self.net.post(t)));
        self.work += 1 + takes.len() + puts.len();
        if takes.iter().any(|&(_, tokens)| tokens > 1) {
            return;
        }
        let from = |claim: usize| takes.binary_search_by_key(&claim, |e| e.0).is_ok();
        self.find_empty(&takes);
        let breaks = |&(claim, tokens): &(usize, u64)| tokens > 1 || !(from(claim) || self.is_empty(claim));
        let broken: Vec<usize> = puts.iter().filter(|e| breaks(e)).map(|e| e.0).collect();
        self.work += broken.iter().map(|&claim| self.claims[claim].len()).sum::<usize>();
        broken.into_iter().for_each(|claim| self.drop(claim));
    }

    /// Marks what shares a claim with places that are taken from; those are marked as well, and are in no other claim
    /// that is asked about.
    fn find_empty(&mut self, takes: &[(usize, u64)]) {
        self.checks += 1;
        for &(claim, _) in takes {
            self.work += self.claims[claim].len();
            self.claims[claim].iter().for_each(|p| self.empty[p.index()] = self.checks);
        }
    }

    /// Whether a claim about places that are not taken from is about places that are all empty.
    fn is_empty(&self, claim: usize) -> bool {
        self.claims[claim].iter().all(|p| self.empty[p.index()] == self.checks)
    }

    fn drop(&mut self, claim: usize) {
        self.kept[claim] = false;
        for &p in &self.claims[claim] {
            for &(t, _) in self.net.consumers(p) {
                if !std::mem::replace(&mut self.queued[t.index()], true) {
                    self.queue.push_back(t);
                }
            }
        }
    }
}
