//! A marking that knows which transitions it enables.
//!
//! Of each transition the number of input places that have too few tokens is kept; the enabled ones, which miss none,
//! form an indexed set. Firing costs the arcs of the transition and those of the consumers whose arcs it crosses.

use model::views::{Marking, NetTransitionId, PlaceId};

use super::wiring::Wiring;

/// A place has more tokens than can be counted: more than 2^63 - 1, so that differences can be as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overflow;

const NOWHERE: u32 = u32::MAX;

/// A marking and what it enables.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    tokens: Marking,
    missing: Vec<u32>,
    enabled: Vec<NetTransitionId>,
    /// Where each transition is in `enabled`.
    position: Vec<u32>,
    /// What became enabled since somebody emptied it; some may be disabled again, some may be here twice.
    pub(crate) fresh: Vec<NetTransitionId>,
}

impl Live {
    /// The initial marking.
    pub(crate) fn new(wiring: &Wiring<'_>) -> Self {
        let net = wiring.net;
        let transitions = net.transitions().len();
        let mut live = Self {
            tokens: net.initial_marking(),
            missing: vec![0; transitions],
            enabled: Vec::with_capacity(transitions),
            position: vec![NOWHERE; transitions],
            fresh: Vec::new(),
        };
        for t in net.transition_ids() {
            let lacks = |&&(p, weight): &&(PlaceId, u32)| live.tokens[p.index()] < u64::from(weight);
            live.missing[t.index()] = net.pre(t).iter().filter(lacks).count() as u32;
            if live.missing[t.index()] == 0 {
                live.insert(t);
            }
        }
        live.fresh.clear();
        live
    }

    /// Becomes equal to another marking of the same net, without allocating.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.tokens.copy_from_slice(&other.tokens);
        self.missing.copy_from_slice(&other.missing);
        self.position.copy_from_slice(&other.position);
        self.enabled.clear();
        self.enabled.extend_from_slice(&other.enabled);
        self.fresh.clear();
    }

    #[inline]
    pub(crate) fn tokens(&self) -> &[u64] {
        &self.tokens
    }

    /// The enabled transitions, in no particular order.
    #[inline]
    pub(crate) fn enabled(&self) -> &[NetTransitionId] {
        &self.enabled
    }

    #[inline]
    pub(crate) fn is_enabled(&self, t: NetTransitionId) -> bool {
        self.missing[t.index()] == 0
    }

    /// Fires a transition that is enabled this often in a row. After an overflow the marking is of no use.
    #[inline]
    pub(crate) fn fire(&mut self, wiring: &Wiring<'_>, t: NetTransitionId, times: u64) -> Result<(), Overflow> {
        for &(p, change) in wiring.effect(t) {
            let change = i64::try_from(times).ok().and_then(|n| change.checked_mul(n)).ok_or(Overflow)?;
            let next = self.tokens[p.index()].checked_add_signed(change).ok_or(Overflow)?;
            if next > i64::MAX as u64 {
                return Err(Overflow);
            }
            self.set(wiring, p, next);
        }
        Ok(())
    }

    /// Takes one firing back.
    #[inline]
    pub(crate) fn unfire(&mut self, wiring: &Wiring<'_>, t: NetTransitionId) {
        for &(p, change) in wiring.effect(t) {
            let before = self.tokens[p.index()].checked_add_signed(-change).expect("the transition was fired");
            self.set(wiring, p, before);
        }
    }

    /// Changes the tokens of one place.
    #[inline]
    pub(crate) fn set(&mut self, wiring: &Wiring<'_>, p: PlaceId, tokens: u64) {
        let before = std::mem::replace(&mut self.tokens[p.index()], tokens);
        let row = wiring.consumers(p);
        let (low, high) = (before.min(tokens), before.max(tokens));
        let Some(&(heaviest, _)) = row.last() else { return };
        if u64::from(heaviest) <= low {
            return;
        }
        let start = if u64::from(row[0].0) > low { 0 } else { row.partition_point(|&(w, _)| u64::from(w) <= low) };
        let crossed = row[start..].iter().take_while(|&&(weight, _)| u64::from(weight) <= high);
        if tokens > before {
            for &(_, t) in crossed {
                self.missing[t.index()] -= 1;
                if self.missing[t.index()] == 0 {
                    self.insert(t);
                }
            }
        } else {
            for &(_, t) in crossed {
                if self.missing[t.index()] == 0 {
                    self.remove(t);
                }
                self.missing[t.index()] += 1;
            }
        }
    }

    #[inline]
    fn insert(&mut self, t: NetTransitionId) {
        self.position[t.index()] = self.enabled.len() as u32;
        self.enabled.push(t);
        self.fresh.push(t);
    }

    #[inline]
    fn remove(&mut self, t: NetTransitionId) {
        let at = self.position[t.index()] as usize;
        self.enabled.swap_remove(at);
        if let Some(moved) = self.enabled.get(at) {
            self.position[moved.index()] = at as u32;
        }
        self.position[t.index()] = NOWHERE;
    }

    pub(crate) fn bytes(&self) -> u64 {
        (8 * self.tokens.len() + 12 * self.missing.len() + 4 * self.fresh.capacity()) as u64
    }
}
