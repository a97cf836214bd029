//! Why one transition is disabled in a state, for whoever asks about that transition alone.

use model::{Edge, Joining, Move, System, Transition, TransitionId};

use crate::meeting::End;
use crate::obstacle::{Obstacle, of_part, of_transition};
use crate::phrase;

/// Why a transition is disabled in a state, one sentence for each obstacle; empty if it is enabled.
pub fn why_disabled(system: &System, t: TransitionId, state: &[u64]) -> Vec<String> {
    let transition = system.transition(t);
    let parts: Vec<&Edge> = system.parts(t).collect();
    let away = transition.moves.iter().filter(|m| system.location(m.process, state) != m.from);
    let mut reasons: Vec<String> = away.map(|m| elsewhere(system, &parts, m, state)).collect();
    reasons.extend(obstacles(system, transition, &parts, state).iter().map(|o| phrase::obstacle(system, o, state)));
    let ends: Vec<End<'_>> = parts.iter().filter_map(|e| End::of(system, e)).collect();
    if let [a, b] = &ends[..] {
        reasons.extend(a.misfits(b, system, state).iter().map(|m| phrase::misfit(system, (a, b), m, state)));
    }
    reasons
}

fn obstacles<'a>(system: &System, t: &'a Transition, parts: &[&'a Edge], state: &[u64]) -> Vec<Obstacle<'a>> {
    if parts.is_empty() {
        return of_transition(system, t, state);
    }
    let mut obstacles: Vec<Obstacle<'a>> = parts.iter().flat_map(|e| of_part(system, e, state)).collect();
    obstacles.retain(|o| !matches!(t.joining, Joining::Lost(_)) || o.is_final(system));
    obstacles
}

fn elsewhere(system: &System, parts: &[&Edge], m: &Move, state: &[u64]) -> String {
    let (name, at) = (&system.process(m.process).name, phrase::location(system, m.process, state));
    let part = parts.iter().find(|e| e.process == m.process);
    let what = match part.map(|e| (End::of(system, e), e.sync)) {
        Some((Some(end), _)) => format!("{} on `{}`", end.verb(), end.channel(system, state)),
        Some((None, Some(action))) => format!("take part in `{}`", system.action(action)),
        _ => format!("come to `{}`", system.process(m.process).locations[m.from.index()].name),
    };
    format!("waits for {name} to {what}; {name} is at `{at}`")
}
