//! Local configurations: an event with everything that must have occurred before it.

use model::views::{Net, NetTransitionId};

use super::ids::{ConditionId, EventId};
use super::prefix::Prefix;

/// Walks down the causes of events, with marks that last until the next walk.
#[derive(Debug, Default)]
pub(super) struct Causes {
    round: u32,
    /// The last round that met each event.
    met: Vec<u32>,
    found: Vec<EventId>,
}

impl Causes {
    /// All events below some conditions: those that made them, and their causes.
    pub(super) fn below(&mut self, prefix: &Prefix, conditions: &[ConditionId]) -> &[EventId] {
        self.met.resize(prefix.events(), 0);
        if self.round == u32::MAX {
            self.met.fill(0);
            self.round = 0;
        }
        self.round += 1;
        self.found.clear();
        self.meet(prefix, conditions);
        let mut next = 0;
        while let Some(&event) = self.found.get(next) {
            next += 1;
            self.meet(prefix, prefix.preset(event));
        }
        &self.found
    }

    #[inline]
    fn meet(&mut self, prefix: &Prefix, conditions: &[ConditionId]) {
        for &condition in conditions {
            let Some(producer) = prefix.producer(condition) else { continue };
            let met = &mut self.met[producer.index()];
            if *met != self.round {
                *met = self.round;
                self.found.push(producer);
            }
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        4 * (self.met.capacity() + self.found.capacity()) as u64
    }
}

/// What markings are recognised by: the sum of a random number for each token. Equal markings have equal sums.
#[derive(Debug)]
pub(super) struct Fingerprints {
    effects: Vec<u64>,
}

impl Fingerprints {
    pub(super) fn new(net: &Net) -> Self {
        let key = |place: usize| {
            let z = (place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        let sum = |arcs: &[(model::views::PlaceId, u32)]| {
            arcs.iter().fold(0u64, |sum, &(p, w)| sum.wrapping_add(u64::from(w).wrapping_mul(key(p.index()))))
        };
        let effects = net.transition_ids().map(|t| sum(net.post(t)).wrapping_sub(sum(net.pre(t)))).collect();
        Self { effects }
    }

    /// What an occurrence of a transition adds.
    #[inline]
    pub(super) fn effect(&self, t: NetTransitionId) -> u64 {
        self.effects[t.index()]
    }
}
