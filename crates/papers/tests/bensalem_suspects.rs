//! The suspects that invariants leave in the models of Bensalem and others, counted by other means before.

use engines::diagrams::{Setting, Space, order};
use engines::invariant::{Strength, Traps, invariant};
use engines::local::{Local, LocalVerdict};
use evidence::{Budget, Goal, Silent};
use papers::bensalem::models::*;

const NOTHING: Strength = Strength { components: false, traps: Traps::None, linear: false };
const LINEAR: Strength = Strength { linear: true, ..NOTHING };
const TRAPS: [Strength; 2] =
    [Strength { traps: Traps::Symbolic, ..NOTHING }, Strength { traps: Traps::Lazy, ..NOTHING }];

fn with_space<T>(subject: &Subject, then: impl FnOnce(&Space<'_>) -> T) -> T {
    let budget = Budget::unlimited();
    let order = order::best(&subject.network).1;
    let space = Space::new(&subject.network, Setting { order, budget: &budget }).expect("small");
    then(&space.starting(subject.initial.clone()))
}

fn suspects(subject: impl Into<Subject>, strength: Strength) -> String {
    with_space(&subject.into(), |space| {
        let (found, suspects) = invariant(space, &[Goal::Deadlock], &strength).expect("small");
        assert!(!found.used.gave_up && found.used.skipped == 0, "{:?}", found.used);
        space.count(&suspects).to_string()
    })
}

fn with_both(strength: Strength) -> Strength {
    Strength { linear: true, ..strength }
}

#[test]
fn blocked_states_of_philosophers() {
    let blocked = |n| suspects(philosopher2(n), NOTHING);
    assert_eq!([2, 3, 4, 5, 6].map(blocked), ["13", "45", "161", "573", "2041"]);
}

#[test]
fn forks_that_know_who_holds_them_leave_the_deadlock() {
    for strength in TRAPS {
        for n in [2, 3, 4, 5, 6, 9, 100] {
            assert_eq!(suspects(philosopher1(n), strength), "1", "{n} {strength:?}");
        }
    }
    assert_eq!([2, 3, 8].map(|n| suspects(philosopher1(n), LINEAR)), ["1", "1", "1"]);
}

#[test]
fn forks_that_do_not_leave_two_false_suspects_of_traps_for_even_numbers() {
    for strength in TRAPS {
        for n in 2..=9 {
            let expected = if n % 2 == 0 { "3" } else { "1" };
            assert_eq!(suspects(philosopher2(n), strength), expected, "{n} {strength:?}");
        }
    }
    assert!((2..=9).all(|n| suspects(philosopher2(n), LINEAR) == "1"));
}

#[test]
fn the_confused_philosopher() {
    for strength in TRAPS {
        assert_eq!([2, 3, 4, 5].map(|n| suspects(confused(n), strength)), ["7", "7", "11", "10"], "{strength:?}");
    }
}

#[test]
fn gas_stations_need_both_kinds_of_invariants() {
    let sizes = [(2, 2), (2, 3), (3, 2)];
    for strength in TRAPS {
        let of = |(pumps, customers)| suspects(gas(pumps, customers), strength);
        assert_eq!(sizes.map(of), ["237", "6197", "5641"], "{strength:?}");
        assert_eq!(suspects(gas(2, 3), with_both(strength)), "9");
        assert_eq!(suspects(gas_station(2, 3), with_both(strength)), "0");
    }
}

#[test]
fn cash_machines_need_both_kinds_of_invariants() {
    for strength in TRAPS {
        assert_eq!(suspects(atm(2, true), strength), "4", "{strength:?}");
        assert_eq!(suspects(atm(2, true), with_both(strength)), "1", "{strength:?}");
        assert_eq!(suspects(atm(2, false), with_both(strength)), "0", "{strength:?}");
    }
    assert_eq!(suspects(atm(2, true), LINEAR), "7");
}

#[test]
fn invariants_alone_prove_large_systems() {
    let alone = Local { sdd: false, pairs: false, groups: 0, confirm: false, ..Local::default() };
    let asymmetric = Philosophers { n: 2000, eats: true, sided_forks: false, asymmetric: true }.network();
    for network in [asymmetric, gas_station(60, 2)] {
        let verdict = alone.analyse(&network, &Budget::unlimited(), &Silent).verdict;
        assert!(matches!(verdict, LocalVerdict::Proved(Some(_))), "{}", network.name());
    }
}
