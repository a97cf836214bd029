//! Random predicates, observers and properties.

use model::{LocationId, Observer, ObserverEdge, ObserverLocation, Property, TransitionId};

use super::exprs::Words;
use crate::Rng;

/// One property of each kind that is decided by finite runs.
pub(super) fn properties(rng: &mut Rng, words: &Words<'_>, transitions: usize) -> Vec<Property> {
    vec![
        Property::DeadlockFree,
        Property::Invariant(words.boolean(rng, 2)),
        Property::Reachable(words.boolean(rng, 2).op(model::Binary::And, words.boolean(rng, 1))),
        Property::Safety(observer(rng, words, transitions)),
    ]
}

/// An observer whose last location is an error.
fn observer(rng: &mut Rng, words: &Words<'_>, transitions: usize) -> Observer {
    let n = 2 + rng.below(2);
    let locations = (0..n).map(|l| ObserverLocation { name: format!("w{l}"), error: l + 1 == n }).collect();
    let initial = LocationId::new(rng.below(n - 1));
    let edges = (0..1 + rng.below(5)).map(|_| edge(rng, words, n, transitions)).collect();
    Observer { locations, initial, edges }
}

fn edge(rng: &mut Rng, words: &Words<'_>, locations: usize, transitions: usize) -> ObserverEdge {
    let some = |rng: &mut Rng| (0..transitions).filter(|_| rng.chance(40)).map(TransitionId::new).collect();
    ObserverEdge {
        from: LocationId::new(rng.below(locations)),
        to: LocationId::new(rng.below(locations)),
        on: if rng.chance(70) { Some(some(rng)) } else { None },
        when: if rng.chance(50) { words.boolean(rng, 1) } else { model::Expr::TRUE },
        span: None,
    }
}
