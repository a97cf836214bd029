//! Networks with a structure that keeps many of them free of deadlocks.

use model::views::Network;

use super::{Sketch, SketchedRule, network};
use crate::Rng;

/// A rule of ordinary steps.
fn rule(participants: &[(usize, usize)]) -> SketchedRule {
    participants.into()
}

/// Every component takes part in the rules of a random endless round in the order of the round, so that all can always
/// go on; with `slips`, two steps of one component are exchanged, which often ends in a deadlock.
pub fn schedule(rng: &mut Rng, slips: bool) -> Network {
    let n = rng.size(&(2..=5));
    let rules: Vec<SketchedRule> = (0..rng.size(&(2..=6))).map(|r| meeting(rng, n, r)).collect();
    let round: Vec<usize> = (0..rng.size(&(rules.len()..=rules.len() + 3))).map(|_| rng.below(rules.len())).collect();
    let takes_part = |c: usize, r: usize| rules[r].participants.iter().any(|p| p.0 == c);
    let mut words: Vec<Vec<usize>> =
        (0..n).map(|c| round.iter().copied().filter(|&r| takes_part(c, r)).collect()).collect();
    if slips {
        let word = rng.below(n);
        rng.shuffle(&mut words[word]);
    }
    let components: Vec<Sketch> = words.iter().map(|word| Sketch::cycle(word)).collect();
    network(&components, &rules)
}

/// A rule of up to three components, with its own number as the event of each.
fn meeting(rng: &mut Rng, components: usize, number: usize) -> SketchedRule {
    let mut all: Vec<usize> = (0..components).collect();
    rng.shuffle(&mut all);
    let most = rng.size(&(1..=3)).min(components);
    SketchedRule { participants: all[..most].iter().map(|&c| (c, number)).collect(), fault: false }
}

/// Stations in a ring that hand tokens on, each after some work of its own; with no token, or one at every station,
/// nothing can move.
pub fn ring(rng: &mut Rng) -> Network {
    let n = rng.size(&(2..=6));
    let tokens: Vec<bool> = (0..n).map(|i| i == 0 || rng.chance(25)).collect();
    let station = |&token: &bool, work: bool| {
        // Without the token, with it, and after the work; state 0 is the initial one.
        let [away, here, done] = if token { [1, 0, 2] } else { [0, 1, 2] };
        let mut moves = vec![(away, 0, here)];
        moves.extend(if work { vec![(here, 2, done), (done, 1, away)] } else { vec![(here, 1, away)] });
        Sketch { states: if work { 3 } else { 2 }, end: Vec::new(), moves }
    };
    let work: Vec<bool> = (0..n).map(|_| rng.chance(50)).collect();
    let components: Vec<Sketch> = tokens.iter().zip(&work).map(|(token, &work)| station(token, work)).collect();
    let mut rules: Vec<SketchedRule> = (0..n).map(|i| rule(&[(i, 1), ((i + 1) % n, 0)])).collect();
    rules.extend((0..n).filter(|&i| work[i]).map(|i| rule(&[(i, 2)])));
    network(&components, &rules)
}

/// Users that take two or three resources each and give them back; mostly in increasing order, which excludes
/// deadlocks.
pub fn resources(rng: &mut Rng) -> Network {
    let (users, resources) = (rng.size(&(1..=3)), rng.size(&(2..=3)));
    let ordered = rng.chance(60);
    let mut components = Vec::new();
    let mut rules = Vec::new();
    for u in 0..users {
        let mut wanted: Vec<usize> = (0..resources).collect();
        rng.shuffle(&mut wanted);
        wanted.truncate(2);
        if ordered {
            wanted.sort_unstable();
        }
        let back = wanted.iter().map(|r| resources + r);
        let word: Vec<usize> = wanted.iter().copied().chain(back).collect();
        rules.extend(
            word.iter().map(|&event| rule(&[(u, event), (users + event % resources, 2 * u + event / resources)])),
        );
        components.push(Sketch::cycle(&word));
    }
    // A resource knows who holds it.
    let held = |u: usize| [(0, 2 * u, u + 1), (u + 1, 2 * u + 1, 0)];
    let resource = Sketch { states: users + 1, end: Vec::new(), moves: (0..users).flat_map(held).collect() };
    components.extend((0..resources).map(|_| resource.clone()));
    network(&components, &rules)
}

/// Dining philosophers, first the philosophers, then the forks; the first one reaches for the other side first if it
/// is left-handed, and then there is no deadlock.
pub fn philosophers(n: usize, left_handed: bool) -> Network {
    let mut components = vec![Sketch::cycle(&[0, 1, 2, 3]); n];
    if left_handed {
        components[0] = Sketch::cycle(&[1, 0, 3, 2]);
    }
    // Taken and given back by the owner, or by the neighbour.
    let fork = Sketch { states: 3, end: Vec::new(), moves: vec![(0, 0, 1), (1, 1, 0), (0, 2, 2), (2, 3, 0)] };
    components.extend(vec![fork; n]);
    let rules = (0..n).flat_map(|i| {
        let (own, other) = (n + i, n + (i + 1) % n);
        [[(i, 0), (own, 0)], [(i, 1), (other, 2)], [(i, 2), (own, 1)], [(i, 3), (other, 3)]]
    });
    network(&components, &rules.map(|participants| rule(&participants)).collect::<Vec<_>>())
}

/// Milner's scheduler: cells start their work in turn, and may finish it at any time before their next turn. The rule
/// of cell `i` for being started by the cell before is number `2i`, that for the end of its work `2i + 1`.
pub fn scheduler(n: usize) -> Network {
    // Waiting, to pass on while working, working, to pass on without work.
    let moves = |[waiting, both, working, pass]: [usize; 4]| {
        vec![(waiting, 0, both), (both, 1, working), (both, 2, pass), (working, 2, waiting), (pass, 1, waiting)]
    };
    let cell = |i: usize| {
        let numbers = if i == 0 { [1, 0, 2, 3] } else { [0, 1, 2, 3] };
        Sketch { states: 4, end: Vec::new(), moves: moves(numbers) }
    };
    let components: Vec<Sketch> = (0..n).map(cell).collect();
    let rules = (0..n).flat_map(|i| [rule(&[((i + n - 1) % n, 1), (i, 0)]), rule(&[(i, 2)])]);
    network(&components, &rules.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::Oracle;

    fn sound(network: &Network) -> bool {
        Oracle::new(network, 20_000).expect("small").is_sound()
    }

    #[test]
    fn known_answers() {
        for n in 2..=4 {
            assert!(!sound(&philosophers(n, false)) && sound(&philosophers(n, true)), "{n}");
        }
        assert!((2..=5).all(|n| sound(&scheduler(n))));
        for seed in 0..100 {
            assert!(sound(&schedule(&mut Rng::new(seed), false)), "seed {seed}");
        }
    }

    #[test]
    fn structure_does_not_decide_everything() {
        let count = |make: fn(&mut Rng) -> Network| (0..200).filter(|&seed| sound(&make(&mut Rng::new(seed)))).count();
        for make in [ring, resources, |rng: &mut Rng| schedule(rng, true)] {
            let sound = count(make);
            assert!((20..190).contains(&sound), "{sound} of 200");
        }
    }
}
