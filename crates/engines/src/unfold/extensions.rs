//! Possible extensions: sets of concurrent conditions that a transition could use up.
//!
//! They are looked for when conditions are added, and have at least one of these; so each is found once. The others are
//! among the conditions concurrent with the event that made the new ones: only these are compared with each other.

use model::views::{Net, NetTransitionId, PlaceId};

use super::concurrency::Concurrency;
use super::ids::{ConditionId, EventId};
use super::prefix::Prefix;

/// What is new in a prefix: the conditions that one event made, or the initial ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct New<'a> {
    /// The event; `None` for the start.
    pub(super) event: Option<EventId>,
    /// The other conditions that its local configuration leaves.
    pub(super) left: &'a [ConditionId],
}

/// Takes what a search finds, and may end it.
pub(super) trait Finder {
    /// Why it ends.
    type Stop;

    /// Takes an extension: a transition and the conditions that it uses up.
    fn found(&mut self, t: NetTransitionId, preset: &[ConditionId]) -> Result<(), Self::Stop>;

    /// Asked now and then, while nothing is found, whether to go on.
    fn goes_on(&mut self) -> Result<(), Self::Stop>;
}

/// So many conditions are tried before it is asked whether to go on.
const PATIENCE: u32 = 1 << 14;

/// Finds possible extensions; keeps its tables from one time to the next.
#[derive(Debug)]
pub(super) struct Extensions {
    /// Of each place that matters now, the conditions that can be used; the new ones first.
    usable: Vec<Vec<ConditionId>>,
    roles: Vec<Role>,
    places: Vec<PlaceId>,
    /// A place that was seen to have two tokens at the same time.
    crowded: Option<PlaceId>,
    transitions: Vec<NetTransitionId>,
    slots: Vec<Slot>,
    chosen: Vec<ConditionId>,
}

/// Why a place is looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Role {
    /// Its conditions may be used.
    matters: bool,
    /// It has a new condition.
    is_new: bool,
}

/// An input place of the transition at hand.
#[derive(Clone, Copy, Debug)]
struct Slot {
    place: PlaceId,
    weight: usize,
    /// How many of the usable conditions are new.
    new: usize,
    /// Whether this place or one of those after it has new ones.
    new_ahead: bool,
}

/// Where a search is: the slot, the next condition of it, how many it still needs, and whether a new one was chosen.
#[derive(Clone, Copy, Debug)]
struct At {
    slot: usize,
    next: usize,
    need: usize,
    new: bool,
}

impl Extensions {
    pub(super) fn new(net: &Net) -> Self {
        let places = net.places().len();
        Self {
            usable: vec![Vec::new(); places],
            roles: vec![Role::default(); places],
            places: Vec::new(),
            crowded: None,
            transitions: Vec::new(),
            slots: Vec::new(),
            chosen: Vec::new(),
        }
    }

    /// Hands every extension that has a new condition to a finder, until that says stop.
    pub(super) fn find<F: Finder>(
        &mut self,
        (net, prefix, concurrency): (&Net, &Prefix, &Concurrency),
        new: New<'_>,
        finder: &mut F,
    ) -> Result<(), F::Stop> {
        let fresh = match new.event {
            Some(event) => prefix.postset_range(event),
            None => 0..prefix.conditions() as u32,
        };
        self.focus(net, prefix, fresh.clone().map(ConditionId));
        for &event in new.event.map_or(&[][..], |event| concurrency.with(event)) {
            prefix.postset(event).for_each(|condition| self.add(prefix.place(condition), condition));
        }
        new.left.iter().for_each(|&condition| self.add(prefix.place(condition), condition));
        let transitions = std::mem::take(&mut self.transitions);
        let result = transitions.iter().try_for_each(|&t| {
            if !self.prepare(net, t, fresh.start) {
                return Ok(());
            }
            let mut search =
                Search { prefix, concurrency, first_new: fresh.start, extensions: self, finder, t, tried: 0 };
            search.choose(At { slot: 0, next: 0, need: search.extensions.slots[0].weight, new: false })
        });
        self.transitions = transitions;
        self.forget();
        result
    }

    /// A place that was seen to have two tokens at the same time. Every marking that is left by a local configuration
    /// was looked at, and more.
    pub(super) fn crowded(&self) -> Option<PlaceId> {
        self.crowded
    }

    /// Which transitions can use new conditions, and which places they take from.
    fn focus(&mut self, net: &Net, prefix: &Prefix, new: impl Iterator<Item = ConditionId> + Clone) {
        for condition in new.clone() {
            self.transitions.extend(net.consumers(prefix.place(condition)).iter().map(|&(t, _)| t));
        }
        self.transitions.sort_unstable();
        self.transitions.dedup();
        for &t in &self.transitions {
            for &(p, _) in net.pre(t) {
                if !std::mem::replace(&mut self.roles[p.index()].matters, true) {
                    self.places.push(p);
                }
            }
        }
        for condition in new {
            let p = prefix.place(condition);
            self.add(p, condition);
            self.roles[p.index()].is_new = true;
            self.places.push(p);
        }
    }

    #[inline]
    fn add(&mut self, p: PlaceId, condition: ConditionId) {
        let role = self.roles[p.index()];
        if role.matters {
            self.usable[p.index()].push(condition);
        }
        if role.is_new {
            self.crowded = Some(p);
        }
    }

    fn forget(&mut self) {
        for p in self.places.drain(..) {
            self.roles[p.index()] = Role::default();
            self.usable[p.index()].clear();
        }
        self.transitions.clear();
    }

    /// Sets the slots of a transition up, those with the least choice first. Whether there are enough conditions.
    fn prepare(&mut self, net: &Net, t: NetTransitionId, first_new: u32) -> bool {
        self.slots.clear();
        self.chosen.clear();
        for &(place, weight) in net.pre(t) {
            let usable = &self.usable[place.index()];
            if usable.len() < weight as usize {
                return false;
            }
            let new = usable.iter().take_while(|c| c.0 >= first_new).count();
            self.slots.push(Slot { place, weight: weight as usize, new, new_ahead: false });
        }
        self.slots.sort_by_key(|slot| self.usable[slot.place.index()].len());
        let mut ahead = false;
        for slot in self.slots.iter_mut().rev() {
            ahead |= slot.new > 0;
            slot.new_ahead = ahead;
        }
        ahead
    }
}

struct Search<'a, F> {
    prefix: &'a Prefix,
    concurrency: &'a Concurrency,
    first_new: u32,
    extensions: &'a mut Extensions,
    finder: &'a mut F,
    t: NetTransitionId,
    tried: u32,
}

impl<F: Finder> Search<'_, F> {
    fn choose(&mut self, at: At) -> Result<(), F::Stop> {
        let Some(&slot) = self.extensions.slots.get(at.slot) else {
            return self.finder.found(self.t, &self.extensions.chosen);
        };
        if at.need == 0 {
            let need = self.extensions.slots.get(at.slot + 1).map_or(0, |next| next.weight);
            return self.choose(At { slot: at.slot + 1, next: 0, need, new: at.new });
        }
        if !at.new && !slot.new_ahead {
            return Ok(());
        }
        // Without a new one so far and none later, it must come from here, and the new ones are first.
        let later = self.extensions.slots.get(at.slot + 1).is_some_and(|next| next.new_ahead);
        let usable = self.extensions.usable[slot.place.index()].len();
        let end = if at.new || later { usable } else { slot.new };
        for next in at.next..end.min(usable + 1 - at.need) {
            self.tried += 1;
            if self.tried.is_multiple_of(PATIENCE) {
                self.finder.goes_on()?;
            }
            let condition = self.extensions.usable[slot.place.index()][next];
            let new = condition.0 >= self.first_new;
            if new || self.fits(condition) {
                self.extensions.chosen.push(condition);
                self.choose(At { next: next + 1, need: at.need - 1, new: at.new || new, ..at })?;
                self.extensions.chosen.pop();
            }
        }
        Ok(())
    }

    /// Whether an old condition is concurrent with all that are chosen: with new ones it is.
    fn fits(&self, condition: ConditionId) -> bool {
        let old = self.extensions.chosen.iter().filter(|chosen| chosen.0 < self.first_new);
        old.into_iter().all(|&chosen| self.concurrency.are_concurrent(self.prefix, chosen, condition))
    }
}
