//! Random systems of every kind of object, small enough for the oracle, from a seed.
//!
//! The builder refuses a system in which joined steps hinder each other (an operation that may wait, on an object that
//! another part of the step has modified); that is rare, and another system is drawn then.

mod chains;
mod exprs;
mod held;
mod machine;
mod objects;
mod properties;
mod runs;
mod silenced;
mod steps;

pub use chains::{chains, questions};
pub use held::{held, unheld};
pub(crate) use runs::formula;
pub use runs::{RunProfile, temporal};
pub use silenced::{SILENT, silenced};

use std::ops::RangeInclusive;

use model::{ActionId, Hold, Location, LocationId, Process, ProcessId, Property, System};

use crate::{Blueprint, Rng};
use exprs::Words;
use objects::Group;

/// A sort of objects to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Boolean variables.
    Flag,
    /// Variables over few integers, negative ones included, and now and then over all of 32 bits.
    Range,
    /// Variables of an enumeration.
    Named,
    /// Locks.
    Lock,
    /// Semaphores.
    Semaphore,
    /// Counters.
    Counter,
    /// Buffered channels.
    Channel,
    /// Rendezvous channels.
    Rendezvous,
    /// Lossy channels.
    Lossy,
    /// Buffered channels whose messages take several words.
    Wide,
}

impl Sort {
    /// All sorts.
    pub const ALL: [Sort; 10] = [
        Sort::Flag,
        Sort::Range,
        Sort::Named,
        Sort::Lock,
        Sort::Semaphore,
        Sort::Counter,
        Sort::Channel,
        Sort::Rendezvous,
        Sort::Lossy,
        Sort::Wide,
    ];
}

/// What the random systems are like.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The number of processes.
    pub processes: RangeInclusive<usize>,
    /// The number of locations of a process.
    pub locations: RangeInclusive<usize>,
    /// The number of edges of a process.
    pub edges: RangeInclusive<usize>,
    /// The number of objects, an array counting once.
    pub objects: RangeInclusive<usize>,
    /// The number of actions.
    pub actions: RangeInclusive<usize>,
    /// The number of finished transitions, with and without processes.
    pub transitions: RangeInclusive<usize>,
    /// The sorts of objects.
    pub sorts: Vec<Sort>,
    /// How many objects of a hundred are arrays.
    pub arrays: u32,
    /// How many operations of a hundred do not care whether they are faults. With 0, faults are rare.
    pub faults: u32,
    /// How many operations of a hundred are those of machines: on bits, with wrap-around, on channels out of order.
    pub machine: u32,
    /// The most messages of a plain buffered channel.
    pub capacity: u32,
    /// How many locations of a hundred hold the process that arrives there.
    pub holds: u32,
    /// How many edges of a hundred are last resorts.
    pub resorts: u32,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            processes: 1..=4,
            locations: 1..=4,
            edges: 3..=7,
            objects: 1..=4,
            actions: 0..=2,
            transitions: 0..=2,
            sorts: Sort::ALL.to_vec(),
            arrays: 25,
            faults: 5,
            machine: 0,
            capacity: 2,
            holds: 0,
            resorts: 0,
        }
    }
}

impl Profile {
    /// Systems with these sorts of objects only.
    pub fn of(sorts: &[Sort]) -> Self {
        Self { sorts: sorts.to_vec(), ..Self::default() }
    }

    /// Systems in which faults are rare, so that the properties decide.
    pub fn lawful() -> Self {
        Self { faults: 0, ..Self::default() }
    }

    /// Systems full of faults.
    pub fn wild() -> Self {
        Self { faults: 40, ..Self::default() }
    }

    /// Systems whose operations wait for each other, in arrays with careless indices.
    pub fn waiting() -> Self {
        let sorts = vec![Sort::Flag, Sort::Range, Sort::Lock, Sort::Semaphore, Sort::Channel];
        Self { objects: 2..=5, actions: 0..=0, arrays: 60, faults: 25, sorts, ..Self::default() }
    }

    /// Systems that work on bits, and look for messages in the middle of channels.
    pub fn machine() -> Self {
        let sorts = vec![Sort::Range, Sort::Range, Sort::Channel, Sort::Channel, Sort::Wide];
        Self { machine: 60, capacity: 4, locations: 1..=3, objects: 2..=4, actions: 0..=1, sorts, ..Self::default() }
    }

    /// Systems in which processes go on alone here and there, and some steps are last resorts.
    pub fn control() -> Self {
        Self { holds: 45, resorts: 8, faults: 2, transitions: 0..=1, ..Self::default() }
    }

    /// The same, with much rendezvous.
    pub fn meeting() -> Self {
        Self { sorts: vec![Sort::Rendezvous, Sort::Rendezvous, Sort::Range], objects: 2..=4, ..Self::control() }
    }

    /// Plain Petri nets: counters, and transitions without processes.
    pub fn nets() -> Self {
        let (none, sorts) = (0..=0, vec![Sort::Counter]);
        Self { processes: none, objects: 2..=5, transitions: 3..=9, sorts, ..Self::default() }
    }

    /// One profile for each sort and the mixed ones, with names for messages.
    pub fn all() -> Vec<(String, Self)> {
        let single = Sort::ALL.iter().map(|s| (format!("{s:?}"), Self::of(&[*s, Sort::Range])));
        let mixed = [
            ("default", Self::default()),
            ("lawful", Self::lawful()),
            ("wild", Self::wild()),
            ("nets", Self::nets()),
            ("machine", Self::machine()),
        ];
        single.chain(mixed.map(|(name, p)| (name.to_owned(), p))).collect()
    }
}

/// A random system, what it was built from, and questions about it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The parts.
    pub blueprint: Blueprint,
    /// The system.
    pub system: System,
    /// One property of each kind that is decided by finite runs.
    pub properties: Vec<Property>,
}

/// The system of a seed.
pub fn sample(seed: u64, profile: &Profile) -> Sample {
    let mut rng = Rng::new(seed);
    loop {
        let (blueprint, groups) = blueprint(&mut rng, profile);
        if let Ok(system) = blueprint.build() {
            let words = Words::new(profile, &groups, &blueprint.processes);
            let properties = properties::properties(&mut rng, &words, system.transitions().len());
            return Sample { system, properties, blueprint };
        }
    }
}

/// The parts of a system, which the builder may refuse.
fn blueprint(rng: &mut Rng, profile: &Profile) -> (Blueprint, Vec<Group>) {
    let processes: Vec<Process> = (0..rng.size(&profile.processes)).map(|i| process(rng, i, profile)).collect();
    let (groups, objects) = objects::objects(rng, profile, processes.len());
    let actions: Vec<String> = (0..rng.size(&profile.actions)).map(|i| format!("a{i}")).collect();
    let mut blueprint = Blueprint { processes, objects, actions, ..Blueprint::default() };
    if !blueprint.actions.is_empty() && !blueprint.processes.is_empty() && rng.chance(30) {
        let process = ProcessId::new(rng.below(blueprint.processes.len()));
        blueprint.alphabets.push((process, ActionId::new(rng.below(blueprint.actions.len()))));
    }
    steps::steps(rng, profile, &groups, &mut blueprint);
    (blueprint, groups)
}

fn process(rng: &mut Rng, index: usize, profile: &Profile) -> Process {
    let end = |rng: &mut Rng| rng.chance(25);
    let n = rng.size(&profile.locations);
    let location = |l| Location { name: format!("l{l}"), end: end(rng), hold: hold(rng, profile), span: None };
    let locations = (0..n).map(location).collect();
    Process { name: format!("P{index}"), locations, initial: LocationId::new(rng.below(n)), span: None }
}

fn hold(rng: &mut Rng, profile: &Profile) -> Hold {
    match profile.holds {
        0 => Hold::No,
        share if rng.chance(share) => *rng.pick(&[Hold::Atomic, Hold::Atomic, Hold::Atomic, Hold::Step]),
        _ => Hold::No,
    }
}
