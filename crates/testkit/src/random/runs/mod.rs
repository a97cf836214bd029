//! Random claims about whole runs: formulas and automata over what can be seen of a system, and fairness.

mod acceptor;
mod formula;

use std::ops::RangeInclusive;

use model::{Claim, Fairness, LocationId, ObjectId, ProcessId, Proposition, Strength, System, Temporal, TransitionId};

use super::exprs::Words;
use super::objects::Group;
use crate::Rng;

pub(crate) use formula::formula;

/// What random claims about runs are like; shares are of a hundred.
#[derive(Clone, Debug)]
pub struct RunProfile {
    /// The size of a formula, in operators and atoms.
    pub size: RangeInclusive<usize>,
    /// How many temporal operators may be `next`.
    pub next: u32,
    /// How many atoms are about steps and what is enabled.
    pub steps: u32,
    /// How many atoms may be faults.
    pub faults: u32,
    /// How many claims are about fair runs only.
    pub fair: u32,
    /// How many claims are automata.
    pub automata: u32,
    /// How many claims leave runs that end out of account.
    pub infinite: u32,
}

impl Default for RunProfile {
    /// Formulas that are blind to repetitions, about states.
    fn default() -> Self {
        Self { size: 1..=8, next: 0, steps: 0, faults: 0, fair: 0, automata: 0, infinite: 0 }
    }
}

impl RunProfile {
    /// All kinds, with names for messages.
    pub fn all() -> Vec<(&'static str, Self)> {
        let plain = Self::default();
        vec![
            ("plain", plain.clone()),
            ("next", Self { next: 50, ..plain.clone() }),
            ("steps", Self { steps: 50, next: 10, ..plain.clone() }),
            ("fair", Self { fair: 100, ..plain.clone() }),
            ("automata", Self { automata: 100, steps: 20, ..plain.clone() }),
            ("mixed", Self { next: 20, steps: 30, faults: 10, fair: 50, automata: 20, infinite: 30, ..plain }),
        ]
    }
}

/// A claim about the runs of a system.
pub fn temporal(rng: &mut Rng, system: &System, profile: &RunProfile) -> Temporal {
    let atoms: Vec<Proposition> = (0..1 + rng.below(3)).map(|_| proposition(rng, system, profile)).collect();
    let claim = if rng.chance(profile.automata) {
        let formula = formula(rng, &atoms, profile);
        let translated = if rng.chance(50) { acceptor::translated(&formula) } else { None };
        Claim::Never(translated.unwrap_or_else(|| acceptor::acceptor(rng, atoms)))
    } else {
        Claim::Always(formula(rng, &atoms, profile))
    };
    let fairness = if rng.chance(profile.fair) { fairness(rng, system) } else { Vec::new() };
    Temporal { claim, fairness, finite: !rng.chance(profile.infinite) }
}

fn proposition(rng: &mut Rng, system: &System, profile: &RunProfile) -> Proposition {
    if rng.chance(profile.steps) && !system.transitions().is_empty() {
        let some = some_transitions(rng, system).1;
        return if rng.chance(50) { Proposition::Taken(some) } else { Proposition::Enabled(some) };
    }
    let group = |(i, o): (usize, &model::Object)| Group { first: ObjectId::new(i), len: 1, kind: o.kind.clone() };
    let groups: Vec<Group> = system.objects().iter().enumerate().map(group).collect();
    let words = Words { groups: &groups, processes: system.processes(), faults: profile.faults, machine: 0 };
    // Where somebody is changes more often than a random comparison does.
    if rng.chance(40) && !system.processes().is_empty() {
        let process = rng.below(system.processes().len());
        let location = rng.below(system.processes()[process].locations.len());
        return Proposition::State(model::Expr::At(ProcessId::new(process), LocationId::new(location)));
    }
    Proposition::State(words.boolean(rng, 1))
}

/// To every process in the same way, as people ask for it, or to any transitions.
fn fairness(rng: &mut Rng, system: &System) -> Vec<Fairness> {
    let strengths = [Strength::Weak, Strength::Strong];
    if rng.chance(40) {
        let strength = *rng.pick(&strengths);
        let to = |p| Fairness { name: system.process(p).name.clone(), strength, to: transitions_of(system, p) };
        return system.process_ids().map(to).collect();
    }
    let any = |rng: &mut Rng| {
        let (name, to) = some_transitions(rng, system);
        Fairness { name, strength: *rng.pick(&strengths), to }
    };
    (0..1 + rng.below(3)).map(|_| any(rng)).collect()
}

fn transitions_of(system: &System, process: ProcessId) -> Box<[TransitionId]> {
    system.transition_ids().filter(|t| system.transition(*t).part(process).is_some()).collect()
}

/// The transitions of a process, those with a label, or any.
fn some_transitions(rng: &mut Rng, system: &System) -> (String, Box<[TransitionId]>) {
    match rng.below(3) {
        0 if !system.processes().is_empty() => {
            let process = ProcessId::new(rng.below(system.processes().len()));
            (system.process(process).name.clone(), transitions_of(system, process))
        }
        1 if !system.transitions().is_empty() => {
            let label = rng.pick(system.transitions()).label.clone();
            let called = system.transition_ids().filter(|t| system.transition(*t).label == label);
            (label.to_string(), called.collect())
        }
        _ => ("some".to_owned(), system.transition_ids().filter(|_| rng.chance(30)).collect()),
    }
}
