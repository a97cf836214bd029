//! The executable semantics of `model` is the documented one: on random systems of every kind of object, all states,
//! steps and faults are those of the oracle.

use model::Property;
use testkit::compare::{elaboration, predicate, semantics};
use testkit::naive::{Naive, explore};
use testkit::packed::Packed;
use testkit::random::{Profile, Sample, sample};

const LIMIT: usize = 600;
const SEEDS: u64 = 160;

/// Runs a check on random systems of every profile; most of them must be small enough to be checked.
fn on_samples(check: impl Fn(&Sample) -> Option<Result<(), String>>) {
    for (name, profile) in Profile::all() {
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
    on_samples(|s| {
        let observer = s.properties.iter().find_map(|p| if let Property::Safety(o) = p { Some(o) } else { None });
        semantics(&s.system.observed_by(observer.expect("a sample has a safety property")), LIMIT)
    });
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
