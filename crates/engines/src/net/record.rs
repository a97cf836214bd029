//! The run that led to the current marking, and how loops are cut out of it.

use std::collections::HashMap;

use model::views::{Net, NetTransitionId, PlaceId};

use crate::tokens::wiring::Wiring;

/// A run, with repetitions of one transition as one entry.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    steps: Vec<(NetTransitionId, u32)>,
    length: u64,
}

impl Record {
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.length = 0;
    }

    /// The firings so far.
    #[inline]
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    #[inline]
    pub(super) fn push(&mut self, t: NetTransitionId, times: u32) {
        self.steps.push((t, times));
        self.length += u64::from(times);
    }

    /// How far the run is: later, [`Record::run_to`] gives the run up to here.
    #[inline]
    pub(super) fn here(&self) -> usize {
        self.steps.len()
    }

    /// Each firing by itself.
    pub(super) fn run(&self) -> Vec<NetTransitionId> {
        self.run_to(self.here())
    }

    /// The first part of it.
    pub(super) fn run_to(&self, here: usize) -> Vec<NetTransitionId> {
        let steps = &self.steps[..here];
        let mut run = Vec::with_capacity(steps.iter().map(|&(_, times)| times as usize).sum());
        for &(t, times) in steps {
            run.extend(std::iter::repeat_n(t, times as usize));
        }
        run
    }

    pub(super) fn bytes(&self) -> u64 {
        8 * self.steps.capacity() as u64
    }
}

/// The run without the parts between equal markings. Markings are compared by a hash that each step updates, and what
/// is left is replayed: if two markings only seemed to be equal, the run stays as it was.
pub(super) fn without_loops(wiring: &Wiring<'_>, run: Vec<NetTransitionId>) -> Vec<NetTransitionId> {
    const LONGEST: usize = 1 << 21;
    if run.len() < 2 || run.len() > LONGEST {
        return run;
    }
    let shorter = cut(wiring, &run);
    if shorter.len() < run.len() && end(wiring.net, &shorter).is_some_and(|m| Some(m) == end(wiring.net, &run)) {
        shorter
    } else {
        run
    }
}

fn cut(wiring: &Wiring<'_>, run: &[NetTransitionId]) -> Vec<NetTransitionId> {
    let mut hash = 0u64;
    let mut hashes = vec![hash];
    for &t in run {
        hash = changed_hash(hash, wiring.effect(t));
        hashes.push(hash);
    }
    let last: HashMap<u64, usize> = hashes.iter().enumerate().map(|(i, &hash)| (hash, i)).collect();
    let mut out = Vec::new();
    let mut i = last[&hashes[0]];
    while i < run.len() {
        out.push(run[i]);
        i = last[&hashes[i + 1]];
    }
    out
}

/// The hash of a marking after a change.
pub(super) fn changed_hash(hash: u64, effect: &[(PlaceId, i64)]) -> u64 {
    let scattered = |&(p, change): &(PlaceId, i64)| (change as u64).wrapping_mul(key(p.index() as u64));
    effect.iter().map(scattered).fold(hash, u64::wrapping_add)
}

/// Scatters the numbers of places over 64 bits.
fn key(place: u64) -> u64 {
    let z = (place + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (z ^ (z >> 27)) | 1
}

/// The marking at the end of a run; `None` if it cannot be taken.
fn end(net: &Net, run: &[NetTransitionId]) -> Option<Vec<u64>> {
    let mut tokens = net.initial_marking();
    for &t in run {
        for &(p, weight) in net.pre(t) {
            tokens[p.index()] = tokens[p.index()].checked_sub(weight.into())?;
        }
        for &(p, weight) in net.post(t) {
            tokens[p.index()] = tokens[p.index()].checked_add(weight.into())?;
        }
    }
    Some(tokens)
}
