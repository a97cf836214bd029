//! The base case: runs of few steps from the initial marking to the goal.

use model::nets::Predicate;
use model::views::{Net, NetTransitionId};
use solve::sat::Answer;

use super::facts::Facts;
use super::patience::Patience;
use super::unrolling::{Direction, Step, Unrolling};

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

/// The run up to the first marking that satisfies the goal, if it can be taken and there is one. Places whose tokens
/// are not all counted may have made believe in it.
fn replay(net: &Net, goal: &Predicate, mut run: Vec<NetTransitionId>) -> Option<Vec<NetTransitionId>> {
    let mut marking = net.initial_marking();
    for i in 0..run.len() {
        if goal.holds(&marking) {
            run.truncate(i);
            return Some(run);
        }
        if !net.is_enabled(run[i], &marking) {
            return None;
        }
        marking = net.fire(run[i], &marking);
    }
    goal.holds(&marking).then_some(run)
}
