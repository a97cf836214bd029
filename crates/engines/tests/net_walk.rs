//! Walks only say what is true, and find what is there.

mod net_common;

use std::time::{Duration, Instant};

use engines::net::walk::{Strategy, WalkOptions, guided, walk};
use evidence::Budget;
use model::nets::{Goal, Linear, Predicate};
use model::views::{ArcSet, Net, NetTransitionId, Place, PlaceId};
use net_common::{Known, philosophers, work};
use testkit::nets::{Oracle, goals, random, tiny};

fn walked(net: &Net, goals: &[Goal], seed: u64, steps: u64, strategies: &[Strategy]) -> Known {
    let options = WalkOptions { steps, strategies: strategies.to_vec() };
    work(net, goals, &Budget::unlimited(), |task| walk(task, seed, &options).expect("no limits"))
}

/// Whether the walks found all that the oracle knows; what they found must be so.
fn agrees(net: &Net, seed: u64, steps: u64, strategies: &[Strategy]) -> Option<(usize, usize)> {
    let oracle = Oracle::new(net, 3000)?;
    let goals = goals(net, seed);
    let known = walked(net, &goals, seed, steps, strategies);
    let mut found = 0;
    for (g, goal) in goals.iter().enumerate() {
        assert!(oracle.reaches(goal) || !known.reached.contains(&g), "seed {seed}: {goal:?}");
        if let Goal::Maximum(expression) = goal {
            let best = known.least.iter().filter(|(i, _)| *i == g).map(|&(_, v)| i128::from(v)).max();
            let best = best.expect("the initial marking has a value");
            assert!(best <= oracle.maximum(expression), "seed {seed}");
            found += usize::from(best == oracle.maximum(expression));
        } else {
            found += usize::from(known.reached.contains(&g));
        }
    }
    Some((found, goals.iter().filter(|goal| oracle.reaches(goal)).count()))
}

#[test]
fn every_strategy_finds_most_and_nothing_else() {
    for strategy in Strategy::ALL {
        let (mut found, mut there) = (0, 0);
        for seed in 0..150 {
            if let Some((f, t)) = agrees(&random(seed), seed, 5_000, &[strategy]) {
                (found, there) = (found + f, there + t);
            }
        }
        let share = if matches!(strategy, Strategy::Fewest | Strategy::Greedy) { 75 } else { 90 };
        assert!(found * 100 >= there * share, "{strategy:?} found {found} of {there}");
    }
}

#[test]
fn all_together_find_nearly_everything() {
    let (mut found, mut there) = (0, 0);
    for seed in 1000..1200 {
        if let Some((f, t)) = agrees(&random(seed), seed, 20_000, &Strategy::ALL) {
            (found, there) = (found + f, there + t);
        }
    }
    assert!(found * 100 >= there * 99, "{found} of {there}");
}

#[test]
fn walks_are_right_in_the_tiny_world() {
    let (mut found, mut there) = (0, 0);
    for (i, net) in tiny().enumerate().step_by(211) {
        if let Some((f, t)) = agrees(&net, i as u64, 600, &Strategy::ALL) {
            (found, there) = (found + f, there + t);
        }
    }
    assert!(found * 100 >= there * 99, "{found} of {there}");
}

#[test]
fn the_same_seed_takes_the_same_walk() {
    let net = philosophers(20, true);
    let goals: Vec<Goal> = net.transition_ids().map(|t| Goal::Satisfies(Predicate::fireable(&net, t))).collect();
    let found = |seed| walked(&net, &goals, seed, 3000, &[Strategy::Uniform]).reached;
    assert_eq!(found(7), found(7));
    assert_ne!(found(7), found(8));
    assert_eq!(found(7).len(), goals.len());
}

#[test]
fn ten_thousand_philosophers_starve() {
    let net = philosophers(10_000, false);
    let begin = Instant::now();
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
    let known = work(&net, &[Goal::Dead], &budget, |task| walk(task, 3, &WalkOptions::default()).expect("in time"));
    assert_eq!(known.reached, [0]);
    assert!(begin.elapsed() < Duration::from_secs(10));
}

#[test]
fn many_goals_are_settled_in_few_walks() {
    let net = philosophers(5_000, true);
    let goals: Vec<Goal> = net.transition_ids().map(|t| Goal::Satisfies(Predicate::fireable(&net, t))).collect();
    let known = walked(&net, &goals, 1, 2_000_000, &Strategy::ALL);
    assert_eq!(known.reached.len(), goals.len());
}

/// Tokens by the billion: one transition at a time would take for ever.
#[test]
fn large_markings_are_crossed_in_few_steps() {
    let [a, b] = [0, 1].map(PlaceId::new);
    let places = vec![Place::new("a", 1_000_000), Place::new("b", 0)];
    let arcs = vec![ArcSet::new("t", vec![(a, 1)], vec![(b, 1)]), ArcSet::new("u", vec![(b, 1)], vec![(a, 1)])];
    let net = Net::new("n", places, arcs).expect("a net");
    let goals = [Goal::Satisfies(Predicate::at_least(b, 1_000_000)), Goal::Maximum(Linear::tokens(b))];
    let known = walked(&net, &goals, 1, 100_000, &[Strategy::Saturate]);
    assert_eq!((known.reached, known.least.last()), (vec![0], Some(&(1, 1_000_000))));
}

#[test]
fn a_vector_guides_a_walk_where_chance_does_not() {
    // A counter of 40 levels: each step up is as likely as a fall to the ground.
    let levels = 40;
    let places = (0..=levels).map(|i| Place::new(format!("l{i}"), u32::from(i == 0))).collect();
    let at = |i: usize| vec![(PlaceId::new(i), 1)];
    let mut arcs: Vec<ArcSet> = (0..levels).map(|i| ArcSet::new(format!("up{i}"), at(i), at(i + 1))).collect();
    arcs.extend((1..levels).map(|i| ArcSet::new(format!("fall{i}"), at(i), at(0))));
    let net = Net::new("tower", places, arcs).expect("a net");
    let top = [Goal::Satisfies(Predicate::at_least(PlaceId::new(levels), 1))];
    let vector: Vec<_> = (0..levels).map(|i| (NetTransitionId::new(i), 1)).collect();
    assert!(walked(&net, &top, 1, 10_000, &[Strategy::Uniform]).reached.is_empty());
    let known = work(&net, &top, &Budget::unlimited(), |task| guided(task, 0, &vector, 1).expect("no limits"));
    assert_eq!(known.reached, [0]);
}

#[test]
fn tokens_beyond_counting_end_a_walk_and_nothing_else() {
    let a = PlaceId::new(0);
    let double = ArcSet::new("t", vec![(a, 1)], vec![(a, u32::MAX)]);
    let net = Net::new("n", vec![Place::new("a", 1)], vec![double]).expect("a net");
    let goals = [Goal::Maximum(Linear::new(vec![(a, i64::MAX)], 0).expect("it fits")), Goal::Dead];
    let known = walked(&net, &goals, 1, 100_000, &Strategy::ALL);
    assert!(known.reached.is_empty());
}
