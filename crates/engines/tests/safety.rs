//! Safety on the reduced space: what the thesis says of its examples, and of the traps on the way.

use engines::explore::{Explore, Order, Persistent, Proviso, Wish};
use engines::persistent::{Algorithm, Interference};
use engines::{Engine, Problem};
use evidence::{Budget, Outcome, Silent, Verdict};
use model::{Expr, Property, System};

const ONE: Persistent = Persistent { algorithm: Algorithm::Conflict, interference: Interference::CanBeDependent };
const FOUR: Persistent = Persistent { algorithm: Algorithm::Stubborn, interference: Interference::First };

fn corpus(file: &str) -> System {
    let path = format!("{}/../../corpus/{file}.imp", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the model is in the corpus");
    frontend::native::load(file, &text, &[]).expect("the corpus is right").system
}

fn search(system: &System, property: &Property, persistent: Persistent, sleep: bool, proviso: Proviso) -> Outcome {
    let reduce = Wish { persistent: Some(persistent), sleep, proviso };
    let engine = Explore { order: Order::Depth, finish: u64::MAX, reduce, ..Explore::default() };
    engine.supports(&Problem { system, property }).expect("the reduction is sound here");
    engine.run(&Problem { system, property }, &Budget::unlimited(), &Silent)
}

fn size(outcome: &Outcome) -> (u64, u64) {
    let known = "a search counts what it does";
    (outcome.statistics.states.expect(known), outcome.statistics.transitions.expect(known))
}

fn at(system: &System, process: &str, location: &str) -> Expr {
    let p = system.find_process(process).expect("the process is there");
    let l = system.process(p).locations.iter().position(|l| l.name == location).expect("the location is there");
    Expr::At(p, model::LocationId::new(l))
}

/// Example 6.1: the local state `l` is missed by persistent sets alone, and found with each of the three remedies.
#[test]
fn the_local_state_of_example_6_1() {
    let system = corpus("thesis/example-6-1");
    let alone = search(&system, &Property::DeadlockFree, FOUR, false, Proviso::None);
    assert_eq!(size(&alone), (2, 2), "without a proviso half of the system is put off for ever");
    assert_eq!(alone.fired, None, "and the search does not claim to know what can be fired");
    let goal = Property::Reachable(at(&system, "B", "l"));
    for (sleep, proviso) in
        [(false, Proviso::Stack), (true, Proviso::Stack), (false, Proviso::Component), (false, Proviso::Goal)]
    {
        let found = search(&system, &goal, FOUR, sleep, proviso);
        assert!(matches!(found.verdict, Verdict::Holds(_)), "{proviso:?}: {:?}", found.verdict);
        assert!(size(&found) <= (4, 5), "{proviso:?}: {:?}", size(&found));
    }
}

/// The trap K2: a proviso that counts sleeping transitions would miss the last step, and its location.
#[test]
fn the_proviso_ignores_sleeping_transitions() {
    let system = corpus("classics/ignored-step");
    let found = search(&system, &Property::DeadlockFree, ONE, true, Proviso::Stack);
    let fired = found.fired.as_ref().expect("the proviso keeps all transitions");
    assert_eq!(fired.iter().filter(|f| **f == evidence::Firing::Never).count(), 1, "only the poll is dead");
    assert_eq!(size(&found), (4, 4));
}

/// Which combinations are sound is not left to the user.
#[test]
fn unsound_combinations_are_refused() {
    let system = corpus("thesis/example-6-1");
    let goal = Property::Reachable(at(&system, "B", "l"));
    let weak = Persistent { algorithm: Algorithm::Weak, ..FOUR };
    let refused = |persistent, sleep, proviso, property: &Property, why: &str| {
        let reduce = Wish { persistent: Some(persistent), sleep, proviso };
        let engine = Explore { order: Order::Depth, reduce, ..Explore::default() };
        let said = engine.supports(&Problem { system: &system, property }).expect_err(why);
        assert!(said.contains(why), "{said}");
    };
    refused(FOUR, true, Proviso::Component, &goal, "not sound together with sleep sets");
    refused(weak, true, Proviso::None, &Property::DeadlockFree, "not sound together with sleep sets");
    refused(weak, false, Proviso::None, &goal, "nothing but deadlocks");
    refused(FOUR, false, Proviso::Goal, &Property::DeadlockFree, "no goal");
}
