//! Planted bugs: reductions that are not granted and steps that are wrongly called silent give wrong answers, and the
//! oracle notices.

use evidence::{Budget, Outcome, Silent};
use model::{Class, Property, System};
use testkit::compare::{Demand, Oracle};
use testkit::random::{Profile, SILENT, chains, held, questions, silenced, unheld};

use super::reduction::Reduction;
use super::search::{Extent, Search, Task};
use super::silent::Silent as SilentSteps;
use super::{Persistent, Proviso, Wish, component, divergence, selective};
use crate::persistent::{Algorithm, Interference, PersistentSets};

const LIMIT: usize = 600;
const STUBBORN: Persistent = Persistent { algorithm: Algorithm::Stubborn, interference: Interference::First };

/// What is done wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bug {
    /// Nothing.
    None,
    /// There is no proviso.
    NoProviso,
    /// Nobody watches the predicate.
    NoWatchers,
}

fn search(system: &System, property: &Property, bug: Bug, proviso: Proviso) -> Outcome {
    let watched = match property {
        Property::Invariant(e) => system.watching([(e, false)], false),
        Property::Reachable(e) => system.watching([(e, true)], false),
        _ => unreachable!("only predicates are asked for"),
    };
    let known = if bug == Bug::NoWatchers { system } else { &watched };
    let proviso = if bug == Bug::NoProviso { Proviso::None } else { proviso };
    reduced(system, property, known, proviso)
}

/// A reduced search of a system, with the relations of the same or another one.
fn reduced(system: &System, property: &Property, known: &System, proviso: Proviso) -> Outcome {
    let reduction = Reduction::ungranted(Wish { persistent: Some(STUBBORN), sleep: false, proviso });
    let sets = PersistentSets::new(known, STUBBORN.algorithm, STUBBORN.interference, false);
    let (budget, progress, properties) = (&Budget::unlimited(), &Silent, &[property]);
    let (finish, all, forgets) = (u64::MAX, false, false);
    let mut search = Search::new(Task { system, properties, finish, all, forgets, budget, progress });
    search.extent = Extent::EveryTransition;
    let ended = match proviso {
        Proviso::Component => component::run(&mut search, sets),
        _ => selective::run(&mut search, sets, reduction, None),
    };
    search.outcomes(&ended, 0.0).remove(0)
}

/// In how many programs the oracle finds something wrong.
fn caught(bug: Bug, proviso: Proviso) -> usize {
    let wrong = |seed: u64| {
        let system = chains(seed);
        let predicate = |p: &Property| p.class() == Class::Safety && !matches!(p, Property::Safety(_));
        questions(&system, seed).iter().filter(|p| predicate(p)).any(|property| {
            let oracle = Oracle::new(&system, property, LIMIT);
            oracle.is_some_and(|o| o.check(&search(&system, property, bug, proviso), Demand::default()).is_err())
        })
    };
    (0..150).filter(|&seed| wrong(seed)).count()
}

#[test]
fn planted_bugs_are_caught() {
    for proviso in [Proviso::Stack, Proviso::Component] {
        assert_eq!(caught(Bug::None, proviso), 0, "{proviso:?}");
        assert!(caught(Bug::NoWatchers, proviso) > 0, "{proviso:?}");
    }
    assert!(caught(Bug::NoProviso, Proviso::Stack) > 0);
}

/// In how many programs the oracle finds that who is stuck for good is not told right.
fn stuck_wrongly(persistent: Persistent, proviso: Proviso) -> usize {
    let property = Property::PartialDeadlockFree;
    let wrong = |seed: u64| {
        let system = &chains(seed);
        let Some(oracle) = Oracle::new(system, &property, LIMIT) else { return false };
        let sets = PersistentSets::new(system, persistent.algorithm, persistent.interference, false);
        let (budget, progress, properties) = (&Budget::unlimited(), &Silent, &[&property]);
        let (finish, all, forgets) = (0, false, false);
        let mut search = Search::new(Task { system, properties, finish, all, forgets, budget, progress });
        search.extent = Extent::EveryTransition;
        let ended = component::run_for_stuck(&mut search, Some(sets), proviso, false);
        oracle.check(&search.outcomes(&ended, 0.0).remove(0), Demand::default()).is_err()
    };
    (0..300).filter(|&seed| wrong(seed)).count()
}

#[test]
fn without_the_proviso_somebody_only_seems_stuck() {
    assert_eq!(stuck_wrongly(STUBBORN, Proviso::Component), 0);
    assert!(stuck_wrongly(STUBBORN, Proviso::None) > 0);
    let weak = Persistent { algorithm: Algorithm::Weak, interference: Interference::DoNotAccord };
    assert!(stuck_wrongly(weak, Proviso::None) > 0);
}

/// In how many programs the oracle finds something wrong that is reduced with the relations of another program, or of
/// which another one is searched; both are made of the program as the question needs it.
fn caught_of_held(searched: impl Fn(&System, &Property) -> System, known: impl Fn(u64, &System) -> System) -> usize {
    let wrong = |seed: u64| {
        let system = held(seed);
        questions(&system, seed).iter().filter(|p| !matches!(p, Property::Safety(_))).any(|property| {
            let Some(oracle) = Oracle::new(&system, property, LIMIT) else { return false };
            let searched = searched(&system, property);
            let known = match property {
                Property::Invariant(e) => known(seed, &searched).watching([(e, false)], false),
                Property::Reachable(e) => known(seed, &searched).watching([(e, true)], false),
                _ => known(seed, &searched),
            };
            let outcome = reduced(&searched, property, &known, Proviso::Stack);
            oracle.check(&outcome, Demand::default()).is_err()
        })
    };
    (0..150).filter(|&seed| wrong(seed)).count()
}

/// What is left out of blocks, and what is merged though it is seen, makes a difference.
#[test]
fn planted_bugs_about_control_are_caught() {
    let same = |system: &System, _: &Property| system.clone();
    let merged = |system: &System, property: &Property| {
        let seen = match property {
            Property::Invariant(e) | Property::Reachable(e) => Some(e),
            _ => None,
        };
        system.merging(seen).unwrap_or_else(|| system.clone())
    };
    let blindly = |system: &System, _: &Property| system.merging(None).unwrap_or_else(|| system.clone());
    let own = |_: u64, system: &System| system.clone();
    assert_eq!(caught_of_held(same, own), 0);
    assert_eq!(caught_of_held(merged, own), 0);
    assert!(caught_of_held(same, |seed, _| unheld(seed)) > 0, "blocks are left out");
    assert!(caught_of_held(blindly, own) > 0, "what is seen is merged");
}

/// In how many systems the oracle finds that the search for silent cycles went wrong.
fn wrongly_silent(steps: impl Fn(&System) -> SilentSteps<'static>) -> usize {
    let property = Property::DivergenceFree(SILENT.into());
    let wrong = |seed: u64| {
        let system = &silenced(seed, &Profile::lawful());
        let Some(oracle) = Oracle::new(system, &property, LIMIT) else { return false };
        let (budget, progress, properties) = (&Budget::unlimited(), &Silent, &[&property]);
        let (finish, all, forgets) = (0, false, false);
        let mut search = Search::new(Task { system, properties, finish, all, forgets, budget, progress });
        let ended = divergence::run(&mut search, &steps(system), true);
        oracle.check(&search.outcomes(&ended, 0.0).remove(0), Demand::default()).is_err()
    };
    (0..150).filter(|&seed| wrong(seed)).count()
}

#[test]
fn wrongly_silent_steps_are_caught() {
    let right = |system: &System| SilentSteps::new(system, SILENT);
    let first = |system: &System| system.transition_ids().find(|t| right(system).contains(*t));
    assert_eq!(wrongly_silent(right), 0);
    assert!(wrongly_silent(SilentSteps::all) > 10);
    assert!(wrongly_silent(|system| first(system).map_or_else(|| right(system), |t| right(system).without(t))) > 0);
}
