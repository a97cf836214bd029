//! When machine code for guards and commands pays.
//!
//! Making it takes about a tenth of a millisecond a transition, and saves up to a few tenths of a microsecond a state;
//! so it is made once a search has seen many states for each transition, and small models never wait for it.

use model::System;

/// How many states a search must have seen, beside those for each transition.
#[cfg(feature = "native")]
const STATES: u64 = 20_000;
/// How many states a search must have seen for each transition.
#[cfg(feature = "native")]
const STATES_PER_TRANSITION: u64 = 200;

/// Makes machine code once enough states were seen.
#[cfg(feature = "native")]
pub(super) fn consider(system: &System, visited: u64) {
    let worth = STATES + STATES_PER_TRANSITION * system.transitions().len() as u64;
    if visited >= worth
        && !system.is_accelerated()
        && let Some(code) = native::compile(system)
    {
        system.accelerate(code);
    }
}

/// Without machine code there is nothing to consider.
#[cfg(not(feature = "native"))]
pub(super) fn consider(_: &System, _: u64) {}
