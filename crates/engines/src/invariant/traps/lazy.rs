//! Traps as far as they exclude suspects.
//!
//! A state violates some trap that is marked in every initial state if and only if the greatest trap inside its
//! complement is one. So a suspect is picked, traps inside its complement are found and made small, and they exclude
//! others too. A suspect that marks all of them is passed over together with all those that do so for the same reason:
//! the greatest trap in the complement of a few of its local states is not marked already. At the end, the suspects that
//! are left are the same as if all traps had been used.

use model::views::{ComponentId, StateId};
use solve::bdd::Bdd;

use super::marking;
use crate::diagrams::{Space, Stop};
use crate::exchange::Member;
use crate::invariant::report::Used;
use crate::lemma::Lemma;
use crate::structure::traps::Traps;
use crate::structure::wiring::Wiring;

/// How many times in a row suspects that mark all traps may be passed over, times the local states, as passing over takes
/// longer the more there are. Where thousands of suspects are deadlocks, as in the gas station of the paper, each of
/// them would have to be looked at, and in vain.
const PASSED: usize = 1 << 17;
/// Of the traps that exclude a suspect, all with no more local states than this are used, and one at least.
const SMALL: usize = 64;
/// How often a suspect is made more general by leaving out a part of its local states.
const TRIES: usize = 256;

/// Sets of states that mark a trap each, such that every suspect that is in all of them marks all traps.
pub(in crate::invariant) fn marked(
    (space, wiring): (&Space<'_>, &Wiring<'_>),
    suspects: &Bdd,
    others: Option<Member<'_>>,
    used: &mut Used,
) -> Result<Vec<Bdd>, Stop> {
    let traps = Traps::new(wiring, space.starts());
    let (mut open, mut found, mut passed) = (suspects.clone(), Vec::new(), 0);
    while let Some(state) = space.pick(&open) {
        space.check()?;
        let mut against = traps.without(wiring, &state);
        if against.is_empty() {
            passed += 1;
            if passed * wiring.states() > PASSED {
                used.gave_up = true;
                break;
            }
            open = open.minus(&same(space, wiring, &traps, &state)?)?;
            continue;
        }
        passed = 0;
        let few = against.iter().take_while(|trap| trap.len() <= SMALL).count();
        against.truncate(few.max(1));
        if let Some(others) = others {
            others.learned(against.iter().map(|trap| Lemma::marked(wiring, trap)));
        }
        for trap in against {
            let marking = marking(space, wiring, &trap)?;
            open = open.and(&marking)?;
            found.push(marking);
        }
    }
    used.traps = found.len();
    Ok(found)
}

/// States that mark all traps for the same reason as a given one.
fn same(space: &Space<'_>, wiring: &Wiring<'_>, traps: &Traps, state: &[StateId]) -> Result<Bdd, Stop> {
    let mut needed: Vec<ComponentId> = wiring.network().component_ids().collect();
    let mut part = needed.len().div_ceil(2);
    let mut tries = 0;
    while part > 0 && tries < TRIES {
        let mut from = 0;
        while from < needed.len() && tries < TRIES {
            tries += 1;
            let to = (from + part).min(needed.len());
            let fewer: Vec<ComponentId> = needed[..from].iter().chain(&needed[to..]).copied().collect();
            if marks_all(wiring, traps, &fewer, state) {
                needed = fewer;
            } else {
                from = to;
            }
        }
        part /= 2;
    }
    let places = needed.into_iter().map(|c| space.at(c, state[c.index()])).collect::<Result<Vec<_>, Stop>>()?;
    space.all_of(places)
}

/// Whether some of the components mark all traps together.
fn marks_all(wiring: &Wiring<'_>, traps: &Traps, components: &[ComponentId], state: &[StateId]) -> bool {
    let mut inside = vec![true; wiring.states()];
    components.iter().for_each(|c| inside[wiring.state(*c, state[c.index()])] = false);
    traps.greatest(wiring, &mut inside);
    !traps.is_marked(wiring.network().component_ids(), &inside)
}
