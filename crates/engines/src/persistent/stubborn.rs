//! Algorithms 3 and 4 (Figures 4.4 and 4.5): a set of enabled and disabled transitions is closed under interference with
//! the enabled ones and under one necessary enabling set of each disabled one; its enabled transitions are persistent.
//!
//! *Which* enabling set is taken decides everything: the first one found is hardly better than Algorithm 2. Taken is the
//! one that adds the fewest enabled transitions to the set so far, then the fewest transitions, then the first. On the
//! dining philosophers that makes the reduced state space quadratic instead of exponential.

use model::TransitionId;

use super::Situation;
use super::blocks::Block;
use super::closure::{Closure, Scratch};
use super::structure::Structure;

/// Closes the set; whether it has fewer than `limit` enabled transitions, and no earlier start.
pub(super) fn close(
    structure: &Structure<'_>,
    situation: Situation<'_>,
    limit: usize,
    set: &mut Closure,
    scratch: &mut Scratch,
) -> bool {
    while let Some(t) = set.next() {
        let list = match situation.marks.enabled.contains(t) {
            true => structure.interfering(t, situation, &mut scratch.list),
            false => cheapest(structure, situation, t, set, scratch),
        };
        set.add(list, situation.marks);
        if !set.may_win(limit) || structure.is_spent() {
            return false;
        }
    }
    true
}

/// The cheapest necessary enabling set of a disabled transition (step 2.a): for each process that is elsewhere, those
/// that bring it; for each test that fails, those that disturb it. What a set costs is counted before the test is
/// evaluated, where the set is known.
pub(super) fn cheapest<'s>(
    structure: &'s Structure<'_>,
    situation: Situation<'_>,
    t: TransitionId,
    set: &Closure,
    scratch: &'s mut Scratch,
) -> &'s [Block] {
    const FREE: (u32, u32) = (0, 0);
    let (mut least, mut best) = ((u32::MAX, u32::MAX), None);
    for list in structure.bringing(t, situation.state) {
        let cost = set.cost(list, situation.marks);
        if cost < least {
            (least, best) = (cost, Some(list));
        }
    }
    for test in structure.tests(t) {
        if least == FREE {
            break;
        }
        if let Some(list) = structure.kept_disturbing(t, test, situation.interference) {
            let cost = set.cost(list, situation.marks);
            if cost < least && structure.fails(t, test, situation.state) {
                (least, best) = (cost, Some(list));
            }
        } else if structure.fails(t, test, situation.state) {
            let list = structure.disturbing(t, test, situation, &mut scratch.list);
            let cost = set.cost(list, situation.marks);
            if cost < least {
                (least, best) = (cost, None);
                scratch.best.clear();
                scratch.best.extend_from_slice(list);
            }
        }
    }
    match (best, least) {
        (Some(list), _) => list,
        (None, (u32::MAX, _)) => &[],
        (None, _) => &scratch.best,
    }
}
