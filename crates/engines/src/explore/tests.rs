//! Planted bugs: reductions that are not granted give wrong answers, and the oracle notices.

use evidence::{Budget, Outcome, Silent};
use model::{Class, Property, System};
use testkit::compare::{Demand, Oracle};
use testkit::random::{chains, questions};

use super::reduction::Reduction;
use super::search::{Extent, Search, Task};
use super::{Persistent, Proviso, Wish, component, selective};
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
