//! A prefix of the contextual unfolding: events, conditions, and the histories of the events.
//!
//! Every history comes after those that it is made of. What nothing is added behind, a cut-off, has no enriched
//! conditions.

use std::collections::HashMap;
use std::ops::Range;

use model::views::{Net, NetTransitionId, PlaceId};

use super::arcs::{Arcs, Kinds};
use super::ids::{EnrichedId, HistoryId};
use crate::unfold::ids::{ConditionId, EventId};

/// Why nothing is added behind a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutOff {
    /// It leads back to the initial marking.
    Start,
    /// A smaller history leads to the same marking.
    History(HistoryId),
    /// The event changes nothing: it only reads.
    Idle,
}

/// An occurrence of a transition.
#[derive(Clone, Debug)]
struct Event {
    transition: NetTransitionId,
    preset: Box<[ConditionId]>,
    context: Box<[ConditionId]>,
    postset: Range<u32>,
    histories: Vec<HistoryId>,
    /// Whether one of them is no cut-off.
    goes_on: bool,
}

/// A history of an event.
#[derive(Clone, Debug)]
struct History {
    event: EventId,
    /// What it is made of: the histories of those who made what the event consumes or reads, and of those who read what
    /// it consumes.
    parents: Box<[HistoryId]>,
    /// For each condition of the preset, then of the context: the history that made it, with it.
    uses: Box<[EnrichedId]>,
    size: u32,
    depth: u32,
    cutoff: Option<CutOff>,
    enriched: Range<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Enriched {
    condition: ConditionId,
    history: Option<HistoryId>,
    /// The generating one: itself, unless its event reads the condition.
    generating: EnrichedId,
}

/// A history that is about to be added.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewHistory<'a> {
    pub(super) transition: NetTransitionId,
    pub(super) uses: &'a [EnrichedId],
    pub(super) parents: &'a [HistoryId],
    pub(super) size: u32,
    pub(super) cutoff: Option<CutOff>,
}

/// A prefix.
#[derive(Clone, Debug)]
pub struct ContextualPrefix {
    initial: u32,
    places: Vec<PlaceId>,
    producers: Vec<Option<EventId>>,
    events: Vec<Event>,
    /// By transition and what is used, the preset first.
    by_arcs: HashMap<(NetTransitionId, Box<[ConditionId]>), EventId>,
    histories: Vec<History>,
    enriched: Vec<Enriched>,
    /// Of each generating enriched condition, the reading ones.
    readings: Vec<Vec<EnrichedId>>,
    cutoffs: usize,
    bytes: u64,
}

impl ContextualPrefix {
    /// The initial conditions of a net whose initial marking is safe.
    pub(super) fn new(net: &Net) -> Self {
        let places: Vec<PlaceId> = net.place_ids().filter(|&p| net.place(p).initial > 0).collect();
        let start = |i| Enriched { condition: ConditionId::new(i), history: None, generating: EnrichedId::new(i) };
        Self {
            initial: ConditionId::new(places.len()).0,
            producers: vec![None; places.len()],
            events: Vec::new(),
            by_arcs: HashMap::new(),
            histories: Vec::new(),
            enriched: (0..places.len()).map(start).collect(),
            readings: vec![Vec::new(); places.len()],
            places,
            cutoffs: 0,
            bytes: 0,
        }
    }

    /// Adds a history, with its event if that is new.
    pub(super) fn add(&mut self, arcs: &Arcs, new: NewHistory<'_>) -> HistoryId {
        let history = HistoryId::new(self.histories.len());
        let event = self.event(arcs.of(new.transition), new);
        self.events[event.index()].histories.push(history);
        let depth = new.parents.iter().map(|&h| self.depth(h)).max().unwrap_or(0) + 1;
        let first = EnrichedId::new(self.enriched.len()).0;
        if new.cutoff.is_none() {
            self.events[event.index()].goes_on = true;
            self.enrich(event, history, new);
        }
        self.cutoffs += usize::from(new.cutoff.is_some());
        self.bytes += (size_of::<History>() + 4 * (new.parents.len() + new.uses.len() + 1)) as u64;
        self.histories.push(History {
            event,
            parents: new.parents.into(),
            uses: new.uses.into(),
            size: new.size,
            depth,
            cutoff: new.cutoff,
            enriched: first..EnrichedId::new(self.enriched.len()).0,
        });
        history
    }

    /// Whether there is an event that uses the conditions of some enriched ones.
    pub(super) fn has_event(&self, transition: NetTransitionId, uses: &[EnrichedId]) -> bool {
        self.by_arcs.contains_key(&(transition, self.conditions_of(uses)))
    }

    fn conditions_of(&self, uses: &[EnrichedId]) -> Box<[ConditionId]> {
        uses.iter().map(|&e| self.condition(e)).collect()
    }

    /// The event of a new history.
    fn event(&mut self, kinds: &Kinds, new: NewHistory<'_>) -> EventId {
        let used = self.conditions_of(new.uses);
        if let Some(&known) = self.by_arcs.get(&(new.transition, used.clone())) {
            return known;
        }
        let event = EventId::new(self.events.len());
        let (preset, context) = used.split_at(kinds.consumed.len());
        let first = ConditionId::new(self.places.len()).0;
        self.places.extend_from_slice(&kinds.produced);
        self.producers.resize(self.places.len(), Some(event));
        self.events.push(Event {
            transition: new.transition,
            preset: preset.into(),
            context: context.into(),
            postset: first..ConditionId::new(self.places.len()).0,
            histories: Vec::new(),
            goes_on: false,
        });
        let conditions = kinds.produced.len() * (size_of::<PlaceId>() + size_of::<Option<EventId>>());
        self.bytes += (size_of::<Event>() + 40 + 8 * used.len() + conditions) as u64;
        self.by_arcs.insert((new.transition, used), event);
        event
    }

    /// Adds the enriched conditions of a history: those that its event makes, then those that it reads.
    fn enrich(&mut self, event: EventId, history: HistoryId, new: NewHistory<'_>) {
        let Event { preset, postset, .. } = &self.events[event.index()];
        for condition in postset.clone().map(ConditionId) {
            let generating = EnrichedId::new(self.enriched.len());
            self.enriched.push(Enriched { condition, history: Some(history), generating });
        }
        for &generating in &new.uses[preset.len()..] {
            let condition = self.enriched[generating.index()].condition;
            let reading = EnrichedId::new(self.enriched.len());
            self.enriched.push(Enriched { condition, history: Some(history), generating });
            self.readings[generating.index()].push(reading);
        }
        let added = self.enriched.len() - self.readings.len();
        self.bytes += (added * (size_of::<Enriched>() + size_of::<Vec<EnrichedId>>() + 4)) as u64;
        self.readings.resize_with(self.enriched.len(), Vec::new);
    }

    /// How many events there are, those that only have cut-offs included.
    pub fn events(&self) -> usize {
        self.events.len()
    }

    /// How many conditions there are.
    pub fn conditions(&self) -> usize {
        self.places.len()
    }

    /// How many histories there are, cut-offs included.
    pub fn histories(&self) -> usize {
        self.histories.len()
    }

    /// How many histories are cut-offs.
    pub fn cutoffs(&self) -> usize {
        self.cutoffs
    }

    /// How many events have nothing but cut-offs.
    pub fn cutoff_events(&self) -> usize {
        self.event_ids().filter(|&e| self.is_cutoff(e)).count()
    }

    /// Whether an event has nothing but cut-offs.
    pub fn is_cutoff(&self, event: EventId) -> bool {
        !self.events[event.index()].goes_on
    }

    /// All events, in the order in which they were added.
    pub fn event_ids(&self) -> impl Iterator<Item = EventId> + use<> {
        (0..self.events()).map(EventId::new)
    }

    /// All conditions.
    pub fn condition_ids(&self) -> impl Iterator<Item = ConditionId> + use<> {
        (0..self.conditions()).map(ConditionId::new)
    }

    /// The conditions that are there from the start.
    pub fn initial(&self) -> impl Iterator<Item = ConditionId> + use<> {
        (0..self.initial).map(ConditionId)
    }

    /// All histories, in the order in which they were added.
    pub fn history_ids(&self) -> impl Iterator<Item = HistoryId> + use<> {
        (0..self.histories()).map(HistoryId::new)
    }

    /// The transition that an event is an occurrence of.
    #[inline]
    pub fn transition(&self, event: EventId) -> NetTransitionId {
        self.events[event.index()].transition
    }

    /// The place that a condition is a token on.
    #[inline]
    pub fn place(&self, condition: ConditionId) -> PlaceId {
        self.places[condition.index()]
    }

    /// The event that made a condition; `None` if it is there from the start.
    #[inline]
    pub fn producer(&self, condition: ConditionId) -> Option<EventId> {
        self.producers[condition.index()]
    }

    /// The conditions that an event uses up.
    #[inline]
    pub fn preset(&self, event: EventId) -> &[ConditionId] {
        &self.events[event.index()].preset
    }

    /// The conditions that an event reads.
    #[inline]
    pub fn context(&self, event: EventId) -> &[ConditionId] {
        &self.events[event.index()].context
    }

    /// The conditions that an event makes.
    #[inline]
    pub fn postset(&self, event: EventId) -> impl Iterator<Item = ConditionId> + use<> {
        self.events[event.index()].postset.clone().map(ConditionId)
    }

    /// The histories of an event.
    pub fn histories_of(&self, event: EventId) -> &[HistoryId] {
        &self.events[event.index()].histories
    }

    /// The event that a history leads to.
    #[inline]
    pub fn event_of(&self, history: HistoryId) -> EventId {
        self.histories[history.index()].event
    }

    /// The histories that a history is made of, apart from its event.
    #[inline]
    pub fn parents(&self, history: HistoryId) -> &[HistoryId] {
        &self.histories[history.index()].parents
    }

    /// For each condition of the preset of the event, then of its context: the generating enriched condition.
    #[inline]
    pub fn uses(&self, history: HistoryId) -> &[EnrichedId] {
        &self.histories[history.index()].uses
    }

    /// How many events a history has.
    #[inline]
    pub fn size(&self, history: HistoryId) -> u32 {
        self.histories[history.index()].size
    }

    /// The level of the event in the Foata normal form of every configuration in which it has this history.
    #[inline]
    pub fn depth(&self, history: HistoryId) -> u32 {
        self.histories[history.index()].depth
    }

    /// Why nothing is added behind a history, if it is a cut-off.
    #[inline]
    pub fn cutoff(&self, history: HistoryId) -> Option<CutOff> {
        self.histories[history.index()].cutoff
    }

    /// How many enriched conditions there are.
    pub(super) fn enriched(&self) -> usize {
        self.enriched.len()
    }

    /// The enriched conditions of a history: those that its event makes, then those that it reads.
    #[inline]
    pub(super) fn enriched_of(&self, history: HistoryId) -> impl Iterator<Item = EnrichedId> + use<> {
        self.histories[history.index()].enriched.clone().map(EnrichedId)
    }

    /// The enriched conditions that are there from the start.
    pub(super) fn enriched_initially(&self) -> impl Iterator<Item = EnrichedId> + use<> {
        (0..self.initial).map(EnrichedId)
    }

    /// The condition of an enriched one.
    #[inline]
    pub(super) fn condition(&self, enriched: EnrichedId) -> ConditionId {
        self.enriched[enriched.index()].condition
    }

    /// The history of an enriched condition; `None` if it is there from the start.
    #[inline]
    pub(super) fn history(&self, enriched: EnrichedId) -> Option<HistoryId> {
        self.enriched[enriched.index()].history
    }

    /// Whether an enriched condition has a history of the event that made it.
    #[inline]
    pub(super) fn is_generating(&self, enriched: EnrichedId) -> bool {
        self.enriched[enriched.index()].generating == enriched
    }

    /// The reading enriched conditions that belong to a generating one.
    #[inline]
    pub(super) fn readings(&self, generating: EnrichedId) -> &[EnrichedId] {
        &self.readings[generating.index()]
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}
