//! Builds a complete finite prefix of the contextual unfolding, history by history.
//!
//! Histories are added by size: an extension is larger than what it extends, so that all of one size are known before
//! the first of them is added. Only histories of one size and with one marking have to be put in order.

use std::collections::{BTreeMap, HashMap};

use evidence::{Budget, Reason};
use model::views::{Net, NetTransitionId};

use super::arcs::Arcs;
use super::concurrency::{Added, Concurrency};
use super::encoding::Encoding;
use super::extensions::{Extension, Extensions, New};
use super::ids::{EnrichedId, HistoryId};
use super::past::Past;
use super::prefix::{ContextualPrefix, CutOff, NewHistory};
use crate::net::Task;
use crate::unfold::Sizes;
use crate::unfold::configuration::Fingerprints;
use crate::unfold::order::{AdequateOrder, Key, Order, arrange};
use crate::unfold::questions::{Asking, Growing};
use crate::unfold::unfolder::{Stopped, effect};

/// Extensions are found, and histories added, in pieces of so many; then the limits are looked at.
const PIECE: u32 = 64;

/// An extension that waits to be added.
#[derive(Clone, Debug)]
struct Waiting {
    transition: NetTransitionId,
    uses: Box<[EnrichedId]>,
    readers: Box<[EnrichedId]>,
    /// Of the marking of the history.
    fingerprint: u64,
}

impl Waiting {
    /// The histories that it is made of.
    fn parents(&self, prefix: &ContextualPrefix) -> Vec<HistoryId> {
        parents(prefix, &self.uses, &self.readers)
    }

    fn bytes(&self) -> u64 {
        (size_of::<Self>() + size_of_val(&*self.uses) + size_of_val(&*self.readers) + 16) as u64
    }
}

fn parents(prefix: &ContextualPrefix, uses: &[EnrichedId], readers: &[EnrichedId]) -> Vec<HistoryId> {
    let mut parents: Vec<HistoryId> = uses.iter().chain(readers).filter_map(|&e| prefix.history(e)).collect();
    parents.sort_unstable();
    parents.dedup();
    parents
}

/// A prefix that grows until it is complete.
#[derive(Debug)]
pub(in crate::unfold) struct Unfolder<'a> {
    net: &'a Net,
    arcs: Arcs,
    order: Order,
    prefix: ContextualPrefix,
    concurrency: Concurrency,
    extensions: Extensions,
    past: Past,
    fingerprints: Fingerprints,
    /// By size.
    waiting: BTreeMap<u32, Vec<Waiting>>,
    waiting_bytes: u64,
    /// By the fingerprint of the marking, and a number for each further marking with the same one.
    known: HashMap<(u64, u32), CutOff>,
    #[cfg(test)]
    pub(super) planted: Option<Planted>,
}

/// Bugs for tests to find.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Planted {
    /// The largest histories are added first, and whoever has a marking first cuts off the others.
    LargestFirst,
    /// Histories have only those readers that they cannot do without.
    NoReaders,
    /// Who has read a condition can be there with any history that consumes it.
    ReadersForgotten,
}

impl<'a> Unfolder<'a> {
    pub(in crate::unfold) fn new(net: &'a Net, order: AdequateOrder, budget: &Budget) -> Result<Self, Stopped> {
        if let Some(p) = net.place_ids().find(|&p| net.place(p).initial > 1) {
            return Err(Stopped::NotSafe(p));
        }
        let mut unfolder = Self {
            net,
            arcs: Arcs::new(net),
            order: order.into(),
            prefix: ContextualPrefix::new(net),
            concurrency: Concurrency::default(),
            extensions: Extensions::new(net.places().len()),
            past: Past::default(),
            fingerprints: Fingerprints::new(net),
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            known: HashMap::from([((0, 0), CutOff::Start)]),
            #[cfg(test)]
            planted: None,
        };
        unfolder.concurrency.start(&unfolder.prefix);
        unfolder.springs()?;
        unfolder.extend(None, &[], budget)?;
        Ok(unfolder)
    }

    /// Adds the transitions that need nothing: no extension finds them.
    fn springs(&mut self) -> Result<(), Stopped> {
        for t in self.net.transition_ids().filter(|&t| self.net.pre(t).is_empty()) {
            if let Some(p) = self.arcs.of(t).floods {
                return Err(Stopped::NotSafe(p));
            }
            let new = NewHistory { transition: t, uses: &[], parents: &[], size: 1, cutoff: Some(CutOff::Idle) };
            self.prefix.add(&self.arcs, new);
        }
        Ok(())
    }

    pub(super) fn into_prefix(self) -> ContextualPrefix {
        self.prefix
    }

    /// All extensions of the next size.
    fn next(&mut self) -> Option<(u32, Vec<Waiting>)> {
        #[cfg(test)]
        if self.planted == Some(Planted::LargestFirst) {
            return self.waiting.pop_last();
        }
        self.waiting.pop_first()
    }

    fn key_of(&mut self, waiting: &Waiting) -> Key {
        let parents = waiting.parents(&self.prefix);
        self.key(waiting.transition, &parents)
    }

    /// What the order looks at in a history, whether it is in the prefix or not.
    fn key(&mut self, t: NetTransitionId, parents: &[HistoryId]) -> Key {
        let prefix = &self.prefix;
        let below = self.past.below(prefix, parents);
        let mut members: Vec<(u32, NetTransitionId)> =
            below.iter().map(|&h| (prefix.depth(h), prefix.transition(prefix.event_of(h)))).collect();
        let level = members.iter().map(|&(depth, _)| depth).max().unwrap_or(0) + 1;
        members.push((level, t));
        Key::of(members, self.order)
    }

    fn add(&mut self, size: u32, new: &Waiting, budget: &Budget) -> Result<(), Stopped> {
        let parents = new.parents(&self.prefix);
        let known = self.same_marking(new, &parents);
        let cutoff = known.ok().filter(|&cutoff| self.is_smaller(cutoff, size, new));
        let added = NewHistory { transition: new.transition, uses: &new.uses, parents: &parents, size, cutoff };
        let history = self.prefix.add(&self.arcs, added);
        if cutoff.is_some() {
            return Ok(());
        }
        if let Err(free) = known {
            self.known.insert((new.fingerprint, free), CutOff::History(history));
        }
        let left = self.past.left(&self.prefix, history);
        let added = Added {
            history,
            uses: &new.uses,
            readers: &new.readers,
            left: &left,
            #[cfg(test)]
            forget_readers: self.planted == Some(Planted::ReadersForgotten),
        };
        self.concurrency.insert(&self.prefix, &self.past, added);
        self.extend(Some(history), &left, budget)
    }

    /// Who is known to have the same marking; if nobody, the number to be known by.
    fn same_marking(&mut self, new: &Waiting, parents: &[HistoryId]) -> Result<CutOff, u32> {
        for number in 0.. {
            let Some(&cutoff) = self.known.get(&(new.fingerprint, number)) else { return Err(number) };
            if self.markings_equal(cutoff, new.transition, parents) {
                return Ok(cutoff);
            }
        }
        unreachable!("some number is free")
    }

    /// Whether the histories have the same effect.
    fn markings_equal(&mut self, cutoff: CutOff, t: NetTransitionId, parents: &[HistoryId]) -> bool {
        let prefix = &self.prefix;
        let transition = |h: HistoryId| prefix.transition(prefix.event_of(h));
        let mut occurrences = vec![(t, 1)];
        occurrences.extend(self.past.below(prefix, parents).iter().map(|&h| (transition(h), 1)));
        if let CutOff::History(other) = cutoff {
            occurrences.extend(self.past.below(prefix, &[other]).iter().map(|&h| (transition(h), -1)));
        }
        effect(self.net, occurrences).is_empty()
    }

    /// Whether the order puts what is known strictly before a new history.
    fn is_smaller(&mut self, cutoff: CutOff, size: u32, new: &Waiting) -> bool {
        let CutOff::History(known) = cutoff else { return true };
        #[cfg(test)]
        if self.planted == Some(Planted::LargestFirst) {
            return true;
        }
        if self.prefix.size(known) != size {
            return self.prefix.size(known) < size;
        }
        let (t, parents) = (self.prefix.transition(self.prefix.event_of(known)), self.prefix.parents(known).to_vec());
        let theirs = self.key(t, &parents);
        theirs.compare(&self.key_of(new), self.order).is_lt()
    }

    /// Finds what the enriched conditions of a new history, or the initial ones, make possible.
    fn extend(&mut self, history: Option<HistoryId>, left: &[EnrichedId], budget: &Budget) -> Result<(), Stopped> {
        let mut idle: Vec<(NetTransitionId, Box<[EnrichedId]>)> = Vec::new();
        let used = self.bytes() - self.waiting_bytes;
        let (arcs, prefix, past, fingerprints) = (&self.arcs, &self.prefix, &mut self.past, &self.fingerprints);
        let (waiting, bytes) = (&mut self.waiting, &mut self.waiting_bytes);
        #[cfg(test)]
        let planted = self.planted;
        let mut count = 0;
        let mut found = |extension: Extension<'_>| {
            let Extension { transition, uses, readers } = extension;
            count += 1;
            if u32::is_multiple_of(count, PIECE) {
                budget.check(used + *bytes).map_err(Stopped::Limit)?;
            }
            if let Some(p) = arcs.of(transition).floods {
                return Err(Stopped::NotSafe(p));
            }
            if arcs.of(transition).is_idle() {
                idle.extend((!prefix.has_event(transition, uses)).then(|| (transition, uses.into())));
                return Ok(());
            }
            #[cfg(test)]
            if planted == Some(Planted::NoReaders) && !readers.is_empty() {
                return Ok(());
            }
            let below = past.below(prefix, &parents(prefix, uses, readers));
            let of = |h: HistoryId| fingerprints.effect(prefix.transition(prefix.event_of(h)));
            let sum = |sum: u64, &h: &HistoryId| sum.wrapping_add(of(h));
            let fingerprint = below.iter().fold(fingerprints.effect(transition), sum);
            let size = below.len() as u32 + 1;
            let new = Waiting { transition, uses: uses.into(), readers: readers.into(), fingerprint };
            *bytes += new.bytes();
            waiting.entry(size).or_default().push(new);
            Ok(())
        };
        self.extensions.find((arcs, prefix, &self.concurrency), New { history, left }, &mut found)?;
        idle.into_iter().for_each(|(t, uses)| self.add_idle(t, &uses));
        self.extensions.crowded().map_or(Ok(()), |p| Err(Stopped::NotSafe(p)))
    }

    /// Adds an event that changes nothing, if it is not there: one history of it shows that it can occur, and no other
    /// history needs it.
    fn add_idle(&mut self, transition: NetTransitionId, uses: &[EnrichedId]) {
        if !self.prefix.has_event(transition, uses) {
            let parents = parents(&self.prefix, uses, &[]);
            let size = self.past.below(&self.prefix, &parents).len() as u32 + 1;
            let new = NewHistory { transition, uses, parents: &parents, size, cutoff: Some(CutOff::Idle) };
            self.prefix.add(&self.arcs, new);
        }
    }

    fn bytes(&self) -> u64 {
        let known = 24 * self.known.capacity() as u64;
        self.prefix.bytes() + self.concurrency.bytes() + self.past.bytes() + self.waiting_bytes + known
    }
}

impl Growing for Unfolder<'_> {
    /// Adds all histories of the next size.
    fn grow(&mut self, budget: &Budget) -> Result<bool, Stopped> {
        let Some((size, mut batch)) = self.next() else { return Ok(false) };
        // Where the marking is known already, the order decides nothing.
        arrange(
            &mut batch,
            self.order,
            |waiting| waiting.fingerprint,
            |waiting| {
                let known = self.known.contains_key(&(waiting.fingerprint, 0));
                (!known).then(|| self.key_of(waiting))
            },
        );
        for (i, waiting) in batch.iter().enumerate() {
            if (i as u32).is_multiple_of(PIECE) {
                budget.check(self.bytes()).map_err(Stopped::Limit)?;
            }
            self.waiting_bytes -= waiting.bytes();
            self.add(size, waiting, budget)?;
        }
        Ok(true)
    }

    fn sizes(&self) -> Sizes {
        let prefix = &self.prefix;
        let (events, conditions) = (prefix.events(), prefix.conditions());
        let (histories, cutoffs, bytes) = (prefix.histories(), prefix.cutoffs(), self.bytes());
        Sizes { events, conditions, histories, cutoffs, complete: false, bytes }
    }

    fn ask(&self, task: &Task<'_>, complete: bool) -> Result<(), Reason> {
        let needed = |w: &Waiting| w.uses.iter().map(|&e| self.prefix.condition(e)).collect();
        let waiting = self.waiting.values().flatten().map(needed).collect();
        Asking { task, encoding: Encoding::new(task.net, &self.prefix, waiting), used: self.bytes(), complete }.ask()
    }
}
