//! Random networks of a few small components: arbitrary ones, ones in which no component blocks itself, and ones with
//! structure; all with or without model errors, end states and events that no rule uses.

use std::ops::RangeInclusive;

use model::views::Network;

use super::structured::{resources, ring, schedule};
use super::{Sketch, SketchedRule, network};
use crate::Rng;

/// A random network.
pub fn random(seed: u64) -> Network {
    let mut rng = Rng::new(seed);
    match seed % 6 {
        0 => arbitrary(&mut rng),
        1 | 2 => live(&mut rng),
        3 => ring(&mut rng),
        4 => resources(&mut rng),
        _ => {
            let slips = rng.chance(50);
            schedule(&mut rng, slips)
        }
    }
}

/// Anything.
fn arbitrary(rng: &mut Rng) -> Network {
    let mut components: Vec<Sketch> = (0..rng.size(&(2..=6))).map(|_| component(rng, 0..=7)).collect();
    let mut rules: Vec<SketchedRule> = (0..rng.size(&(0..=8))).map(|_| rule(rng, &components)).collect();
    faults(rng, &mut components, &mut rules);
    network(&components, &rules)
}

/// Components that can leave each of their states; every event is used by a rule.
fn live(rng: &mut Rng) -> Network {
    let mut components: Vec<Sketch> = (0..rng.size(&(2..=5))).map(|_| component(rng, 1..=3)).collect();
    for component in &mut components {
        for from in 0..component.states {
            let to = if rng.chance(70) { (from + 1) % component.states } else { rng.below(component.states) };
            component.moves.push((from, rng.below(3), to));
        }
    }
    let mut rules: Vec<SketchedRule> = (0..rng.size(&(1..=6))).map(|_| rule(rng, &components)).collect();
    for (c, component) in components.iter().enumerate() {
        for &(_, event, _) in &component.moves {
            if !rules.iter().any(|rule| rule.participants.contains(&(c, event))) {
                let other = rng.below(components.len());
                let mut participants = vec![(c, event)];
                if other != c && rng.chance(70) {
                    participants.push((other, self::event(rng, &components[other])));
                }
                rules.push(SketchedRule { participants, fault: false });
            }
        }
    }
    faults(rng, &mut components, &mut rules);
    network(&components, &rules)
}

/// Up to five states, some of them end states, and moves of up to three events.
fn component(rng: &mut Rng, moves: RangeInclusive<usize>) -> Sketch {
    let states = rng.size(&(1..=5));
    let end = (0..states).filter(|_| rng.chance(20)).collect();
    let moves = (0..rng.size(&moves)).map(|_| (rng.below(states), rng.below(3), rng.below(states)));
    Sketch { states, end, moves: moves.collect() }
}

/// A rule of a few components, seldom of none, mostly with events that they have.
fn rule(rng: &mut Rng, components: &[Sketch]) -> SketchedRule {
    let mut all: Vec<usize> = (0..components.len()).collect();
    rng.shuffle(&mut all);
    let most = *rng.pick(&[1, 2, 2, 2, 2, 3, 3, 4]);
    let number = if rng.chance(1) { 0 } else { most.min(all.len()) };
    let participants = all[..number].iter().map(|&c| (c, event(rng, &components[c])));
    SketchedRule { participants: participants.collect(), fault: false }
}

fn event(rng: &mut Rng, component: &Sketch) -> usize {
    if component.moves.is_empty() || rng.chance(3) { rng.below(3) } else { rng.pick(&component.moves).1 }
}

/// Sometimes a model error or two: an event of its own with self-loops.
fn faults(rng: &mut Rng, components: &mut [Sketch], rules: &mut Vec<SketchedRule>) {
    const EVENT: usize = 3;
    for number in 0..*rng.pick(&[0, 0, 0, 1, 2]) {
        let mut all: Vec<usize> = (0..components.len()).collect();
        rng.shuffle(&mut all);
        let participants: Vec<usize> = all[..rng.size(&(1..=3)).min(all.len())].to_vec();
        for &c in &participants {
            let s = rng.below(components[c].states);
            components[c].moves.push((s, EVENT + number, s));
        }
        let participants = participants.into_iter().map(|c| (c, EVENT + number));
        rules.push(SketchedRule { participants: participants.collect(), fault: true });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::Oracle;

    #[test]
    fn there_is_enough_of_every_kind() {
        let (mut sound, mut deadlocked, mut faulty, mut many) = (0, 0, 0, 0);
        for seed in 0..600 {
            let network = random(seed);
            let oracle = Oracle::new(&network, 20_000).expect("small components");
            let faults = |r: &_| network.rule(*r).fault && oracle.enables(*r);
            sound += usize::from(oracle.is_sound());
            deadlocked += usize::from(oracle.deadlocks().next().is_some());
            faulty += usize::from(network.rule_ids().any(|r| faults(&r)));
            many += usize::from(network.rules().iter().any(|rule| rule.participants.len() > 2));
        }
        assert!(sound > 150 && deadlocked > 100 && faulty > 30 && many > 200, "{sound} {deadlocked} {faulty} {many}");
    }
}
