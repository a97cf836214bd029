//! A state: where everybody is, what can happen, why the rest cannot, who waits for whom, and how it came to this.

use std::collections::HashSet;

use check::Walk;
use explain::{Chart, Deadlock, SourceText, Stuck, steps, waiting, why_disabled};
use formats::chart;
use formats::waiting::Waiting;
use model::{Fault, System, TransitionId};
use serde_json::{Value, json};

use super::structure;
use crate::input::Model;

/// So many transitions are listed, of those that can happen and of those that cannot.
const LISTED: usize = 200;
/// A chart has so many of the last steps.
const CHARTED: usize = 60;
/// Who waits for whom is drawn for so many processes; more make no picture.
const DRAWN: usize = 40;

/// The state at the end of a walk; `fault` if one more step was a model error.
pub(super) fn of(model: &Model, walk: &Walk<'_>, fault: Option<Fault>, filter: &str) -> Value {
    let (system, state) = (&model.loaded.system, walk.last());
    let choices = Choices::new(system, state, filter);
    let (told, _) = steps(walk, &model.source);
    let waits = waits(system, walk, &model.source, choices.count);
    let deadlock = choices.count == 0 && !system.at_end(state);
    let charted = &told[told.len().saturating_sub(CHARTED)..];
    let chart = Chart::of_steps(system, charted, waits.as_ref().filter(|_| deadlock));
    let told_fault = |fault| match walk.trace().stem.last() {
        Some(t) => system.told(*t, state, fault).show(system),
        None => fault.show(system),
    };
    json!({
        "at": system.process_ids().map(|p| system.location(p, state).index()).collect::<Vec<_>>(),
        "values": system.object_ids().map(|o| system.show_value(o, &system.value(o, state))).collect::<Vec<_>>(),
        "marking": structure::marking(model, state),
        "control": system.control(state).map(|p| p.index()),
        "last": told.last(),
        "fault": fault.map(told_fault),
        "enabled": choices.enabled,
        "enabled_count": choices.count,
        "disabled": choices.disabled,
        "more_disabled": choices.more,
        "may_end": system.at_end(state),
        "deadlock": deadlock,
        "waiting": waits.as_ref().map(|d| drawn(system, d, &still(system, state, d))),
        "chart": chart.as_ref().map(chart::svg),
    })
}

/// What can happen and what cannot.
struct Choices {
    enabled: Vec<Value>,
    /// How many can happen, listed or not.
    count: usize,
    disabled: Vec<Value>,
    /// Whether more cannot happen than are listed.
    more: bool,
}

impl Choices {
    fn new(system: &System, state: &[u64], filter: &str) -> Self {
        let (mut enabled, mut count) = (Vec::new(), 0);
        let named = |t: TransitionId| filter.is_empty() || system.transition(t).name.contains(filter);
        for choice in system.enabled(state) {
            count += 1;
            let (t, fault) = match choice {
                Ok(t) => (t, None),
                Err((t, fault)) => (t, Some(fault.show(system))),
            };
            if enabled.len() < LISTED && named(t) {
                enabled.push(json!({ "transition": t.0, "name": system.transition(t).name, "fault": fault }));
            }
        }
        let (mut disabled, mut more) = (Vec::new(), false);
        for t in system.transition_ids().filter(|t| named(*t) && is_here(system, *t, state)) {
            let reasons = why_disabled(system, t, state);
            if reasons.is_empty() {
                continue;
            }
            if disabled.len() == LISTED {
                more = true;
                break;
            }
            disabled.push(json!({ "transition": t.0, "name": system.transition(t).name, "reasons": reasons }));
        }
        Self { enabled, count, disabled, more }
    }
}

/// Whether somebody who takes part in a transition is where it begins.
fn is_here(system: &System, t: TransitionId, state: &[u64]) -> bool {
    let moves = &system.transition(t).moves;
    moves.is_empty() || moves.iter().any(|m| system.location(m.process, state) == m.from)
}

/// Who waits for whom; nothing of a net in which something can happen.
fn waits(system: &System, walk: &Walk<'_>, source: &SourceText, enabled: usize) -> Option<Deadlock> {
    (enabled == 0 || !system.processes().is_empty()).then(|| waiting(walk, source))
}

/// Only those who wait or are waited for.
fn concerned(deadlock: &Deadlock) -> Deadlock {
    let awaited: HashSet<&String> = deadlock
        .processes
        .iter()
        .flat_map(|p| p.waits.iter().flat_map(|w| w.blockers.iter().flat_map(|b| b.helpers.iter().chain(&b.in_vain))))
        .collect();
    let is_concerned = |p: &&Stuck| !p.waits.is_empty() || awaited.contains(&p.process);
    Deadlock { processes: deadlock.processes.iter().filter(is_concerned).cloned().collect(), ..deadlock.clone() }
}

/// Those who cannot move and wait for nothing, because no step leads away from where they are.
fn still<'a>(system: &System, state: &[u64], deadlock: &'a Deadlock) -> Vec<&'a str> {
    let mut can_move = vec![false; system.processes().len()];
    for choice in system.enabled(state) {
        let (Ok(t) | Err((t, _))) = choice;
        system.transition(t).moves.iter().for_each(|m| can_move[m.process.index()] = true);
    }
    let moving: HashSet<&str> =
        system.process_ids().filter(|p| can_move[p.index()]).map(|p| system.process(p).name.as_str()).collect();
    let is_still = |p: &&Stuck| p.waits.is_empty() && !moving.contains(p.process.as_str());
    deadlock.processes.iter().filter(is_still).map(|p| p.process.as_str()).collect()
}

fn drawn(system: &System, deadlock: &Deadlock, still: &[&str]) -> Value {
    let picture = Waiting::new(system.name(), &concerned(deadlock)).filter(|_| deadlock.processes.len() <= DRAWN);
    json!({
        "svg": picture.map(|p| p.svg()),
        "cycle": deadlock.cycle,
        "no_cycle": deadlock.no_cycle,
        "siphon": deadlock.siphon.as_ref().map(|s| &s.places),
        "still": still,
        "stuck": deadlock.processes.iter().filter(|p| !p.waits.is_empty()).collect::<Vec<_>>(),
    })
}
