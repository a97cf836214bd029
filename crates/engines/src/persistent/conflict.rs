//! Algorithm 1 (Figure 4.2): what is in conflict with, or can interfere with, an enabled transition joins it; a disabled
//! transition among them ends the attempt.

use super::Situation;
use super::closure::{Closure, Scratch};
use super::structure::Structure;

/// Closes the set; whether it is smaller than `limit`, free of disabled transitions and of earlier starts.
pub(super) fn close(
    structure: &Structure<'_>,
    situation: Situation<'_>,
    limit: usize,
    set: &mut Closure,
    scratch: &mut Scratch,
) -> bool {
    while let Some(t) = set.next() {
        set.add(structure.interfering(t, situation, &mut scratch.list), situation.marks);
        if set.enabled() < set.len() || !set.may_win(limit) || structure.is_spent() {
            return false;
        }
    }
    true
}
