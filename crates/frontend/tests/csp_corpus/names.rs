//! What the states of the corpus are called.

use std::collections::HashSet;

use frontend::csp::Limits;

use crate::support::{compile, scripts, text};

#[test]
fn every_script_compiles_and_every_state_has_a_name_of_its_own() {
    let scripts = scripts();
    assert!(scripts.len() >= 15, "only {} scripts were found", scripts.len());
    for (name, text) in scripts {
        let outcome = compile(&text, &Limits::default());
        assert!(outcome.mistakes.is_empty(), "{name}: {:?}", outcome.mistakes);
        assert!(!outcome.networks.is_empty(), "{name} asserts nothing");
        for component in outcome.networks.iter().flat_map(|n| n.components()) {
            let names: HashSet<&str> = component.states().iter().map(|s| s.name.as_str()).collect();
            assert_eq!(names.len(), component.states().len(), "{name}: {}", component.name());
        }
    }
}

fn states_of(file: &str, component: &str) -> Vec<String> {
    let outcome = compile(&text(file).expect("a script"), &Limits::default());
    let components = outcome.networks.iter().flat_map(|n| n.components());
    let found = components.into_iter().find(|c| c.name() == component).expect("the component is there");
    found.states().iter().map(|s| s.name.clone()).collect()
}

#[test]
fn states_are_called_after_what_happened() {
    let names = ["FORK(0)", "FORK(0) after picks.0.0", "FORK(0) after picks.3.0"];
    assert_eq!(states_of("philosophers.csp", "FORK(0)"), names);
    assert_eq!(states_of("locks.csp", "A::LOCK"), ["A::LOCK", "A::HELD(0)", "A::HELD(1)"]);
}

#[test]
fn choices_are_called_after_what_is_offered() {
    let names = ["WHIM", "WHIM after coin", "WHIM after coin, offering drink.tea"];
    assert_eq!(states_of("vending-machine.csp", "WHIM")[..3], names);
}
