//! Blocks: what a transition may bring with it before control is given up.
//!
//! Where nobody has control, a transition to a location that holds is the beginning of a block: its keeper goes on alone,
//! in every way that it can, and perhaps hands control on in a rendezvous. To everybody else that is one step with
//! several results, a nondeterministic transition; each way through it is a deterministic one. So the first transition is
//! given the uses of all that may be tried in the block, whether or not it is enabled then: to be blocked is to have
//! looked. What the block modifies is used in every way that there is, since its value is not that of the current state;
//! what it only looks at is used as if at once. Where other processes are looked for on the way counts as a variable: it
//! is there, or it is not.
//!
//! Disabled transitions are covered by necessary enabling sets of *single* transitions. That is right: whatever is fired
//! is fired by itself in some order, also within blocks, and the first of a closed set that is fired is one that is
//! enabled at once; were it in the middle of somebody's block, it would be in conflict with what began the block, which
//! therefore would have been in the set.

use std::collections::{BTreeMap, BTreeSet};

use super::uses::{Found, Role, Use};
use crate::objects::Operation;
use crate::system::Hold;
use crate::{LocationId, ObjectId, ProcessId, System, TransitionId};

/// A location of a process.
pub(super) type Place = (ProcessId, LocationId);

/// The blocks of a system.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// Of each place that holds, what may be tried before control is given up, in order.
    tried: BTreeMap<Place, Vec<TransitionId>>,
}

impl Blocks {
    pub(super) fn new(system: &System) -> Self {
        let mut started: BTreeMap<Place, Vec<TransitionId>> = BTreeMap::new();
        for t in system.transition_ids().filter(|&t| !system.transition(t).last_resort) {
            let transition = system.transition(t);
            let Some(m) = transition.starter().and_then(|p| transition.part(p)) else { continue };
            if is_held(system, (m.process, m.from)) {
                started.entry((m.process, m.from)).or_default().push(t);
            }
        }
        let tried = started.keys().map(|&place| (place, reach(system, &started, place))).collect();
        Self { tried }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tried.is_empty()
    }

    /// What may be tried after a transition before control is given up.
    fn after(&self, system: &System, t: TransitionId) -> &[TransitionId] {
        let place = system.transition(t).keeper().map(|m| (m.process, m.to));
        place.and_then(|place| self.tried.get(&place)).map_or(&[], |tried| tried)
    }

    /// The processes that are not active for a transition but may take part in its block, or be missed there, and where
    /// they are looked for.
    pub(super) fn strangers<'s>(&'s self, system: &'s System, t: TransitionId) -> impl Iterator<Item = Place> {
        let own = system.transition(t);
        let moves = self.after(system, t).iter().flat_map(|&u| &system.transition(u).moves);
        moves.map(|m| (m.process, m.from)).filter(|(p, _)| own.part(*p).is_none())
    }

    /// The uses of what may be tried after a transition, as uses of the transition. `own` are its own ones, `of` those of
    /// all transitions; a use of the object `feedback` stays what it is.
    pub(super) fn uses(
        &self,
        system: &System,
        t: TransitionId,
        of: &[Vec<Found>],
        feedback: Option<ObjectId>,
    ) -> Vec<Use> {
        let later = || self.after(system, t).iter().flat_map(|u| &of[u.index()]).map(|(usage, _)| usage);
        let modified: BTreeSet<(u32, u32)> = of[t.index()]
            .iter()
            .map(|(usage, _)| usage)
            .chain(later())
            .filter(|u| !u.operation.only_reads() && Some(u.first) != feedback)
            .map(|u| (u.first.0, u.first.0 + u.len))
            .collect();
        let changes = |u: &Use| modified.iter().any(|&(from, to)| u.first.0 < to && from < u.first.0 + u.len);
        let mut uses: BTreeSet<(ObjectId, u32, Operation)> = BTreeSet::new();
        for u in later() {
            uses.insert((u.first, u.len, if changes(u) { Operation::Any } else { u.operation }));
        }
        let role = Role::Effect(u32::MAX);
        uses.into_iter().map(|(first, len, operation)| Use { first, len, operation, role, place: None }).collect()
    }
}

fn is_held(system: &System, (process, location): Place) -> bool {
    system.process(process).locations[location.index()].hold != Hold::No
}

/// What may be tried from a place on.
fn reach(system: &System, started: &BTreeMap<Place, Vec<TransitionId>>, place: Place) -> Vec<TransitionId> {
    let (mut seen, mut open) = (BTreeSet::from([place]), vec![place]);
    let mut tried = BTreeSet::new();
    while let Some(place) = open.pop() {
        for &t in started.get(&place).into_iter().flatten() {
            tried.insert(t);
            let next = system.transition(t).keeper().map(|m| (m.process, m.to));
            open.extend(next.filter(|&next| is_held(system, next) && seen.insert(next)));
        }
    }
    tried.into_iter().collect()
}
