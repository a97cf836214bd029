//! A net prepared for firing: what each transition changes, and whom a changed place concerns.

use model::views::{Net, NetTransitionId, PlaceId};

use super::rows::Rows;

/// An input arc through which a transition loses tokens for good.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drain {
    place: PlaceId,
    /// What must be there.
    weight: u32,
    /// What is gone afterwards.
    loss: u32,
}

/// The arcs of a net, in the order in which firing looks at them.
#[derive(Debug)]
pub(crate) struct Wiring<'a> {
    pub(crate) net: &'a Net,
    effects: Rows<(PlaceId, i64)>,
    drains: Rows<Drain>,
    /// Of each place, by weight: a change concerns only the weights between the old and the new tokens.
    consumers: Rows<(u32, NetTransitionId)>,
}

impl<'a> Wiring<'a> {
    pub(crate) fn new(net: &'a Net) -> Self {
        let effects = Rows::new(net.transition_ids().map(|t| effect(net, t)));
        let drains = Rows::new(net.transition_ids().map(|t| drains(net, t)));
        let consumers = Rows::new(net.place_ids().map(|p| {
            let mut row: Vec<_> = net.consumers(p).iter().map(|&(t, weight)| (weight, t)).collect();
            row.sort_unstable();
            row
        }));
        Self { net, effects, drains, consumers }
    }

    /// The places that a transition changes, and by how much.
    #[inline]
    pub(crate) fn effect(&self, t: NetTransitionId) -> &[(PlaceId, i64)] {
        self.effects.row(t.index())
    }

    /// The consumers of a place, lightest first.
    #[inline]
    pub(crate) fn consumers(&self, p: PlaceId) -> &[(u32, NetTransitionId)] {
        self.consumers.row(p.index())
    }

    /// How often an enabled transition can fire in a row; `None` if for ever.
    pub(crate) fn times(&self, t: NetTransitionId, tokens: &[u64]) -> Option<u64> {
        let most = |d: &Drain| (tokens[d.place.index()] - u64::from(d.weight)) / u64::from(d.loss) + 1;
        self.drains.row(t.index()).iter().map(most).min()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.effects.bytes() + self.drains.bytes() + self.consumers.bytes()
    }
}

/// Output minus input, where they differ; both are in increasing order.
fn effect(net: &Net, t: NetTransitionId) -> Vec<(PlaceId, i64)> {
    let (pre, post) = (net.pre(t), net.post(t));
    let mut out: Vec<(PlaceId, i64)> = pre.iter().map(|&(p, weight)| (p, -i64::from(weight))).collect();
    out.extend(post.iter().map(|&(p, weight)| (p, i64::from(weight))));
    out.sort_unstable_by_key(|&(p, _)| p);
    out.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    out.retain(|&(_, change)| change != 0);
    out
}

fn drains(net: &Net, t: NetTransitionId) -> Vec<Drain> {
    let effect = effect(net, t);
    let loss = |p| effect.binary_search_by_key(&p, |&(q, _)| q).map_or(0, |i| -effect[i].1);
    let drain = |&(place, weight): &(PlaceId, u32)| {
        let loss = u32::try_from(loss(place)).ok().filter(|&loss| loss > 0)?;
        Some(Drain { place, weight, loss })
    };
    net.pre(t).iter().filter_map(drain).collect()
}
