//! Traps, siphons, and who takes from a set of places or puts into it.

use evidence::Fact;
use model::views::{Net, NetTransitionId};

/// A set of places of a net.
#[derive(Clone, Debug)]
pub(super) struct Set(Vec<bool>);

impl Set {
    /// `None` if a place is not there.
    pub(super) fn new(net: &Net, places: &[usize]) -> Option<Self> {
        let mut inside = vec![false; net.places().len()];
        for &p in places {
            *inside.get_mut(p)? = true;
        }
        Some(Self(inside))
    }

    pub(super) fn taken(&self, net: &Net, t: NetTransitionId) -> bool {
        net.pre(t).iter().any(|(p, _)| self.0[p.index()])
    }

    fn put(&self, net: &Net, t: NetTransitionId) -> bool {
        net.post(t).iter().any(|(p, _)| self.0[p.index()])
    }

    /// The transitions that put into the set and take nothing from it.
    pub(super) fn feeders(&self, net: &Net) -> Vec<NetTransitionId> {
        net.transition_ids().filter(|&t| self.put(net, t) && !self.taken(net, t)).collect()
    }

    pub(super) fn marked(&self, net: &Net) -> bool {
        net.places().iter().zip(&self.0).any(|(place, &inside)| inside && place.initial > 0)
    }

    fn is_trap(&self, net: &Net) -> bool {
        net.transition_ids().all(|t| !self.taken(net, t) || self.put(net, t))
    }
}

/// The set of a fact, if it is one of the net.
pub(super) fn fact(net: &Net, fact: &Fact) -> Option<Set> {
    match fact {
        Fact::Trap(places) => Set::new(net, places).filter(|set| set.marked(net) && set.is_trap(net)),
        Fact::Siphon(places) => Set::new(net, places).filter(|set| !set.marked(net) && set.feeders(net).is_empty()),
    }
}
