//! Invariants first (Bensalem, Griesmayer, Legay, Nguyen and Peled, 2011): what every reachable state satisfies, from
//! components and from how rules connect them, without a look at any state of the whole.
//!
//! Each invariant is *inductive* by itself: no rule leads out of it. So is their conjunction, and a backward search
//! that stays inside misses nothing. A *suspect* is a state inside that satisfies a goal; without suspects, no goal is
//! reachable.
//!
//! Beyond the paper: components with private companions are taken together ([`components`]), conserved quantities are
//! used as well as traps ([`linear`]), and traps can be found one by one, only as far as they exclude suspects.

mod components;
mod engine;
mod fed;
mod linear;
mod report;
mod traps;

use evidence::{Goal, Reason};
use solve::bdd::Bdd;

use crate::diagrams::{Space, Stop};
use crate::exchange::Member;
use crate::structure::wiring::Wiring;

pub use engine::{Exact, Invariants};
pub use report::{Used, show};

/// How traps are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Traps {
    /// Not at all.
    None,
    /// All of them, as a diagram over sets of local states.
    Symbolic,
    /// Again and again the greatest trap that a suspect does not mark, until the others mark all.
    #[default]
    Lazy,
}

/// Which invariants are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// What components reach alone and with their companions.
    pub components: bool,
    /// Traps.
    pub traps: Traps,
    /// Conserved quantities.
    pub linear: bool,
}

impl Default for Strength {
    fn default() -> Self {
        Self { components: true, traps: Traps::Lazy, linear: true }
    }
}

/// States that include all reachable ones and that no rule leaves.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// The states.
    pub set: Bdd,
    /// Where it is from.
    pub used: Used,
}

/// An invariant, and the suspects: its states that satisfy one of the goals.
pub fn invariant(space: &Space<'_>, goals: &[Goal], strength: &Strength) -> Result<(Invariant, Bdd), Stop> {
    among(space, goals, strength, None)
}

/// The same, while others work on the same question: they are told of traps.
fn among(
    space: &Space<'_>,
    goals: &[Goal],
    strength: &Strength,
    others: Option<Member<'_>>,
) -> Result<(Invariant, Bdd), Stop> {
    let wiring = Wiring::new(space.network());
    let mut used = Used::default();
    let mut set = if strength.components { components::reached(space, &wiring, &mut used)? } else { space.valid()? };
    if strength.linear {
        set = linear::conserved(space, &wiring, set, &mut used)?;
    }
    if strength.traps == Traps::Symbolic {
        match traps::symbolic::marked(space, &wiring, &mut used) {
            Ok(marked) => set = set.and(&marked)?,
            // An invariant without traps is one, too.
            Err(Stop(Reason::Memory)) => used.gave_up = true,
            Err(stop) => return Err(stop),
        }
    }
    let mut suspects = space.wanted(goals, &set)?;
    if strength.traps == Traps::Lazy {
        let found = traps::lazy::marked((space, &wiring), &suspects, others, &mut used)?;
        set = space.all_of(found.iter().cloned().chain([set]))?;
        suspects = space.all_of([suspects].into_iter().chain(found))?;
    }
    Ok((Invariant { set, used }, suspects))
}
