//! Algorithm 1 (Figure 4.2): what is in conflict with, or can interfere with, an enabled transition joins it; a disabled
//! transition among them ends the attempt.

use model::TransitionId;

use super::Situation;
use super::structure::Structure;

/// The set from a start; whether it is smaller than `limit`, free of disabled transitions and of earlier starts.
pub(super) fn from(
    structure: &Structure<'_>,
    situation: Situation<'_>,
    start: TransitionId,
    limit: usize,
    set: &mut Vec<TransitionId>,
) -> bool {
    set.push(start);
    let mut next = 0;
    let mut possible = true;
    while possible && next < set.len() && set.len() < limit && !structure.is_spent() {
        let t = set[next];
        next += 1;
        structure.interfering(t, situation.state, situation.interference, |u| {
            possible &= situation.is_enabled.contains(u.index()) && !situation.tried.contains(u.index());
            if possible && !set.contains(&u) {
                set.push(u);
            }
        });
    }
    possible && next == set.len() && set.len() < limit
}
