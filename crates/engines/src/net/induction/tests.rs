//! The parts by themselves, and what happens without one of them.

use std::time::{Duration, Instant};

use evidence::Budget;
use model::nets::{Goal, Predicate};
use model::views::Net;
use solve::sat::Answer;
use testkit::nets::{Oracle, goals, random};

use super::base::{Base, base};
use super::facts::Facts;
use super::patience::Patience;
use super::step::Induction;
use crate::net::target::predicate;
use crate::net::{Board, Task};

/// Whether `k` steps through markings without the goal lead to it, and what is found within `k - 1` from the beginning.
fn parts(net: &Net, goal: &Predicate, k: usize) -> Option<(Answer, Base)> {
    let (budget, (board, _findings)) = (Budget::unlimited(), Board::new(1));
    let task = Task { net, goals: &[], board: &board, budget: &budget };
    let patience = Patience { task: &task, goal: 0, end: Instant::now() + Duration::from_secs(20) };
    let facts = Facts::new(net, &mut || false);
    let mut induction = Induction::new(&facts, goal)?;
    (0..k).try_for_each(|_| induction.deepen(&patience))?;
    Some((induction.ask(&patience), base(&facts, goal, &induction.cones()[..k - 1], &patience)))
}

/// Of the goals of random nets, how many are excluded by a claim, and how many of these wrongly.
fn claims(claim: impl Fn(&Answer, &Base) -> bool) -> (usize, usize) {
    let (mut right, mut wrong) = (0, 0);
    for seed in 0..300 {
        let net = random(seed);
        let Some(oracle) = Oracle::new(&net, 2000) else { continue };
        for goal in goals(&net, seed).into_iter().filter(|goal| !matches!(goal, Goal::Maximum(_))) {
            let asked = predicate(&net, &goal, &mut || false).expect("no maximum");
            for k in 1..=3 {
                let Some((step, base)) = parts(&net, &asked, k) else { continue };
                if claim(&step, &base) {
                    *(if oracle.reaches(&goal) { &mut wrong } else { &mut right }) += 1;
                }
            }
        }
    }
    (right, wrong)
}

#[test]
fn both_parts_together_are_right_and_each_is_needed() {
    let (right, wrong) = claims(|step, base| *step == Answer::Impossible && *base == Base::Nothing);
    assert!(right > 500 && wrong == 0, "{right} {wrong}");
    let (_, wrong) = claims(|step, _| *step == Answer::Impossible);
    assert!(wrong > 10, "without the base case, the oracle objects: {wrong}");
    let (_, wrong) = claims(|_, base| *base == Base::Nothing);
    assert!(wrong > 10, "without the step, the oracle objects: {wrong}");
}
