//! Takes away what no rule can ever do: moves whose events are in no vector, states that are then out of reach, and
//! vectors whose participants have lost their last move.

use std::collections::{HashMap, HashSet};

use super::automaton::Leaf;
use super::event::Event;
use super::vectors::Joint;

/// Prunes until nothing changes.
pub(super) fn prune(leaves: &mut [Leaf], vectors: &mut Vec<Joint>) {
    let mut used = uses(leaves.len(), vectors);
    let mut dirty: Vec<usize> = (0..leaves.len()).collect();
    while let Some(leaf) = dirty.pop() {
        if !leaves[leaf].restrict(&used[leaf].keys().copied().collect()) {
            continue;
        }
        let offered: HashSet<Event> = leaves[leaf].events().iter().copied().collect();
        let lost: Vec<Event> = used[leaf].keys().filter(|e| !offered.contains(e)).copied().collect();
        let dead: Vec<usize> = lost.iter().flat_map(|event| used[leaf].remove(event).unwrap_or_default()).collect();
        for vector in dead {
            for &(other, event) in vectors[vector].vector.iter() {
                if forget(&mut used[other as usize], event, vector) {
                    dirty.push(other as usize);
                }
            }
        }
    }
    retain(&used, vectors);
}

/// For each component and event the vectors that use it.
type Uses = HashMap<Event, HashSet<usize>>;

fn uses(leaves: usize, vectors: &[Joint]) -> Vec<Uses> {
    let mut used = vec![Uses::new(); leaves];
    for (i, joint) in vectors.iter().enumerate() {
        for &(leaf, event) in joint.vector.iter() {
            used[leaf as usize].entry(event).or_default().insert(i);
        }
    }
    used
}

/// Removes a vector from those that use an event; whether none is left.
fn forget(uses: &mut Uses, event: Event, vector: usize) -> bool {
    let Some(list) = uses.get_mut(&event) else { return false };
    list.remove(&vector);
    if !list.is_empty() {
        return false;
    }
    uses.remove(&event);
    true
}

/// Keeps the vectors all of whose participants still count on them.
fn retain(used: &[Uses], vectors: &mut Vec<Joint>) {
    let mut place = 0;
    vectors.retain(|joint| {
        let alive = |&(leaf, event): &(u32, Event)| used[leaf as usize].get(&event).is_some_and(|l| l.contains(&place));
        let keep = joint.vector.iter().all(alive);
        place += 1;
        keep
    });
}
