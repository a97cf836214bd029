//! Nets without bounds: a run that comes back to its marking with something on top can be taken for ever.
//!
//! If a marking covers one of its ancestors and is not equal to it, the steps between them can be repeated without end
//! (Karp and Miller 1969), and the places on top grow. The difference to an ancestor is the sum of the effects on the
//! way, so that going up the path needs no marking. It is gone up when a place has more tokens than ever before, by a
//! power of two, and once in a while; but only if a good part of as many steps was taken since the last time.

use model::views::{NetTransitionId, PlaceId};

use crate::tokens::wiring::Wiring;

/// New markings until a path is gone up for no particular reason.
const PERIOD: u64 = 1 << 10;

#[derive(Debug)]
pub(super) struct Growth {
    /// The most tokens on each place so far.
    peaks: Vec<u64>,
    due: bool,
    since: u64,
    difference: Vec<i64>,
    touched: Vec<PlaceId>,
}

impl Growth {
    pub(super) fn new(initial: &[u64]) -> Self {
        Self { peaks: initial.to_vec(), due: false, since: 0, difference: vec![0; initial.len()], touched: Vec::new() }
    }

    /// The most tokens seen on a place.
    pub(super) fn peak(&self) -> u64 {
        self.peaks.iter().copied().max().unwrap_or(0)
    }

    /// Notes a new marking, by the places that changed; whether its path should be looked at, given its length.
    #[inline]
    pub(super) fn note(&mut self, changed: &[(PlaceId, i64)], tokens: &[u64], path: usize) -> bool {
        self.since += 1;
        for &(p, _) in changed {
            let (now, peak) = (tokens[p.index()], &mut self.peaks[p.index()]);
            if now > *peak {
                self.due |= now > 2 && now.leading_zeros() != peak.leading_zeros();
                *peak = now;
            }
        }
        self.due |= self.since >= PERIOD;
        self.due && self.since.saturating_mul(4) >= path as u64
    }

    /// Goes up a path, last step first; a place that grows without end, if a marking on it is covered.
    pub(super) fn grows(
        &mut self,
        wiring: &Wiring<'_>,
        path: impl Iterator<Item = NetTransitionId>,
    ) -> Option<PlaceId> {
        (self.due, self.since) = (false, 0);
        let (mut below, mut above) = (0usize, 0usize);
        let mut found = None;
        for t in path {
            for &(p, change) in wiring.effect(t) {
                let d = &mut self.difference[p.index()];
                if *d == 0 {
                    self.touched.push(p);
                }
                (below, above) = (below - usize::from(*d < 0), above - usize::from(*d > 0));
                *d += change;
                (below, above) = (below + usize::from(*d < 0), above + usize::from(*d > 0));
            }
            if below == 0 && above > 0 {
                found = self.touched.iter().copied().find(|p| self.difference[p.index()] > 0);
                break;
            }
        }
        self.touched.drain(..).for_each(|p| self.difference[p.index()] = 0);
        found
    }

    pub(super) fn bytes(&self) -> u64 {
        (16 * self.peaks.len() + 4 * self.touched.capacity()) as u64
    }
}
