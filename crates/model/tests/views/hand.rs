//! Models built by hand: every kind of object, the figures of the literature, and planted bugs.

use model::views::{ArcSet, Automaton, LocalState, Place, PlaceId, Rule, StateId};
use model::{Limits, Net, Network, System, TransitionId};

use crate::compare::{Counts, Graph, compare, count, network, search, token_net};
use crate::models;

fn figures(counts: Counts) -> (usize, usize, usize) {
    (counts.states, counts.transitions, counts.deadlocks)
}

#[test]
fn philosophers_have_the_known_numbers_in_every_view() {
    for n in 2..=5usize {
        let third = 3usize.pow(n as u32 - 1);
        let expected = (3 * third - 1, n * (2 * third - 1), 1);
        for system in [models::philosophers_with_locks(n), models::philosophers_with_booleans(n)] {
            assert_eq!(figures(count(&system)), expected);
            let network = network(&system);
            assert_eq!(figures(count(&network)), expected);
            assert_eq!(figures(count(&network.net(&Limits::default()).expect("small"))), expected);
        }
        assert_eq!(figures(count(&token_net(&models::philosophers_with_locks(n)))), expected);
    }
}

#[test]
fn locks_held_by_location_give_the_net_of_wang_and_buy() {
    let net = token_net(&models::philosophers_with_locks(3));
    assert_eq!((net.places().len(), net.transitions().len()), (15, 12));
    assert!(net.transitions().iter().all(|t| !t.fault), "no release can be a fault");
    let names = |arcs: &[(PlaceId, u32)]| arcs.iter().map(|(p, _)| net.place(*p).name.clone()).collect::<Vec<_>>();
    let first = net.transition_ids().next().expect("there are transitions");
    assert_eq!(names(net.pre(first)), ["Phil[0] at 0", "fork[0]=free"]);
    assert_eq!(names(net.post(first)), ["Phil[0] at 1"]);
}

#[test]
fn a_network_names_values_as_the_user_does_and_keeps_possible_holders_only() {
    let network = network(&models::philosophers_with_locks(4));
    let fork = network.components().iter().find(|c| c.name() == "fork[1]").expect("forks are components");
    let names: Vec<String> = (0..fork.states().len()).map(|s| fork.show_state(StateId::new(s))).collect();
    assert_eq!(names, ["fork[1]=free", "fork[1]=held by Phil[0]", "fork[1]=held by Phil[1]"]);
    let steps = network.rules().iter().filter(|r| !r.fault).count();
    assert_eq!(steps, 16, "one rule for each transition");
}

#[test]
fn milner_has_the_known_numbers() {
    for (n, expected) in [(3, (36, 72, 0)), (4, (96, 240, 0)), (5, (240, 720, 0)), (6, (576, 2016, 0))] {
        let system = models::milner(n);
        assert_eq!(figures(count(&system)), expected);
        assert_eq!(figures(count(&network(&system))), expected);
        assert_eq!(figures(count(&token_net(&system))), expected);
    }
}

#[test]
fn every_kind_of_object_is_viewed_exactly() {
    let systems = [
        models::lossy_channel(),
        models::rendezvous(),
        models::dynamic_indices(),
        models::constant_indices(),
        models::indices_written_in_the_step(),
        models::faults(),
        models::counters(),
    ];
    for system in systems {
        let network = network(&system);
        assert_eq!(count(&network), count(&system), "{}", system.name());
    }
    assert!(count(&models::faults()).faults > 0 && count(&models::dynamic_indices()).faults > 0);
}

#[test]
fn counters_and_locks_are_viewed_exactly() {
    let system = models::counters();
    let net = token_net(&system);
    assert_eq!(count(&net), count(&system));
    assert!(count(&system).faults > 0, "overflows and wrong releases are met");
    assert!(net.places().iter().any(|p| p.name == "c (room)"));
    assert!(net.places().iter().any(|p| p.name == "m=held by P"));
}

#[test]
fn channels_carry_the_messages_that_are_sent_only() {
    let network = network(&models::lossy_channel());
    let q = network.components().iter().find(|c| c.name() == "q").expect("the channel is a component");
    // Up to three messages of two kinds, although the domain has far more.
    assert_eq!(q.states().len(), 15);
    assert!(q.states().iter().any(|s| s.name == "[(false, 7), (true, 9)]"));
}

#[test]
fn copying_takes_a_rule_for_each_value() {
    let mut b = model::Builder::new("copy");
    let (x, y) = (b.object("x", models::range(0, 4)), b.object("y", models::range(0, 4)));
    let p = models::process(&mut b, "P", 1);
    for v in 0..5 {
        b.edge(models::edge(p, 0, 0).run(models::assign(y, v)));
    }
    b.edge(models::edge(p, 0, 0).run(models::assign(x, model::Expr::read(y))));
    let network = network(&b.build().expect("a good model"));
    assert_eq!(network.rules().iter().filter(|r| r.transition == Some(TransitionId(5))).count(), 5);
}

/// The same components, to be put together with other rules.
fn automata(network: &Network) -> Vec<Automaton> {
    let copy = |c: &model::views::Component| {
        let states = (0..c.states().len()).map(StateId::new);
        Automaton {
            name: c.name().to_owned(),
            origin: c.origin().clone(),
            states: c.states().iter().map(|s| LocalState { name: s.name.clone(), end: s.end }).collect(),
            initial: c.initial(),
            events: c.events().to_vec(),
            moves: states.flat_map(|s| c.moves(s).iter().map(move |m| (s, m.event, m.to))).collect(),
        }
    };
    network.components().iter().map(copy).collect()
}

#[test]
fn a_missing_rule_is_noticed() {
    for system in [models::philosophers_with_locks(3), models::faults(), models::lossy_channel()] {
        let network = network(&system);
        let fired = |r: &Rule| {
            let states = search(&system, 5000);
            states.values().flatten().any(|(t, next)| Some(*t) == r.transition && next.is_none() == r.fault)
        };
        let mut noticed = 0;
        for k in 0..network.rules().len() {
            let mut rules = network.rules().to_vec();
            let dropped = rules.remove(k);
            let maimed = Network::new("maimed", automata(&network), rules).expect("well-formed");
            let result = compare(&system, &maimed, 5000);
            let alone = network.rules().iter().filter(|r| r.transition == dropped.transition).count() == 1;
            assert!(result.is_err() || !(alone && fired(&dropped)), "{} of {}", dropped.name, system.name());
            noticed += usize::from(result.is_err());
        }
        assert!(noticed >= system.transitions().len(), "{}", system.name());
    }
}

fn arcs(net: &Net) -> Vec<ArcSet> {
    let copy =
        |n| ArcSet { transition: net.transition(n).clone(), pre: net.pre(n).to_vec(), post: net.post(n).to_vec() };
    net.transition_ids().map(copy).collect()
}

#[test]
fn a_missing_arc_is_noticed() {
    let system = models::philosophers_with_locks(3);
    let net = token_net(&system);
    for n in 0..net.transitions().len() {
        for side in 0..2 {
            let mut arcs = arcs(&net);
            let set = &mut arcs[n];
            if side == 0 {
                set.pre.pop()
            } else {
                set.post.pop()
            };
            let maimed = Net::new("maimed", net.places().to_vec(), arcs).expect("well-formed");
            assert!(compare(&system, &maimed, 5000).is_err());
        }
    }
}

#[test]
fn a_net_is_stored_in_both_directions() {
    let net = token_net(&models::counters());
    for n in net.transition_ids() {
        assert!(net.pre(n).iter().all(|&(p, w)| net.consumers(p).contains(&(n, w))));
        assert!(net.post(n).iter().all(|&(p, w)| net.producers(p).contains(&(n, w))));
    }
    let arcs = |f: &dyn Fn(PlaceId) -> usize| net.place_ids().map(f).sum::<usize>();
    let by_transition: usize = net.transition_ids().map(|n| net.pre(n).len() + net.post(n).len()).sum();
    assert_eq!(arcs(&|p| net.consumers(p).len() + net.producers(p).len()), by_transition);
}

/// The philosophers of Wang and Buy as a front end would give them.
fn philosopher_net(n: u32) -> Net {
    let names = ["th", "f", "l", "e", "r"];
    let place = |k: u32, i: u32| (PlaceId(k * n + i % n), 1);
    let places = (0..5 * n).map(|p| Place::new(format!("{}{}", names[(p / n) as usize], p % n), u32::from(p < 2 * n)));
    let mut arcs = Vec::new();
    for i in 0..n {
        arcs.push(ArcSet::new(format!("left{i}"), vec![place(0, i), place(1, i)], vec![place(2, i)]));
        arcs.push(ArcSet::new(format!("right{i}"), vec![place(2, i), place(1, i + 1)], vec![place(3, i)]));
        arcs.push(ArcSet::new(format!("back{i}"), vec![place(3, i)], vec![place(4, i), place(1, i)]));
        arcs.push(ArcSet::new(format!("done{i}"), vec![place(4, i)], vec![place(0, i), place(1, i + 1)]));
    }
    Net::new("philosophers", places.collect(), arcs).expect("well-formed")
}

#[test]
fn a_net_runs_as_a_system() {
    for (n, states, transitions) in [(2, 8, 10), (3, 26, 51), (4, 80, 212)] {
        let net = philosopher_net(n);
        let expected = (states, transitions, 1);
        assert_eq!(figures(count(&net)), expected);
        let system = net.to_system(|_| 1).expect("a system");
        assert_eq!(figures(count(&system)), expected, "no place ever exceeds one token");
        assert_eq!(figures(count(&network(&system))), expected);
        assert_eq!(figures(count(&token_net(&system))), expected);
    }
}

#[test]
fn read_arcs_weights_and_overflows_of_a_net_keep_their_meaning() {
    let p = |i: u32, w: u32| (PlaceId(i), w);
    let places = vec![Place::new("a", 3), Place::new("b", 0), Place::new("c", 1)];
    let arcs = vec![
        ArcSet::new("two for one", vec![p(0, 1), p(0, 1)], vec![p(1, 1)]),
        ArcSet::new("while c", vec![p(1, 1), p(2, 1)], vec![p(0, 3), p(2, 1)]),
        ArcSet::new("stop", vec![p(2, 1), p(0, 4)], vec![p(0, 2)]),
    ];
    let net = Net::new("weights", places, arcs).expect("well-formed");
    assert_eq!(net.pre(net.transition_ids().next().expect("there is one")), [(PlaceId(0), 2)]);
    let bounded: System = net.to_system(|_| 50).expect("a system");
    let (of_net, of_system) = (search(&net, 60), search(&bounded, 60));
    assert_eq!(of_net.len(), of_system.len());
    let marking = |s: &Vec<u64>| -> Vec<u64> {
        let value = |o| if let model::Value::Int(v) = bounded.value(o, s) { v as u64 } else { 0 };
        bounded.object_ids().map(value).collect()
    };
    for (state, steps) in of_system {
        let mapped: Vec<_> = steps.iter().map(|(t, next)| (*t, next.as_ref().map(marking))).collect();
        assert_eq!(mapped, net.steps(&marking(&state)));
    }
    let tight = net.to_system(|_| 4).expect("a system");
    assert!(count(&tight).faults > 0, "a place above its maximum is a model error");
    assert_eq!(count(&token_net(&tight)), count(&tight));
    assert_eq!(count(&network(&tight)), count(&tight));
}
