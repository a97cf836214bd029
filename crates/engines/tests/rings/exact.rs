//! With every setting, the exact set, and runs that are ones.

use std::collections::HashSet;
use std::time::Duration;

use engines::diagrams::rings::{Pace, Rings, backward, decide};
use engines::diagrams::{Setting, Space, Stop};
use evidence::{Budget, Goal, Reason};
use solve::bdd::{Bdd, deep};
use testkit::networks::philosophers;

use super::naive::{Case, State, cases, states};

/// Every way to decide suspects.
fn settings() -> impl Iterator<Item = Rings> {
    let limits = [None, Some(0), Some(6), Some(1000)];
    let all = limits.into_iter().flat_map(|one_by_one| [false, true].map(|all| (one_by_one, all)));
    let all = all.flat_map(|limits| [Pace::Shortest, Pace::Chained].map(|pace| (limits, pace)));
    all.flat_map(|((one_by_one, all), pace)| [false, true].map(|restrict| Rings { pace, restrict, all, one_by_one }))
}

/// What is decided must be right; how often the invariant was strengthened, and how many nodes were saved.
fn agrees(case: &Case, rings: &Rings, sets: (&Space<'_>, &Bdd, &Bdd)) -> Result<(usize, usize), String> {
    let (space, invariant, suspects) = sets;
    let answer = case.answer();
    let decided = decide(space, invariant, suspects, rings, 3).expect("it is small");
    let reached = states(space, &decided.reached);
    let expected = if rings.all { answer.len() } else { answer.len().min(1) };
    let runs = expected.min(3);
    let refuted = rings.all || answer.is_empty();
    let figures = &decided.figures;
    match case.check(space, &decided) {
        Ok(()) if reached.len() != expected => Err(format!("{} reached of {expected}", reached.len())),
        Ok(()) if decided.runs.len() != runs => Err(format!("{} runs of {runs}", decided.runs.len())),
        Ok(()) if refuted && !decided.refuted => Err("some suspects are open".to_owned()),
        Ok(()) if figures.largest > figures.exact => Err("a replaced ring is larger".to_owned()),
        checked => checked.map(|()| (figures.strengthened, figures.exact - figures.largest)),
    }
}

#[test]
fn reachable_suspects_are_found_with_every_setting() {
    let (mut reached, mut refuted, mut strengthened, mut smaller) = (0, 0, 0, 0);
    for (k, case) in cases().iter().enumerate() {
        let suspects = case.invariant.iter().filter(|s| case.suspicious(s)).count();
        reached += case.answer().len();
        refuted += suspects - case.answer().len();
        case.with(|space, invariant, suspects| {
            for rings in settings() {
                let agrees = agrees(case, &rings, (space, invariant, suspects));
                let (singles, saved) = agrees.unwrap_or_else(|e| panic!("case {k}, {rings:?}: {e}"));
                strengthened += singles;
                smaller += saved;
            }
            Ok(())
        });
    }
    assert!(reached > 200 && refuted > 200, "{reached} reached, {refuted} refuted");
    assert!(strengthened > 100 && smaller > 100, "{strengthened} strengthened, {smaller} nodes saved");
}

#[test]
fn a_first_run_is_a_shortest_one() {
    for case in cases() {
        let mut distance = 0;
        let mut known: HashSet<State> = HashSet::new();
        case.with(|space, invariant, suspects| {
            let decided = decide(
                space,
                invariant,
                suspects,
                &Rings { pace: Pace::Shortest, restrict: true, all: false, one_by_one: None },
                1,
            )?;
            let mut frontier = states(space, &space.initial()?);
            while !frontier.is_empty() && !frontier.iter().any(|s| case.suspicious(s)) {
                known.extend(frontier.iter().cloned());
                let network = &case.network;
                let next = frontier.iter().flat_map(|s| network.rule_ids().flat_map(|r| network.successors(r, s)));
                frontier = next.filter(|s| !known.contains(s)).collect();
                distance += 1;
            }
            let expected = (!frontier.is_empty()).then_some(distance);
            assert_eq!(decided.runs.first().map(|(_, run)| run.len()), expected);
            Ok(())
        });
    }
}

#[test]
fn plain_backward_search_finds_a_way_if_there_is_one() {
    let mut found = 0;
    for (case, pace) in cases().into_iter().flat_map(|case| [(clone(&case), Pace::Shortest), (case, Pace::Chained)]) {
        case.with(|space, _, _| {
            let decided = backward(space, &case.goals, pace)?;
            assert_eq!(decided.reached.is_none(), case.answer().is_empty());
            let whole = Case { invariant: states(space, &space.valid()?), ..clone(&case) };
            whole.check(space, &decided).expect("it is right");
            found += decided.runs.len();
            Ok(())
        });
    }
    assert!(found > 100, "{found}");
}

fn clone(case: &Case) -> Case {
    let Case { network, starts, goals, reachable, invariant } = case;
    let (network, starts, goals) = (network.clone(), starts.clone(), goals.clone());
    Case { network, starts, goals, reachable: reachable.clone(), invariant: invariant.clone() }
}

/// What is added outside of the invariant has no predecessor inside.
#[test]
fn no_step_leads_out_of_an_invariant() {
    for case in cases() {
        case.with(|space, invariant, _| {
            let outside = space.valid()?.minus(invariant)?;
            assert!(space.pre(&outside, invariant)?.is_none() && space.post(invariant, &outside)?.is_none());
            Ok(())
        });
    }
}

/// All rules at once are the rules one by one.
#[test]
fn images_are_the_unions_of_those_of_the_rules() {
    for case in cases() {
        case.with(|space, invariant, suspects| {
            for set in [invariant, suspects, &space.valid()?] {
                let (mut after, mut before) = (space.manager().none(), space.manager().none());
                for rule in case.network.rule_ids().filter(|&r| !case.network.rule(r).fault) {
                    after = after.or(&space.after(rule, set)?)?;
                    before = before.or(&space.before(rule, set)?)?;
                }
                for within in [&space.manager().all(), invariant, &invariant.not()] {
                    assert_eq!(space.post(set, within)?, after.and(within)?);
                    assert_eq!(space.pre(set, within)?, before.and(within)?);
                }
            }
            Ok(())
        });
    }
}

#[test]
fn time_and_memory_end_a_search() {
    let network = philosophers(12, false);
    let stopped = |budget: Budget| {
        deep(Space::variables(&network), || {
            let order = network.component_ids().collect();
            backward(&Space::new(&network, Setting { order, budget: &budget })?, &[Goal::Deadlock], Pace::Shortest)
                .map(|_| ())
        })
    };
    assert_eq!(stopped(Budget::unlimited().with_timeout(Duration::from_millis(1))), Err(Stop(Reason::Timeout)));
    assert_eq!(stopped(Budget::unlimited().with_memory(1 << 20)), Err(Stop(Reason::Memory)));
}
