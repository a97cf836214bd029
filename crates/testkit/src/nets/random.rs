//! Random nets: arbitrary ones, communicating processes, and series-parallel ones with many rules to apply.

use model::nets::{Goal, Linear, Predicate};
use model::views::{Marking, Net, NetTransitionId, PlaceId};

use super::{Arcs, net};
use crate::Rng;

/// A random net. Some are unbounded.
pub fn random(seed: u64) -> Net {
    let mut rng = Rng::new(seed);
    match seed % 3 {
        0 => arbitrary(&mut rng),
        1 => processes(&mut rng),
        _ => workflow(&mut rng),
    }
}

fn arbitrary(rng: &mut Rng) -> Net {
    let places = rng.size(&(2..=7));
    let initial: Vec<u32> = (0..places).map(|_| *rng.pick(&[0, 0, 1, 1, 2, 3])).collect();
    let transitions: Vec<(Arcs, Arcs)> =
        (0..rng.size(&(1..=8))).map(|_| (side(rng, places, 2), side(rng, places, 2))).collect();
    net(&initial, &transitions)
}

/// A few distinct places with weights.
fn side(rng: &mut Rng, places: usize, most: usize) -> Arcs {
    let mut all: Vec<usize> = (0..places).collect();
    rng.shuffle(&mut all);
    let n = rng.size(&(0..=most.min(places)));
    all.into_iter().take(n).map(|p| (p, weight(rng))).collect()
}

fn weight(rng: &mut Rng) -> u32 {
    *rng.pick(&[1, 1, 1, 1, 1, 1, 2, 3])
}

/// State machines that share resources and exchange tokens through buffers.
fn processes(rng: &mut Rng) -> Net {
    let shared = rng.size(&(1..=3));
    let mut initial: Vec<u32> = (0..shared).map(|_| *rng.pick(&[0, 1, 1, 2])).collect();
    let mut transitions: Vec<(Arcs, Arcs)> = Vec::new();
    for _ in 0..rng.size(&(1..=3)) {
        let (first, size) = (initial.len(), rng.size(&(2..=4)));
        initial.extend((0..size).map(|i| u32::from(i == 0) * if rng.chance(15) { 2 } else { 1 }));
        for from in 0..size {
            for _ in 0..if rng.chance(25) { 2 } else { 1 } {
                let to = if rng.chance(75) { (from + 1) % size } else { rng.below(size) };
                let (mut pre, mut post) = (vec![(first + from, 1)], vec![(first + to, 1)]);
                let other = rng.below(shared);
                match rng.below(6) {
                    0 | 1 => pre.push((other, weight(rng))),
                    2 | 3 => post.push((other, weight(rng))),
                    4 => {
                        pre.push((other, 1));
                        post.push((other, 1));
                    }
                    _ => {}
                }
                transitions.push((pre, post));
            }
        }
    }
    net(&initial, &transitions)
}

/// Forks, joins, choices and chains, grown by refinement of one transition between two places.
fn workflow(rng: &mut Rng) -> Net {
    let mut initial = vec![1 + u32::from(rng.chance(30)), 0];
    let mut transitions: Vec<(Arcs, Arcs)> = vec![(vec![(0, 1)], vec![(1, 1)])];
    for _ in 0..rng.size(&(1..=6)) {
        let t = rng.below(transitions.len());
        let fresh = initial.len();
        match rng.below(4) {
            // A chain, a choice, a detour in parallel, a loop.
            0 => {
                let post = std::mem::replace(&mut transitions[t].1, vec![(fresh, 1)]);
                initial.push(u32::from(rng.chance(10)));
                transitions.push((vec![(fresh, 1)], post));
            }
            1 => transitions.push(transitions[t].clone()),
            2 => {
                initial.extend([0, 0]);
                transitions[t].1.push((fresh, 1));
                let join = rng.below(transitions.len());
                transitions[join].0.push((fresh + 1, 1));
                transitions.push((vec![(fresh, 1)], vec![(fresh + 1, 1)]));
            }
            _ => {
                let (pre, post) = transitions[t].clone();
                transitions.push((post, pre));
            }
        }
    }
    if rng.chance(50) {
        transitions.push((vec![(1, 1)], vec![(0, 1)]));
    }
    net(&initial, &transitions)
}

/// Random goals: a dead marking, predicates, transitions that become enabled, and a maximum.
pub fn goals(net: &Net, seed: u64) -> Vec<Goal> {
    let mut rng = Rng::new(seed);
    let places = net.places().len();
    let t = NetTransitionId::new(rng.below(net.transitions().len()));
    let mut out = vec![Goal::Dead, Goal::Satisfies(Predicate::fireable(net, t))];
    out.extend((0..4).map(|_| Goal::Satisfies(predicate(&mut rng, places, 2))));
    out.push(Goal::Maximum(sum(&mut rng, places, &[1, 1, 1, 2])));
    out
}

/// Single markings as goals: some reachable, and some that differ from a reachable one in a token.
pub fn targets(net: &Net, seed: u64) -> Vec<Goal> {
    let mut rng = Rng::new(seed);
    let (mut marking, mut out) = (net.initial_marking(), Vec::new());
    for _ in 0..rng.size(&(6..=12)) {
        let enabled: Vec<NetTransitionId> = net.transition_ids().filter(|&t| net.is_enabled(t, &marking)).collect();
        if enabled.is_empty() {
            break;
        }
        marking = net.fire(*rng.pick(&enabled), &marking);
        out.push(exactly(&marking));
        let mut other = marking.clone();
        let p = rng.below(other.len());
        other[p] = if rng.chance(50) { other[p] + 1 } else { other[p].saturating_sub(1) };
        out.push(exactly(&other));
    }
    out
}

fn exactly(marking: &[u64]) -> Goal {
    let equals = |(p, &n): (usize, &u64)| {
        let (p, n) = (PlaceId::new(p), u32::try_from(n).expect("small nets have few tokens"));
        [Predicate::at_least(p, n), Predicate::at_most(p, n)]
    };
    Goal::Satisfies(Predicate::all(marking.iter().enumerate().flat_map(equals)))
}

pub(super) fn predicate(rng: &mut Rng, places: usize, depth: usize) -> Predicate {
    if depth == 0 || rng.chance(40) {
        return Predicate::linear(sum(rng, places, &[-1, 1, -1, 1, 2, -2]));
    }
    let parts: Vec<Predicate> = (0..rng.size(&(2..=3))).map(|_| predicate(rng, places, depth - 1)).collect();
    if rng.chance(60) { Predicate::all(parts) } else { Predicate::any(parts) }
}

fn sum(rng: &mut Rng, places: usize, factors: &[i64]) -> Linear {
    let terms = (0..rng.size(&(1..=2))).map(|_| (PlaceId::new(rng.below(places)), *rng.pick(factors))).collect();
    Linear::new(terms, rng.between(-3..=3)).expect("small factors")
}

/// A random run of at most so many steps, and the marking that it leads to.
pub fn random_run(net: &Net, seed: u64, steps: usize) -> (Vec<NetTransitionId>, Marking) {
    let (mut rng, mut run, mut marking) = (Rng::new(seed), Vec::new(), net.initial_marking());
    for _ in 0..steps {
        let enabled: Vec<NetTransitionId> = net.transition_ids().filter(|&t| net.is_enabled(t, &marking)).collect();
        if enabled.is_empty() {
            break;
        }
        let t = enabled[rng.below(enabled.len())];
        marking = net.fire(t, &marking);
        run.push(t);
    }
    (run, marking)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nets::Oracle;

    #[test]
    fn goals_are_reached_in_some_nets_and_not_in_others() {
        let (mut reached, mut missed, mut unbounded) = (0, 0, 0);
        for seed in 0..300 {
            let net = random(seed);
            let Some(oracle) = Oracle::new(&net, 2000) else {
                unbounded += 1;
                continue;
            };
            for goal in goals(&net, seed) {
                *(if oracle.reaches(&goal) { &mut reached } else { &mut missed }) += 1;
            }
        }
        assert!(reached > 300 && missed > 300 && unbounded > 10, "{reached} {missed} {unbounded}");
        assert!(unbounded < 150, "{unbounded}");
    }
}
