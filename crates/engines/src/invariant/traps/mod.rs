//! Interaction invariants: a trap of the network, seen as a net with a place for each local state, that is marked in every
//! initial state is always marked.

pub(super) mod lazy;
pub(super) mod symbolic;

use model::views::{ComponentId, StateId};
use solve::bdd::Bdd;

use crate::diagrams::{Space, Stop};
use crate::structure::wiring::Wiring;

/// The states that mark a trap, which is given by the numbers of its local states in increasing order.
fn marking(space: &Space<'_>, wiring: &Wiring<'_>, trap: &[usize]) -> Result<Bdd, Stop> {
    let places: Vec<(ComponentId, StateId)> = trap.iter().map(|&s| wiring.local(s)).collect();
    let by_component: Vec<&[(ComponentId, StateId)]> = places.chunk_by(|a, b| a.0 == b.0).collect();
    let mut sets = by_component.into_iter().map(|places| {
        let states: Vec<StateId> = places.iter().map(|p| p.1).collect();
        (space.bits(places[0].0).first().copied(), places[0].0, states)
    });
    let mut sorted: Vec<_> = sets.by_ref().collect();
    sorted.sort_by_key(|(first, ..)| std::cmp::Reverse(*first));
    sorted.into_iter().try_fold(space.manager().none(), |sum, (_, c, states)| Ok(sum.or(&space.among(c, &states)?)?))
}
