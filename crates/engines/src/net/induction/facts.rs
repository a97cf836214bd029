//! What is known of a net whatever is asked: how many tokens places have, and what transitions do to them.

use model::views::{Net, NetTransitionId, PlaceId};

use crate::net::structural::{Flow, Flows};
use crate::net::touch::{Touch, touches};
use crate::tokens::rows::Rows;

/// Places with a greater bound, or none, are only known to have at least so many tokens, up to `VAGUE`.
const EXACT: u64 = 15;
const VAGUE: u64 = 8;
/// So many invariants of a place are used, the shortest ones.
const FLOWS: usize = 16;
/// Invariants with more places, or greater sums, are left out.
const LONG: usize = 200;
const LARGE: i64 = 32;

/// A net, prepared for being unrolled.
#[derive(Debug)]
pub(super) struct Facts<'a> {
    pub(super) net: &'a Net,
    /// By place, up to which number its tokens are counted, and whether there are never more.
    ranges: Vec<(usize, bool)>,
    touches: Rows<Touch>,
    /// By place, who touches it, and the change. Transitions that change nothing are left out.
    users: Rows<(NetTransitionId, i64)>,
    flows: Flows,
    flows_of: Vec<Vec<u32>>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(net: &'a Net, stop: &mut dyn FnMut() -> bool) -> Self {
        let flows = Flows::new(net, stop);
        let range = |p| match flows.bound(p) {
            Some(most) if most <= EXACT => (most as usize, true),
            most => (most.unwrap_or(VAGUE).min(VAGUE) as usize, false),
        };
        let ranges = net.place_ids().map(range).collect();
        let touches = Rows::new(net.transition_ids().map(|t| touches(net, t)));
        let users = users(net, &touches);
        let mut flows_of = vec![Vec::new(); net.places().len()];
        for (number, flow) in flows.all().iter().enumerate() {
            if flow.weights.len() <= LONG && flow.total <= LARGE {
                for &(p, _) in &flow.weights {
                    let of: &mut Vec<u32> = &mut flows_of[p.index()];
                    if of.len() < FLOWS {
                        of.push(number as u32);
                    }
                }
            }
        }
        Self { net, ranges, touches, users, flows, flows_of }
    }

    pub(super) fn range(&self, p: PlaceId) -> (usize, bool) {
        self.ranges[p.index()]
    }

    pub(super) fn touches(&self, t: NetTransitionId) -> &[Touch] {
        self.touches.row(t.index())
    }

    /// Who touches a place, and by how much it changes it.
    pub(super) fn users(&self, p: PlaceId) -> &[(NetTransitionId, i64)] {
        self.users.row(p.index())
    }

    pub(super) fn flows_of(&self, p: PlaceId) -> &[u32] {
        &self.flows_of[p.index()]
    }

    pub(super) fn flow(&self, number: u32) -> &Flow {
        &self.flows.all()[number as usize]
    }
}

fn users(net: &Net, touches: &Rows<Touch>) -> Rows<(NetTransitionId, i64)> {
    let mut users = vec![Vec::new(); net.places().len()];
    for t in net.transition_ids() {
        let all = touches.row(t.index());
        if all.iter().any(|touch| touch.change != 0) {
            all.iter().for_each(|touch| users[touch.place.index()].push((t, touch.change)));
        }
    }
    Rows::new(users)
}
