//! The models of Bensalem and others have the sizes of the paper's tables, and the states, steps and deadlocks that
//! were computed for them by other means.

use std::collections::{BTreeSet, HashSet};

use model::views::{Component, Network, StateId};
use papers::bensalem::models::*;

type State = Vec<StateId>;

/// Everything that is reachable.
#[derive(Debug, PartialEq, Eq)]
struct Space {
    states: usize,
    steps: usize,
    deadlocks: usize,
}

fn space(states: usize, steps: usize, deadlocks: usize) -> Space {
    Space { states, steps, deadlocks }
}

fn products(choices: &[Vec<StateId>]) -> Vec<State> {
    choices.iter().fold(vec![Vec::new()], |done, choice| {
        done.iter().flat_map(|d| choice.iter().map(move |&s| [d.as_slice(), &[s]].concat())).collect()
    })
}

fn explore(subject: &Subject) -> Space {
    let network = &subject.network;
    let mut open = products(&subject.initial);
    let mut known: HashSet<State> = open.iter().cloned().collect();
    let mut found = space(0, 0, 0);
    while let Some(state) = open.pop() {
        let next: Vec<State> = network.rule_ids().flat_map(|r| network.successors(r, &state)).collect();
        found.states += 1;
        found.steps += next.len();
        found.deadlocks += usize::from(next.is_empty());
        open.extend(next.into_iter().filter(|s| known.insert(s.clone())));
    }
    found
}

fn explored(network: Network) -> Space {
    explore(&network.into())
}

/// Components, locations, interactions.
fn sizes(network: &Network) -> (usize, usize, usize) {
    let locations = network.components().iter().map(|c| c.states().len()).sum();
    (network.components().len(), locations, network.rules().len())
}

fn philosophers(n: usize, eats: bool) -> Philosophers {
    Philosophers { n, eats, sided_forks: false, asymmetric: false }
}

#[test]
fn the_gas_station_has_the_sizes_of_table_1() {
    let rows = [
        (10, (16, 65, 40)),
        (20, (26, 105, 80)),
        (30, (36, 145, 120)),
        (40, (46, 185, 160)),
        (50, (56, 225, 200)),
        (70, (76, 305, 280)),
        (90, (96, 385, 360)),
    ];
    for (customers, expected) in rows {
        assert_eq!(sizes(&gas(5, customers / 5)), expected, "{customers} customers");
    }
}

#[test]
fn the_cash_machines_have_the_sizes_of_table_2() {
    let rows = [
        (5, (12, 114, 85)),
        (10, (22, 224, 170)),
        (15, (32, 334, 255)),
        (20, (42, 444, 340)),
        (25, (52, 554, 425)),
        (30, (62, 664, 510)),
        (35, (72, 774, 595)),
    ];
    for (n, expected) in rows {
        assert_eq!(sizes(&atm(n, true)), expected, "{n} machines");
        assert_eq!(sizes(&atm(n, false)), expected, "{n} machines without the fault");
    }
}

#[test]
fn philosophers_with_a_joint_put() {
    let four = [(8, 10), (20, 36), (56, 136), (152, 460)];
    let three = [(6, 8), (14, 27), (34, 88), (82, 265)];
    for (n, ((s4, t4), (s3, t3))) in (2..).zip(four.into_iter().zip(three)) {
        assert_eq!(explored(philosophers(n, true).network()), space(s4, t4, 1), "{n} of four states");
        assert_eq!(explored(philosophers(n, false).network()), space(s3, t3, 1), "{n} of three states");
        assert_eq!(explored(philosopher1(n)), space(s4, t4, 1), "philosopher1 of {n}");
        assert_eq!(explored(philosopher2(n)), space(s3, t3, 1), "philosopher2 of {n}");
    }
}

#[test]
fn one_who_takes_the_right_fork_first_is_enough() {
    for (eats, sided_forks) in [(false, false), (false, true), (true, false), (true, true)] {
        for n in 2..7 {
            let network = Philosophers { n, eats, sided_forks, asymmetric: true }.network();
            assert_eq!(explored(network).deadlocks, 0, "{n} philosophers, eats {eats}, sided {sided_forks}");
        }
    }
    let four = Philosophers { asymmetric: true, ..philosophers(4, false) }.network();
    assert_eq!(explored(four), space(29, 72, 0), "as the model of the corpus");
}

#[test]
fn states_without_a_step() {
    for (n, expected) in (2..).zip([13, 45, 161, 573, 2041]) {
        for eats in [false, true] {
            let network = philosophers(n, eats).network();
            let states = |c: &Component| -> Vec<StateId> { (0..c.states().len()).map(StateId::new).collect() };
            let mut choices: Vec<_> = network.components().iter().map(states).collect();
            // Who has both forks and eats first can always do so: such states are left out.
            for choice in choices.iter_mut().filter(|c| c.len() == 4) {
                choice.remove(2);
            }
            let blocked =
                products(&choices).into_iter().filter(|s| network.rule_ids().all(|r| !network.is_enabled(r, s)));
            assert_eq!(blocked.count(), expected, "{n} philosophers, eats {eats}");
        }
    }
}

#[test]
fn confused_philosophers_have_three_deadlocks() {
    for (n, states) in (2..).zip([16, 38, 92, 222]) {
        let subject = confused(n);
        assert_eq!(subject.initial[0].len(), 2);
        assert!(subject.initial[0].contains(&subject.network.components()[0].initial()));
        assert!(subject.initial[1..].iter().all(|choice| choice.len() == 1));
        let found = explore(&subject);
        assert_eq!((found.states, found.deadlocks), (states, 3), "{n} philosophers");
    }
}

#[test]
fn the_limited_operator_gets_stuck() {
    assert_eq!(explored(gas(2, 2)), space(29, 48, 4));
    assert_eq!(explored(gas(2, 3)), space(55, 96, 9));
    assert_eq!(explored(gas(3, 2)), space(179, 432, 8));
    assert_eq!(explored(counting_gas_station(3, 2, 1)).deadlocks, 3 * 4);
    assert_eq!(explored(counting_gas_station(2, 2, 2)).deadlocks, 0, "no more customers than he remembers");
}

#[test]
fn the_forgetful_operator_does_not() {
    for (pumps, customers) in [(1, 1), (1, 3), (2, 2), (3, 2)] {
        let network = gas_station(pumps, customers);
        assert_eq!(network.components()[0].states().len(), 2);
        assert_eq!(explored(network).deadlocks, 0, "{pumps} pumps, {customers} customers each");
    }
    assert_eq!(explored(gas_station(2, 3)), space(91, 186, 0), "as the model of the corpus");
}

#[test]
fn one_faulty_cash_machine_is_one_deadlock() {
    for (n, (states, steps)) in (1..).zip([(16, 20), (237, 588), (3484, 12844)]) {
        assert_eq!(explored(atm(n, true)), space(states, steps, 1), "{n} machines");
    }
    for (n, (states, steps)) in (1..).zip([(15, 19), (223, 558), (3289, 12207)]) {
        assert_eq!(explored(atm(n, false)), space(states, steps, 0), "{n} machines");
    }
}

#[test]
fn names_are_distinct_and_every_event_has_a_rule() {
    let models = [philosopher1(3), philosopher2(4), confused(3).network, gas(3, 2), gas_station(3, 2), atm(3, true)];
    for network in models {
        let labels: BTreeSet<&str> = network.rules().iter().map(|r| &*r.label).collect();
        assert_eq!(labels.len(), network.rules().len(), "{}", network.name());
        let used: BTreeSet<_> = network.rules().iter().flat_map(|r| r.participants.iter().copied()).collect();
        let events: usize = network.components().iter().map(|c| c.events().len()).sum();
        assert_eq!(used.len(), events, "{}", network.name());
    }
}
