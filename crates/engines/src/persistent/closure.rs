//! A set of transitions that grows until it is closed.

use model::TransitionId;

use super::Marks;
use super::blocks::{Block, Collector, Dense, block, members};

/// The set, and what of it was not looked at yet.
#[derive(Debug)]
pub(super) struct Closure {
    members: Dense,
    open: Vec<TransitionId>,
    len: usize,
    enabled: usize,
    meets_earlier: bool,
}

/// Memory that is used again for every list.
#[derive(Debug)]
pub(super) struct Scratch {
    pub(super) list: Collector,
    pub(super) other: Collector,
    pub(super) best: Vec<Block>,
}

impl Scratch {
    pub(super) fn new(transitions: usize) -> Self {
        let collector = || Collector::new(transitions);
        Self { list: collector(), other: collector(), best: Vec::new() }
    }
}

impl Closure {
    pub(super) fn new(transitions: usize) -> Self {
        Self { members: Dense::new(transitions), open: Vec::new(), len: 0, enabled: 0, meets_earlier: false }
    }

    /// Begins again, with an enabled transition.
    pub(super) fn begin(&mut self, start: TransitionId) {
        self.members.clear();
        self.members.insert(start);
        self.open.clear();
        self.open.push(start);
        (self.len, self.enabled, self.meets_earlier) = (1, 1, false);
    }

    /// Begins again, with some transitions.
    pub(super) fn begin_with(&mut self, starts: &[TransitionId], marks: &Marks) {
        self.members.clear();
        self.open.clear();
        (self.len, self.enabled, self.meets_earlier) = (0, 0, false);
        starts.iter().for_each(|&t| self.also(t, marks));
    }

    /// Adds one more transition.
    pub(super) fn also(&mut self, t: TransitionId, marks: &Marks) {
        self.add(&[block(t)], marks);
    }

    pub(super) fn contains(&self, t: TransitionId) -> bool {
        self.members.contains(t)
    }

    /// A member that was not looked at.
    pub(super) fn next(&mut self) -> Option<TransitionId> {
        self.open.pop()
    }

    #[inline]
    pub(super) fn add(&mut self, list: &[Block], marks: &Marks) {
        for &block in list {
            let new = (block.0, self.members.join(block));
            self.len += new.1.count_ones() as usize;
            self.enabled += marks.enabled.meet(new).count_ones() as usize;
            self.meets_earlier |= marks.tried.meet(new) != 0;
            self.open.extend(members(new));
        }
    }

    /// How many enabled, and how many, transitions a list would add.
    #[inline]
    pub(super) fn cost(&self, list: &[Block], marks: &Marks) -> (u32, u32) {
        let mut cost = (0, 0);
        for &block in list {
            let new = (block.0, block.1 & !self.members.meet(block));
            cost = (cost.0 + marks.enabled.meet(new).count_ones(), cost.1 + new.1.count_ones());
        }
        cost
    }

    /// The number of members.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The number of members that are enabled.
    pub(super) fn enabled(&self) -> usize {
        self.enabled
    }

    /// Whether fewer than `limit` members are enabled, and none of them is an earlier start.
    pub(super) fn may_win(&self, limit: usize) -> bool {
        self.enabled < limit && !self.meets_earlier
    }

    /// Writes the enabled members to a list.
    pub(super) fn write_enabled(&self, marks: &Marks, list: &mut Vec<TransitionId>) {
        list.extend(self.members.blocks().flat_map(|block| members((block.0, marks.enabled.meet(block)))));
    }
}
