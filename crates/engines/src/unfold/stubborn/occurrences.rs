//! A prefix that gets the events that a search fires, each once.
//!
//! An event is known by the conditions that it uses up and its transition. It is a cut-off if, when it is added, a
//! strictly smaller local configuration with the same marking is known; that one may end in a cut-off itself.

use std::collections::HashMap;
use std::rc::Rc;

use evidence::Budget;
use model::views::{Net, NetTransitionId, PlaceId};

use crate::unfold::configuration::Causes;
use crate::unfold::unfolder::{Stopped, covers, effect};
use crate::unfold::{Companion, ConditionId, EventId, Prefix};

/// The conditions that a configuration leaves, by place, then in the order in which they were added.
pub(super) type Cut = Box<[ConditionId]>;

/// What a local configuration changes: stands for its marking.
type Effect = Rc<[(PlaceId, i64)]>;

#[derive(Debug)]
pub(super) struct Occurrences<'a> {
    net: &'a Net,
    prefix: Prefix,
    causes: Causes,
    /// By preset.
    events: HashMap<Box<[ConditionId]>, Vec<EventId>>,
    effects: Vec<Effect>,
    /// Of each marking, a smallest local configuration that has it.
    known: HashMap<Effect, Companion>,
    preset: Vec<ConditionId>,
    bytes: u64,
    #[cfg(test)]
    pub(super) cuts_off: CutsOff,
}

/// When a known local configuration with the same marking makes an event a cut-off: also when it must not.
#[cfg(test)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum CutsOff {
    /// If it is smaller.
    #[default]
    Smaller,
    /// If it is not larger.
    NotLarger,
    /// Always: the paper's hash table, read literally.
    Always,
}

/// Bytes of an event and of a condition, with their places in all tables.
const EVENT: u64 = 160;
const CONDITION: u64 = 16;

impl<'a> Occurrences<'a> {
    pub(super) fn new(net: &'a Net, budget: &Budget) -> Result<Self, Stopped> {
        let initial: u64 = net.places().iter().map(|p| u64::from(p.initial)).sum();
        budget.check_memory(CONDITION.saturating_mul(initial)).map_err(Stopped::Limit)?;
        let start: Effect = Rc::from([]);
        Ok(Self {
            net,
            prefix: Prefix::new(net),
            causes: Causes::default(),
            events: HashMap::new(),
            effects: Vec::new(),
            known: HashMap::from([(start, Companion::Start)]),
            preset: Vec::new(),
            bytes: CONDITION * initial,
            #[cfg(test)]
            cuts_off: CutsOff::Smaller,
        })
    }

    pub(super) fn into_prefix(self) -> Prefix {
        self.prefix
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes + self.causes.bytes()
    }

    pub(super) fn is_cutoff(&self, event: EventId) -> bool {
        self.prefix.companion(event).is_some()
    }

    /// The cut of the empty configuration: conditions are numbered by place.
    pub(super) fn start(&self) -> Cut {
        self.prefix.initial().collect()
    }

    /// The cut after an event.
    pub(super) fn after(&self, cut: &[ConditionId], event: EventId) -> Cut {
        let preset = self.prefix.preset(event);
        let stays = cut.iter().copied().filter(|c| !preset.contains(c));
        let mut next: Vec<ConditionId> = stays.chain(self.prefix.postset(event)).collect();
        next.sort_by_key(|&c| (self.prefix.place(c), c));
        next.into()
    }

    /// The event of a transition that the marking of a cut enables; whether it is new. Where a place has more tokens
    /// than the transition takes, the oldest are taken.
    pub(super) fn occur(
        &mut self,
        t: NetTransitionId,
        cut: &[ConditionId],
        budget: &Budget,
    ) -> Result<(EventId, bool), Stopped> {
        match self.known(t, cut) {
            Some(event) => Ok((event, false)),
            None => Ok((self.add(t, budget)?, true)),
        }
    }

    /// The event, if it is there; notes its preset.
    fn known(&mut self, t: NetTransitionId, cut: &[ConditionId]) -> Option<EventId> {
        self.preset.clear();
        for &(p, weight) in self.net.pre(t) {
            let first = cut.partition_point(|&c| self.prefix.place(c) < p);
            self.preset.extend_from_slice(&cut[first..first + weight as usize]);
        }
        let known = self.events.get(&self.preset[..]).into_iter().flatten();
        known.copied().find(|&e| self.prefix.transition(e) == t)
    }

    fn add(&mut self, t: NetTransitionId, budget: &Budget) -> Result<EventId, Stopped> {
        let made: u64 = self.net.post(t).iter().map(|&(_, weight)| u64::from(weight)).sum();
        let below = self.causes.below(&self.prefix, &self.preset);
        let size = below.len() as u32 + 1;
        let occurrences = below.iter().map(|&f| self.prefix.transition(f)).chain([t]).map(|t| (t, 1)).collect();
        let effect: Effect = effect(self.net, occurrences).into();
        self.bytes += EVENT + CONDITION * made + 8 * self.preset.len() as u64 + size_of_val(&*effect) as u64;
        budget.check(self.bytes()).map_err(Stopped::Limit)?;
        let known = self.known.get(&effect).copied();
        let companion = known.filter(|&companion| self.cuts_off(companion, size));
        let event = self.prefix.add(self.net, t, &self.preset, size, companion);
        if known.is_none_or(|known| size < self.size(known)) {
            self.known.insert(Rc::clone(&effect), Companion::Event(event));
        }
        self.events.entry(self.preset.as_slice().into()).or_default().push(event);
        self.effects.push(effect);
        Ok(event)
    }

    fn size(&self, companion: Companion) -> u32 {
        match companion {
            Companion::Start => 0,
            Companion::Event(event) => self.prefix.size(event),
        }
    }

    #[cfg(not(test))]
    fn cuts_off(&self, companion: Companion, size: u32) -> bool {
        self.size(companion) < size
    }

    #[cfg(test)]
    fn cuts_off(&self, companion: Companion, size: u32) -> bool {
        match self.cuts_off {
            CutsOff::Smaller => self.size(companion) < size,
            CutsOff::NotLarger => self.size(companion) <= size,
            CutsOff::Always => true,
        }
    }

    /// A place that grows without end, if the marking of a new event's local configuration covers that of a cause: what
    /// lies between them can be repeated. Every endless search is noticed: it takes an infinite run without cut-offs.
    /// Each event of it follows from a deepest cause, and each depth has finitely many events; so an infinite chain
    /// of deepest causes is in it, which has two markings of which the later covers the earlier (Dickson), and more and
    /// more tokens on a place. They differ, or the later event would be a cut-off.
    pub(super) fn grows(&self, event: EventId) -> Option<PlaceId> {
        let mine = &self.effects[event.index()];
        let is_crowded = |&(p, change): &(PlaceId, i64)| i64::from(self.net.place(p).initial) + change > 1;
        if !mine.iter().any(is_crowded) {
            return None;
        }
        let mut next = Some(event);
        while let Some(above) = next {
            let causes = self.prefix.preset(above).iter().filter_map(|&c| self.prefix.producer(c));
            next = causes.max_by_key(|&f| self.prefix.depth(f));
            let theirs: &[(PlaceId, i64)] = next.map_or(&[], |cause| &self.effects[cause.index()]);
            if let Some(place) = covers(mine, theirs) {
                return Some(place);
            }
        }
        None
    }
}
