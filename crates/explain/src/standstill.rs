//! What belongs to no process when nothing can happen any more: the marking of a plain net, and what its transitions lack.
//!
//! A net may have a hundred thousand of both. Lists are cut, and the transitions that lack the least come first: those
//! that have nothing at all of what they need say nothing about a standstill.

use std::cmp::Reverse;

use model::{Binary, Command, Expr, Target, Transition, TransitionId, Value};
use serde::Serialize;

use crate::deadlock::{Blocker, Wait};
use crate::help::Scene;
use crate::obstacle::{Obstacle, of_transition};
use crate::phrase;
use crate::source::SourceText;
use crate::values::Reading;

/// The longest list.
const LISTED: usize = 1000;

/// How much was left out of lists that were too long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Elided {
    /// Objects that are not empty.
    pub marking: usize,
    /// Transitions.
    pub others: usize,
}

impl Elided {
    pub(crate) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// The part of a deadlock that is about no process.
pub(crate) struct Standstill {
    pub(crate) marking: Vec<Reading>,
    pub(crate) others: Vec<Wait>,
    pub(crate) elided: Elided,
}

impl Standstill {
    pub(crate) fn new(scene: &Scene<'_>, source: &SourceText) -> Self {
        let (marking, more_marked) = cut(marking(scene));
        let (ranked, more_others) = cut(ranked(scene));
        let others = ranked.into_iter().map(|t| wait(scene, source, scene.system.transition(t))).collect();
        Self { marking, others, elided: Elided { marking: more_marked, others: more_others } }
    }
}

/// As much of a list as is shown, and how much more there is.
fn cut<T>(mut list: Vec<T>) -> (Vec<T>, usize) {
    let more = list.len().saturating_sub(LISTED);
    list.truncate(LISTED);
    (list, more)
}

/// The objects that are not empty, if there are no processes that would say more.
fn marking(scene: &Scene<'_>) -> Vec<Reading> {
    let (system, state) = (scene.system, scene.state);
    if !system.processes().is_empty() {
        return Vec::new();
    }
    let readings = system.object_ids().filter_map(|o| {
        let value = system.value(o, state);
        let reading = || Reading { subject: system.object(o).name.clone(), value: system.show_value(o, &value) };
        (value != Value::Int(0)).then(reading)
    });
    readings.collect()
}

/// The transitions without a process: first those that have something of what they need, and of these the ones that
/// lack the least.
fn ranked(scene: &Scene<'_>) -> Vec<TransitionId> {
    let system = scene.system;
    let mut ranked: Vec<(Reverse<bool>, usize, TransitionId)> = Vec::new();
    for id in system.transition_ids() {
        let t = system.transition(id);
        if t.moves.is_empty() {
            let needs = t.guard.len() + t.command.iter().filter(|c| Command::is_partial(c)).count();
            let lacks = of_transition(system, t, scene.state).len();
            ranked.push((Reverse(lacks < needs), lacks, id));
        }
    }
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, _, id)| id).collect()
}

/// What is missing: of tokens, how many there are and how many there should be.
fn lack(scene: &Scene<'_>, obstacle: &Obstacle<'_>) -> String {
    let (system, state) = (scene.system, scene.state);
    let (object, needed) = match obstacle {
        Obstacle::Undefined(Command::Take(_, needed), object, _) => (*object, i64::from(*needed)),
        Obstacle::False(Expr::Binary(Binary::Ge, place, needed)) => match (&**place, &**needed) {
            (Expr::Read(Target { first, index: None, .. }), Expr::Const(needed)) => (*first, *needed),
            _ => return phrase::obstacle(system, obstacle, state),
        },
        _ => return phrase::obstacle(system, obstacle, state),
    };
    let (name, value) = (&system.object(object).name, system.show_value(object, &system.value(object, state)));
    format!("{name} has {value} of {needed}")
}

fn wait(scene: &Scene<'_>, source: &SourceText, t: &Transition) -> Wait {
    let (system, state) = (scene.system, scene.state);
    let blocker = |o: &Obstacle<'_>| Blocker { text: lack(scene, o), ..Blocker::default() };
    let blockers = of_transition(system, t, state).iter().map(blocker).collect();
    Wait { step: t.name.clone(), source: source.places(&t.spans), blockers }
}
