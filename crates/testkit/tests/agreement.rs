//! The executable semantics of `model` is the documented one: on random systems of every kind of object, all states,
//! steps and faults are those of the oracle.

use model::{Builder, Command, Domain, Edge, Expr, Fault, Kind, Property, System, Target, TransitionId, Value};
use testkit::compare::{elaboration, predicate, semantics};
use testkit::naive::{Naive, explore};
use testkit::packed::Packed;
use testkit::random::{Profile, Sample, sample};

const LIMIT: usize = 600;
const SEEDS: u64 = 160;

/// Runs a check on random systems of every profile; most of them must be small enough to be checked.
fn on_samples(check: impl Fn(&Sample) -> Option<Result<(), String>>) {
    on(Profile::all(), check);
}

fn on(profiles: Vec<(String, Profile)>, check: impl Fn(&Sample) -> Option<Result<(), String>>) {
    for (name, profile) in profiles {
        let mut checked = 0;
        for seed in 0..SEEDS {
            match check(&sample(seed, &profile)) {
                None => {}
                Some(Ok(())) => checked += 1,
                Some(Err(difference)) => panic!("profile {name}, seed {seed}: {difference}"),
            }
        }
        assert!(checked > SEEDS / 2, "profile {name}: only {checked} systems were small enough");
    }
}

#[test]
fn packed_and_naive_semantics_agree() {
    on_samples(|s| semantics(&s.system, LIMIT));
}

#[test]
fn observers_agree() {
    on_samples(|s| semantics(&observed(s), LIMIT));
}

/// Systems in which processes go on alone and some steps are last resorts: with few faults, none, and many.
#[test]
fn control_agrees() {
    let control = Profile::control();
    let (lawful, wild) = (Profile { faults: 0, ..control.clone() }, Profile { faults: 40, ..control.clone() });
    let profiles = [("control", control), ("meeting", Profile::meeting()), ("lawful", lawful), ("wild", wild)];
    on(profiles.map(|(name, p)| (name.to_owned(), p)).to_vec(), |s| semantics(&s.system, LIMIT));
    on(vec![("observed".to_owned(), Profile::control())], |s| semantics(&observed(s), LIMIT));
}

fn observed(s: &Sample) -> System {
    let observer = s.properties.iter().find_map(|p| if let Property::Safety(o) = p { Some(o) } else { None });
    s.system.observed_by(observer.expect("a sample has a safety property"))
}

#[test]
fn predicates_agree() {
    on_samples(|s| {
        let graph = explore(&Packed(&s.system), LIMIT)?;
        let predicates = s.properties.iter().filter_map(|p| match p {
            Property::Invariant(e) | Property::Reachable(e) => Some(e),
            _ => None,
        });
        Some(predicates.into_iter().try_for_each(|e| predicate(&s.system, &graph, e)))
    });
}

#[test]
fn edges_and_transitions_agree() {
    on_samples(|s| {
        let graph = explore(&Naive::new(&s.system), LIMIT)?;
        Some(elaboration(&s.blueprint, &s.system, &graph))
    });
}

/// Random systems seldom have an operation that is a fault before one that must wait.
#[test]
fn a_fault_counts_before_a_later_operation_that_waits() {
    let mut b = Builder::new("order");
    let (process, other) = (b.process("P"), b.process("Q"));
    let (here, _) = (b.location(process, "here"), b.location(other, "here"));
    let index = b.object_with("i", Kind::Variable(Domain::Range { lo: 0, hi: 7 }), Value::Int(5), None);
    let first = b.object("s[0]", Kind::Semaphore { max: 1 });
    b.object("s[1]", Kind::Semaphore { max: 1 });
    let lock = b.object_with("m", Kind::Lock, Value::Lock(Some(other)), None);
    let take = Command::Take(Target::cell(first, 2, Expr::read(index)), 1);
    let acquire = Command::Acquire(lock.into(), process);
    b.edge(Edge::new(process, here, here).run(take.clone()).run(acquire.clone()));
    b.edge(Edge::new(process, here, here).run(acquire).run(take));
    let system = b.build().expect("the model is right");
    semantics(&system, LIMIT).expect("there is one state").expect("both semantics agree");
    let enabled: Vec<_> = system.enabled(&system.initial_state()).collect();
    assert_eq!(enabled, [Err((TransitionId(0), Fault::Index { first, index: 5 }))]);
}
