//! Possible extensions: histories that the enriched conditions of a new one make possible.
//!
//! A history of an event is made of a generating enriched condition for each place that the transition consumes or
//! reads, and of some reading ones for the conditions that it consumes: of those who have read them before. All of these
//! can be there together, the readers are pairwise concurrent, and none is part of the history of what else is used. So
//! each history is found in one way only: the readers are the last ones that are not part of it anyhow.
//!
//! Each is found when the last thing that it is made of is added. In a safe net the new enriched conditions are the only
//! ones of their places that can be there with the new history, and so are those that it reads: there is no choice
//! for these places. If another one is met, the net is not safe.

use model::views::{NetTransitionId, PlaceId};

use super::arcs::Arcs;
use super::concurrency::Concurrency;
use super::ids::{EnrichedId, HistoryId};
use super::prefix::ContextualPrefix;

/// What is new: a history, or the initial conditions.
#[derive(Clone, Copy, Debug)]
pub(super) struct New<'a> {
    /// The history; `None` for the start.
    pub(super) history: Option<HistoryId>,
    /// The other enriched conditions that it leaves.
    pub(super) left: &'a [EnrichedId],
}

/// A possible extension.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extension<'a> {
    pub(super) transition: NetTransitionId,
    /// For each place that is consumed, then for each that is read, a generating enriched condition.
    pub(super) uses: &'a [EnrichedId],
    /// Of each further history that it is made of, an enriched condition.
    pub(super) readers: &'a [EnrichedId],
}

/// Finds possible extensions; keeps its tables from one time to the next.
#[derive(Debug)]
pub(super) struct Extensions {
    /// Of each place that matters now, the generating enriched conditions that can be used.
    usable: Vec<Vec<EnrichedId>>,
    roles: Vec<Role>,
    places: Vec<PlaceId>,
    /// A place that was seen to have two tokens at the same time.
    crowded: Option<PlaceId>,
    transitions: Vec<NetTransitionId>,
    /// The places of the transition at hand, as positions among those that it needs; the least choice first.
    order: Vec<usize>,
    chosen: Vec<EnrichedId>,
    readers: Vec<EnrichedId>,
}

/// Why a place is looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Role {
    /// Its enriched conditions may be used.
    matters: bool,
    /// The new history puts a token on it, or reads it.
    is_new: bool,
}

impl Extensions {
    pub(super) fn new(places: usize) -> Self {
        Self {
            usable: vec![Vec::new(); places],
            roles: vec![Role::default(); places],
            places: Vec::new(),
            crowded: None,
            transitions: Vec::new(),
            order: Vec::new(),
            chosen: Vec::new(),
            readers: Vec::new(),
        }
    }

    /// Hands every extension that is made of something new to `found`, until that says stop. Nothing, if the net turns
    /// out not to be safe: see [`Extensions::crowded`].
    pub(super) fn find<E>(
        &mut self,
        (arcs, prefix, concurrency): (&Arcs, &ContextualPrefix, &Concurrency),
        new: New<'_>,
        found: &mut dyn FnMut(Extension<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.focus(arcs, prefix, new.history);
        self.gather(prefix, concurrency, new);
        if self.crowded.is_some() {
            return Ok(());
        }
        let transitions = std::mem::take(&mut self.transitions);
        let result = transitions.iter().try_for_each(|&t| {
            if !self.prepare(arcs, prefix, t) {
                return Ok(());
            }
            let consumed = arcs.of(t).consumed.len();
            let new = new.history;
            let mut search = Search { arcs, prefix, concurrency, new, extensions: self, found, t, consumed };
            search.choose(0)
        });
        self.transitions = transitions;
        self.forget();
        result
    }

    /// A place that was seen to have two tokens at the same time.
    pub(super) fn crowded(&self) -> Option<PlaceId> {
        self.crowded
    }

    /// Which transitions can be made possible, and which places they need: those that use what is made, and those that
    /// consume what is read.
    fn focus(&mut self, arcs: &Arcs, prefix: &ContextualPrefix, new: Option<HistoryId>) {
        for enriched in own(prefix, new) {
            let p = prefix.place(prefix.condition(enriched));
            self.roles[p.index()].is_new = true;
            self.places.push(p);
            self.transitions.extend(arcs.consumers(p));
            if prefix.is_generating(enriched) {
                self.transitions.extend(arcs.readers(p));
            }
        }
        self.transitions.sort_unstable();
        self.transitions.dedup();
        for p in self.transitions.iter().flat_map(|&t| arcs.of(t).needed()) {
            if !std::mem::replace(&mut self.roles[p.index()].matters, true) {
                self.places.push(p);
            }
        }
    }

    /// The generating enriched conditions that can be there with the new history.
    fn gather(&mut self, prefix: &ContextualPrefix, concurrency: &Concurrency, new: New<'_>) {
        own(prefix, new.history).for_each(|enriched| self.add(prefix, enriched));
        for &other in new.history.map_or(&[][..], |history| concurrency.with(history)) {
            prefix.enriched_of(other).for_each(|enriched| self.add(prefix, enriched));
        }
        new.left.iter().for_each(|&enriched| self.add(prefix, enriched));
    }

    #[inline]
    fn add(&mut self, prefix: &ContextualPrefix, enriched: EnrichedId) {
        if !prefix.is_generating(enriched) {
            return;
        }
        let p = prefix.place(prefix.condition(enriched));
        let role = self.roles[p.index()];
        if role.matters || role.is_new {
            if role.is_new && !self.usable[p.index()].is_empty() {
                self.crowded = Some(p);
            }
            self.usable[p.index()].push(enriched);
        }
    }

    fn forget(&mut self) {
        for p in self.places.drain(..) {
            self.roles[p.index()] = Role::default();
            self.usable[p.index()].clear();
        }
        self.transitions.clear();
    }

    /// Sets the choices of a transition up. Whether there are any for each place.
    fn prepare(&mut self, arcs: &Arcs, prefix: &ContextualPrefix, t: NetTransitionId) -> bool {
        let kinds = arcs.of(t);
        let choices = |p: PlaceId| self.usable[p.index()].len();
        if kinds.needed().any(|p| choices(p) == 0) {
            return false;
        }
        let by_choices: Vec<usize> = kinds.needed().map(choices).collect();
        self.order.clear();
        self.order.extend(0..by_choices.len());
        self.order.sort_by_key(|&position| by_choices[position]);
        self.chosen.clear();
        self.chosen.resize(by_choices.len(), EnrichedId::new(prefix.enriched()));
        self.readers.clear();
        true
    }
}

/// The enriched conditions of a history, or the initial ones.
fn own(prefix: &ContextualPrefix, history: Option<HistoryId>) -> impl Iterator<Item = EnrichedId> + use<> {
    let initial = history.is_none().then(|| prefix.enriched_initially()).into_iter().flatten();
    initial.chain(history.map(|history| prefix.enriched_of(history)).into_iter().flatten())
}

struct Search<'a, E> {
    arcs: &'a Arcs,
    prefix: &'a ContextualPrefix,
    concurrency: &'a Concurrency,
    new: Option<HistoryId>,
    extensions: &'a mut Extensions,
    found: &'a mut dyn FnMut(Extension<'_>) -> Result<(), E>,
    t: NetTransitionId,
    /// How many places the transition consumes.
    consumed: usize,
}

impl<E> Search<'_, E> {
    /// Chooses a generating enriched condition for a place and those after it.
    fn choose(&mut self, slot: usize) -> Result<(), E> {
        let Some(&position) = self.extensions.order.get(slot) else {
            return self.read();
        };
        let place = self.arcs.of(self.t).needed().nth(position).expect("positions are those of needed places");
        for next in 0..self.extensions.usable[place.index()].len() {
            let enriched = self.extensions.usable[place.index()][next];
            if self.fits(enriched, slot) {
                self.extensions.chosen[position] = enriched;
                self.choose(slot + 1)?;
            }
        }
        Ok(())
    }

    /// Whether an enriched condition can be there with all that are chosen; the new ones can be with all usable ones.
    fn fits(&self, enriched: EnrichedId, slot: usize) -> bool {
        let (prefix, extensions) = (self.prefix, &*self.extensions);
        let is_new = |e: EnrichedId| self.new.is_some() && prefix.history(e) == self.new;
        let before = extensions.order[..slot].iter().map(|&position| extensions.chosen[position]);
        is_new(enriched) || before.into_iter().all(|e| is_new(e) || self.concurrency.are_together(prefix, e, enriched))
    }

    /// Chooses who has read what is consumed. If the new history makes nothing that is used, it is one of them.
    fn read(&mut self) -> Result<(), E> {
        let prefix = self.prefix;
        let uses_new = self.extensions.chosen.iter().any(|&e| prefix.history(e) == self.new);
        let mut candidates: Vec<EnrichedId> = Vec::new();
        let mut newest = None;
        for i in 0..self.consumed {
            for &reading in prefix.readings(self.extensions.chosen[i]) {
                let reader = prefix.history(reading).expect("readers are events");
                if Some(reader) == self.new {
                    newest = newest.or(Some(reading));
                } else if self.can_read(reader) && candidates.iter().all(|&e| prefix.history(e) != Some(reader)) {
                    candidates.push(reading);
                }
            }
        }
        self.extensions.readers.clear();
        if !uses_new {
            self.extensions.readers.push(newest.expect("the new history makes or reads something that is used"));
        }
        self.subsets(&candidates)
    }

    /// Whether a history can be there with all that are chosen and with the new one, and is in none of theirs.
    fn can_read(&self, reader: HistoryId) -> bool {
        let (prefix, concurrency) = (self.prefix, self.concurrency);
        let is_with = |&e: &EnrichedId| prefix.history(e) == self.new || concurrency.is_with(prefix, e, reader);
        self.new.is_some_and(|new| concurrency.are_concurrent(new, reader))
            && self.extensions.chosen.iter().all(is_with)
    }

    /// Every set of concurrent readers.
    fn subsets(&mut self, candidates: &[EnrichedId]) -> Result<(), E> {
        let Some((&first, others)) = candidates.split_first() else {
            let Extensions { chosen, readers, .. } = &*self.extensions;
            return (self.found)(Extension { transition: self.t, uses: chosen, readers });
        };
        self.subsets(others)?;
        let history = |e| self.prefix.history(e).expect("readers are events");
        let mut chosen = self.extensions.readers.iter();
        if chosen.all(|&e| self.concurrency.are_concurrent(history(e), history(first))) {
            self.extensions.readers.push(first);
            self.subsets(others)?;
            self.extensions.readers.pop();
        }
        Ok(())
    }
}
