//! Algorithm 2 (Figure 4.3): a set of processes is closed under taking part in, and interfering with, the transitions
//! that leave their current locations; the enabled transitions of these processes alone are persistent.

use model::{ProcessId, Relation, TransitionId};

use super::blocks::{Collector, members};
use super::structure::Structure;
use super::{Interference, Situation};

/// The set from a start; whether it is smaller than `limit`. A start of one process that an earlier start has is given
/// up.
pub(super) fn from(
    structure: &Structure<'_>,
    situation: Situation<'_>,
    (start, limit): (TransitionId, usize),
    (parties, list): (&mut Parties, &mut Collector),
    set: &mut Vec<TransitionId>,
) -> bool {
    let system = structure.system();
    parties.clear();
    parties.add_all(structure, start);
    while let Some(party) = parties.open.pop() {
        if parties.meet_earlier || structure.is_spent() {
            return false;
        }
        if party < system.processes().len() {
            let process = ProcessId::new(party);
            let location = system.location(process, situation.state);
            for &t in structure.leaving(process, location) {
                parties.take_in(structure, situation, t, list);
            }
        } else {
            parties.take_in(structure, situation, TransitionId::new(party - system.processes().len()), list);
        }
    }
    set.extend(situation.enabled.iter().copied().filter(|&t| parties.contain_all(structure, t)));
    set.len() < limit && !parties.meet_earlier
}

/// Processes, followed by the transitions that have none.
#[derive(Debug)]
pub(super) struct Parties {
    processes: usize,
    members: Numbers,
    open: Vec<usize>,
    /// Whether all parties of an earlier start are members.
    meet_earlier: bool,
}

impl Parties {
    pub(super) fn new(processes: usize, transitions: usize) -> Self {
        Self { processes, members: Numbers::new(processes + transitions), open: Vec::new(), meet_earlier: false }
    }

    fn clear(&mut self) {
        self.members.clear();
        self.open.clear();
        self.meet_earlier = false;
    }

    /// The parties of a transition that leaves a member's location, and of all that interfere with it. Those in conflict
    /// with it leave the same location, so they come along anyway.
    fn take_in(&mut self, structure: &Structure<'_>, situation: Situation<'_>, t: TransitionId, list: &mut Collector) {
        self.add_all(structure, t);
        // The others of an earlier start may not be members; one that has no others is all there.
        self.meet_earlier |= situation.marks.tried.contains(t) && structure.dependency().active(t).len() <= 1;
        if situation.interference == Interference::DoNotAccord && !situation.marks.enabled.contains(t) {
            structure.parallel_related(t, Relation::CanBeDependent, &mut |u| self.add_all(structure, u));
        } else {
            let interfering = structure.interfering(t, situation, list).iter();
            interfering.flat_map(|&block| members(block)).for_each(|u| self.add_all(structure, u));
        }
    }

    fn add_all(&mut self, structure: &Structure<'_>, t: TransitionId) {
        let active = structure.dependency().active(t);
        if active.is_empty() {
            self.add(self.processes + t.index());
        }
        active.iter().for_each(|p| self.add(p.index()));
    }

    fn add(&mut self, party: usize) {
        if self.members.insert(party) {
            self.open.push(party);
        }
    }

    fn contain_all(&self, structure: &Structure<'_>, t: TransitionId) -> bool {
        let active = structure.dependency().active(t);
        match active {
            [] => self.members.contains(self.processes + t.index()),
            active => active.iter().all(|p| self.members.contains(p.index())),
        }
    }
}

/// A set of small numbers that is emptied in constant time.
#[derive(Clone, Debug)]
struct Numbers {
    round: u32,
    last: Vec<u32>,
}

impl Numbers {
    fn new(len: usize) -> Self {
        Self { round: 1, last: vec![0; len] }
    }

    fn clear(&mut self) {
        if self.round == u32::MAX {
            self.last.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    /// Adds a number; whether it was not there.
    fn insert(&mut self, number: usize) -> bool {
        std::mem::replace(&mut self.last[number], self.round) != self.round
    }

    fn contains(&self, number: usize) -> bool {
        self.last[number] == self.round
    }
}
