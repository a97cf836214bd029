//! The base case: runs of few steps from the initial marking to the goal.

use model::nets::Predicate;
use model::views::NetTransitionId;
use solve::sat::Answer;

use super::facts::Facts;
use super::patience::Patience;
use super::unrolling::{Direction, Step, Unrolling};
use crate::net::target::replay;

/// What there is within some steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// The goal is not reached.
    Nothing,
    /// A run that reaches it, replayed.
    Run(Vec<NetTransitionId>),
    /// It is not known.
    Unknown,
}

/// Searches for a run with a step for each cone, given the last step first; steps may be empty.
pub(super) fn base(
    facts: &Facts<'_>,
    goal: &Predicate,
    cones: &[Vec<NetTransitionId>],
    patience: &Patience<'_>,
) -> Base {
    let mut unrolling = Unrolling::new(facts, Direction::Forward);
    let mut marked: Vec<bool> = facts.net.places().iter().map(|place| place.initial > 0).collect();
    let mut steps = Vec::new();
    for cone in cones.iter().rev() {
        let fed = |t: &NetTransitionId| facts.net.pre(*t).iter().all(|(p, _)| marked[p.index()]);
        let possible: Vec<NetTransitionId> = cone.iter().copied().filter(fed).collect();
        for (p, _) in possible.iter().flat_map(|&t| facts.net.post(t)) {
            marked[p.index()] = true;
        }
        let Some(step) = unrolling.step(&possible, patience) else { return Base::Unknown };
        steps.push(step);
    }
    let last = unrolling.last();
    let reached = unrolling.predicate(last, goal);
    unrolling.cnf.clause(&[reached]);
    match unrolling.cnf.solve(&[], &mut |bytes| patience.is_over(bytes)) {
        Answer::Impossible => Base::Nothing,
        Answer::Unknown => Base::Unknown,
        Answer::Model => replay(facts.net, goal, fired(&unrolling, &steps)).map_or(Base::Unknown, Base::Run),
    }
}

fn fired(unrolling: &Unrolling<'_>, steps: &[Step]) -> Vec<NetTransitionId> {
    let fired = steps.iter().flat_map(|step| &step.fired);
    fired.filter(|(_, fires)| unrolling.cnf.holds(*fires)).map(|(t, _)| *t).collect()
}
