//! What all algorithms look up: who can take a process from, or to, a location; whose operations interfere.
//!
//! Lists that do not depend on the state are found once, and kept unless they are long.

use std::cell::{Cell, OnceCell};

use model::{Dependency, LocationId, ProcessId, Reasons, Relation, Role, State, System, TransitionId};

use super::blocks::{Block, Collector, Dense};
use super::first::{First, Parties};
use super::{Interference, Situation};

/// The static structure of a system.
#[derive(Debug)]
pub(crate) struct Structure<'a> {
    system: &'a System,
    dependency: Dependency<'a>,
    reasons: Reasons<'a>,
    /// The first entry of each process in the two lists below.
    bases: Vec<u32>,
    /// By location of each process: the transitions that need the process there.
    leaving: Vec<Vec<TransitionId>>,
    /// By location of each process: the transitions that bring the process there from elsewhere.
    entering: Vec<Box<[Block]>>,
    /// For each transition, and one past the last, where its part of `preset` begins.
    preset_starts: Vec<u32>,
    /// The processes of each transition, and the entries of their locations in the lists above.
    preset: Vec<(ProcessId, u32)>,
    /// Of each transition, what interferes with it by a relation that does not depend on the state.
    interfering: Vec<OnceCell<Kept>>,
    /// Likewise what disturbs each of its tests.
    disturbing: Vec<OnceCell<Box<[Kept]>>>,
    /// What might interfere first.
    first: First,
    /// Of each transition, what can come right before it and must not come after it.
    before: Vec<OnceCell<Kept>>,
    /// Whether all relations include the weakly uniform one.
    uniform: bool,
    /// How many transitions were looked at for the current state.
    work: Cell<usize>,
}

/// A list of transitions, unless it is too long to be kept.
type Kept = Option<Box<[Block]>>;

/// The longest list that is kept for a transition, in blocks: where everybody interferes with everybody, lists would take
/// space quadratic in the size of the system.
const KEPT: usize = 64;
/// How many transitions may be looked at for one state before the attempt is given up: the set so far is used.
const WORK: usize = 50_000;

impl<'a> Structure<'a> {
    pub(super) fn new(system: &'a System, uniform: bool) -> Self {
        let mut bases = Vec::new();
        let mut locations = 0;
        for process in system.processes() {
            bases.push(locations as u32);
            locations += process.locations.len();
        }
        let (mut leaving, mut entering) = (vec![Vec::new(); locations], vec![Vec::new(); locations]);
        let (mut preset, mut preset_starts) = (Vec::new(), vec![0]);
        for t in system.transition_ids() {
            // Nothing is a last resort while something else is enabled.
            let counts = !system.transition(t).last_resort;
            for m in &system.transition(t).moves {
                let base = bases[m.process.index()];
                if counts {
                    leaving[base as usize + m.from.index()].push(t);
                }
                preset.push((m.process, base + m.from.0));
                if m.from != m.to && counts {
                    entering[base as usize + m.to.index()].push(t);
                }
            }
            preset_starts.push(preset.len() as u32);
        }
        let transitions = system.transitions().len();
        let mut collector = Collector::new(transitions);
        let mut pack = |list: Vec<TransitionId>| -> Box<[Block]> {
            collector.collect(|set| list.iter().for_each(|&t| set.insert(t))).into()
        };
        let dependency = Dependency::new(system);
        let first = First::new(&dependency);
        Self {
            system,
            dependency,
            first,
            reasons: Reasons::new(system),
            bases,
            leaving,
            entering: entering.into_iter().map(&mut pack).collect(),
            preset_starts,
            preset,
            interfering: vec![OnceCell::new(); transitions],
            disturbing: vec![OnceCell::new(); transitions],
            before: vec![OnceCell::new(); transitions],
            uniform,
            work: Cell::new(0),
        }
    }

    pub(crate) fn system(&self) -> &'a System {
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
        &self.leaving[self.bases[process.index()] as usize + location.index()]
    }

    /// The relation to a transition that is enabled.
    pub(super) fn relation<'s>(&self, interference: Interference, state: &'s State) -> Relation<'s> {
        match (interference, self.uniform) {
            (Interference::CanBeDependent, _) => Relation::CanBeDependent,
            (Interference::DoNotAccord, false) => Relation::DoNotAccord,
            (Interference::DoNotAccord, true) => Relation::DoNotAccordUniformly,
            (Interference::First, false) => Relation::MayInterfereFirst(state),
            (Interference::First, true) => Relation::MayInterfereFirstUniformly(state),
        }
    }

    /// The transitions that interfere with a transition that is enabled: in conflict with it, or parallel with an
    /// interfering operation (steps 2 and 2.b of the algorithms). The transition itself is not one of them.
    ///
    /// One structure is always asked with the same interference.
    pub(super) fn interfering<'s>(
        &'s self,
        t: TransitionId,
        situation: Situation<'_>,
        list: &'s mut Collector,
    ) -> &'s [Block] {
        let relation = self.relation(situation.interference, situation.state);
        if situation.interference == Interference::First {
            return list.collect(|set| {
                self.in_conflict(t, set);
                self.join_first(t, None, situation.state, set);
            });
        }
        let kept = self.interfering[t.index()]
            .get_or_init(|| self.unpaid(|| keep(list.collect(|set| self.interfering_by(t, relation, set)))));
        match kept {
            Some(kept) => {
                self.spend(kept.len());
                kept
            }
            None => list.collect(|set| self.interfering_by(t, relation, set)),
        }
    }

    /// What is found once and kept costs nothing, so that what is chosen in a state does not depend on what was asked
    /// before.
    fn unpaid<T>(&self, find: impl FnOnce() -> T) -> T {
        let before = self.work.get();
        let found = find();
        self.work.set(before);
        found
    }

    /// Adds what might be the first to interfere with what a transition uses: all of it, from other processes; or in one
    /// role, whoever does it.
    fn join_first(&self, t: TransitionId, role: Option<Role>, state: &State, set: &mut Dense) {
        let parties = if role.is_none() { Parties::Others } else { Parties::All };
        let relation = self.relation(Interference::First, state);
        self.spend(self.first.join(&self.dependency, (t, role), parties, (relation, state), set));
    }

    /// The transitions that can come right before a transition, and not right after it instead: those that bring its
    /// processes to it, and those with an operation whose order matters.
    pub(super) fn before<'s>(&'s self, t: TransitionId, list: &'s mut Collector) -> &'s [Block] {
        let kept =
            self.before[t.index()].get_or_init(|| self.unpaid(|| keep(list.collect(|set| self.find_before(t, set)))));
        match kept {
            Some(kept) => {
                self.spend(kept.len());
                kept
            }
            None => list.collect(|set| self.find_before(t, set)),
        }
    }

    fn find_before(&self, t: TransitionId, set: &mut Dense) {
        for &(process, location) in self.preset(t) {
            self.entering[location as usize].iter().for_each(|&block| _ = set.join(block));
            let stays = |u: &TransitionId| self.system.transition(*u).part(process).is_some_and(|m| m.from == m.to);
            let staying = self.leaving[location as usize].iter().copied().filter(|&u| u != t);
            staying.filter(stays).for_each(|u| set.insert(u));
        }
        self.parallel_related(t, Relation::ComesBefore, &mut |u| set.insert(u));
    }

    fn interfering_by(&self, t: TransitionId, relation: Relation<'_>, set: &mut Dense) {
        self.in_conflict(t, set);
        self.parallel_related(t, relation, &mut |u| set.insert(u));
    }

    fn in_conflict(&self, t: TransitionId, set: &mut Dense) {
        for &(_, location) in self.preset(t) {
            let leaving = &self.leaving[location as usize];
            self.spend(leaving.len());
            leaving.iter().filter(|&&u| u != t).for_each(|&u| set.insert(u));
        }
    }

    fn preset(&self, t: TransitionId) -> &[(ProcessId, u32)] {
        &self.preset[self.preset_starts[t.index()] as usize..self.preset_starts[t.index() + 1] as usize]
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

    /// For each process of a transition that is not where the transition needs it, the transitions that bring it there.
    pub(super) fn bringing(&self, t: TransitionId, state: &State) -> impl Iterator<Item = &[Block]> {
        let absent = move |&&(process, location): &&(ProcessId, u32)| {
            self.bases[process.index()] + self.system.location(process, state).0 != location
        };
        self.preset(t).iter().filter(absent).map(|&(_, location)| &*self.entering[location as usize])
    }

    /// The tests of a transition.
    pub(super) fn tests(&self, t: TransitionId) -> std::ops::Range<usize> {
        0..self.reasons.roles(t).len()
    }

    /// Whether a test of a transition fails in a state.
    pub(super) fn fails(&self, t: TransitionId, test: usize, state: &State) -> bool {
        self.reasons.fails(t, test, state)
    }

    /// The transitions that disturb a test, or an earlier test that may become a fault, if they are the same in all
    /// states and not too many to be kept.
    pub(super) fn kept_disturbing(&self, t: TransitionId, test: usize, interference: Interference) -> Option<&[Block]> {
        if interference == Interference::First { None } else { self.always_disturbing(t, test) }
    }

    fn always_disturbing(&self, t: TransitionId, test: usize) -> Option<&[Block]> {
        let kept = self.disturbing[t.index()].get_or_init(|| self.unpaid(|| self.disturbances(t)))[test].as_deref()?;
        self.spend(kept.len());
        Some(kept)
    }

    fn disturbances(&self, t: TransitionId) -> Box<[Kept]> {
        let mut list = Collector::new(self.system.transitions().len());
        self.tests(t).map(|test| keep(list.collect(|set| self.disturbing_by_any(t, test, set)))).collect()
    }

    /// The transitions that disturb a test, or an earlier test that may become a fault.
    pub(super) fn disturbing<'l>(
        &self,
        t: TransitionId,
        test: usize,
        situation: Situation<'_>,
        list: &'l mut Collector,
    ) -> &'l [Block] {
        list.collect(|set| match situation.interference {
            Interference::First => self.disturbing_first(t, test, situation.state, set),
            Interference::CanBeDependent | Interference::DoNotAccord => self.disturbing_by_any(t, test, set),
        })
    }

    fn disturbing_first(&self, t: TransitionId, test: usize, state: &State, set: &mut Dense) {
        let role = self.role(t, test);
        self.join_first(t, Some(role), state, set);
        // A fault is no matter of the first interference with a test that holds: take all that can.
        for earlier in self.reasons.faults_before(t, test) {
            match self.always_disturbing(t, earlier) {
                Some(list) => list.iter().for_each(|&block| _ = set.join(block)),
                None => self.disturbing_one(t, earlier, set),
            }
        }
    }

    fn disturbing_by_any(&self, t: TransitionId, test: usize, set: &mut Dense) {
        self.disturbing_one(t, test, set);
        self.reasons.faults_before(t, test).for_each(|earlier| self.disturbing_one(t, earlier, set));
    }

    /// The transitions that can disturb a test.
    fn disturbing_one(&self, t: TransitionId, test: usize, set: &mut Dense) {
        let role = self.role(t, test);
        for usage in self.dependency.uses(t).iter().filter(|u| u.role == role) {
            self.dependency.related(usage, Relation::CanBeDependent, |u| {
                self.spend(1);
                set.insert(u);
            });
        }
    }

    fn role(&self, t: TransitionId, test: usize) -> Role {
        self.reasons.roles(t).nth(test).expect("the test is one of the transition")
    }
}

/// A list, if it is short.
fn keep(list: &[Block]) -> Kept {
    (list.len() <= KEPT).then(|| list.into())
}
