//! Planted bugs: that the oracle would notice a stubborn set with a hole, and an up-set that forgets something.

use evidence::Budget;
use model::nets::Goal;
use model::views::Net;
use testkit::nets::{Oracle, goals, random, targets, tiny};

use super::explorer::{Explorer, Successors};
use super::question::{Formula, Question};
use super::{conclude, depth};
use crate::net::{Board, Finding, Task};
use crate::tokens::stubborn::{Scapegoats, Stubborn};
use crate::tokens::wiring::Wiring;

/// Something to break before the search.
type Break = fn(&mut Question<'_>, &mut Stubborn<'_>);

/// Whether a search with broken parts says of a goal what the oracle says.
fn agrees(net: &Net, oracle: &Oracle<'_>, goal: Goal, sabotage: Break) -> bool {
    let (goals, wiring, budget) = ([goal], Wiring::new(net), Budget::unlimited());
    let (mut question, mut sets) = (Question::new(&goals[0], &wiring), Stubborn::new(net, Scapegoats::FewGivers));
    sabotage(&mut question, &mut sets);
    let (board, findings) = Board::new(1);
    {
        let task = Task { net, goals: &goals, board: &board, budget: &budget };
        let mut explorer = Explorer::new(&task, &wiring, Successors::Stubborn(0, question, Box::new(sets)));
        if depth::search(&mut explorer).expect("no limits") {
            conclude(&explorer, 0);
        }
    }
    drop(board);
    let last = findings.iter().last().expect("it is settled").finding;
    match (&goals[0], last) {
        (Goal::Maximum(expression), Finding::AtMost(value, _)) => oracle.maximum(expression) == i128::from(value),
        (goal, Finding::Reached(_)) => oracle.reaches(goal),
        (goal, Finding::Never(_)) => !oracle.reaches(goal),
        (_, other) => panic!("unexpected: {other:?}"),
    }
}

/// Whether some net tells the broken search from the oracle.
fn caught(which: fn(&Goal) -> bool, sabotage: Break) -> bool {
    let ask = |net: &Net, seed: u64| {
        let Some(oracle) = Oracle::new(net, 1000) else { return false };
        let mut goals = goals(net, seed);
        goals.extend(targets(net, seed));
        goals.retain(which);
        goals.into_iter().any(|goal| !agrees(net, &oracle, goal, sabotage))
    };
    let mut tiny = tiny().enumerate().step_by(397).map(|(i, net)| (net, i as u64));
    (0..300).any(|seed| ask(&random(seed), seed)) || tiny.any(|(net, seed)| ask(&net, seed))
}

fn is_dead(goal: &Goal) -> bool {
    matches!(goal, Goal::Dead)
}

fn is_formula(goal: &Goal) -> bool {
    matches!(goal, Goal::Satisfies(_))
}

fn is_maximum(goal: &Goal) -> bool {
    matches!(goal, Goal::Maximum(_))
}

#[test]
fn sound_sets_are_not_blamed() {
    assert!(!caught(|_| true, |_, _| ()));
}

#[test]
fn a_set_without_the_rivals_at_shared_places_is_caught() {
    assert!(caught(is_dead, |_, sets| sets.forget_rivals()));
    assert!(caught(is_formula, |_, sets| sets.forget_rivals()));
}

#[test]
fn a_set_without_those_that_enable_is_caught() {
    assert!(caught(is_formula, |_, sets| sets.forget_givers()));
    assert!(caught(is_maximum, |_, sets| sets.forget_givers()));
}

#[test]
fn a_set_that_takes_readers_for_harmless_is_caught() {
    assert!(caught(is_dead, |_, sets| sets.forget_takers()));
}

#[test]
fn an_up_set_that_forgets_a_comparison_is_caught() {
    fn forget(formula: &mut Formula<'_>) {
        match formula {
            Formula::Any(parts) => drop(parts.pop()),
            Formula::All(parts) => parts.iter_mut().for_each(forget),
            Formula::AtMostZero(..) | Formula::Constant(_) => {}
        }
    }
    let sabotage: Break = |question, _| {
        if let Question::Formula(formula) = question {
            forget(formula);
        }
    };
    assert!(caught(is_formula, sabotage));
}

#[test]
fn a_maximum_that_forgets_a_transition_is_caught() {
    let sabotage: Break = |question, _| {
        if let Question::Maximum(raising) = question {
            raising.pop();
        }
    };
    assert!(caught(is_maximum, sabotage));
}
