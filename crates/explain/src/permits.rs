//! Permits of a semaphore that were taken and forgotten: whoever took them is where it was before, and nobody gives them
//! back without taking another one first.
//!
//! A process that waits for its second permit and still has the first one is somewhere else than before, and is waited
//! for; one that went round without giving its permit back is not.

use std::collections::HashMap;

use check::Walk;
use model::{Command, LocationId, ObjectId, ProcessId, System, TransitionId, Value};

use crate::ownership::Write;
use crate::values::resolve;
use crate::writers::{Writers, written};

/// The steps that took the permits that are missing, if all of these are forgotten.
pub(crate) fn forgotten(walk: &Walk<'_>, writers: &Writers<'_>, semaphore: ObjectId) -> Option<Vec<usize>> {
    let system = walk.system();
    let ways = ways(system, semaphore);
    let returned = |w: Write<'_>| matches!(w.command(), Command::Gain(..)) && writers.can_happen(w.transition);
    for giver in writers.of(semaphore).filter(|w| returned(*w)) {
        let [owner] = giver.owners(system)[..] else { return None };
        let (here, there) = (system.location(owner, walk.last()), giver.transition.part(owner)?.from);
        if lead(ways.get(&owner).map_or(&[], Vec::as_slice), here, there) {
            return None;
        }
    }
    let ledger = Ledger::new(walk, semaphore)?;
    let mut steps: Vec<usize> = ledger.held.values().flatten().copied().collect();
    let forgotten =
        |(process, held): (&ProcessId, &Vec<usize>)| held.is_empty() || ledger.least.get(process) == Some(&0);
    steps.sort_unstable();
    steps.dedup();
    (!steps.is_empty() && ledger.held.iter().all(forgotten)).then_some(steps)
}

/// For each process its ways from one location to another on which it takes no permit.
fn ways(system: &System, semaphore: ObjectId) -> HashMap<ProcessId, Vec<(LocationId, LocationId)>> {
    let mut ways: HashMap<ProcessId, Vec<(LocationId, LocationId)>> = HashMap::new();
    let steps = system.transition_ids().map(|t| system.transition(t));
    for t in steps.filter(|t| !t.command.iter().any(|c| takes(c, semaphore))) {
        t.moves.iter().for_each(|m| ways.entry(m.process).or_default().push((m.from, m.to)));
    }
    ways
}

/// Whether these ways lead from one location to another.
fn lead(ways: &[(LocationId, LocationId)], from: LocationId, goal: LocationId) -> bool {
    let mut known = vec![from];
    let mut at = 0;
    while let Some(here) = known.get(at).copied() {
        at += 1;
        for (from, to) in ways {
            if *from == here && !known.contains(to) {
                known.push(*to);
            }
        }
    }
    known.contains(&goal)
}

fn takes(command: &Command, semaphore: ObjectId) -> bool {
    matches!(command, Command::Take(target, _) if target.objects().any(|o| o == semaphore))
}

/// Who has taken how many permits.
struct Ledger {
    /// For each process the numbers of the steps that took the permits that it has not given back.
    held: HashMap<ProcessId, Vec<usize>>,
    /// The fewest that it ever had where it is now, with the same values of its own objects.
    least: HashMap<ProcessId, usize>,
}

impl Ledger {
    /// None if somebody gives back what it did not take, or nobody in particular takes or gives.
    fn new(walk: &Walk<'_>, semaphore: ObjectId) -> Option<Self> {
        let system = walk.system();
        let own = own_objects(system);
        let place = |p: ProcessId, state: &[u64]| -> (LocationId, Vec<Value>) {
            let values = own.get(&p).into_iter().flatten().map(|o| system.value(*o, state));
            (system.location(p, state), values.collect())
        };
        let mut ledger = Self { held: HashMap::new(), least: HashMap::new() };
        let mut ends: HashMap<ProcessId, (LocationId, Vec<Value>)> = HashMap::new();
        let mut note = |ledger: &mut Self, p: ProcessId, state: &[u64]| {
            let end = ends.entry(p).or_insert_with(|| place(p, walk.last()));
            if *end == place(p, state) {
                let held = ledger.held.get(&p).map_or(0, Vec::len);
                let least = ledger.least.entry(p).or_insert(held);
                *least = held.min(*least);
            }
        };
        let mut before: Option<Vec<u64>> = None;
        for (number, state) in walk.states().enumerate() {
            match &before {
                None => system.process_ids().for_each(|p| note(&mut ledger, p, &state)),
                Some(before) => {
                    let t = walk.trace().step(number - 1);
                    ledger.book(system, (t, number), semaphore, before)?;
                    system.transition(t).moves.iter().for_each(|m| note(&mut ledger, m.process, &state));
                }
            }
            before = Some(state);
        }
        Some(ledger)
    }

    /// What a step takes and gives.
    fn book(&mut self, system: &System, (t, number): (TransitionId, usize), o: ObjectId, state: &[u64]) -> Option<()> {
        for (position, command) in system.transition(t).command.iter().enumerate() {
            let (Command::Take(target, amount) | Command::Gain(target, amount)) = command else { continue };
            if resolve(system, target, state) != Some(o) {
                continue;
            }
            let [owner] = Write::new(system, t, position).owners(system)[..] else { return None };
            let held = self.held.entry(owner).or_default();
            for _ in 0..*amount {
                match command {
                    Command::Take(..) => held.push(number),
                    _ => {
                        held.pop()?;
                    }
                }
            }
        }
        Some(())
    }
}

/// The objects that only one process writes.
fn own_objects(system: &System) -> HashMap<ProcessId, Vec<ObjectId>> {
    let mut writer: HashMap<ObjectId, Option<ProcessId>> = HashMap::new();
    for t in system.transition_ids() {
        for (position, command) in system.transition(t).command.iter().enumerate() {
            let owners = Write::new(system, t, position).owners(system);
            let one = if let [one] = owners[..] { Some(one) } else { None };
            for object in written(command) {
                let known = writer.entry(object).or_insert(one);
                *known = known.filter(|p| Some(*p) == one);
            }
        }
    }
    let mut own: HashMap<ProcessId, Vec<ObjectId>> = HashMap::new();
    for (object, process) in writer {
        process.into_iter().for_each(|p| own.entry(p).or_default().push(object));
    }
    own
}
