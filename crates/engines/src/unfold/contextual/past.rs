//! What a history is made of, and what it leaves.

use super::ids::{EnrichedId, HistoryId};
use super::prefix::ContextualPrefix;

/// Walks down histories, with marks that last until the next walk.
#[derive(Debug, Default)]
pub(super) struct Past {
    round: u32,
    /// The last round that met each history.
    met: Vec<u32>,
    found: Vec<HistoryId>,
    /// The last round that found each condition used up.
    used: Vec<u32>,
}

impl Past {
    /// All histories within some, these included.
    pub(super) fn below(&mut self, prefix: &ContextualPrefix, histories: &[HistoryId]) -> &[HistoryId] {
        self.met.resize(prefix.histories(), 0);
        if self.round == u32::MAX {
            self.met.fill(0);
            self.used.fill(0);
            self.round = 0;
        }
        self.round += 1;
        self.found.clear();
        self.meet(histories);
        let mut next = 0;
        while let Some(&history) = self.found.get(next) {
            next += 1;
            self.meet(prefix.parents(history));
        }
        &self.found
    }

    #[inline]
    fn meet(&mut self, histories: &[HistoryId]) {
        for &history in histories {
            if std::mem::replace(&mut self.met[history.index()], self.round) != self.round {
                self.found.push(history);
            }
        }
    }

    /// Whether the last walk met a history.
    #[inline]
    pub(super) fn has_met(&self, history: HistoryId) -> bool {
        self.met[history.index()] == self.round
    }

    /// Walks down a history and gives the enriched conditions, apart from its own, that it leaves unused.
    pub(super) fn left(&mut self, prefix: &ContextualPrefix, history: HistoryId) -> Vec<EnrichedId> {
        self.below(prefix, prefix.parents(history));
        self.used.resize(prefix.conditions(), 0);
        for &f in self.found.iter().chain([&history]) {
            prefix.preset(prefix.event_of(f)).iter().for_each(|c| self.used[c.index()] = self.round);
        }
        let enriched = prefix.enriched_initially().chain(self.found.iter().flat_map(|&f| prefix.enriched_of(f)));
        enriched.filter(|&e| self.used[prefix.condition(e).index()] != self.round).collect()
    }

    pub(super) fn bytes(&self) -> u64 {
        4 * (self.met.capacity() + self.found.capacity() + self.used.capacity()) as u64
    }
}
