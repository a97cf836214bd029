//! Adequate orders: which of two local configurations with the same marking comes first.
//!
//! An order on configurations is *adequate* if it is well-founded, refines inclusion and is preserved when both
//! configurations are extended in the same way. An event whose marking a smaller local configuration has as well is a
//! cut-off: what comes behind it comes behind the other.
//!
//! - By size: McMillan, *Using unfoldings to avoid the state explosion problem* (CAV 1992).
//! - By size, then by how often each transition occurs: both are the same for all extensions.
//! - Total, for safe nets: then by the Foata normal form, level by level (Esparza, Römer, Vogler, *An improvement of
//!   McMillan's unfolding algorithm*, FMSD 2002), smaller levels first, as in most published tables.
//!
//! **In alphabetical order** levels are compared by another tool, and prefixes have slightly different sizes then. That
//! is *not* preserved: `[1]` comes before `[1,2]`, but `[1,2,3]` before `[1,3]`. No prefix is known that is incomplete
//! because of it, but nothing excludes one either. So it is no [`AdequateOrder`], and serves for comparing sizes only.
//!
//! **Why the Foata order is preserved.** Let two configurations of a safe net have the same marking and the same
//! transitions, let level i be the first in which their forms differ, and let both be extended by an occurrence of t. If
//! t gets a level j <= i in one of them, then its tokens are there after the levels below j, and nothing from level j on
//! takes them, or puts tokens on their places, since the net is safe. The levels below j are the same in the other, and
//! the same transitions come from level j on: so nothing takes these tokens there either, and t gets level j in both.
//! The two levels j get one more member, which is the same: what was smaller, or first in the alphabet among levels of
//! one size, still is. If t gets a level above i in both, level i decides as before.
//!
//! **Nets that are not safe.** That proof needs that the two configurations themselves never put two tokens on a place;
//! whether the extended ones do is of no matter. So if a net is not safe, take a smallest one, by the order, of the
//! configurations whose last event puts a second token on a place. (There is one: each size has finitely many.) If an
//! event of it were a cut-off, then its companion with the same extension would be a smaller one, or not safe itself.
//! Hence it has none: the prefix shows that the net is not safe, before anything wrong is concluded. It is then thrown
//! away, and the second order is used.

use std::cmp::Ordering;
use std::collections::HashMap;

use model::views::NetTransitionId;

use super::configuration::Causes;
use super::ids::ConditionId;
use super::prefix::Prefix;

/// An order on local configurations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AdequateOrder {
    /// By size alone.
    McMillan,
    /// By size, then by the transitions that occur.
    Parikh,
    /// Total on safe nets: then by Foata normal form, of two levels the smaller one first.
    #[default]
    Total,
}

/// How local configurations are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Adequate(AdequateOrder),
    /// As with the total order, but levels in alphabetical order.
    Lexical,
}

impl Order {
    /// Whether it looks at the Foata normal form, for which the net must be safe.
    pub(super) fn is_for_safe_nets(self) -> bool {
        matches!(self, Order::Adequate(AdequateOrder::Total) | Order::Lexical)
    }
}

impl From<AdequateOrder> for Order {
    fn from(order: AdequateOrder) -> Self {
        Order::Adequate(order)
    }
}

/// Puts those of one size that have one fingerprint together, the first in the order first. A key is only asked for
/// where there are several; those without one stay as they come.
pub(super) fn arrange<W>(
    batch: &mut Vec<W>,
    order: Order,
    fingerprint: impl Fn(&W) -> u64,
    mut key: impl FnMut(&W) -> Option<Key>,
) {
    let mut first: HashMap<u64, (usize, usize)> = HashMap::new();
    for (i, waiting) in batch.iter().enumerate() {
        first.entry(fingerprint(waiting)).or_insert((i, 0)).1 += 1;
    }
    if first.len() == batch.len() {
        return;
    }
    let mut keyed: Vec<(usize, Option<Key>, W)> = Vec::with_capacity(batch.len());
    for waiting in batch.drain(..) {
        let (group, members) = first[&fingerprint(&waiting)];
        keyed.push((group, if members > 1 { key(&waiting) } else { None }, waiting));
    }
    keyed.sort_by(|a, b| {
        let keys = a.1.as_ref().zip(b.1.as_ref()).filter(|_| a.0 == b.0);
        a.0.cmp(&b.0).then_with(|| keys.map_or(Ordering::Equal, |(x, y)| x.compare(y, order)))
    });
    batch.extend(keyed.into_iter().map(|(_, _, waiting)| waiting));
}

/// What the order looks at in a local configuration.
#[derive(Debug)]
pub(super) struct Key {
    size: usize,
    /// The transitions that occur, sorted.
    parikh: Vec<NetTransitionId>,
    /// The transitions that occur with their levels, sorted by level.
    foata: Vec<(u32, NetTransitionId)>,
}

impl Key {
    /// Of the configuration of an event, whether it is in the prefix or not.
    pub(super) fn new(
        prefix: &Prefix,
        causes: &mut Causes,
        order: Order,
        (t, preset): (NetTransitionId, &[ConditionId]),
    ) -> Self {
        let below = causes.below(prefix, preset);
        let mut members: Vec<_> = below.iter().map(|&f| (prefix.depth(f), prefix.transition(f))).collect();
        let level = members.iter().map(|&(depth, _)| depth).max().unwrap_or(0) + 1;
        members.push((level, t));
        Self::of(members, order)
    }

    /// Of a configuration, given by the levels and the transitions of its events.
    pub(super) fn of(mut members: Vec<(u32, NetTransitionId)>, order: Order) -> Self {
        let mut key = Self { size: members.len(), parikh: Vec::new(), foata: Vec::new() };
        if order != Order::Adequate(AdequateOrder::McMillan) {
            key.parikh = members.iter().map(|&(_, t)| t).collect();
            key.parikh.sort_unstable();
        }
        if order.is_for_safe_nets() {
            members.sort_unstable();
            key.foata = members;
        }
        key
    }

    /// Compares two keys made for the same order.
    pub(super) fn compare(&self, other: &Self, order: Order) -> Ordering {
        let sorted = self.size.cmp(&other.size).then_with(|| self.parikh.cmp(&other.parikh));
        sorted.then_with(|| {
            let levels = self.levels().zip(other.levels());
            let by_size = order != Order::Lexical;
            let compare = |(a, b): (&[_], &[_])| match by_size {
                true => a.len().cmp(&b.len()).then_with(|| a.cmp(b)),
                false => a.cmp(b),
            };
            levels.map(compare).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
        })
    }

    fn levels(&self) -> impl Iterator<Item = &[(u32, NetTransitionId)]> {
        self.foata.chunk_by(|a, b| a.0 == b.0)
    }
}
