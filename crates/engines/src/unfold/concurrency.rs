//! Which events and conditions can be there together.
//!
//! A condition is concurrent with an event if neither comes before the other and nothing below them competes for a
//! token. There are two ways for this to be so: the event that made the condition is concurrent with the other event;
//! or it is below the other event, whose local configuration leaves the condition unused. So it is enough to keep which
//! *events* are concurrent, which takes about a ninth of the memory of the relation between conditions, and which events
//! leave a condition. Cut-offs are not part of it: nothing is added behind them.

use super::ids::{ConditionId, EventId};
use super::prefix::Prefix;
use super::tally::Tally;

#[derive(Debug, Default)]
pub(super) struct Concurrency {
    /// Of each event, the events concurrent with it, in increasing order.
    events: Vec<Vec<EventId>>,
    /// Of each condition, the events above its producer whose local configurations leave it, in increasing order.
    left: Vec<Vec<EventId>>,
    tally: Tally,
    items: u64,
}

impl Concurrency {
    /// The initial conditions are all there together.
    pub(super) fn start(&mut self, prefix: &Prefix) {
        self.left.resize_with(prefix.conditions(), Vec::new);
    }

    /// Takes an event, and the conditions that its local configuration leaves apart from its own.
    pub(super) fn insert(&mut self, prefix: &Prefix, event: EventId, left: &[ConditionId]) {
        self.events.resize_with(event.index() + 1, Vec::new);
        self.left.resize_with(prefix.conditions(), Vec::new);
        let concurrent = self.common(prefix, prefix.preset(event));
        concurrent.iter().for_each(|other| self.events[other.index()].push(event));
        left.iter().for_each(|condition| self.left[condition.index()].push(event));
        self.items += (2 * concurrent.len() + left.len()) as u64;
        self.events[event.index()] = concurrent;
    }

    /// The events concurrent with one that was taken.
    pub(super) fn with(&self, event: EventId) -> &[EventId] {
        &self.events[event.index()]
    }

    /// Whether two conditions can be there together.
    pub(super) fn are_concurrent(&self, prefix: &Prefix, a: ConditionId, b: ConditionId) -> bool {
        let (old, new) = if a < b { (a, b) } else { (b, a) };
        let (below, above) = (prefix.producer(old), prefix.producer(new));
        let Some(above) = above.filter(|_| below != above) else { return true };
        below.is_some_and(|below| self.events[below.index()].binary_search(&above).is_ok())
            || self.left[old.index()].binary_search(&above).is_ok()
    }

    /// The events that are concurrent with all conditions of a preset.
    fn common(&mut self, prefix: &Prefix, preset: &[ConditionId]) -> Vec<EventId> {
        let Some((&last, others)) = preset.split_last() else { return Vec::new() };
        self.tally.begin(self.events.len());
        for &condition in others {
            self.tally.keep([made(&self.events, prefix, condition), &self.left[condition.index()]]);
        }
        self.tally.kept([made(&self.events, prefix, last), &self.left[last.index()]])
    }

    pub(super) fn bytes(&self) -> u64 {
        let headers = size_of::<Vec<EventId>>() * (self.events.capacity() + self.left.capacity());
        headers as u64 + 6 * self.items + self.tally.bytes()
    }
}

/// The events concurrent with the producer of a condition.
fn made<'a>(events: &'a [Vec<EventId>], prefix: &Prefix, condition: ConditionId) -> &'a [EventId] {
    prefix.producer(condition).map_or(&[], |producer| &events[producer.index()])
}
