//! The search of nets says exactly what the oracle says, with everything visited and with stubborn sets, in every order.

mod net_common;

use std::time::Duration;

use engines::net::search::{Counts, Order, Scope, SearchOptions, search, state_space};
use evidence::{Budget, Reason};
use model::nets::{Goal, Linear, Predicate};
use model::views::{ArcSet, Net, Place, PlaceId};
use net_common::{Known, philosophers, work};
use testkit::nets::{Oracle, goals, random, targets, tiny};

const ORDERS: [Order; 3] = [Order::Depth, Order::Breadth, Order::Best];

fn searched(net: &Net, goals: &[Goal], scope: Scope, order: Order) -> Known {
    work(net, goals, &Budget::unlimited(), |task| {
        search(task, &SearchOptions { scope, order }).expect("the net is bounded");
    })
}

/// Every goal is settled, and as the oracle says.
fn settles(known: &Known, goal: (usize, &Goal), oracle: &Oracle<'_>) -> bool {
    let (g, goal) = goal;
    match goal {
        Goal::Maximum(expression) => {
            let maximum = oracle.maximum(expression);
            let is = |values: &[(usize, i64)]| {
                values.iter().rfind(|(i, _)| *i == g).is_some_and(|&(_, v)| i128::from(v) == maximum)
            };
            is(&known.least) && is(&known.most)
        }
        _ if oracle.reaches(goal) => known.reached.contains(&g) && !known.never.contains(&g),
        _ => known.never.contains(&g) && !known.reached.contains(&g),
    }
}

/// Whether all searches agree with the oracle; `None` if the net is too large for it.
fn agrees(net: &Net, seed: u64) -> Option<()> {
    let oracle = Oracle::new(net, 3000)?;
    let goals = goals(net, seed);
    for order in ORDERS {
        let all = searched(net, &goals, Scope::All, order);
        for (g, goal) in goals.iter().enumerate() {
            assert!(settles(&all, (g, goal), &oracle), "seed {seed}, {order:?}, all: {goal:?} {all:?}\n{net:?}");
            let one = searched(net, &goals, Scope::One(g), order);
            assert!(settles(&one, (g, goal), &oracle), "seed {seed}, {order:?}, one: {goal:?} {one:?}\n{net:?}");
        }
    }
    for goal in targets(net, seed) {
        let one = searched(net, std::slice::from_ref(&goal), Scope::One(0), Order::Depth);
        assert!(settles(&one, (0, &goal), &oracle), "seed {seed}: {goal:?}\n{net:?}");
    }
    let counts = state_space(net, &Budget::unlimited()).expect("it is bounded");
    assert_eq!(counts, counted(net, &oracle), "seed {seed}");
    Some(())
}

fn counted(net: &Net, oracle: &Oracle<'_>) -> Counts {
    let markings = oracle.markings();
    let enabled = |m: &Vec<u64>| net.transition_ids().filter(|&t| net.is_enabled(t, m)).count() as u64;
    Counts {
        states: markings.len() as u64,
        firings: markings.iter().map(enabled).sum(),
        place_tokens: markings.iter().flatten().copied().max().unwrap_or(0),
        total_tokens: markings.iter().map(|m| m.iter().sum()).max().expect("there is one"),
    }
}

#[test]
fn random_nets_are_decided_as_the_oracle_does() {
    let decided = (0..1200).filter(|&seed| agrees(&random(seed), seed).is_some()).count();
    assert!(decided > 600, "{decided}");
}

#[test]
fn the_tiny_world_is_decided_as_the_oracle_does() {
    let decided = tiny().enumerate().step_by(101).filter(|(i, net)| agrees(net, *i as u64).is_some()).count();
    assert!(decided > 1100, "{decided}");
}

/// What is unbounded is noticed, whatever is searched for, and nothing false is said before.
#[test]
fn nets_without_bounds_are_noticed() {
    let (mut noticed, mut settled) = (0, 0);
    for seed in 0..400 {
        let net = random(seed);
        if Oracle::new(&net, 20_000).is_some() {
            continue;
        }
        let goals = goals(&net, seed);
        for order in ORDERS {
            let budget = Budget::unlimited().with_timeout(Duration::from_secs(10));
            let known =
                work(&net, &goals, &budget, |task| match search(task, &SearchOptions { scope: Scope::All, order }) {
                    Err(Reason::Unbounded(why)) if why.contains("unbounded") => noticed += 1,
                    Ok(()) => settled += 1,
                    Err(other) => panic!("seed {seed}, {order:?}: {other}"),
                });
            assert!(known.never.is_empty() && known.most.is_empty(), "seed {seed}: not everything was visited");
        }
    }
    assert!(noticed > 60, "{noticed} {settled}");
}

#[test]
fn stubborn_sets_leave_little_of_philosophers() {
    for (last_is_left_handed, dead) in [(false, true), (true, false)] {
        let net = philosophers(100, last_is_left_handed);
        let known = searched(&net, &[Goal::Dead], Scope::One(0), Order::Depth);
        assert_eq!((known.reached.len(), known.never.len()), (usize::from(dead), usize::from(!dead)));
    }
}

#[test]
fn a_question_guides_its_search() {
    // Sixty independent counters have 2^60 markings; one of them is asked for.
    let places = (0..60).map(|i| Place::new(format!("p{i}"), 1)).collect();
    let arcs = (0..60).map(|i| ArcSet::new(format!("t{i}"), vec![(PlaceId::new(i), 1)], vec![])).collect();
    let net = Net::new("drain", places, arcs).expect("a net");
    let empty = |i| Predicate::at_most(PlaceId::new(i), 0);
    let goals = [
        Goal::Satisfies(Predicate::all([empty(3), empty(40)])),
        Goal::Satisfies(Predicate::all([empty(3), Predicate::at_least(PlaceId::new(40), 2)])),
        Goal::Maximum(Linear::new(vec![(PlaceId::new(1), -1), (PlaceId::new(2), -1)], 5).expect("small")),
    ];
    for order in ORDERS {
        for g in 0..3 {
            let known = searched(&net, &goals, Scope::One(g), order);
            assert_eq!(known.reached.contains(&g), g == 0);
            assert_eq!(known.never.contains(&g), g == 1);
            assert_eq!(known.most.contains(&(2, 5)), g == 2);
        }
    }
}

#[test]
fn the_budget_is_kept() {
    let net = philosophers(30, true);
    let few = Budget::unlimited().with_memory(1 << 20);
    assert_eq!(state_space(&net, &few), Err(Reason::Memory));
    let soon = Budget::unlimited().with_timeout(Duration::from_millis(50));
    let begin = std::time::Instant::now();
    assert_eq!(state_space(&net, &soon), Err(Reason::Timeout));
    assert!(begin.elapsed() < Duration::from_secs(1));
}
