//! Networks that differ from a given one in a detail.

use model::views::{Automaton, Component, EventId, Network, Rule, StateId};

use crate::Rng;

/// The network with a random small change: a move, an initial state, an end state, a rule or its participants.
pub fn mutated(network: &Network, rng: &mut Rng) -> Network {
    let mut components: Vec<Automaton> = network.components().iter().map(automaton).collect();
    let mut rules: Vec<Rule> = network.rules().to_vec();
    if rng.chance(30) && !rules.is_empty() {
        change_rules(rng, &mut rules, &components);
    } else if !components.is_empty() {
        let c = rng.below(components.len());
        change_component(rng, &mut components[c]);
    }
    Network::new("mutant", components, rules).expect("the change keeps a network sound")
}

fn automaton(component: &Component) -> Automaton {
    let states = (0..component.states().len()).map(StateId::new);
    let moves = states.flat_map(|from| component.moves(from).iter().map(move |m| (from, m.event, m.to)));
    Automaton {
        name: component.name().to_owned(),
        origin: component.origin().clone(),
        states: component.states().to_vec(),
        initial: component.initial(),
        events: component.events().to_vec(),
        moves: moves.collect(),
    }
}

fn change_component(rng: &mut Rng, component: &mut Automaton) {
    let state = StateId::new(rng.below(component.states.len()));
    let number = rng.below(component.moves.len().max(1));
    match rng.below(6) {
        0 => component.initial = state,
        1 => component.states[state.index()].end ^= true,
        2 if !component.events.is_empty() => {
            let event = EventId::new(rng.below(component.events.len()));
            let from = StateId::new(rng.below(component.states.len()));
            component.moves.push((from, event, state));
        }
        3 if !component.moves.is_empty() => component.moves[number].2 = state,
        4 if !component.moves.is_empty() => component.moves[number].0 = state,
        _ if !component.moves.is_empty() => _ = component.moves.swap_remove(number),
        _ => {}
    }
}

fn change_rules(rng: &mut Rng, rules: &mut Vec<Rule>, components: &[Automaton]) {
    let r = rng.below(rules.len());
    let participants = &mut rules[r].participants;
    let p = rng.below(participants.len().max(1));
    match rng.below(4) {
        0 if !participants.is_empty() => _ = participants.remove(p),
        1 if !participants.is_empty() => {
            let events = components[participants[p].0.index()].events.len();
            participants[p].1 = EventId::new(rng.below(events));
        }
        2 => {
            let copy = rules[r].clone();
            rules.push(Rule { fault: !copy.fault, ..copy });
        }
        _ => _ = rules.remove(r),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::{Oracle, random};

    #[test]
    fn details_matter() {
        let (mut sound, mut broken) = (0, 0);
        for seed in 0..500 {
            let network = random(seed);
            if !Oracle::new(&network, 20_000).expect("small").is_sound() {
                continue;
            }
            let mutant = mutated(&network, &mut Rng::new(seed));
            let is_sound = Oracle::new(&mutant, 20_000).expect("small").is_sound();
            *(if is_sound { &mut sound } else { &mut broken }) += 1;
        }
        assert!(sound > 30 && broken > 30, "{sound} {broken}");
    }
}
