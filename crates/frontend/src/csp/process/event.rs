//! Events, sets of events and relations between events, by number.

use std::rc::Rc;

/// An event, an internal step or a termination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Event(pub(crate) u32);

/// An internal step.
pub(crate) const TAU: Event = Event(0);
/// Successful termination.
pub(crate) const TICK: Event = Event(1);
/// Of a component that has terminated: its part in the termination of the whole.
pub(crate) const DONE: Event = Event(2);
/// The first number that is free for the events of a script.
pub(super) const FIRST: u32 = 3;

/// A set of events of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SetId(pub(super) u32);

/// A relation between events of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RelationId(pub(super) u32);

/// A finite set of events.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EventSet(Rc<[Event]>);

impl EventSet {
    /// The set of these events.
    pub(crate) fn new(mut events: Vec<Event>) -> Self {
        events.sort_unstable();
        events.dedup();
        Self(events.into())
    }

    /// Whether an event is in it.
    pub(crate) fn contains(&self, event: Event) -> bool {
        self.0.binary_search(&event).is_ok()
    }

    /// Its events, in increasing order.
    pub(crate) fn events(&self) -> &[Event] {
        &self.0
    }
}

/// What events are renamed to. Events that it does not mention keep their names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Relation(Rc<[(Event, Event)]>);

impl Relation {
    /// The relation with these pairs.
    pub(crate) fn new(mut pairs: Vec<(Event, Event)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        Self(pairs.into())
    }

    /// Its pairs, in increasing order.
    pub(crate) fn pairs(&self) -> &[(Event, Event)] {
        &self.0
    }

    /// What an event becomes: itself unless the relation mentions it.
    pub(crate) fn images(&self, event: Event) -> impl Iterator<Item = Event> + '_ {
        let start = self.0.partition_point(|p| p.0 < event);
        let length = self.0[start..].partition_point(|p| p.0 == event);
        let itself = (length == 0).then_some(event);
        self.0[start..start + length].iter().map(|p| p.1).chain(itself)
    }
}
