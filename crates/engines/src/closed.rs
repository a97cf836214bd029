//! All reachable states, as a certificate that none of them is what must not be.

use std::borrow::Cow;

use evidence::{Budget, ClosedSet};
use model::{Property, System};

use crate::store::{Inserted, Store, hash};

/// What a listed state takes besides its changes.
const LISTED: u64 = 64;

/// Every reachable state; `None` if the budget does not suffice, if a step is a model error, or if the property is about
/// infinite runs. What follows from all of them together, that nobody is stuck for good, the checker sees by itself.
pub fn closed_set(system: &System, property: &Property, budget: &Budget) -> Option<ClosedSet> {
    let system = match property {
        Property::Safety(observer) => Cow::Owned(system.observed_by(observer)),
        Property::Temporal(_) | Property::DivergenceFree(_) => return None,
        _ => Cow::Borrowed(system),
    };
    reachable(&system, budget)
}

/// Every reachable state, unless a step is a model error.
pub(crate) fn reachable(system: &System, budget: &Budget) -> Option<ClosedSet> {
    let initial = system.initial_state();
    let mut store = Store::new(initial.len());
    store.reserve(0, budget).ok()?;
    store.insert(&initial, hash(&initial));
    let (mut state, mut next) = (initial.clone(), initial.clone());
    let mut open = vec![0];
    while let Some(index) = open.pop() {
        budget.check(store.bytes() + LISTED * store.len() as u64).ok()?;
        state.copy_from_slice(store.get(index));
        for step in system.enabled(&state) {
            system.fire(step.ok()?, &state, &mut next).ok()?;
            store.reserve(0, budget).ok()?;
            if let Inserted::New(new) = store.insert(&next, hash(&next)) {
                open.push(new);
            }
        }
    }
    Some(ClosedSet::new(&initial, (0..).map(|index| store.get(index)).take(store.len())))
}
