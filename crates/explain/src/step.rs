//! The steps of a run: who does what, and only what changed.

use std::ops::Range;

use check::Walk;
use model::{Binary, Expr, Joining, ObjectId, ProcessId, System, Transition, TransitionId};
use serde::Serialize;

use crate::exchange::{Exchange, exchanges};
use crate::phrase;
use crate::source::{Place, SourceText};
use crate::writers::written;

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Its number, from 1.
    pub number: usize,
    /// The processes that take it.
    pub processes: Vec<String>,
    /// The name of the transition.
    pub transition: String,
    /// What the processes have to do with each other in it, unless there is only one; and whether nobody else could come
    /// in between.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joining: Option<String>,
    /// The conjuncts of its guard.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guard: Vec<String>,
    /// Its operations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<String>,
    /// What processes have to do with each other and with channels in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exchanges: Vec<Exchange>,
    /// What is different afterwards; empty for the step of a model error, which leads nowhere.
    pub changes: Vec<Change>,
    /// Where it is written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub source: Vec<Place>,
}

/// What became of an object, a process or the observer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The object or the process.
    pub subject: String,
    /// What it was.
    pub before: String,
    /// What it is.
    pub after: String,
}

/// Of a run that is longer than twice this, so many steps are explained at its beginning and at its end.
const EXPLAINED: usize = 1000;

/// The steps of a walk, those of its cycle once, and how many were left out in the middle.
pub fn steps(trace: &Walk<'_>, source: &SourceText) -> (Vec<Step>, usize) {
    let all = trace.trace().steps();
    let elided = all.saturating_sub(2 * EXPLAINED);
    if elided == 0 {
        return (range(trace, source, 0..all), 0);
    }
    let mut steps = range(trace, source, 0..EXPLAINED);
    steps.extend(range(trace, source, all - EXPLAINED..all));
    (steps, elided)
}

fn range(trace: &Walk<'_>, source: &SourceText, positions: Range<usize>) -> Vec<Step> {
    let (system, run) = (trace.system(), trace.trace());
    let mut states = trace.states().skip(positions.start);
    let mut before = states.next().expect("a run has a state before each of its steps");
    let step = |i: usize| match states.next() {
        Some(after) => {
            let taken = Step::taken(system, source, (i + 1, run.step(i)), (&before, &after));
            before = after;
            taken
        }
        None => step(system, source, (i + 1, run.step(i)), &before, Vec::new()),
    };
    positions.map(step).collect()
}

impl Step {
    /// The step with this number that took a transition from one state of the system to another.
    pub fn taken(
        system: &System,
        source: &SourceText,
        (number, transition): (usize, TransitionId),
        (before, after): (&[u64], &[u64]),
    ) -> Self {
        let t = system.transition(transition);
        // Runs may be long and systems large: only what the transition can change is looked at.
        let processes = t.moves.iter().map(|m| m.process);
        let mut objects: Vec<ObjectId> = t.command.iter().flat_map(written).collect();
        objects.sort_unstable();
        objects.dedup();
        let changes = changes_among(system, (before, after), processes, objects);
        let exchanges = exchanges(system, transition, (before, after));
        Step { exchanges, ..step(system, source, (number, transition), before, changes) }
    }
}

/// A conjunct as it can stand beside others.
fn conjunct(system: &System, t: &Transition, e: &Expr) -> String {
    let text = phrase::condition(system, t, e);
    let loose = matches!(e, Expr::Binary(Binary::Or | Binary::Implies, ..) | Expr::If(..));
    if loose && t.guard.len() > 1 { format!("({text})") } else { text }
}

/// The step with this number that takes a transition from a state.
fn step(
    system: &System,
    source: &SourceText,
    (number, id): (usize, TransitionId),
    before: &[u64],
    changes: Vec<Change>,
) -> Step {
    let t = system.transition(id);
    // That there is room for a new process, and what it begins with, its author did not write; the changes tell it.
    let written = !matches!(t.joining, Joining::Run { .. });
    Step {
        number,
        processes: t.moves.iter().map(|m| system.process(m.process).name.clone()).collect(),
        transition: t.name.clone(),
        joining: circumstances(system, t, before),
        guard: t.guard.iter().filter(|_| written).map(|e| conjunct(system, t, e)).collect(),
        operations: if written { operations(system, t) } else { Vec::new() },
        exchanges: Vec::new(),
        changes,
        source: source.places(&t.spans),
    }
}

/// The operations of a transition as text, as far as an author wrote them.
pub fn operations(system: &System, t: &Transition) -> Vec<String> {
    t.command.iter().filter(|c| !system.is_message_check(t, c)).map(|c| system.show_command(c)).collect()
}

/// What the processes have to do with each other, and why others do not come in between.
fn circumstances(system: &System, t: &Transition, before: &[u64]) -> Option<String> {
    let alone = system.control(before).map(|_| "nobody comes in between".to_owned());
    let resort = t.last_resort.then(|| "nothing else is possible".to_owned());
    let all: Vec<String> = joining(system, t).into_iter().chain(alone).chain(resort).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

fn joining(system: &System, t: &Transition) -> Option<String> {
    let name = |o: ObjectId| &system.object(o).name;
    match t.joining {
        Joining::Plain | Joining::Run { .. } => None,
        Joining::Action => (t.moves.len() > 1).then(|| "joint step".to_owned()),
        Joining::Rendezvous { channel: c, .. } => Some(format!("rendezvous on {}", name(c))),
        Joining::Lost(c) => Some(format!("the message to {} is lost", name(c))),
    }
}

/// What differs between two states: processes first, then objects, then the observer.
pub fn changes(system: &System, before: &[u64], after: &[u64]) -> Vec<Change> {
    changes_among(system, (before, after), system.process_ids(), system.object_ids())
}

fn changes_among(
    system: &System,
    (before, after): (&[u64], &[u64]),
    processes: impl IntoIterator<Item = ProcessId>,
    objects: impl IntoIterator<Item = ObjectId>,
) -> Vec<Change> {
    let processes = processes.into_iter().filter_map(|p| {
        let (old, new) = (system.location(p, before), system.location(p, after));
        let name = |state| phrase::location(system, p, state);
        let subject = || system.process(p).name.clone();
        (old != new).then(|| Change { subject: subject(), before: name(before), after: name(after) })
    });
    let objects = objects.into_iter().filter_map(|o| {
        let (old, new) = (system.value(o, before), system.value(o, after));
        let show = |value| system.show_value(o, value);
        (old != new).then(|| Change { subject: system.object(o).name.clone(), before: show(&old), after: show(&new) })
    });
    processes.chain(objects).chain(observer_change(system, before, after)).collect()
}

fn observer_change(system: &System, before: &[u64], after: &[u64]) -> Option<Change> {
    let observer = system.observer()?;
    let (old, new) = (system.observer_location(before)?, system.observer_location(after)?);
    let name = |l: model::LocationId| observer.locations[l.index()].name.clone();
    (old != new).then(|| Change { subject: "observer".to_owned(), before: name(old), after: name(new) })
}
