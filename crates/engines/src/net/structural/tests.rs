//! What is said of all reachable markings meets the naive oracle, and the oracle notices a transition that is forgotten.

use evidence::Budget;
use model::nets::{Goal, Linear, Predicate};
use model::views::{ArcSet, Net, NetTransitionId, Place, PlaceId};
use testkit::Rng;
use testkit::nets::{Oracle, goals, random, tiny};

use super::concurrency::Concurrency;
use super::exclusive::proved;
use super::flows::Flows;
use super::invariants::Invariants;
use crate::net::{Board, Task};

/// All nets of the test, with numbers.
fn nets() -> impl Iterator<Item = (u64, Net)> {
    let some = tiny().enumerate().step_by(97).map(|(number, net)| (number as u64, net));
    (0..1500).map(|seed| (seed, random(seed))).chain(some)
}

fn concurrency(net: &Net, flows: &Flows) -> Concurrency {
    Concurrency::new(net, flows, &Budget::unlimited(), &mut || false).expect("there is time and memory")
}

fn invariants(net: &Net) -> Invariants {
    let (board, budget) = (Board::new(1).0, Budget::unlimited());
    let task = Task { net, goals: &[], board: &board, budget: &budget };
    let mut invariants = Invariants::default();
    invariants.add_flows(net, Flows::new(net, &mut || false));
    invariants.relate(&task, Budget::unlimited());
    invariants
}

/// The net without one of its transitions.
fn forgetful(net: &Net, forgotten: NetTransitionId) -> Net {
    let kept = net.transition_ids().filter(|&t| t != forgotten);
    let arcs = kept.map(|t| ArcSet::new(net.transition(t).name.clone(), net.pre(t).to_vec(), net.post(t).to_vec()));
    Net::new("forgetful", net.places().to_vec(), arcs.collect()).expect("a part of a net")
}

/// Counts how often something is wrong on the nets, and on the same nets if one transition is overlooked.
fn mistakes(wrong: impl Fn(u64, &Net, &Oracle<'_>) -> bool) -> (usize, usize) {
    let (mut honest, mut planted) = (0, 0);
    for (number, net) in nets() {
        let Some(oracle) = Oracle::new(&net, 500) else { continue };
        honest += usize::from(wrong(number, &net, &oracle));
        if net.transitions().len() > 1 {
            planted += usize::from(wrong(number, &forgetful(&net, NetTransitionId::new(0)), &oracle));
        }
    }
    (honest, planted)
}

/// Whether some marking has tokens together that a relation keeps apart.
fn relation_is_wrong(net: &Net, relation: &Concurrency, oracle: &Oracle<'_>) -> bool {
    oracle.markings().iter().any(|marking| {
        let marked: Vec<PlaceId> = net.place_ids().filter(|p| marking[p.index()] > 0).collect();
        let apart = |&p: &PlaceId| {
            let twice = marking[p.index()] > 1 && !relation.may_be_together(p, p);
            twice || marked.iter().any(|&q| q != p && !relation.may_be_together(p, q))
        };
        let blocked = |t: NetTransitionId| net.is_enabled(t, marking) && !relation.may_fire(t);
        marked.iter().any(apart) || net.transition_ids().any(blocked)
    })
}

#[test]
fn what_is_concurrent_is_related() {
    let alone = |_, net: &Net, oracle: &Oracle<'_>| {
        relation_is_wrong(net, &concurrency(net, &Flows::new(net, &mut || true)), oracle)
    };
    let with_flows = |_, net: &Net, oracle: &Oracle<'_>| {
        relation_is_wrong(net, &concurrency(net, &Flows::new(net, &mut || false)), oracle)
    };
    for (honest, planted) in [mistakes(alone), mistakes(with_flows)] {
        assert_eq!(honest, 0);
        assert!(planted > 200, "{planted}");
    }
}

#[test]
fn most_of_what_is_safe_is_seen() {
    let (mut safe, mut seen) = (0, 0);
    for (_, net) in nets() {
        let Some(oracle) = Oracle::new(&net, 500) else { continue };
        let invariants = invariants(&net);
        for p in net.place_ids().filter(|p| oracle.markings().iter().all(|m| m[p.index()] <= 1)) {
            safe += 1;
            seen += usize::from(invariants.most(p).is_some_and(|most| most <= 1));
        }
    }
    assert!(seen * 100 > safe * 95, "{seen} of {safe}");
}

/// Random sets of places, most of them claimed in vain.
fn claims(net: &Net, seed: u64) -> Vec<Vec<PlaceId>> {
    let mut rng = Rng::new(seed);
    let mut places: Vec<PlaceId> = net.place_ids().collect();
    let mut set = |_| {
        rng.shuffle(&mut places);
        places[..rng.size(&(1..=4.min(places.len())))].to_vec()
    };
    (0..12).map(&mut set).collect()
}

#[test]
fn claims_are_not_believed() {
    let holds = |claim: &Vec<PlaceId>, m: &[u64]| claim.iter().map(|p| m[p.index()]).sum::<u64>() <= 1;
    let broken = |sets: &[Vec<PlaceId>], oracle: &Oracle<'_>| {
        sets.iter().any(|set| oracle.markings().iter().any(|m| !holds(set, m)))
    };
    let (honest, planted) = mistakes(|number, net, oracle| {
        broken(&proved(net, &claims(net, number), &mut || false).expect("there is time"), oracle)
    });
    assert_eq!(honest, 0);
    assert!(planted > 100, "{planted}");
    let (lies, _) = mistakes(|number, net, oracle| {
        let initial = net.initial_marking();
        let plausible: Vec<_> = claims(net, number).into_iter().filter(|claim| holds(claim, &initial)).collect();
        broken(&plausible, oracle)
    });
    assert!(lies > 300, "{lies}");
}

#[test]
fn claims_prove_each_other() {
    let [a, b, c, d] = [0, 1, 2, 3].map(PlaceId::new);
    let places = vec![Place::new("a", 1), Place::new("b", 0), Place::new("c", 0), Place::new("d", 0)];
    // A token in `a` becomes two, in `b` and `c`; both are needed to come back, by way of `d`.
    let arcs = vec![
        ArcSet::new("fork", vec![(a, 1)], vec![(b, 1), (c, 1)]),
        ArcSet::new("join", vec![(b, 1), (c, 1)], vec![(d, 1)]),
        ArcSet::new("again", vec![(d, 1)], vec![(a, 1)]),
    ];
    let net = Net::new("n", places, arcs).expect("a net");
    let paths = [vec![a, b, d], vec![a, c, d]];
    let kept = |claims: &[Vec<PlaceId>]| proved(&net, claims, &mut || false).expect("there is time");
    assert_eq!(kept(&paths), paths);
    assert_eq!(kept(&[paths[0].clone(), paths[1].clone(), vec![b, c]]), paths, "a lie takes no truth with it");
    assert_eq!(kept(&[vec![b], paths[0].clone()]), [vec![b], paths[0].clone()]);
    assert!(kept(&[vec![b]]).is_empty(), "not without the path that contains it");
}

/// Small goals, as examinations ask them, besides random ones.
fn asked(net: &Net, seed: u64) -> Vec<Goal> {
    let mut asked = goals(net, seed);
    for p in net.place_ids() {
        asked.push(Goal::Satisfies(Predicate::at_least(p, 2)));
        let initial = net.place(p).initial;
        let fewer = (initial > 0).then(|| Predicate::at_most(p, initial.saturating_sub(1)));
        asked.push(Goal::Satisfies(Predicate::any(fewer.into_iter().chain([Predicate::at_least(p, initial + 1)]))));
    }
    asked.extend(net.transition_ids().map(|t| Goal::Satisfies(Predicate::fireable(net, t))));
    let all = net.place_ids().map(|p| (p, if p.index() % 3 == 2 { -1 } else { 1 }));
    asked.push(Goal::Maximum(Linear::new(all.collect(), 1).expect("small factors")));
    asked
}

#[test]
fn goals_are_judged_as_the_oracle_does() {
    let (honest, planted) = mistakes(|number, net, oracle| {
        let invariants = invariants(net);
        asked(net, number).iter().any(|goal| match goal {
            Goal::Maximum(e) => invariants.at_most(e).is_some_and(|most| oracle.maximum(e) > i128::from(most)),
            goal => invariants.exclude_goal(goal) && oracle.reaches(goal),
        })
    });
    assert_eq!(honest, 0);
    assert!(planted > 200, "{planted}");
}

#[test]
fn most_small_goals_need_no_linear_program() {
    let (mut never, mut seen) = (0, 0);
    for (number, net) in nets() {
        let Some(oracle) = Oracle::new(&net, 500) else { continue };
        let invariants = invariants(&net);
        for goal in asked(&net, number).iter().filter(|goal| !matches!(goal, Goal::Dead) && !oracle.reaches(goal)) {
            never += 1;
            seen += usize::from(invariants.exclude_goal(goal));
        }
    }
    assert!(seen * 100 > never * 80, "{seen} of {never}");
}
