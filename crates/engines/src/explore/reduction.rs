//! Which reductions are exact for which questions: a [`Reduction`] can only be made where a theorem says so.
//!
//! - Persistent sets, sleep sets, or both reach every deadlock (Theorems 4.3 and 5.2). They need no proviso, but they may
//!   leave out for good a transition that is a model error: without a proviso the system must be lawful.
//! - With the stack proviso (Definition 6.2) every transition that can ever be fired is fired somewhere (Theorem 6.13),
//!   and so is every local state reached (6.14). Model errors are met, too: a fault is like one more transition, in
//!   conflict with the step, to an error; the relations count it as an output. A predicate becomes local through a
//!   transition that tests it (section 6.4): see [`model::System::watching`]. Together with sleep sets this needs a
//!   weakly uniform dependency (Definition 6.6), and then relations that include it in the persistent sets.
//! - The queue proviso does the same in breadth-first order, on any number of threads: see `breadth::open`.
//! - The component proviso (Definition 6.15) does the same, but is no good together with sleep sets.
//! - With the goal instead of a proviso a search finds a predicate's states because the system is made to deadlock there
//!   (Godefroid and Wolper 1993, Theorem 4.1). It finds nothing else: no model errors, in steps or in the predicate.
//! - Sleep sets alone visit every state (Theorem 5.4), in every order of search that re-explores matched states.
//! - Who is stuck for good is kept by the component proviso: see `movers`.
//! - Infinite runs of silent steps are kept by none of these: that question is for a search of everything.
//! - The enabled part of a weak stubborn set is no persistent set: it keeps deadlocks, by itself, and nothing more.

use model::{Class, Property, System};

use super::search::Extent;
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
    /// A selected transition leads to a state of a later breadth-first level, or all enabled ones are selected.
    Queue,
    /// No terminal strongly connected component leaves out a transition that is enabled in it.
    Component,
    /// Nothing, but what leads to the goal is not put off.
    Goal,
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

/// A reduction that is exact for the properties and the system that it was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reduction(Wish);

impl Reduction {
    /// Grants a wish if it is sound, with the usual proviso if it needs one and names none; else says why not.
    pub(crate) fn grant(
        mut wish: Wish,
        usual: Proviso,
        properties: &[&Property],
        system: &System,
    ) -> Result<Self, String> {
        if properties.iter().any(|p| matches!(p, Property::Temporal(_))) {
            return Err("explicit search decides no LTL formulas".to_owned());
        }
        if properties.iter().any(|p| p.class() == Class::Liveness) && !wish.is_none() {
            return Err("a reduced search may leave out the steps of an infinite run".to_owned());
        }
        let branching = properties.iter().any(|p| p.class() == Class::Branching);
        if branching && !wish.is_none() {
            wish.proviso = Self::for_branching(wish, system)?;
        }
        let Some(persistent) = wish.persistent else {
            wish.proviso = Proviso::None;
            return Ok(Self(wish));
        };
        let lawful = system.is_lawful();
        let deadlock = properties.iter().all(|p| p.class() == Class::Deadlock);
        if wish.proviso == Proviso::None && !(deadlock && lawful) {
            wish.proviso = usual;
        }
        let weak = persistent.algorithm == Algorithm::Weak;
        match wish.proviso {
            Proviso::None if weak && wish.sleep => {
                return Err("weak stubborn sets are not sound together with sleep sets".to_owned());
            }
            Proviso::None => {}
            _ if weak && deadlock && !lawful => {
                return Err("weak stubborn sets keep no model errors, and a step may be one".to_owned());
            }
            _ if weak => return Err("weak stubborn sets keep nothing but deadlocks".to_owned()),
            Proviso::Queue if wish.sleep => {
                return Err("the queue proviso is not known to be sound together with sleep sets".to_owned());
            }
            Proviso::Stack | Proviso::Queue => {}
            Proviso::Component if system.has_holds() => {
                return Err("the component proviso knows no control".to_owned());
            }
            Proviso::Component if wish.sleep => {
                return Err("the component proviso is not sound together with sleep sets".to_owned());
            }
            Proviso::Component => {}
            Proviso::Goal if deadlock => return Err("there is no goal in a question about deadlocks".to_owned()),
            Proviso::Goal if !properties.iter().all(|p| cannot_fault(p, system)) => {
                return Err(
                    "the property may be a model error, which a search towards a goal does not look for".to_owned()
                );
            }
            Proviso::Goal if !lawful => {
                return Err("a step may be a model error, which a search towards a goal does not look for".to_owned());
            }
            Proviso::Goal => {}
        }
        Ok(Self(wish))
    }

    /// The proviso that keeps what can still happen after a state; or why none does.
    fn for_branching(wish: Wish, system: &System) -> Result<Proviso, String> {
        match wish.proviso {
            _ if system.has_holds() || system.has_last_resorts() => {
                Err("a reduction that keeps who is stuck for good knows no control and no last resort".to_owned())
            }
            _ if wish.sleep => Err("sleep sets may leave out what can still happen after a state".to_owned()),
            Proviso::None | Proviso::Component => Ok(Proviso::Component),
            _ => Err("only the component proviso keeps who is stuck for good: proviso=component".to_owned()),
        }
    }

    /// A reduction that nobody checked.
    #[cfg(test)]
    pub(super) fn ungranted(wish: Wish) -> Self {
        Self(wish)
    }

    pub(crate) fn wish(self) -> Wish {
        self.0
    }

    /// What the reduced search still covers.
    pub(super) fn extent(self) -> Extent {
        match self.0 {
            Wish { persistent: None, sleep: false, .. } => Extent::Full,
            Wish { persistent: None, .. }
            | Wish { proviso: Proviso::Stack | Proviso::Queue | Proviso::Component, .. } => Extent::EveryTransition,
            Wish { .. } => Extent::EveryDeadlock,
        }
    }

    /// Whether sleep sets must rest on the weakly uniform dependency.
    pub(crate) fn is_uniform(self) -> bool {
        self.0.sleep && self.0.proviso == Proviso::Stack
    }
}

/// Whether a question can be asked of every state without a model error.
fn cannot_fault(property: &Property, system: &System) -> bool {
    match property {
        Property::DeadlockFree
        | Property::PartialDeadlockFree
        | Property::Temporal(_)
        | Property::DivergenceFree(_) => true,
        Property::Invariant(e) | Property::Reachable(e) => system.is_lawful_predicate(e),
        Property::Safety(observer) => observer.edges.iter().all(|edge| system.is_lawful_predicate(&edge.when)),
    }
}
