//! What all algorithms look up: who can take a process from, or to, a location; whose operations interfere.

use std::cell::{Cell, OnceCell};

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
    /// Of each transition, what interferes with it by a relation that does not depend on the state: found once, and
    /// kept unless it is long.
    interfering: Vec<OnceCell<Option<Box<[TransitionId]>>>>,
    /// Likewise what disturbs each of its tests.
    disturbing: Vec<OnceCell<Option<Box<[Disturbance]>>>>,
    /// How many transitions were looked at for the current state.
    work: Cell<usize>,
}

/// The longest list that is kept for a transition: where everybody interferes with everybody, lists would take space
/// quadratic in the size of the system.
const KEPT: usize = 256;
/// How many transitions may be looked at for one state before the attempt is given up: the set so far is used.
const WORK: usize = 50_000;

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
        let work = Cell::new(0);
        Self { system, dependency, reasons, bases, leaving, entering, interfering, disturbing, work }
    }

    pub(super) fn system(&self) -> &'a System {
        self.system
    }

    pub(crate) fn dependency(&self) -> &Dependency<'a> {
        &self.dependency
    }

    /// Begins with a new state.
    pub(super) fn begin(&self) {
        self.work.set(0);
    }

    /// Whether too much was looked at for the current state.
    pub(super) fn is_spent(&self) -> bool {
        self.work.get() > WORK
    }

    fn spend(&self, work: usize) {
        self.work.set(self.work.get() + work);
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
        let kept = self.interfering[t.index()].get_or_init(|| {
            let mut all = Vec::new();
            self.interfering_by(t, relation, &mut |u| all.push(u));
            keep(all)
        });
        match kept {
            Some(all) => {
                self.spend(all.len());
                all.iter().copied().for_each(found);
            }
            None => self.interfering_by(t, relation, &mut found),
        }
    }

    fn interfering_by(&self, t: TransitionId, relation: Relation<'_>, found: &mut impl FnMut(TransitionId)) {
        for m in &self.system.transition(t).moves {
            self.spend(self.leaving(m.process, m.from).len());
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
                self.spend(1);
                if u != t && self.dependency.parallel(t, u) {
                    found(u);
                }
            });
        }
    }

    /// Calls `found` with each necessary enabling set of a disabled transition (step 2.a), one after the other, until it
    /// says that it wants no more: for each process that is elsewhere, those that bring it; for each test that fails,
    /// those that disturb it, and those that disturb an earlier test that may become a fault.
    pub(super) fn enabling_sets(
        &self,
        t: TransitionId,
        state: &State,
        interference: Interference,
        set: &mut Vec<TransitionId>,
        mut found: impl FnMut(&[TransitionId]) -> bool,
    ) {
        for m in &self.system.transition(t).moves {
            if self.system.location(m.process, state) != m.from
                && !found(&self.entering[self.bases[m.process.index()] + m.from.index()])
            {
                return;
            }
        }
        let relation = match interference {
            Interference::First => Relation::MayInterfereFirst(state),
            Interference::CanBeDependent | Interference::DoNotAccord => Relation::CanBeDependent,
        };
        let kept = match relation {
            Relation::MayInterfereFirst(_) => &None,
            _ => self.disturbing[t.index()].get_or_init(|| self.disturbances(t)),
        };
        for role in self.reasons.failing(t, state) {
            let more = match kept {
                Some(all) => {
                    let (_, disturbing) = all.iter().find(|(r, _)| *r == role).expect("every test is listed");
                    self.spend(disturbing.len());
                    found(disturbing)
                }
                None => {
                    set.clear();
                    self.disturbing(t, role, relation, set);
                    found(set)
                }
            };
            if !more {
                return;
            }
        }
    }

    fn disturbances(&self, t: TransitionId) -> Option<Box<[Disturbance]>> {
        let mut all = Some(Vec::new());
        self.reasons.roles(t, |role| {
            let mut set = Vec::new();
            self.disturbing(t, role, Relation::CanBeDependent, &mut set);
            match (&mut all, keep(set)) {
                (Some(all), Some(set)) => all.push((role, set)),
                _ => all = None,
            }
        });
        all.map(Into::into)
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
            self.spend(set.len());
        }
    }
}

/// A list without repetitions, if it is short.
fn keep(mut list: Vec<TransitionId>) -> Option<Box<[TransitionId]>> {
    if list.len() > 4 * KEPT {
        return None;
    }
    list.sort_unstable();
    list.dedup();
    (list.len() <= KEPT).then(|| list.into())
}
