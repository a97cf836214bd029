//! Which reductions are exact for which question: a [`Reduction`] can only be made where a theorem says so.
//!
//! - Persistent sets, sleep sets, or both reach every deadlock (Theorems 4.3 and 5.2). They need no proviso, but they may
//!   leave out for good a transition that is a model error: without a proviso the system must be lawful.
//! - With the stack proviso (Definition 6.2) every transition that can ever be fired is fired somewhere (Theorem 6.13),
//!   so that model errors are met too. Together with sleep sets this needs a weakly uniform dependency (Definition
//!   6.6), and then the constant relation in the persistent sets, which includes it.
//! - Sleep sets alone visit every state (Theorem 5.4), in every order of search that re-explores matched states.

use model::{Class, Property, System};

use crate::persistent::{Algorithm, Interference};

/// Persistent sets: how they are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Persistent {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The relation it uses.
    pub interference: Interference,
}

impl Persistent {
    /// What sleep sets alone use of it: the relations.
    pub(crate) const TRIVIAL: Persistent =
        Persistent { algorithm: Algorithm::Conflict, interference: Interference::CanBeDependent };
}

/// What keeps transitions from being put off for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Proviso {
    /// Nothing: enough for deadlocks.
    #[default]
    None,
    /// A selected transition leads to a state that is not on the stack, or all enabled ones are selected.
    Stack,
}

/// What a user asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Wish {
    /// Persistent sets.
    pub persistent: Option<Persistent>,
    /// Sleep sets.
    pub sleep: bool,
    /// The proviso.
    pub proviso: Proviso,
}

impl Wish {
    /// Whether nothing is to be reduced.
    pub fn is_none(&self) -> bool {
        self.persistent.is_none() && !self.sleep
    }
}

/// A reduction that is exact for the property and the system that it was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reduction(Wish);

impl Reduction {
    /// Grants a wish if it is sound, with the proviso that it needs; else says why not.
    pub(crate) fn grant(mut wish: Wish, property: &Property, system: &System) -> Result<Self, String> {
        if property.class() != Class::Deadlock {
            return Err("reductions are exact for deadlocks only: ask without them".to_owned());
        }
        if wish.persistent.is_some() && !system.is_lawful() {
            wish.proviso = Proviso::Stack;
        }
        if wish.sleep
            && wish.proviso == Proviso::Stack
            && let Some(persistent) = &mut wish.persistent
        {
            persistent.interference = Interference::CanBeDependent;
        }
        Ok(Self(wish))
    }

    pub(crate) fn wish(self) -> Wish {
        self.0
    }

    /// Whether sleep sets must rest on the weakly uniform dependency.
    pub(crate) fn is_uniform(self) -> bool {
        self.0.sleep && self.0.proviso == Proviso::Stack
    }
}
