//! The arcs of a net, told apart: what a transition consumes, reads and produces, if the net is safe.
//!
//! A place that gets back what is taken from it is read. Weights above 1 matter only where they show that the net is not
//! safe: a transition that takes two tokens from a place can never occur in a safe net; one that puts two tokens on a
//! place, or consumes nothing but produces something, makes the net unsafe as soon as it is enabled.

use model::views::{Net, NetTransitionId, PlaceId};

/// The arcs of one transition.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    pub(super) consumed: Vec<PlaceId>,
    pub(super) read: Vec<PlaceId>,
    pub(super) produced: Vec<PlaceId>,
    /// A place that has two tokens after the transition has occurred, perhaps again.
    pub(super) floods: Option<PlaceId>,
}

impl Kinds {
    fn new(net: &Net, t: NetTransitionId) -> Self {
        let weight = |arcs: &[(PlaceId, u32)], p| arcs.binary_search_by_key(&p, |&(q, _)| q).map_or(0, |i| arcs[i].1);
        let (pre, post) = (net.pre(t), net.post(t));
        let places = |arcs: &[(PlaceId, u32)], is_read: bool| -> Vec<PlaceId> {
            let all = arcs.iter().map(|&(p, _)| p);
            all.filter(|&p| (weight(pre, p) == weight(post, p)) == is_read).collect()
        };
        let (consumed, read, produced) = (places(pre, false), places(pre, true), places(post, false));
        let heavy = post.iter().find(|&&(_, w)| w > 1).map(|&(p, _)| p);
        let endless = produced.first().copied().filter(|_| consumed.is_empty());
        Self { consumed, read, produced, floods: heavy.or(endless) }
    }

    /// Whether it changes nothing.
    pub(super) fn is_idle(&self) -> bool {
        self.consumed.is_empty() && self.produced.is_empty()
    }

    /// The places that must have a token: those consumed, then those read.
    pub(super) fn needed(&self) -> impl Iterator<Item = PlaceId> {
        self.consumed.iter().chain(&self.read).copied()
    }
}

/// The arcs of all transitions, in both directions.
#[derive(Debug)]
pub(super) struct Arcs {
    kinds: Vec<Kinds>,
    consumers: Vec<Vec<NetTransitionId>>,
    readers: Vec<Vec<NetTransitionId>>,
}

impl Arcs {
    pub(super) fn new(net: &Net) -> Self {
        let kinds: Vec<Kinds> = net.transition_ids().map(|t| Kinds::new(net, t)).collect();
        let mut arcs = Self {
            kinds,
            consumers: vec![Vec::new(); net.places().len()],
            readers: vec![Vec::new(); net.places().len()],
        };
        let can_occur = |t: &NetTransitionId| net.pre(*t).iter().all(|&(_, w)| w == 1);
        for t in net.transition_ids().filter(can_occur) {
            arcs.kinds[t.index()].consumed.iter().for_each(|p| arcs.consumers[p.index()].push(t));
            arcs.kinds[t.index()].read.iter().for_each(|p| arcs.readers[p.index()].push(t));
        }
        arcs
    }

    /// The arcs of a transition.
    pub(super) fn of(&self, t: NetTransitionId) -> &Kinds {
        &self.kinds[t.index()]
    }

    /// The transitions that consume a token of a place, as far as they can occur in a safe net.
    pub(super) fn consumers(&self, p: PlaceId) -> &[NetTransitionId] {
        &self.consumers[p.index()]
    }

    /// The transitions that read a place, as far as they can occur in a safe net.
    pub(super) fn readers(&self, p: PlaceId) -> &[NetTransitionId] {
        &self.readers[p.index()]
    }
}
