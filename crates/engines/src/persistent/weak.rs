//! Weak stubborn sets (Valmari 1991; note 4.31 of Godefroid's thesis): only the start, the *key*, must be undisturbed by
//! all that is outside of the set. Of another enabled transition it is enough that nothing outside can come right before
//! it and not right after it instead: what can disable it may stay outside. Where that takes more transitions than to
//! keep it undisturbed, too, it is kept undisturbed.
//!
//! Let a run of transitions outside of the set be followed by one of the set. That one was enabled before each of them,
//! if it is enabled (going back from the last, none of them made it so), and can come first; if it is disabled, its
//! enabling set tells that there is no such run. And no run outside of the set disables the key. So a run to a deadlock
//! contains a transition of the set, and the first of these can be moved to its front.

use super::Situation;
use super::closure::{Closure, Scratch};
use super::structure::Structure;
use super::stubborn::cheapest;
use model::TransitionId;

/// Closes the set; whether it has fewer than `limit` enabled transitions.
pub(super) fn close(
    structure: &Structure<'_>,
    situation: Situation<'_>,
    (key, limit): (TransitionId, usize),
    set: &mut Closure,
    scratch: &mut Scratch,
) -> bool {
    while let Some(t) = set.next() {
        if !situation.marks.enabled.contains(t) {
            let list = cheapest(structure, situation, t, set, scratch);
            set.add(list, situation.marks);
        } else {
            let undisturbed = structure.interfering(t, situation, &mut scratch.list);
            let first = structure.before(t, &mut scratch.other);
            let cheaper = t != key && set.cost(first, situation.marks) < set.cost(undisturbed, situation.marks);
            set.add(if cheaper { first } else { undisturbed }, situation.marks);
        }
        if set.enabled() >= limit || structure.is_spent() {
            return false;
        }
    }
    true
}
