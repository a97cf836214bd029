//! Who uses an object, and how: the way from an operation to the transitions that may interfere with it.
//!
//! Transitions with the same operation on the same object form one group, so that a relation is asked once for all of
//! them. Accesses through an index form groups over a range of objects. All is linear in the number of uses; nothing
//! is kept for pairs of transitions.

use super::uses::Use;
use crate::objects::Operation;
use crate::{ObjectId, TransitionId};

/// All transitions that perform one operation on one object, or on one of a range.
#[derive(Clone, Copy, Debug)]
struct Group {
    first: u32,
    len: u32,
    operation: Operation,
    from: u32,
    to: u32,
}

/// The groups, by object.
#[derive(Clone, Debug)]
pub(super) struct Users {
    groups: Vec<Group>,
    transitions: Vec<TransitionId>,
    /// For each object, and one past the last, where its part of `covering` begins.
    starts: Vec<u32>,
    /// The groups that each object belongs to.
    covering: Vec<u32>,
}

impl Users {
    pub(super) fn new<'u>(objects: usize, uses: impl Iterator<Item = (TransitionId, &'u Use)>) -> Self {
        let mut all: Vec<_> = uses.map(|(t, u)| (u.first.0, u.len, u.operation, t)).collect();
        all.sort_unstable();
        all.dedup();
        let mut groups: Vec<Group> = Vec::new();
        for (i, &(first, len, operation, _)) in all.iter().enumerate() {
            let i = i as u32;
            match groups.last_mut() {
                Some(g) if (g.first, g.len, g.operation) == (first, len, operation) => g.to = i + 1,
                _ => groups.push(Group { first, len, operation, from: i, to: i + 1 }),
            }
        }
        let (starts, covering) = cover(objects, &groups);
        Self { groups, transitions: all.into_iter().map(|(.., t)| t).collect(), starts, covering }
    }

    /// Calls `found` with every transition that may perform an operation on one of the objects `first .. first + len`
    /// for which `related` says yes; it also hears whether the operation is on a fixed object. A transition may be found
    /// several times.
    pub(super) fn visit(
        &self,
        (first, len): (u32, u32),
        related: impl Fn(ObjectId, Operation, bool) -> bool,
        mut found: impl FnMut(TransitionId),
    ) {
        for object in first..first + len {
            let range = self.starts[object as usize] as usize..self.starts[object as usize + 1] as usize;
            for &group in &self.covering[range] {
                let group = self.groups[group as usize];
                // A group that covers several of the objects is asked about all of them when the first is met.
                if object != first.max(group.first) {
                    continue;
                }
                let end = (first + len).min(group.first + group.len);
                if (object..end).any(|o| related(ObjectId(o), group.operation, group.len == 1)) {
                    self.transitions[group.from as usize..group.to as usize].iter().copied().for_each(&mut found);
                }
            }
        }
    }
}

/// For each object the groups that it belongs to, as starts and one list.
fn cover(objects: usize, groups: &[Group]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; objects + 1];
    for group in groups {
        (group.first..group.first + group.len).for_each(|o| starts[o as usize + 1] += 1);
    }
    for o in 0..objects {
        starts[o + 1] += starts[o];
    }
    let mut next = starts.clone();
    let mut covering = vec![0; starts[objects] as usize];
    for (g, group) in groups.iter().enumerate() {
        for o in group.first..group.first + group.len {
            let slot = &mut next[o as usize];
            covering[*slot as usize] = g as u32;
            *slot += 1;
        }
    }
    (starts, covering)
}
