//! An order of locks without a deadlock.
//!
//! Somebody who holds one lock and waits for another takes the two against the order of the others. If it takes them the
//! other way round, by the same two steps, and the model then has no deadlock, that is the order to keep.

use model::{Command, ObjectId, ProcessId, System, Transition, TransitionId, Value};

use super::{Workshop, remade};

/// The most changes that are tried.
const TRIED: usize = 12;
/// How many of those that help are looked at more closely.
const ENOUGH: usize = 4;

/// Two steps of a process, the first of which takes a lock that it holds, and the second of which waits for another.
struct Pair {
    process: ProcessId,
    first: (TransitionId, ObjectId),
    second: (TransitionId, ObjectId),
}

/// Who should take two locks the other way round, in words.
pub(super) fn order(workshop: &Workshop<'_, '_>) -> Option<String> {
    let (system, source) = (workshop.system(), workshop.inquiry.source);
    let mut pairs = pairs(workshop);
    // As in every order by number, the last one is the one that goes against it.
    pairs.reverse();
    let changed = |pair: &Pair| remade(system, system.objects().to_vec(), swapped(system, pair), Vec::new());
    let helps = |pair: &&Pair| changed(pair).and_then(|changed| workshop.is_deadlock_free(&changed)) == Some(true);
    let helping: Vec<&Pair> = pairs.iter().take(TRIED).filter(helps).take(ENOUGH).collect();
    let frees = |pair: &&&Pair| changed(pair).and_then(|changed| workshop.is_nobody_stuck(&changed)) == Some(true);
    let whole = helping.iter().find(frees);
    // Where one change does not free everybody, the one that is told is of those who are told of first.
    let pair = *whole.or(helping.last())?;
    let rest = if whole.is_some() { "" } else { ", but some may still get stuck while others go on" };
    let name = |lock: ObjectId| &system.object(lock).name;
    let spans = |t: TransitionId| system.transition(t).spans.clone();
    let places = source.places(&[spans(pair.first.0), spans(pair.second.0)].concat());
    let places: Vec<String> = places.iter().map(ToString::to_string).collect();
    let at = if places.is_empty() { String::new() } else { format!("  [{}]", places.join(", ")) };
    let who = &system.process(pair.process).name;
    let (first, second) = (name(pair.first.1), name(pair.second.1));
    Some(format!(
        "{who} takes `{first}` before `{second}`; if it takes `{second}` before `{first}` there is no deadlock (checked){rest}{at}"
    ))
}

fn pairs(workshop: &Workshop<'_, '_>) -> Vec<Pair> {
    let (system, state) = (workshop.system(), workshop.found.last());
    let mut pairs = Vec::new();
    for second in system.transition_ids() {
        let [only] = &system.transition(second).moves[..] else { continue };
        let process = only.process;
        let awaited = taken(system.transition(second)).find(|l| is_held_by_another(system, *l, process, state));
        let Some(lock) = awaited.filter(|_| system.location(process, state) == only.from) else { continue };
        // Of the locks that it holds, the last one that it took.
        let held = |t: &TransitionId| {
            let own = taken(system.transition(*t)).find(|l| system.value(*l, state) == Value::Lock(Some(process)));
            own.map(|held| (*t, held))
        };
        let first = workshop.found.trace().stem.iter().rev().find_map(held);
        pairs.extend(first.map(|first| Pair { process, first, second: (second, lock) }));
    }
    pairs
}

/// The locks that a transition takes, if it is known which.
fn taken(t: &Transition) -> impl Iterator<Item = ObjectId> {
    t.command.iter().filter_map(|c| match c {
        Command::Acquire(target, _) if target.index.is_none() => Some(target.first),
        _ => None,
    })
}

fn is_held_by_another(system: &System, lock: ObjectId, process: ProcessId, state: &[u64]) -> bool {
    matches!(system.value(lock, state), Value::Lock(Some(holder)) if holder != process)
}

/// All transitions, of which two take each other's lock.
fn swapped(system: &System, pair: &Pair) -> Vec<Transition> {
    let mut transitions = system.transitions().to_vec();
    for ((t, own), (_, other)) in [(pair.first, pair.second), (pair.second, pair.first)] {
        for command in &mut transitions[t.index()].command {
            if let Command::Acquire(target, _) = command
                && target.first == own
            {
                target.first = other;
            }
        }
    }
    transitions
}
