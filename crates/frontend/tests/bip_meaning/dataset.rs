//! The models by BIP's own authors: the sizes that their engine reports, and what is refused, by name.

use std::fs;

use crate::support::{Count, data, load, models, size};

/// Models that count time.
const TIMED: [&str; 15] = [
    "clock_speed",
    "clock_units",
    "test_resume",
    "test_resume2",
    "test_resume3",
    "test_resume3_error",
    "test_resume4",
    "test_resume4_error",
    "test_resume_deadlock",
    "test_resume_error",
    "time_lock1",
    "time_lock2",
    "time_lock3",
    "timed_tempcontrol",
    "writers_buffer",
];

/// Models whose priorities are cyclic: the engine stops with an error, too.
const CYCLIC: [&str; 5] = [
    "priority_rules_atom_cycle3",
    "priority_rules_cycle",
    "priority_rules_cycle2",
    "priority_rules_cycle3",
    "priority_rules_cycle_hierarchy",
];

/// States, transitions, deadlocks and model errors, counted by hand from the texts.
const BY_HAND: [(&str, Count); 24] = [
    ("atom_internal_transitions", (12, 11, 1, 0)),
    ("broadcast", (3, 2, 2, 0)),
    ("broadcast_reverted", (3, 2, 2, 0)),
    ("broadcast_up", (3, 2, 2, 0)),
    ("broadcast_up_down", (5, 4, 2, 0)),
    ("const_data", (29, 29, 1, 0)),
    ("double_compound", (1002, 1001, 1, 0)),
    ("guarded_transitions", (264, 494, 1, 0)),
    ("internal_export_compound", (4, 3, 1, 0)),
    ("maximal_progress", (6, 7, 2, 0)),
    ("maximal_progress_hierarchy", (2, 1, 1, 0)),
    ("multi_export_atom", (2, 3, 1, 0)),
    ("multi_export_compound", (8, 12, 1, 0)),
    ("nested2", (8, 12, 1, 0)),
    ("nested3", (2, 1, 1, 0)),
    ("petri_net_non_deterministic", (1, 0, 0, 2)),
    ("petri_net_non_deterministic2", (1, 0, 0, 2)),
    ("petri_net_non_deterministic3", (1, 0, 1, 0)),
    ("petri_net_non_safe", (1, 0, 0, 1)),
    ("priority_rules", (2, 1, 1, 0)),
    ("priority_rules_atom_closure", (2, 1, 1, 0)),
    ("priority_rules_guard", (9, 8, 1, 0)),
    ("rendezvous_down", (3, 2, 1, 0)),
    ("simple10counter", (12, 11, 1, 0)),
];

fn reference(name: &str) -> Option<String> {
    let path = data()?.join("reference-engine-tests").join(format!("{name}.bip"));
    Some(fs::read_to_string(path).expect("the model is there"))
}

#[test]
fn sizes_are_those_of_the_reference_engine() {
    let Some(folder) = data() else { return eprintln!("skipped: IMPASSE_DATA names no data") };
    let verdicts = fs::read_to_string(folder.join("verdicts.csv")).expect("the verdicts are there");
    let mut asked = 0;
    for model in ["doublecounter", "doublecounter2", "cyclic", "dining_philo", "dining_philo_flat"] {
        let (states, _, deadlocks, faults) = size(&as_counted(model));
        assert_eq!(faults, 0, "{model}");
        for row in verdicts.lines().map(|l| l.split(',').collect::<Vec<_>>()).filter(|row| row[0] == model) {
            let expected: usize = row[3].parse().expect("a number");
            let found = if row[2] == "reachable_states" { states } else { deadlocks };
            assert_eq!(found, expected, "{model}: {}", row[2]);
            asked += 1;
        }
    }
    assert_eq!(asked, verdicts.lines().count() - 1, "every verdict is checked");
}

/// The model that the engine counted: two texts are smaller now than their headers and the verdicts say.
///
/// The counters of `cyclic` ran to 500 (501 * 501 states), now to 200. `dining_philo` had eight philosophers, as
/// `dining_philo_flat` still has, now seven: with n of them there are a(n) = 5 a(n-1) - 3 a(n-2) states, from 5 and 19 on.
fn as_counted(model: &str) -> String {
    let text = reference(model).expect("the data is there");
    match model {
        "cyclic" => {
            assert_eq!(size(&text), (201 * 201, 2 * 201 * 201, 0, 0), "as the text has it");
            text.replace("count < 200", "count < 500").replace("count == 200", "count == 500")
        }
        "dining_philo" => {
            let (states, _, deadlocks, _) = size(&text);
            assert_eq!((states, deadlocks), (27_303, 2), "as the text has it");
            eighth_philosopher(&text)
        }
        _ => text,
    }
}

/// Seats an eighth philosopher between the seventh and the first.
fn eighth_philosopher(text: &str) -> String {
    let connectors = "connector RDV f8take1(f8.take, p8.take_left), f8take2(f8.take, p7.take_right)
        connector RDV f8release1(f8.release, p8.release_left), f8release2(f8.release, p7.release_right)
        connector RDV f1take1";
    text.replace("component Fork f1()", "component Fork f8(), f1()")
        .replace("component Philosopher p1()", "component Philosopher p8(), p1()")
        .replace("f1take2   (f1.take,    p7.", "f1take2(f1.take, p8.")
        .replace("f1release2(f1.release, p7.", "f1release2(f1.release, p8.")
        .replace("connector RDV f1take1", connectors)
}

#[test]
fn sizes_are_those_counted_by_hand() {
    for (name, expected) in BY_HAND {
        let Some(text) = reference(name) else { return eprintln!("skipped: IMPASSE_DATA names no data") };
        assert_eq!(size(&text), expected, "{name}");
    }
}

#[test]
fn examples_behave_as_the_tutorial_tells() {
    let Some(folder) = data() else { return eprintln!("skipped: IMPASSE_DATA names no data") };
    let told = [
        // Four of eight atoms at first, in 70 ways, then the others; wrapped in compounds, all eight or none.
        ("broadcast-advanced/HelloPackage", (72, 140, 1, 0)),
        ("broadcast-advanced-wrapped/HelloPackage", (1, 0, 1, 0)),
        ("broadcast-to-several/HelloPackage", (2, 1, 1, 0)),
        ("broadcast-to-several-wrapped/HelloPackage", (2, 1, 1, 0)),
        ("initial-helloworld/HelloPackage", (2, 1, 1, 0)),
        ("priorities_in_compound/priorities_in_compound", (3, 2, 1, 0)),
        ("rendez-vous-several-components/HelloPackage", (2, 1, 1, 0)),
    ];
    for (name, expected) in told {
        let path = folder.join("tutorial").join(format!("{name}.bip"));
        assert_eq!(size(&fs::read_to_string(path).expect("the model is there")), expected, "{name}");
    }
}

#[test]
fn only_models_with_clocks_and_cyclic_priorities_are_refused() {
    let Some(folder) = data() else { return eprintln!("skipped: IMPASSE_DATA names no data") };
    let mut refused = 0;
    // Two of the models are a hundred thousand transitions; one of each kind is enough.
    for (path, text) in models(&folder).into_iter().filter(|(path, _)| !path.ends_with("big_broadcast_10.bip")) {
        let name = path.rsplit('/').next().expect("a name").trim_end_matches(".bip");
        let expected = match name {
            _ if TIMED.contains(&name) => Some("clocks are not supported"),
            _ if CYCLIC.contains(&name) => Some("the priorities are cyclic"),
            _ => None,
        };
        match (load(&text), expected) {
            (Ok(_), None) => {}
            (Err(mistakes), Some(expected)) => {
                refused += 1;
                assert!(mistakes[0].message.starts_with(expected), "{path}: {}", mistakes[0].message);
            }
            (Ok(_), Some(_)) => panic!("{path} is read"),
            (Err(mistakes), None) => panic!("{path}: {}", mistakes[0].message),
        }
    }
    assert_eq!(refused, TIMED.len() + CYCLIC.len());
}
