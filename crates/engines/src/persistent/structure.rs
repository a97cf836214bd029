//! What all algorithms look up: who can take a process from, or to, a location; whose operations interfere.

use std::cell::OnceCell;

use model::{Dependency, LocationId, ProcessId, Reasons, Relation, Role, State, System, TransitionId};

use super::Interference;

/// A set of small numbers that is emptied in constant time.
#[derive(Clone, Debug)]
pub(crate) struct Marks {
    round: u32,
    last: Vec<u32>,
}

impl Marks {
    pub(crate) fn new(len: usize) -> Self {
        Self { round: 1, last: vec![0; len] }
    }

    pub(crate) fn clear(&mut self) {
        if self.round == u32::MAX {
            self.last.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    /// Adds a number; whether it was not there.
    pub(crate) fn insert(&mut self, number: usize) -> bool {
        std::mem::replace(&mut self.last[number], self.round) != self.round
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        self.last[number] == self.round
    }
}

/// The static structure of a system.
#[derive(Debug)]
pub(crate) struct Structure<'a> {
    system: &'a System,
    dependency: Dependency<'a>,
    reasons: Reasons<'a>,
    /// The first entry of each process in the two lists below.
    bases: Vec<usize>,
    /// By location of each process: the transitions that need the process there.
    leaving: Vec<Vec<TransitionId>>,
    /// By location of each process: the transitions that bring the process there from elsewhere.
    entering: Vec<Vec<TransitionId>>,
    /// Of each transition, what interferes with it by a relation that does not depend on the state: found once.
    interfering: Vec<OnceCell<Box<[TransitionId]>>>,
    /// Likewise what disturbs each of its tests.
    disturbing: Vec<OnceCell<Box<[Disturbance]>>>,
}

/// A test of a transition, and the transitions that disturb it or an earlier test that may be a fault.
type Disturbance = (Role, Box<[TransitionId]>);

impl<'a> Structure<'a> {
    pub(super) fn new(system: &'a System) -> Self {
        let mut bases = Vec::new();
        let mut locations = 0;
        for process in system.processes() {
            bases.push(locations);
            locations += process.locations.len();
        }
        let (mut leaving, mut entering) = (vec![Vec::new(); locations], vec![Vec::new(); locations]);
        for t in system.transition_ids() {
            for m in &system.transition(t).moves {
                let base = bases[m.process.index()];
                leaving[base + m.from.index()].push(t);
                if m.from != m.to {
                    entering[base + m.to.index()].push(t);
                }
            }
        }
        let (dependency, reasons) = (Dependency::new(system), Reasons::new(system));
        let transitions = system.transitions().len();
        let (interfering, disturbing) = (vec![OnceCell::new(); transitions], vec![OnceCell::new(); transitions]);
        Self { system, dependency, reasons, bases, leaving, entering, interfering, disturbing }
    }

    pub(super) fn system(&self) -> &'a System {
        self.system
    }

    pub(crate) fn dependency(&self) -> &Dependency<'a> {
        &self.dependency
    }

    pub(super) fn leaving(&self, process: ProcessId, location: LocationId) -> &[TransitionId] {
        &self.leaving[self.bases[process.index()] + location.index()]
    }

    /// The transitions that interfere with a transition that is enabled: in conflict with it, or parallel with an
    /// interfering operation (steps 2 and 2.b of the algorithms). The transition itself is not one of them.
    ///
    /// One structure is always asked with the same interference.
    pub(super) fn interfering(
        &self,
        t: TransitionId,
        state: &State,
        interference: Interference,
        mut found: impl FnMut(TransitionId),
    ) {
        let relation = match interference {
            Interference::CanBeDependent => Relation::CanBeDependent,
            Interference::DoNotAccord => Relation::DoNotAccord,
            Interference::First => {
                return self.interfering_by(t, Relation::MayInterfereFirst(state), &mut found);
            }
        };
        let all = self.interfering[t.index()].get_or_init(|| {
            let mut all = Vec::new();
            self.interfering_by(t, relation, &mut |u| all.push(u));
            all.sort_unstable();
            all.dedup();
            all.into()
        });
        all.iter().copied().for_each(found);
    }

    fn interfering_by(&self, t: TransitionId, relation: Relation<'_>, found: &mut impl FnMut(TransitionId)) {
        for m in &self.system.transition(t).moves {
            self.leaving(m.process, m.from).iter().filter(|&&u| u != t).for_each(|&u| found(u));
        }
        self.parallel_related(t, relation, found);
    }

    /// The transitions parallel to `t` with an operation in this relation to one of its operations.
    pub(super) fn parallel_related(
        &self,
        t: TransitionId,
        relation: Relation<'_>,
        found: &mut impl FnMut(TransitionId),
    ) {
        for usage in self.dependency.uses(t) {
            self.dependency.related(usage, relation, |u| {
                if u != t && self.dependency.parallel(t, u) {
                    found(u);
                }
            });
        }
    }

    /// Calls `found` with each necessary enabling set of a disabled transition (step 2.a), one after the other: for
    /// each process that is elsewhere, those that bring it; for each test that fails, those that disturb it, and those
    /// that disturb an earlier test that may become a fault.
    pub(super) fn enabling_sets(
        &self,
        t: TransitionId,
        state: &State,
        interference: Interference,
        set: &mut Vec<TransitionId>,
        mut found: impl FnMut(&[TransitionId]),
    ) {
        for m in &self.system.transition(t).moves {
            if self.system.location(m.process, state) != m.from {
                found(&self.entering[self.bases[m.process.index()] + m.from.index()]);
            }
        }
        if interference == Interference::First {
            self.reasons.failing(t, state, |role| {
                set.clear();
                self.disturbing(t, role, Relation::MayInterfereFirst(state), set);
                found(set);
            });
            return;
        }
        let all = self.disturbing[t.index()].get_or_init(|| self.disturbances(t));
        self.reasons.failing(t, state, |role| {
            let (_, disturbing) = all.iter().find(|(r, _)| *r == role).expect("every test is listed");
            found(disturbing);
        });
    }

    fn disturbances(&self, t: TransitionId) -> Box<[Disturbance]> {
        let mut all = Vec::new();
        self.reasons.roles(t, |role| {
            let mut set = Vec::new();
            self.disturbing(t, role, Relation::CanBeDependent, &mut set);
            set.sort_unstable();
            set.dedup();
            all.push((role, set.into()));
        });
        all.into()
    }

    /// The transitions with an operation in this relation to what `t` uses in this role, or that can disturb an
    /// earlier test that may become a fault.
    fn disturbing(&self, t: TransitionId, role: Role, relation: Relation<'_>, set: &mut Vec<TransitionId>) {
        self.disturbing_one(t, role, relation, set);
        // A fault is no matter of the first interference with a test that holds: take all that can.
        self.reasons.faults_before(t, role, |earlier| self.disturbing_one(t, earlier, Relation::CanBeDependent, set));
    }

    /// The transitions with an operation in this relation to what `t` uses in this role.
    fn disturbing_one(&self, t: TransitionId, role: Role, relation: Relation<'_>, set: &mut Vec<TransitionId>) {
        for usage in self.dependency.uses(t).iter().filter(|u| u.role == role) {
            self.dependency.related(usage, relation, |u| set.push(u));
        }
    }
}
