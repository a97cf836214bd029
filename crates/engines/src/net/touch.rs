//! What transitions do to places: arcs in both directions between the two are taken together.

use model::views::{Net, NetTransitionId, PlaceId};

/// What a transition does to a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) place: PlaceId,
    /// The tokens that it needs there.
    pub(super) needs: u32,
    /// By how much they grow.
    pub(super) change: i64,
}

/// What a transition does, place by place.
pub(super) fn touches(net: &Net, t: NetTransitionId) -> Vec<Touch> {
    let mut all: Vec<Touch> = net
        .pre(t)
        .iter()
        .map(|&(place, needs)| Touch { place, needs, change: -i64::from(needs) })
        .chain(net.post(t).iter().map(|&(place, weight)| Touch { place, needs: 0, change: weight.into() }))
        .collect();
    all.sort_by_key(|touch| touch.place);
    all.dedup_by(|b, a| {
        let same = a.place == b.place;
        if same {
            *a = Touch { place: a.place, needs: a.needs + b.needs, change: a.change + b.change };
        }
        same
    });
    all
}
