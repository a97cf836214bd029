//! Bugs that are easy to make, planted around the search: the oracle catches each in some network.

use engines::diagrams::rings::{Decided, Pace, Rings, decide};
use engines::diagrams::{Space, Stop};
use solve::bdd::Bdd;

use super::naive::{Case, cases, states};

const ALL: Rings = Rings { pace: Pace::Shortest, restrict: true, all: true, one_by_one: None };

/// In how many networks a faulty decision is wrong.
fn caught(faulty: impl Fn(&Case, &Space<'_>, &Bdd, &Bdd) -> Result<Decided, Stop> + Sync) -> usize {
    let wrong = |case: &Case| {
        case.with(|space, invariant, suspects| {
            let decided = faulty(case, space, invariant, suspects)?;
            Ok(case.check(space, &decided).is_err() || states(space, &decided.reached) != case.answer())
        })
    };
    cases().iter().filter(|case| wrong(case)).count()
}

#[test]
fn without_a_bug_nothing_is_caught() {
    assert_eq!(caught(|_, space, invariant, suspects| decide(space, invariant, suspects, &ALL, 5)), 0);
}

#[test]
fn the_arguments_of_restrict_in_the_wrong_order() {
    let swapped = |_: &Case, space: &Space<'_>, invariant: &Bdd, suspects: &Bdd| {
        decide(space, invariant, &invariant.restrict(suspects)?, &ALL, 5)
    };
    assert!(caught(swapped) > 20, "{}", caught(swapped));
}

#[test]
fn only_the_nearest_suspects_are_found() {
    let hasty = |_: &Case, space: &Space<'_>, invariant: &Bdd, suspects: &Bdd| {
        let first = decide(space, invariant, suspects, &Rings { all: false, ..ALL }, 5)?;
        Ok(Decided { refuted: true, ..first })
    };
    assert!(caught(hasty) > 20, "{}", caught(hasty));
}

#[test]
fn strengthening_without_what_leads_to_a_suspect() {
    let hasty = |_: &Case, space: &Space<'_>, invariant: &Bdd, suspects: &Bdd| {
        let decided = decide(space, invariant, suspects, &ALL, 5)?;
        let refuted = suspects.minus(&decided.reached)?;
        Ok(Decided { invariant: invariant.minus(&refuted)?, ..decided })
    };
    assert!(caught(hasty) > 20, "{}", caught(hasty));
}

#[test]
fn an_invariant_that_steps_leave() {
    let leaky = |case: &Case, space: &Space<'_>, invariant: &Bdd, suspects: &Bdd| {
        let initial = states(space, &space.initial()?);
        let inner = case.reachable.iter().filter(|s| !case.suspicious(s) && !initial.contains(*s)).min();
        let hole = inner.map_or_else(|| Ok(space.manager().none()), |s| space.state(s))?;
        let invariant = invariant.minus(&hole)?;
        decide(space, &invariant, &suspects.and(&invariant)?, &Rings { restrict: false, ..ALL }, 5)
    };
    assert!(caught(leaky) > 20, "{}", caught(leaky));
}
