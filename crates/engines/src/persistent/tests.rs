//! Every example of the thesis gives the sets that it prints, algorithm by algorithm.

use model::System;

use super::{Algorithm, Interference, PersistentSets};

const ONE: (Algorithm, Interference) = (Algorithm::Conflict, Interference::CanBeDependent);
const TWO: (Algorithm, Interference) = (Algorithm::Overman, Interference::CanBeDependent);
const THREE: (Algorithm, Interference) = (Algorithm::Stubborn, Interference::DoNotAccord);
const FOUR: (Algorithm, Interference) = (Algorithm::Stubborn, Interference::First);
const ALL: [(Algorithm, Interference); 4] = [ONE, TWO, THREE, FOUR];

fn example(name: &str) -> System {
    let path = format!("{}/../../corpus/thesis/example-{name}.imp", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the example is in the corpus");
    frontend::native::load(name, &text, &[]).expect("the example is a model").system
}

/// The step names of the persistent set that an algorithm computes in the initial state from a start.
fn set(system: &System, (algorithm, interference): (Algorithm, Interference), start: &str) -> Vec<String> {
    let label = |t: model::TransitionId| system.transition(t).moves[0].label.to_string();
    let start = system.transition_ids().find(|&t| label(t) == start).expect("the example has this step");
    let mut sets = PersistentSets::new(system, algorithm, interference, false);
    sets.set_from(start, &system.initial_state()).into_iter().map(label).collect()
}

#[test]
fn sets_of_the_examples() {
    // Example, start, and the sets of Algorithms 1 to 4.
    let table: &[(&str, &str, [&[&str]; 4])] = &[
        ("4-8", "t1", [&["t1"], &["t1"], &["t1"], &["t1"]]),
        ("4-8", "t3", [&["t1", "t3"], &["t1", "t3"], &["t1", "t3"], &["t1", "t3"]]),
        ("4-11", "t1", [&["t1", "t4"], &["t1"], &["t1"], &["t1"]]),
        ("4-11", "t4", [&["t1", "t4"], &["t1", "t4"], &["t1", "t4"], &["t1", "t4"]]),
        ("4-19", "t2", [&["t2", "t4"], &["t2", "t4"], &["t2", "t4"], &["t2", "t4"]]),
        ("4-19", "t4", [&["t2", "t4"], &["t2", "t4"], &["t4"], &["t4"]]),
        ("4-30", "t1", [&["t1", "t3"], &["t1", "t3"], &["t1", "t3"], &["t1"]]),
        ("4-30", "t3", [&["t1", "t3"], &["t1", "t3"], &["t1", "t3"], &["t1", "t3"]]),
        ("5-1", "t1", [&["t1", "t3"], &["t1", "t3"], &["t1", "t3"], &["t1", "t3"]]),
        ("5-1", "t3", [&["t1", "t3"], &["t1", "t3"], &["t1", "t3"], &["t1", "t3"]]),
        ("5-5", "t1", [&["t1"], &["t1"], &["t1"], &["t1"]]),
        ("5-5", "t3", [&["t3"], &["t3"], &["t3"], &["t3"]]),
        ("6-1", "t1", [&["t1"], &["t1"], &["t1"], &["t1"]]),
        ("6-1", "t3", [&["t3"], &["t3"], &["t3"], &["t3"]]),
    ];
    for (name, start, expected) in table {
        let system = example(name);
        for (number, (choice, expected)) in ALL.iter().zip(expected).enumerate() {
            assert_eq!(
                set(&system, *choice, start),
                *expected,
                "example {name} from {start}, algorithm {}",
                number + 1
            );
        }
    }
}

/// "A no-risk and free improvement": with the finer relation no algorithm computes a larger set.
#[test]
fn finer_relations_never_enlarge_a_set() {
    let relations = [Interference::CanBeDependent, Interference::DoNotAccord, Interference::First];
    for name in ["4-8", "4-11", "4-19", "4-30", "5-1", "5-5", "6-1", "8-1"] {
        let system = example(name);
        for algorithm in [Algorithm::Conflict, Algorithm::Overman, Algorithm::Stubborn] {
            for t in system.enabled(&system.initial_state()).filter_map(Result::ok) {
                let label = system.transition(t).moves[0].label.to_string();
                let sizes = relations.map(|r| set(&system, (algorithm, r), &label).len());
                assert!(sizes.is_sorted_by(|a, b| a >= b), "{name}, {algorithm:?} from {label}: {sizes:?}");
            }
        }
    }
}

/// What is chosen in a state does not depend on what was asked before, also where the work is nearly too much: A's steps
/// interfere with each other, and the first time that takes long.
#[test]
fn the_second_answer_is_the_first() {
    let text =
        "var x : 0..1  process A[i in 0..399] { states a, b  a -> b do x := i % 2 }  process B { states a, b  a -> b }";
    let system = frontend::native::load("second", text, &[]).expect("the model is right").system;
    let state = system.initial_state();
    let enabled: Vec<model::TransitionId> = system.enabled(&state).filter_map(Result::ok).collect();
    assert_eq!(enabled.len(), 401);
    for (algorithm, interference) in ALL {
        let mut sets = PersistentSets::new(&system, algorithm, interference, false);
        let mut ask = || {
            let mut chosen = Vec::new();
            sets.choose_among(&state, &enabled, &mut |_| true, &mut chosen).then_some(chosen)
        };
        let first = ask();
        assert_eq!(first, ask(), "{algorithm:?} {interference:?}");
        assert!(interference != Interference::First || first.is_some_and(|set| set.len() == 1));
    }
}
