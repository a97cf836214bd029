//! Which histories can be there together, and with which enriched conditions.
//!
//! Two histories are *concurrent* if neither is part of the other and their union is a configuration in which both are
//! what they are: nothing in one comes before something in the other (is its cause, or reads what it consumes) without
//! being in the other too. An enriched condition can be there *with* a history if its own history is concurrent with
//! that one, or part of it, and the condition is not used up. Histories that are pairwise so together make a
//! configuration: a cycle of asymmetric conflict would lie in one of them, since with each event it has the one before.

use super::ids::{EnrichedId, HistoryId};
use super::past::Past;
use super::prefix::ContextualPrefix;
use crate::unfold::tally::Tally;

#[derive(Debug, Default)]
pub(super) struct Concurrency {
    /// Of each history, those concurrent with it, in increasing order.
    histories: Vec<Vec<HistoryId>>,
    /// Of each enriched condition, the histories above its own that leave it, in increasing order.
    left: Vec<Vec<HistoryId>>,
    tally: Tally,
    items: u64,
}

/// A history with what it is made of, as it is added.
#[derive(Clone, Copy, Debug)]
pub(super) struct Added<'a> {
    pub(super) history: HistoryId,
    /// Enriched conditions that have all of its parents.
    pub(super) uses: &'a [EnrichedId],
    pub(super) readers: &'a [EnrichedId],
    /// The enriched conditions that it leaves, apart from its own.
    pub(super) left: &'a [EnrichedId],
    /// A bug for tests to find.
    #[cfg(test)]
    pub(super) forget_readers: bool,
}

impl Concurrency {
    /// The initial conditions are all there together.
    pub(super) fn start(&mut self, prefix: &ContextualPrefix) {
        self.left.resize_with(prefix.enriched(), Vec::new);
    }

    /// Takes a history; `past` has just walked down it.
    pub(super) fn insert(&mut self, prefix: &ContextualPrefix, past: &Past, new: Added<'_>) {
        self.histories.resize_with(new.history.index() + 1, Vec::new);
        self.left.resize_with(prefix.enriched(), Vec::new);
        self.exclude(prefix, past, new);
        let concurrent: Vec<HistoryId> =
            self.common(prefix, new).into_iter().filter(|&other| !past.has_met(other)).collect();
        concurrent.iter().for_each(|other| self.histories[other.index()].push(new.history));
        new.left.iter().for_each(|enriched| self.left[enriched.index()].push(new.history));
        self.items += (2 * concurrent.len() + new.left.len()) as u64;
        self.histories[new.history.index()] = concurrent;
    }

    /// The histories concurrent with one that was taken, in increasing order.
    #[inline]
    pub(super) fn with(&self, history: HistoryId) -> &[HistoryId] {
        &self.histories[history.index()]
    }

    /// Whether two histories are concurrent.
    #[inline]
    pub(super) fn are_concurrent(&self, a: HistoryId, b: HistoryId) -> bool {
        let rows = [(&self.histories[a.index()], b), (&self.histories[b.index()], a)];
        let (row, other) = rows.into_iter().min_by_key(|(row, _)| row.len()).expect("there are two rows");
        row.binary_search(&other).is_ok()
    }

    /// Whether a generating enriched condition can be there with a history that is not part of its own.
    #[inline]
    pub(super) fn is_with(&self, prefix: &ContextualPrefix, enriched: EnrichedId, history: HistoryId) -> bool {
        prefix.history(enriched).is_some_and(|own| self.are_concurrent(own, history))
            || self.left[enriched.index()].binary_search(&history).is_ok()
    }

    /// Whether two generating enriched conditions can be there together.
    #[inline]
    pub(super) fn are_together(&self, prefix: &ContextualPrefix, a: EnrichedId, b: EnrichedId) -> bool {
        let (old, new) = if a < b { (a, b) } else { (b, a) };
        let (below, above) = (prefix.history(old), prefix.history(new));
        above.filter(|_| below != above).is_none_or(|above| self.is_with(prefix, old, above))
    }

    /// Leaves out who has read, not within the new history, what its event consumes.
    fn exclude(&mut self, prefix: &ContextualPrefix, past: &Past, new: Added<'_>) {
        let consumed = prefix.preset(prefix.event_of(new.history)).len();
        self.tally.begin(new.history.index() + 1);
        #[cfg(test)]
        if new.forget_readers {
            return;
        }
        for &generating in &new.uses[..consumed] {
            for &reading in prefix.readings(generating) {
                let reader = prefix.history(reading).expect("readers are events");
                if !past.has_met(reader) {
                    self.tally.leave_out(reader);
                    self.left[reading.index()].iter().for_each(|&above| self.tally.leave_out(above));
                }
            }
        }
    }

    /// The histories that can be there with all enriched conditions that a new one is made of, but for those excluded.
    fn common(&mut self, prefix: &ContextualPrefix, new: Added<'_>) -> Vec<HistoryId> {
        let all: Vec<EnrichedId> = new.uses.iter().chain(new.readers).copied().collect();
        let Some((&last, others)) = all.split_last() else { return Vec::new() };
        for &enriched in others {
            self.tally.keep([made(&self.histories, prefix, enriched), &self.left[enriched.index()]]);
        }
        self.tally.kept([made(&self.histories, prefix, last), &self.left[last.index()]])
    }

    pub(super) fn bytes(&self) -> u64 {
        let headers = size_of::<Vec<HistoryId>>() * (self.histories.capacity() + self.left.capacity());
        headers as u64 + 6 * self.items + self.tally.bytes()
    }
}

/// The histories concurrent with that of an enriched condition.
fn made<'a>(histories: &'a [Vec<HistoryId>], prefix: &ContextualPrefix, enriched: EnrichedId) -> &'a [HistoryId] {
    prefix.history(enriched).map_or(&[], |own| &histories[own.index()])
}
