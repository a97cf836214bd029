//! A prefix of the unfolding of a net: events and conditions, each with the transition or place that it is a copy of.
//!
//! Every event comes after those that it depends on. The conditions that an event makes have consecutive numbers, after
//! the initial ones; a place that gets several tokens has several conditions.

use std::ops::Range;

use model::views::{Net, NetTransitionId, PlaceId};

use super::ids::{ConditionId, EventId};

/// Why nothing is added behind an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Companion {
    /// Its local configuration leads back to the initial marking.
    Start,
    /// A smaller local configuration leads to the same marking.
    Event(EventId),
}

/// A prefix.
#[derive(Clone, Debug)]
pub struct Prefix {
    initial: u32,
    places: Vec<PlaceId>,
    producers: Vec<Option<EventId>>,
    transitions: Vec<NetTransitionId>,
    presets: Vec<ConditionId>,
    /// Where the preset of each event ends.
    preset_ends: Vec<u32>,
    /// Where the postset of each event ends, among all conditions.
    postset_ends: Vec<u32>,
    /// How many events the local configuration of each event has.
    sizes: Vec<u32>,
    /// How many events the longest chain of causes has, the event included.
    depths: Vec<u32>,
    companions: Vec<Option<Companion>>,
    cutoffs: usize,
}

impl Prefix {
    /// The initial conditions.
    pub(super) fn new(net: &Net) -> Self {
        let tokens = |p: PlaceId| std::iter::repeat_n(p, net.place(p).initial as usize);
        let places: Vec<PlaceId> = net.place_ids().flat_map(tokens).collect();
        Self {
            initial: u32::try_from(places.len()).expect("fewer than 2^32 initial tokens"),
            producers: vec![None; places.len()],
            places,
            transitions: Vec::new(),
            presets: Vec::new(),
            preset_ends: Vec::new(),
            postset_ends: Vec::new(),
            sizes: Vec::new(),
            depths: Vec::new(),
            companions: Vec::new(),
            cutoffs: 0,
        }
    }

    /// Adds an event and the conditions that it makes.
    pub(super) fn add(
        &mut self,
        net: &Net,
        transition: NetTransitionId,
        preset: &[ConditionId],
        size: u32,
        companion: Option<Companion>,
    ) -> EventId {
        let event = EventId::new(self.transitions.len());
        let depth = preset.iter().filter_map(|&c| self.producer(c)).map(|f| self.depth(f)).max().unwrap_or(0) + 1;
        self.transitions.push(transition);
        self.presets.extend_from_slice(preset);
        self.preset_ends.push(u32::try_from(self.presets.len()).expect("fewer than 2^32 arcs"));
        for &(p, weight) in net.post(transition) {
            self.places.extend(std::iter::repeat_n(p, weight as usize));
        }
        self.producers.resize(self.places.len(), Some(event));
        self.postset_ends.push(u32::try_from(self.places.len()).expect("fewer than 2^32 conditions"));
        self.sizes.push(size);
        self.depths.push(depth);
        self.companions.push(companion);
        self.cutoffs += usize::from(companion.is_some());
        event
    }

    /// How many events there are, cut-offs included.
    pub fn events(&self) -> usize {
        self.transitions.len()
    }

    /// How many conditions there are, those behind cut-offs included.
    pub fn conditions(&self) -> usize {
        self.places.len()
    }

    /// How many events are cut-offs.
    pub fn cutoffs(&self) -> usize {
        self.cutoffs
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

    /// The transition that an event is an occurrence of.
    #[inline]
    pub fn transition(&self, event: EventId) -> NetTransitionId {
        self.transitions[event.index()]
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
        let start = event.index().checked_sub(1).map_or(0, |before| self.preset_ends[before]);
        &self.presets[start as usize..self.preset_ends[event.index()] as usize]
    }

    /// The conditions that an event makes.
    #[inline]
    pub fn postset(&self, event: EventId) -> impl Iterator<Item = ConditionId> + use<> {
        self.postset_range(event).map(ConditionId)
    }

    #[inline]
    pub(super) fn postset_range(&self, event: EventId) -> Range<u32> {
        let start = event.index().checked_sub(1).map_or(self.initial, |before| self.postset_ends[before]);
        start..self.postset_ends[event.index()]
    }

    /// How many events must occur for this one to occur, itself included.
    #[inline]
    pub fn size(&self, event: EventId) -> u32 {
        self.sizes[event.index()]
    }

    /// The level of an event in the Foata normal form of every configuration that has it.
    #[inline]
    pub fn depth(&self, event: EventId) -> u32 {
        self.depths[event.index()]
    }

    /// Why nothing is added behind an event, if it is a cut-off.
    #[inline]
    pub fn companion(&self, event: EventId) -> Option<Companion> {
        self.companions[event.index()]
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> u64 {
        let events = self.transitions.capacity() * (4 + 4 + 4 + 4 + 4 + size_of::<Option<Companion>>());
        let conditions = self.places.capacity() * (4 + size_of::<Option<EventId>>());
        (events + conditions + 4 * self.presets.capacity()) as u64
    }
}
