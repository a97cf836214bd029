//! What both orders of searching share: the current marking, what is fired in it, and the deadlocks found.

use std::collections::HashSet;

use evidence::{Budget, Reason};
use model::views::{Marking, Net, NetTransitionId};

use super::forever::Forever;
use super::occurrences::{Cut, Occurrences};
use super::{Choice, End, StubbornPrefix, StubbornUnfolding, Until};
use crate::tokens::live::Live;
use crate::tokens::stubborn::{Scapegoats, Stubborn};
use crate::tokens::wiring::Wiring;
use crate::unfold::prepared::Prepared;
use crate::unfold::unfolder::Stopped;
use crate::unfold::{ConditionId, EventId};

#[derive(Debug)]
pub(super) struct Search<'a> {
    pub(super) wiring: &'a Wiring<'a>,
    pub(super) live: Live,
    pub(super) occurrences: Occurrences<'a>,
    pub(super) budget: &'a Budget,
    sets: Stubborn<'a>,
    /// Of each place, whether tokens may stay there for good.
    ends: Vec<bool>,
    /// `None` if the construction is to be finished whatever is met.
    forever: Option<Forever<'a>>,
    options: StubbornUnfolding,
    dead: HashSet<Marking>,
    pub(super) deadlocks: Vec<Vec<NetTransitionId>>,
    pub(super) firings: u64,
    pub(super) markings: u64,
    #[cfg(test)]
    pub(super) planted: Option<Planted>,
}

/// Bugs for tests to find.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Planted {
    /// Depth-first search does not visit a marking twice.
    VisitedInDepth,
    /// Nothing is fired again that is in the prefix.
    SkipKnownEvents,
    /// Only the first transition of a stubborn set is fired.
    FireOne,
}

/// What came of firing a transition.
pub(super) enum Fired {
    /// Nothing is to be visited behind it; the marking is as before.
    CutOff,
    /// The event; the marking is the one after it.
    Event(EventId),
}

impl<'a> Search<'a> {
    pub(super) fn new(
        given: &Net,
        prepared: &'a Prepared<'a>,
        wiring: &'a Wiring<'a>,
        options: StubbornUnfolding,
        budget: &'a Budget,
    ) -> Result<Self, Stopped> {
        let net = &*prepared.net;
        let is_end = |p| prepared.origin(p).is_some_and(|p| given.place(p).end);
        Ok(Self {
            ends: net.place_ids().map(is_end).collect(),
            wiring,
            live: Live::new(wiring),
            occurrences: Occurrences::new(net, budget)?,
            budget,
            sets: Stubborn::new(net, Scapegoats::FewNewGivers),
            forever: (options.until != Until::End).then(|| Forever::new(net)),
            options,
            dead: HashSet::new(),
            deadlocks: Vec::new(),
            firings: 0,
            markings: 0,
            #[cfg(test)]
            planted: None,
        })
    }

    pub(super) fn bytes(&self) -> u64 {
        let dead = self.dead.len() * (64 + 8 * self.live.tokens().len());
        self.occurrences.bytes() + self.wiring.bytes() + self.live.bytes() + self.sets.bytes() + dead as u64
    }

    /// The transitions to fire in the current marking; none if nothing behind it is of interest.
    pub(super) fn choose(&mut self) -> Vec<NetTransitionId> {
        let mut out = Vec::new();
        if self.forever.as_mut().is_some_and(|forever| forever.holds(&self.live)) {
            return out;
        }
        let mut seeds = self.live.enabled().to_vec();
        seeds.sort_unstable();
        match self.options.choice {
            Choice::Cheap => self.sets.small(&seeds, &self.live, &mut out),
            Choice::Fewest => {
                let goes_on = || self.budget.check(0).is_ok();
                self.sets.fewest(&seeds, &self.live, goes_on, &mut out);
            }
        }
        out.sort_unstable();
        #[cfg(test)]
        if self.planted == Some(Planted::FireOne) {
            out.truncate(1);
        }
        out
    }

    /// Fires a transition in the current marking, which a configuration with this cut has.
    pub(super) fn fire(&mut self, t: NetTransitionId, cut: &[ConditionId]) -> Result<Fired, Stopped> {
        self.firings += 1;
        let (event, is_new) = self.occurrences.occur(t, cut, self.budget)?;
        if self.occurrences.is_cutoff(event) {
            return Ok(Fired::CutOff);
        }
        #[cfg(test)]
        if self.planted == Some(Planted::SkipKnownEvents) && !is_new {
            return Ok(Fired::CutOff);
        }
        if let Some(place) = is_new.then(|| self.occurrences.grows(event)).flatten() {
            return Err(Stopped::Unbounded(place));
        }
        let too_many = |_| Stopped::Limit(Reason::Unsupported("a place gets more tokens than can be counted".into()));
        self.live.fire(self.wiring, t, 1).map_err(too_many)?;
        self.live.fresh.clear();
        Ok(Fired::Event(event))
    }

    /// Counts the current marking. If it is dead, notes that this run leads to it, unless another is known; whether
    /// there is nothing left to search for.
    pub(super) fn arrive(&mut self, run: impl FnOnce() -> Vec<NetTransitionId>) -> bool {
        self.markings += 1;
        if !self.live.enabled().is_empty() || self.is_at_end() {
            return false;
        }
        if self.dead.insert(self.live.tokens().to_vec()) {
            self.deadlocks.push(run());
        }
        self.options.until == Until::FirstDeadlock
    }

    /// Whether there are tokens, and all where they may stay for good.
    fn is_at_end(&self) -> bool {
        let mut marked = self.ends.iter().zip(self.live.tokens()).filter(|(_, tokens)| **tokens > 0).peekable();
        marked.peek().is_some() && marked.all(|(&end, _)| end)
    }

    pub(super) fn result(self, end: End) -> StubbornPrefix {
        let bytes = self.bytes();
        let Self { occurrences, deadlocks, firings, markings, .. } = self;
        StubbornPrefix { prefix: occurrences.into_prefix(), deadlocks, firings, markings, end, bytes }
    }

    pub(super) fn after(&self, cut: &[ConditionId], event: EventId) -> Cut {
        self.occurrences.after(cut, event)
    }
}
