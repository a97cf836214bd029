//! Kinds of pairs: pairs of isomorphic components whose rules connect them alike reach the same joint states.
//!
//! Only pairs that share a rule are looked at: two others reach every combination of what each reaches alone.

use std::collections::HashMap;

use evidence::{Budget, Reason};
use model::views::{ComponentId, EventId};

use super::canonical::{Form, Numbering, canonical};
use crate::structure::wiring::Wiring;

/// The most pairs that are looked at: those with the smallest rules.
const PAIRS: usize = 1 << 23;

/// Components by their form.
#[derive(Debug, Default)]
pub(super) struct Classes {
    pub(super) forms: Vec<Form>,
    /// By class, which states it reaches if all others are ignored.
    pub(super) reached: Vec<Vec<bool>>,
    numberings: Vec<Numbering>,
    /// By component: the class and the numbering.
    members: Vec<(usize, usize)>,
}

/// All that the joint states of a pair depend on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Kind {
    /// The classes of both.
    pub(super) classes: [usize; 2],
    /// The rules with both: their events, and whether nobody else takes part in some such rule.
    pub(super) joint: Vec<(u32, u32, bool)>,
    /// The events of each that it cannot do without the other.
    pub(super) bound: [Vec<u32>; 2],
}

/// Two components that share a rule, in the order of their kind.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) members: [ComponentId; 2],
    pub(super) kind: usize,
}

/// The pairs that share rules, and their kinds.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    pub(super) kinds: Vec<Kind>,
    pub(super) pairs: Vec<Pair>,
}

impl Classes {
    pub(super) fn new(wiring: &Wiring<'_>, budget: &Budget) -> Result<Self, Reason> {
        let mut classes = Self::default();
        let (mut forms, mut numberings) = (HashMap::new(), HashMap::new());
        for c in wiring.network().component_ids() {
            budget.check(0)?;
            let (form, numbering) = canonical(wiring, c);
            let class = *forms.entry(form).or_insert_with_key(|form| {
                classes.reached.push(form.reached());
                classes.forms.push(form.clone());
                classes.forms.len() - 1
            });
            let numbering = *numberings.entry(numbering).or_insert_with_key(|numbering| {
                classes.numberings.push(numbering.clone());
                classes.numberings.len() - 1
            });
            classes.members.push((class, numbering));
        }
        Ok(classes)
    }

    pub(super) fn class(&self, c: ComponentId) -> usize {
        self.members[c.index()].0
    }

    /// From the component's own numbers to those of its form.
    pub(super) fn numbering(&self, c: ComponentId) -> &Numbering {
        &self.numberings[self.members[c.index()].1]
    }

    /// A number that components with the same numbering share.
    pub(super) fn numbering_id(&self, c: ComponentId) -> usize {
        self.members[c.index()].1
    }
}

impl Kinds {
    pub(super) fn new(wiring: &Wiring<'_>, classes: &Classes, budget: &Budget) -> Result<Self, Reason> {
        let mut found = Self::default();
        let mut numbers: HashMap<Kind, usize> = HashMap::new();
        for (a, b) in sharing(wiring) {
            budget.check(0)?;
            let (kind, swapped) = kind(wiring, classes, a, b);
            let kind = *numbers.entry(kind).or_insert_with_key(|kind| {
                found.kinds.push(kind.clone());
                found.kinds.len() - 1
            });
            found.pairs.push(Pair { members: if swapped { [b, a] } else { [a, b] }, kind });
        }
        Ok(found)
    }
}

/// The pairs that share a rule, in increasing order.
fn sharing(wiring: &Wiring<'_>) -> Vec<(ComponentId, ComponentId)> {
    let network = wiring.network();
    let steps = network.rules().iter().filter(|r| !r.fault);
    let mut rules: Vec<_> = steps.map(|r| &r.participants).filter(|p| p.len() > 1).collect();
    rules.sort_by_key(|participants| participants.len());
    let mut pairs = Vec::new();
    for participants in rules {
        // All later rules are as wide.
        if participants.len() * (participants.len() - 1) / 2 > PAIRS {
            break;
        }
        if pairs.len() + participants.len() * (participants.len() - 1) / 2 > PAIRS {
            pairs.sort_unstable();
            pairs.dedup();
            if pairs.len() > PAIRS / 2 {
                break;
            }
        }
        for (k, &(a, _)) in participants.iter().enumerate() {
            pairs.extend(participants[k + 1..].iter().map(|&(b, _)| (a, b)));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The kind of a pair, and whether its order is the other one.
fn kind(wiring: &Wiring<'_>, classes: &Classes, a: ComponentId, b: ComponentId) -> (Kind, bool) {
    let joint = joint(wiring, a, b);
    let directed = |x: ComponentId, y: ComponentId, joint: &[(EventId, EventId, bool)]| {
        let (of_x, of_y) = (classes.numbering(x), classes.numbering(y));
        let renumbered =
            |&(d, e, alone): &(EventId, EventId, bool)| (of_x.events[d.index()], of_y.events[e.index()], alone);
        let mut named: Vec<(u32, u32, bool)> = joint.iter().map(renumbered).collect();
        named.sort_unstable();
        let first = bound(wiring, x, joint.iter().map(|j| j.0), &of_x.events);
        let second = bound(wiring, y, joint.iter().map(|j| j.1), &of_y.events);
        // Of rules that differ in who else takes part, the one without others matters most.
        named.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            kept.2 |= same && next.2;
            same
        });
        Kind { classes: [classes.class(x), classes.class(y)], joint: named, bound: [first, second] }
    };
    let straight = directed(a, b, &joint);
    if straight.classes[0] < straight.classes[1] {
        return (straight, false);
    }
    let turned: Vec<_> = joint.iter().map(|&(d, e, alone)| (e, d, alone)).collect();
    let turned = directed(b, a, &turned);
    if turned < straight { (turned, true) } else { (straight, false) }
}

/// The rules that two components share, by their events, with whether nobody else takes part; one entry a rule. Faults
/// change nothing and grant no request.
fn joint(wiring: &Wiring<'_>, a: ComponentId, b: ComponentId) -> Vec<(EventId, EventId, bool)> {
    let turned = wiring.taken(b).len() < wiring.taken(a).len();
    let (few, other) = if turned { (b, a) } else { (a, b) };
    let steps = wiring.taken(few).iter().filter(|(r, _)| !wiring.network().rule(*r).fault);
    let shared = steps.filter_map(|&(r, e)| {
        let participants = &wiring.network().rule(r).participants;
        let at = participants.binary_search_by_key(&other, |p| p.0).ok()?;
        let (mine, alone) = (participants[at].1, participants.len() == 2);
        Some(if turned { (mine, e, alone) } else { (e, mine, alone) })
    });
    shared.collect()
}

/// The events, one for each rule with the other, that are in no other rule; in the numbers of the form.
fn bound(wiring: &Wiring<'_>, c: ComponentId, events: impl Iterator<Item = EventId>, names: &[u32]) -> Vec<u32> {
    let mut events: Vec<EventId> = events.collect();
    events.sort_unstable();
    let all = |same: &&[EventId]| same.len() == wiring.rules(wiring.port(c, same[0])).len();
    let mut bound: Vec<u32> = events.chunk_by(|a, b| a == b).filter(all).map(|s| names[s[0].index()]).collect();
    bound.sort_unstable();
    bound
}
