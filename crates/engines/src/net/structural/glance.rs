//! Goals that need no linear program: looked up in what holds of the net as a whole, the cheapest facts first.

use model::nets::Goal;
use model::views::PlaceId;

use super::flows::Flows;
use super::invariants::Invariants;
use super::{part, proof, stop};
use crate::net::{Finding, Task};

/// The technique, as reports name it.
const TECHNIQUE: &str = "PLACE_INVARIANTS";

/// Settles the goals that need no linear program. Of `claims`, sets of places that are said to hold at most one token,
/// those are used that are proved.
pub fn glance(task: &Task<'_>, claims: &[Vec<PlaceId>]) {
    let mut invariants = Invariants::claimed(task, claims);
    judge(task, &invariants);
    if !task.board.is_done() {
        invariants.add_flows(task.net, Flows::new(task.net, &mut stop(task, part(task.budget))));
        judge(task, &invariants);
    }
    if !task.board.is_done() {
        invariants.relate(task, task.budget.clone());
        judge(task, &invariants);
    }
}

/// Tells the board what follows about each open goal.
pub(super) fn judge(task: &Task<'_>, invariants: &Invariants) {
    for goal in task.board.open() {
        if task.board.is_done() || task.budget.check(0).is_err() {
            return;
        }
        let finding = match &task.goals[goal] {
            Goal::Maximum(expression) => {
                invariants.at_most(expression).map(|most| Finding::AtMost(most, proof(invariants.words())))
            }
            asked => invariants.exclude_goal(asked).then(|| Finding::Never(proof(invariants.words()))),
        };
        if let Some(finding) = finding {
            task.board.tell(goal, TECHNIQUE, finding);
        }
    }
}
