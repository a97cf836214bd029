//! Whole searches of the thesis' examples: states, transitions and deadlocks, switch by switch.

use engines::explore::{Explore, Order, Persistent, Proviso, Wish};
use engines::persistent::{Algorithm, Interference};
use engines::{Engine, Problem};
use evidence::{Budget, Outcome, Silent};
use model::{Property, System};

const TWO: Option<Persistent> =
    Some(Persistent { algorithm: Algorithm::Overman, interference: Interference::CanBeDependent });
const THREE: Option<Persistent> =
    Some(Persistent { algorithm: Algorithm::Stubborn, interference: Interference::DoNotAccord });
const FOUR: Option<Persistent> = Some(Persistent { algorithm: Algorithm::Stubborn, interference: Interference::First });

fn corpus(file: &str, settings: &[(&str, i64)]) -> System {
    let path = format!("{}/../../corpus/{file}.imp", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the model is in the corpus");
    let settings: Vec<(String, i64)> = settings.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
    frontend::native::load(file, &text, &settings).expect("the corpus is right").system
}

fn search(system: &System, order: Order, reduce: Wish) -> Outcome {
    let engine = Explore { order, finish: u64::MAX, reduce, ..Explore::default() };
    let problem = Problem { system, property: &Property::DeadlockFree };
    engine.supports(&problem).expect("the reduction is sound here");
    engine.run(&problem, &Budget::unlimited(), &Silent)
}

/// States, transitions and deadlocks of a depth-first search.
fn size(system: &System, persistent: Option<Persistent>, sleep: bool, proviso: Proviso) -> (u64, u64, u64) {
    let statistics = search(system, Order::Depth, Wish { persistent, sleep, proviso }).statistics;
    let known = "a search counts what it does";
    (statistics.states.expect(known), statistics.transitions.expect(known), statistics.deadlocks.expect(known))
}

#[test]
fn example_4_30() {
    let system = corpus("thesis/example-4-30", &[]);
    assert_eq!(size(&system, None, false, Proviso::None), (34, 47, 3));
    assert_eq!(size(&system, THREE, false, Proviso::None), (32, 40, 3));
    assert_eq!(size(&system, FOUR, false, Proviso::None), (24, 27, 3));
    assert_eq!(size(&system, FOUR, true, Proviso::None), (24, 26, 3));
}

#[test]
fn examples_5_1_and_5_5_with_sleep_sets_alone() {
    assert_eq!(size(&corpus("thesis/example-5-1", &[]), None, true, Proviso::None), (13, 12, 3));
    assert_eq!(size(&corpus("thesis/example-5-5", &[]), None, true, Proviso::None), (9, 8, 1));
}

#[test]
fn example_6_1_and_its_proviso() {
    let system = corpus("thesis/example-6-1", &[]);
    assert_eq!(size(&system, None, false, Proviso::None), (4, 6, 0));
    assert_eq!(size(&system, FOUR, false, Proviso::None), (2, 2, 0));
    assert_eq!(size(&system, FOUR, true, Proviso::Stack), (3, 3, 0));
}

#[test]
fn philosophers_grow_as_they_should() {
    let overman = [(8, 10), (20, 30), (48, 76), (102, 165), (205, 336), (394, 651)];
    let overman_sleep = [(8, 9), (18, 23), (39, 54), (78, 112), (151, 222), (279, 414)];
    let sleep_alone = [(8, 9), (26, 41), (80, 147), (242, 514), (728, 1683), (2186, 5268)];
    for (i, n) in (2..8u64).enumerate() {
        let system = corpus("classics/philosophers-booleans", &[("n", n as i64)]);
        let size = |persistent, sleep| size(&system, persistent, sleep, Proviso::None);
        let with = |(states, transitions)| (states, transitions, 1);
        assert_eq!(size(TWO, false), with(overman[i]), "{n}: Algorithm 2");
        assert_eq!(size(TWO, true), with(overman_sleep[i]), "{n}: Algorithm 2 and sleep sets");
        // How many transitions sleep sets save depends a little on the order of visits; the states are all there.
        let (states, transitions, _) = size(None, true);
        assert_eq!(states, sleep_alone[i].0, "{n}: sleep sets alone");
        assert!(transitions * 100 <= sleep_alone[i].1 * 115, "{n}: sleep sets alone fire {transitions}");
        for stubborn in [THREE, FOUR] {
            assert_eq!(size(stubborn, false), with((3 * n * n - 3 * n + 2, 4 * n * n - 3 * n)), "{n}: {stubborn:?}");
            let sleeping = if n == 2 { (8, 9) } else { (3 * n * n - 6 * n + 8, 4 * n * n - 7 * n + 7) };
            assert_eq!(size(stubborn, true), with(sleeping), "{n}: {stubborn:?} and sleep sets");
        }
    }
}

#[test]
fn round_robin_reduces_to_one_round() {
    for n in 4..8 {
        let system = corpus("classics/round-robin", &[("n", n)]);
        let (states, transitions, deadlocks) = size(&system, THREE, true, Proviso::None);
        let n = n as u64;
        assert!((5 * n..=7 * n).contains(&states), "{n}: {states}");
        assert!((6 * n..=8 * n).contains(&transitions), "{n}: {transitions}");
        assert_eq!(deadlocks, 0);
    }
}

/// Example 8.1: the size does not depend on the channel.
#[test]
fn a_producer_and_a_consumer_need_two_states() {
    for n in [10, 1000] {
        let system = corpus("thesis/example-8-1", &[("N", n)]);
        assert_eq!(size(&system, THREE, false, Proviso::None), (2, 2, 0));
        assert_eq!(size(&system, FOUR, false, Proviso::None), (2, 2, 0));
    }
}

/// Table 1 of Godefroid and Wolper (1993): the classical search, and Figures 1 and 2 with `return(selection)`.
#[test]
fn table_1_of_1993() {
    const ONE: Option<Persistent> =
        Some(Persistent { algorithm: Algorithm::Conflict, interference: Interference::CanBeDependent });
    let printed = [(4, 144, 368), (5, 360, 1100), (6, 864, 3072), (7, 2016, 8176)];
    for (n, states, transitions) in printed {
        let system = corpus("classics/round-robin", &[("n", n)]);
        let size = |persistent, sleep| size(&system, persistent, sleep, Proviso::None);
        let n = n as u64;
        assert_eq!(size(None, false), (states, transitions, 0), "{n}: classical");
        for reduced in [ONE, TWO, THREE, FOUR] {
            assert_eq!(size(reduced, true), (5 * n, 6 * n, 0), "{n}: {reduced:?}");
        }
        // As printed, with `return(T)`, nothing but sleep sets is left: every state is visited, and with the end of a job
        // first only one transition in ten leads to a state that is known.
        assert_eq!(size(None, true), (states, states / 9 * 10, 0), "{n}: sleep sets alone");
    }
}
