//! Chains of steps by themselves, against the oracle: what they find, how soon, and what happens without some clauses.

use std::time::Duration;

use evidence::Budget;
use model::nets::{Goal, Predicate};
use model::views::{Net, NetTransitionId};
use solve::sat::Answer;
use testkit::nets::{goals, random, targets, tiny};

use super::chain::{Chain, Clauses, Passing, passing};
use super::order::order;
use super::windows::Windows;
use crate::net::cnf::Cnf;
use crate::net::structural::Flows;
use crate::net::target::{predicate, replay};
use crate::net::{Board, Task};

/// The markings of a net by how many firings lead there; `None` if there are too many.
fn levels(net: &Net) -> Option<Vec<Vec<Vec<u64>>>> {
    let mut seen = std::collections::HashSet::from([net.initial_marking()]);
    let mut levels = vec![vec![net.initial_marking()]];
    while let Some(last) = levels.last().filter(|last| !last.is_empty()) {
        let enabled = |m: &Vec<u64>| net.transition_ids().filter(|&t| net.is_enabled(t, m)).collect::<Vec<_>>();
        let next = last.iter().flat_map(|m| enabled(m).into_iter().map(|t| net.fire(t, m))).collect::<Vec<_>>();
        let next = next.into_iter().filter(|m| seen.insert(m.clone())).collect();
        levels.push(next);
        if seen.len() > 300 {
            return None;
        }
    }
    Some(levels)
}

/// How long a single question may take.
fn patience() -> impl FnMut(u64) -> bool {
    let mut pieces = 0;
    move |_| {
        pieces += 1;
        pieces > 20
    }
}

/// What a chain says that is not so.
#[derive(Debug, Default, PartialEq, Eq)]
struct Faults {
    /// Runs that are none.
    illusions: usize,
    /// Runs that are not found within as many steps as they have firings.
    missed: usize,
    /// Said to be all there is, while there is more.
    cut: usize,
    /// Runs that are found with fewer steps than firings.
    parallel: usize,
    asked: usize,
}

impl Faults {
    fn add(&mut self, net: &Net, goal: &Predicate, levels: &[Vec<Vec<u64>>], clauses: Clauses) {
        let (flows, order) = (Flows::new(net, &mut || false), order(net));
        let windows = Windows::new(net, &flows, 1);
        // Where runs may leave the windows, nothing is missed by going less deep.
        let deepest = if windows.whole().is_some() { 8 } else { 3 };
        let mut chain = Chain::with(net, &order, &windows, clauses);
        let nearest = levels.iter().position(|level| level.iter().any(|m| goal.holds(m)));
        for depth in 0..levels.len().min(deepest) {
            self.asked += 1;
            let literal = chain.reached(goal);
            match chain.ask(literal, &mut patience()) {
                // Counting makes some questions hard: these show nothing.
                Answer::Unknown => return,
                Answer::Model if replay(net, goal, chain.run()).is_none() => return self.illusions += 1,
                Answer::Model => return self.parallel += usize::from(nearest.is_some_and(|nearest| depth < nearest)),
                _ if windows.whole().is_some() && nearest.is_some_and(|nearest| depth >= nearest) => {
                    return self.missed += 1;
                }
                _ => {}
            }
            chain.deepen(&mut |_| false).expect("no limits");
            let ends = chain.goes_on(&mut patience()) == Answer::Impossible;
            // A marking that is so many firings away needs a run of that length.
            let more = levels.get(depth + 1).is_some_and(|level| !level.is_empty());
            self.cut += usize::from(ends && windows.whole().is_some() && more);
        }
    }
}

fn faults(clauses: Clauses) -> Faults {
    let mut faults = Faults::default();
    let some = tiny().enumerate().step_by(499).map(|(number, net)| (number as u64, net));
    for (seed, net) in (0..150).map(|seed| (seed, random(seed))).chain(some) {
        let Some(levels) = levels(&net) else { continue };
        let goals = goals(&net, seed).into_iter().chain(targets(&net, seed));
        for goal in goals.filter(|goal| !matches!(goal, Goal::Maximum(_))) {
            let goal = predicate(&net, &goal, &mut || false).expect("no maximum");
            faults.add(&net, &goal, &levels, clauses);
        }
    }
    faults
}

#[test]
fn every_run_within_the_windows_is_found_in_time() {
    let Faults { illusions, missed, cut, parallel, asked } = faults(passing);
    assert_eq!((illusions, missed, cut), (0, 0, 0));
    assert!(parallel > 100 && asked > 5000, "{parallel} of {asked}: the test shows little");
}

#[test]
fn a_place_that_changes_by_itself_is_caught() {
    fn without_frame(cnf: &mut Cnf, passing: Passing<'_>) {
        let Passing { fires, change, old, new } = passing;
        for (i, &is) in new.more_than.iter().enumerate() {
            let moved = cnf.reaches(old, i as i128 + 1 - i128::from(change)).expect("windows are exact");
            cnf.clause(&[!fires, !is, moved]);
            cnf.clause(&[!fires, is, !moved]);
        }
    }
    assert!(faults(without_frame).illusions > 10);
}

#[test]
fn a_token_that_two_take_in_one_step_is_caught() {
    fn shared(cnf: &mut Cnf, passing: Passing<'_>) {
        if passing.change > 0 {
            return super::chain::passing(cnf, passing);
        }
        for (&was, &is) in passing.old.more_than.iter().zip(passing.new.more_than.iter()) {
            cnf.clause(&[!was, is]);
            cnf.clause(&[was, !is]);
        }
    }
    assert!(faults(shared).illusions > 10);
}

#[test]
fn a_chain_that_takes_all_nets_for_safe_is_caught() {
    fn safe(cnf: &mut Cnf, passing: Passing<'_>) {
        if let (1.., Some(&was)) = (passing.change, passing.old.more_than.first()) {
            cnf.clause(&[!passing.fires, !was]);
        }
        super::chain::passing(cnf, passing);
    }
    let faults = faults(safe);
    assert!(faults.illusions == 0 && faults.missed + faults.cut > 10, "{faults:?}");
}

#[test]
fn a_run_that_follows_the_order_takes_one_step() {
    use model::views::{ArcSet, Place, PlaceId};
    let length = 200;
    let places = (0..=length).map(|i| Place::new(format!("p{i}"), u32::from(i == 0))).collect();
    // Written down against the way the token goes.
    let arc = |i: usize| vec![(PlaceId::new(i), 1)];
    let arcs = (0..length).rev().map(|i| ArcSet::new(format!("t{i}"), arc(i), arc(i + 1))).collect();
    let net = Net::new("line", places, arcs).expect("a net");
    let (flows, order) = (Flows::new(&net, &mut || false), order(&net));
    let windows = Windows::new(&net, &flows, 1);
    let mut chain = Chain::new(&net, &order, &windows);
    chain.deepen(&mut |_| false).expect("no limits");
    let literal = chain.reached(&Predicate::at_least(PlaceId::new(length), 1));
    assert_eq!(chain.ask(literal, &mut |_| false), Answer::Model);
    let run: Vec<NetTransitionId> = chain.run();
    assert_eq!(run.len(), length);
}

/// Who has too little memory gives up; more time would not help.
#[test]
fn without_memory_nothing_is_tried_again_and_again() {
    let budget = Budget::unlimited().with_memory(1).with_timeout(Duration::from_secs(60));
    for seed in 0..60 {
        let net = random(seed);
        let goals: Vec<Goal> =
            goals(&net, seed).into_iter().filter(|goal| !matches!(goal, Goal::Maximum(_))).take(1).collect();
        let (board, _findings) = Board::new(goals.len());
        super::run(&Task { net: &net, goals: &goals, board: &board, budget: &budget });
    }
    assert_eq!(budget.check(0), Ok(()));
}
