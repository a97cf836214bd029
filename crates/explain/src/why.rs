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
    if reasons.is_empty() && system.is_enabled(t, state) == Ok(false) {
        reasons.push(postponed(system, state));
    }
    reasons
}

/// Why a transition that lacks nothing does not have its turn.
fn postponed(system: &System, state: &[u64]) -> String {
    match system.control(state) {
        Some(p) => format!("{} goes on alone, nobody comes in between", system.process(p).name),
        None => "something else is possible, and this is for when nothing is".to_owned(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Builder, Hold};

    #[test]
    fn who_has_to_let_others_go_first_is_told_so() {
        let mut b = Builder::new("m");
        let (p, q) = (b.process("P"), b.process("Q"));
        let [start, inside, done] = ["start", "inside", "done"].map(|name| b.location(p, name));
        let [here, there] = ["here", "there"].map(|name| b.location(q, name));
        b.hold(p, inside, Hold::Atomic);
        b.edge(Edge::new(p, start, inside).label("enter"));
        b.edge(Edge::new(p, inside, done).label("leave"));
        b.edge(Edge::new(q, here, there).label("go"));
        let system = b.build().expect("a model");
        let mut state = system.initial_state();
        let all = |state: &[u64]| system.transition_ids().map(|t| why_disabled(&system, t, state)).collect::<Vec<_>>();
        assert_eq!(all(&state)[0], Vec::<String>::new());
        assert_eq!(all(&state)[2], Vec::<String>::new());
        system.fire_in_place(TransitionId(0), &mut state).expect("it is enabled");
        assert_eq!(all(&state)[1], Vec::<String>::new());
        assert_eq!(all(&state)[2], ["P goes on alone, nobody comes in between"]);
    }
}
