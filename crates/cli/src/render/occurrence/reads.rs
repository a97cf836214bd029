//! Tokens that a step only reads. A net has the step take the token and give it back, so that of two steps that read one
//! token the later would seem to wait for the earlier. In the picture of a run the token stays, and both read it.

use std::collections::HashSet;

use driver::{ConditionId, EventId, Prefix};
use model::views::{Net, NetTransitionId, PlaceId};

use super::{Arc, ArcKind, Picture};

/// Who reads what in a process.
#[derive(Debug)]
pub(super) struct Reads {
    /// The condition that stands for each: the first of those that are one token.
    first: Vec<ConditionId>,
    reads: HashSet<(ConditionId, EventId)>,
}

impl Reads {
    /// Nothing is read: every token is taken, as in the prefix.
    pub(super) fn none(prefix: &Prefix) -> Self {
        Self { first: prefix.condition_ids().collect(), reads: HashSet::new() }
    }

    /// Tokens that are given back as they were taken are read.
    pub(super) fn of(net: &Net, process: &Prefix) -> Self {
        let mut found = Self::none(process);
        for event in process.event_ids() {
            let t = process.transition(event);
            for &(p, _) in net.pre(t).iter().filter(|&&arc| reads(net, t, arc)) {
                let taken = process.preset(event).iter().copied().filter(|&c| process.place(c) == p);
                let given = process.postset(event).filter(|&c| process.place(c) == p);
                for (taken, given) in taken.zip(given) {
                    found.reads.insert((taken, event));
                    found.first[given.index()] = found.first(taken);
                }
            }
        }
        found
    }

    /// The condition that stands for one.
    pub(super) fn first(&self, c: ConditionId) -> ConditionId {
        self.first[c.index()]
    }

    /// Whether an event only reads a condition.
    pub(super) fn is_read(&self, c: ConditionId, event: EventId) -> bool {
        self.reads.contains(&(c, event))
    }

    fn is_first(&self, c: ConditionId) -> bool {
        self.first(c) == c
    }

    /// How many conditions stand for themselves.
    pub(super) fn conditions(&self, prefix: &Prefix) -> usize {
        prefix.condition_ids().filter(|&c| self.is_first(c)).count()
    }
}

/// Whether a transition gives back what it takes from a place.
fn reads(net: &Net, t: NetTransitionId, arc: (PlaceId, u32)) -> bool {
    net.post(t).binary_search(&arc).is_ok()
}

impl Picture {
    /// Arcs and rows, where tokens that are read stay. Whoever takes a token is drawn below those that read it.
    pub(super) fn connect(&mut self, prefix: &Prefix, reads: &Reads) {
        let mut free = vec![0; prefix.conditions()];
        for event in prefix.event_ids() {
            let own = prefix.conditions() + event.index();
            let mut row = 0;
            for &c in prefix.preset(event) {
                let (first, read) = (reads.first(c).index(), reads.is_read(c, event));
                row = row.max(if read { self.nodes[first].row } else { free[first] });
                let kind = if read { ArcKind::Read } else { ArcKind::Flow };
                self.arcs.push(Arc { from: first, to: own, kind });
            }
            self.nodes[own].row = row + 1;
            for &c in prefix.preset(event) {
                let first = reads.first(c).index();
                free[first] = free[first].max(row + 2);
            }
            for c in prefix.postset(event).filter(|&c| reads.is_first(c)) {
                self.nodes[c.index()].row = row + 2;
                free[c.index()] = row + 2;
                self.arcs.push(Arc { from: own, to: c.index(), kind: ArcKind::Flow });
            }
        }
    }

    /// Takes away the conditions that others stand for; nothing leads to them.
    pub(super) fn forget_copies(&mut self, prefix: &Prefix, reads: &Reads) {
        let mut numbers = Vec::with_capacity(self.nodes.len());
        let is_drawn = |i: usize| i >= prefix.conditions() || reads.is_first(ConditionId::new(i));
        let mut drawn = 0;
        for i in 0..self.nodes.len() {
            numbers.push(drawn);
            drawn += usize::from(is_drawn(i));
        }
        let mut i = 0..self.nodes.len();
        self.nodes.retain(|_| i.next().is_some_and(is_drawn));
        for arc in &mut self.arcs {
            (arc.from, arc.to) = (numbers[arc.from], numbers[arc.to]);
        }
    }
}
