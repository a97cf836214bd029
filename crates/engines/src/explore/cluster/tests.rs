//! A planted bug: workers that lose states on the way give wrong answers, and the oracle notices.

use std::sync::atomic::{AtomicBool, Ordering};

use evidence::{Budget, Silent};
use model::Property;
use testkit::compare::{Demand, Oracle};
use testkit::random::chains;

use super::Team;
use crate::explore::Explore;
use crate::{Engine, Problem};

/// Whether a third of the states that travel is lost.
pub(super) static LOSES: AtomicBool = AtomicBool::new(false);

/// In how many programs the oracle finds something wrong.
fn caught() -> usize {
    let team = Some(Team { workers: 2, process: 0, hosts: &[] });
    let engine = Explore { finish: u64::MAX, team, ..Explore::default() };
    let wrong = |seed: u64| {
        let system = chains(seed);
        let problem = Problem { system: &system, property: &Property::DeadlockFree };
        let Some(oracle) = Oracle::new(problem.system, problem.property, 600) else { return false };
        let demand = Demand { complete: true, ..Demand::default() };
        oracle.check(&engine.run(&problem, &Budget::unlimited(), &Silent), demand).is_err()
    };
    (0..40).filter(|&seed| wrong(seed)).count()
}

#[test]
fn lost_states_are_noticed() {
    assert_eq!(caught(), 0);
    LOSES.store(true, Ordering::Relaxed);
    let lost = caught();
    LOSES.store(false, Ordering::Relaxed);
    assert!(lost > 10, "only {lost} programs");
}
