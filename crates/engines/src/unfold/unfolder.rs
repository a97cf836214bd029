//! Builds a complete finite prefix, event by event.
//!
//! Events are added by the size of their local configurations: an extension is larger than what it extends, so that all
//! of one size are known before the first of them is added. Only events of one size *and* with one marking have to be
//! put in order, which is why the order costs next to nothing.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use evidence::{Budget, Reason};
use model::views::{Net, NetTransitionId, PlaceId};

use super::concurrency::Concurrency;
use super::configuration::{Causes, Fingerprints};
use super::extensions::{Extensions, Finder, New};
use super::ids::{ConditionId, EventId};
use super::order::{Key, Order, arrange};
use super::prefix::{Companion, Prefix};

/// Extensions are found, and events added, in pieces of so many; then the limits are looked at.
const PIECE: u32 = 64;

/// The most tokens of the initial marking, and of what one transition makes.
const MOST_TOKENS: u64 = 1 << 22;

/// An extension that waits to be added.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) transition: NetTransitionId,
    pub(super) preset: Box<[ConditionId]>,
    /// Of the marking of its local configuration.
    fingerprint: u64,
}

/// A prefix that grows until it is complete.
#[derive(Debug)]
pub(super) struct Unfolder<'a> {
    net: &'a Net,
    order: Order,
    prefix: Prefix,
    concurrency: Concurrency,
    extensions: Extensions,
    causes: Causes,
    fingerprints: Fingerprints,
    /// By size.
    waiting: BTreeMap<u32, Vec<Waiting>>,
    /// By the fingerprint of the marking, and a number for each further marking with the same one.
    known: HashMap<(u64, u32), Companion>,
    used: Vec<u32>,
    round: u32,
    /// What the local configurations change, if the net is not safe.
    effects: HashMap<EventId, Effect>,
    effect_bytes: u64,
    waiting_bytes: u64,
    #[cfg(test)]
    pub(super) planted: Option<Planted>,
}

/// Bugs for tests to find.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Planted {
    /// Whoever has a marking first cuts off the others, whatever the order says.
    FirstComeFirst,
    /// What local configurations leave is not concurrent with their events.
    NothingLeft,
}

/// The places that are changed, and by how much, in increasing order.
type Effect = Rc<[(PlaceId, i64)]>;

/// Why there is no prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// A place can have two tokens at the same time, and the order is for safe nets.
    NotSafe(PlaceId),
    /// A place gets more and more tokens.
    Unbounded(PlaceId),
    /// A limit.
    Limit(Reason),
}

impl<'a> Unfolder<'a> {
    pub(super) fn new(net: &'a Net, order: Order, budget: &Budget) -> Result<Self, Stopped> {
        few_tokens(net).map_err(Stopped::Limit)?;
        let mut unfolder = Self {
            net,
            order,
            prefix: Prefix::new(net),
            concurrency: Concurrency::default(),
            extensions: Extensions::new(net),
            causes: Causes::default(),
            fingerprints: Fingerprints::new(net),
            waiting: BTreeMap::new(),
            known: HashMap::from([((0, 0), Companion::Start)]),
            used: Vec::new(),
            round: 0,
            effects: HashMap::new(),
            effect_bytes: 0,
            waiting_bytes: 0,
            #[cfg(test)]
            planted: None,
        };
        unfolder.concurrency.start(&unfolder.prefix);
        unfolder.extend(None, &[], budget)?;
        Ok(unfolder)
    }

    pub(super) fn prefix(&self) -> &Prefix {
        &self.prefix
    }

    pub(super) fn into_prefix(self) -> Prefix {
        self.prefix
    }

    /// Whether no marking of a configuration has two tokens on a place. All markings of configurations were looked at:
    /// two tokens are two concurrent conditions, and one of their producers was added after the other.
    pub(super) fn is_safe(&self) -> bool {
        self.extensions.crowded().is_none()
    }

    /// What could be added next: every extension of the prefix that is not behind a cut-off.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.waiting.values().flatten()
    }

    /// Adds all events of the next size. Whether there were any.
    pub(super) fn grow(&mut self, budget: &Budget) -> Result<bool, Stopped> {
        let Some((size, mut batch)) = self.waiting.pop_first() else { return Ok(false) };
        // Where the marking is known already, the order decides nothing.
        arrange(
            &mut batch,
            self.order,
            |waiting| waiting.fingerprint,
            |waiting| {
                let known = self.known.contains_key(&(waiting.fingerprint, 0));
                (!known).then(|| self.key(waiting.transition, &waiting.preset))
            },
        );
        for (i, waiting) in batch.iter().enumerate() {
            if (i as u32).is_multiple_of(PIECE) {
                budget.check(self.bytes()).map_err(Stopped::Limit)?;
            }
            self.waiting_bytes -= bytes_of(waiting);
            self.add(size, waiting, budget)?;
        }
        Ok(true)
    }

    fn key(&mut self, t: NetTransitionId, preset: &[ConditionId]) -> Key {
        Key::new(&self.prefix, &mut self.causes, self.order, (t, preset))
    }

    fn add(&mut self, size: u32, new: &Waiting, budget: &Budget) -> Result<(), Stopped> {
        let known = self.same_marking(new);
        let companion = known.ok().filter(|&companion| self.is_smaller(companion, size, new));
        let event = self.prefix.add(self.net, new.transition, &new.preset, size, companion);
        if companion.is_some() {
            return Ok(());
        }
        if let Err(free) = known {
            self.known.insert((new.fingerprint, free), Companion::Event(event));
        }
        let left = self.left(event);
        #[cfg(test)]
        let left = if self.planted == Some(Planted::NothingLeft) { Vec::new() } else { left };
        self.concurrency.insert(&self.prefix, event, &left);
        self.extend(Some(event), &left, budget)?;
        match self.grows(event) {
            Some(place) => Err(Stopped::Unbounded(place)),
            None => Ok(()),
        }
    }

    /// A place that grows without end, if the marking of an event covers that of one of its causes: what lies between
    /// them can be repeated. Of the causes one chain is enough, from each to its deepest: there are finitely many
    /// events of each depth, so an infinite unfolding has such a chain that is infinite, and on it are two markings of
    /// which the later covers the earlier (Dickson). They are not equal, or the later event would be a cut-off.
    fn grows(&mut self, event: EventId) -> Option<PlaceId> {
        self.extensions.crowded()?;
        let mine = self.effect(event);
        let mut next = Some(event);
        while let Some(above) = next {
            let deepest = self.prefix.preset(above).iter().filter_map(|&c| self.prefix.producer(c));
            next = deepest.max_by_key(|&f| self.prefix.depth(f));
            let theirs = next.map(|cause| self.effect(cause));
            if let Some(place) = covers(&mine, theirs.as_deref().unwrap_or_default()) {
                return Some(place);
            }
        }
        None
    }

    fn effect(&mut self, event: EventId) -> Effect {
        if let Some(known) = self.effects.get(&event) {
            return Rc::clone(known);
        }
        let below = self.causes.below(&self.prefix, self.prefix.preset(event));
        let occurrences = below.iter().chain([&event]).map(|&f| (self.prefix.transition(f), 1)).collect();
        let effect: Effect = effect(self.net, occurrences).into();
        self.effect_bytes += 64 + size_of_val(&*effect) as u64;
        self.effects.insert(event, Rc::clone(&effect));
        effect
    }

    /// Who is known to have the same marking; if nobody, the number to be known by.
    fn same_marking(&mut self, new: &Waiting) -> Result<Companion, u32> {
        for number in 0.. {
            let Some(&companion) = self.known.get(&(new.fingerprint, number)) else { return Err(number) };
            if self.markings_equal(companion, new) {
                return Ok(companion);
            }
        }
        unreachable!("some number is free")
    }

    /// Whether the local configurations have the same effect.
    fn markings_equal(&mut self, companion: Companion, new: &Waiting) -> bool {
        let mut occurrences: Vec<(NetTransitionId, i64)> = Vec::new();
        let mut count = |causes: &mut Causes, t: NetTransitionId, preset: &[ConditionId], by: i64| {
            let below = causes.below(&self.prefix, preset);
            occurrences.extend(below.iter().map(|&f| self.prefix.transition(f)).chain([t]).map(|t| (t, by)));
        };
        count(&mut self.causes, new.transition, &new.preset, 1);
        if let Companion::Event(event) = companion {
            count(&mut self.causes, self.prefix.transition(event), self.prefix.preset(event), -1);
        }
        effect(self.net, occurrences).is_empty()
    }

    /// Whether the order puts a companion strictly before an event.
    fn is_smaller(&mut self, companion: Companion, size: u32, new: &Waiting) -> bool {
        let Companion::Event(event) = companion else { return true };
        #[cfg(test)]
        if self.planted == Some(Planted::FirstComeFirst) {
            return true;
        }
        if self.prefix.size(event) != size {
            return self.prefix.size(event) < size;
        }
        let preset = self.prefix.preset(event).to_vec();
        let theirs = self.key(self.prefix.transition(event), &preset);
        theirs.compare(&self.key(new.transition, &new.preset), self.order).is_lt()
    }

    /// The conditions that the local configuration of an event leaves, apart from its own, if anybody could use them.
    fn left(&mut self, event: EventId) -> Vec<ConditionId> {
        if self.round == u32::MAX {
            self.used.fill(0);
            self.round = 0;
        }
        self.round += 1;
        self.used.resize(self.prefix.conditions(), 0);
        let preset = self.prefix.preset(event);
        let below = self.causes.below(&self.prefix, preset);
        for &condition in below.iter().flat_map(|&f| self.prefix.preset(f)).chain(preset) {
            self.used[condition.index()] = self.round;
        }
        let made = self.prefix.initial().chain(below.iter().flat_map(|&f| self.prefix.postset(f)));
        made.filter(|c| self.used[c.index()] != self.round).collect()
    }

    /// Finds what the conditions of a new event, or the initial ones, make possible.
    fn extend(&mut self, event: Option<EventId>, left: &[ConditionId], budget: &Budget) -> Result<(), Stopped> {
        let used = self.bytes() - self.waiting_bytes;
        let mut collector = Collector {
            prefix: &self.prefix,
            causes: &mut self.causes,
            fingerprints: &self.fingerprints,
            waiting: &mut self.waiting,
            waiting_bytes: &mut self.waiting_bytes,
            budget,
            used,
            count: 0,
        };
        self.extensions.find((self.net, &self.prefix, &self.concurrency), New { event, left }, &mut collector)?;
        match self.extensions.crowded().filter(|_| self.order.is_for_safe_nets()) {
            Some(place) => Err(Stopped::NotSafe(place)),
            None => Ok(()),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        let known = 24 * self.known.capacity() as u64;
        self.prefix.bytes()
            + self.concurrency.bytes()
            + self.causes.bytes()
            + self.effect_bytes
            + self.waiting_bytes
            + known
    }
}

/// Every token is a condition: nets that begin with very many of them, or make very many at once, are refused.
fn few_tokens(net: &Net) -> Result<(), Reason> {
    let initial: u64 = net.places().iter().map(|p| u64::from(p.initial)).sum();
    let made = |t| net.post(t).iter().map(|&(_, weight)| u64::from(weight)).sum::<u64>();
    match net.transition_ids().map(made).max().unwrap_or(0).max(initial) {
        most if most > MOST_TOKENS => Err(Reason::Unsupported(format!(
            "an unfolding has a condition for each token, and here are {most} at once"
        ))),
        _ => Ok(()),
    }
}

/// Puts extensions where they wait.
struct Collector<'a> {
    prefix: &'a Prefix,
    causes: &'a mut Causes,
    fingerprints: &'a Fingerprints,
    waiting: &'a mut BTreeMap<u32, Vec<Waiting>>,
    waiting_bytes: &'a mut u64,
    budget: &'a Budget,
    /// The bytes in use when the search began.
    used: u64,
    count: u32,
}

impl Finder for Collector<'_> {
    type Stop = Stopped;

    fn found(&mut self, transition: NetTransitionId, preset: &[ConditionId]) -> Result<(), Stopped> {
        self.count += 1;
        if self.count.is_multiple_of(PIECE) {
            self.goes_on()?;
        }
        let below = self.causes.below(self.prefix, preset);
        let sum = |sum: u64, &f: &EventId| sum.wrapping_add(self.fingerprints.effect(self.prefix.transition(f)));
        let fingerprint = below.iter().fold(self.fingerprints.effect(transition), sum);
        let size = below.len() as u32 + 1;
        let new = Waiting { transition, preset: preset.into(), fingerprint };
        *self.waiting_bytes += bytes_of(&new);
        self.waiting.entry(size).or_default().push(new);
        Ok(())
    }

    fn goes_on(&mut self) -> Result<(), Stopped> {
        self.budget.check(self.used + *self.waiting_bytes).map_err(Stopped::Limit)
    }
}

fn bytes_of(waiting: &Waiting) -> u64 {
    (size_of::<Waiting>() + size_of_val(&*waiting.preset) + 16) as u64
}

/// What occurrences, some of them counted backwards, change.
pub(super) fn effect(net: &Net, mut occurrences: Vec<(NetTransitionId, i64)>) -> Vec<(PlaceId, i64)> {
    occurrences.sort_unstable_by_key(|&(t, _)| t);
    let mut changes: BTreeMap<PlaceId, i64> = BTreeMap::new();
    for group in occurrences.chunk_by(|a, b| a.0 == b.0) {
        let times: i64 = group.iter().map(|&(_, by)| by).sum();
        if times != 0 {
            let t = group[0].0;
            net.pre(t).iter().for_each(|&(p, w)| *changes.entry(p).or_default() -= times * i64::from(w));
            net.post(t).iter().for_each(|&(p, w)| *changes.entry(p).or_default() += times * i64::from(w));
        }
    }
    changes.into_iter().filter(|&(_, change)| change != 0).collect()
}

/// A place where one effect is more than another, if it is nowhere less.
pub(super) fn covers(more: &[(PlaceId, i64)], less: &[(PlaceId, i64)]) -> Option<PlaceId> {
    let mut difference: BTreeMap<PlaceId, i64> = more.iter().copied().collect();
    less.iter().for_each(|&(p, change)| *difference.entry(p).or_default() -= change);
    let grows = difference.iter().find(|(_, change)| **change > 0).map(|(&p, _)| p);
    grows.filter(|_| difference.values().all(|&change| change >= 0))
}
