//! Safety automata: deterministic observers that move along with the transitions of a system.
//!
//! After each transition the first edge (in the order written) that leaves the observer's location, whose labels
//! include the transition and whose predicate is true in the state *reached*, is taken; without one the observer
//! stays. This is the automaton of the complement in section 6.4 of Godefroid's thesis, made deterministic so that it
//! adds a location to each state and no transition to the system.
//!
//! An edge that follows all transitions looks at states: where somebody has control it is not taken, as nobody sees such
//! a state. An edge with transitions of its own follows them everywhere.

use crate::{Expr, LocationId, Span, TransitionId};

/// A deterministic safety automaton.
#[derive(Clone, Debug)]
pub struct Observer {
    /// The locations; the first is the initial one unless `initial` says otherwise.
    pub locations: Vec<ObserverLocation>,
    /// Where it starts.
    pub initial: LocationId,
    /// Its edges, in order of preference.
    pub edges: Vec<ObserverEdge>,
}

/// A location of an observer.
#[derive(Clone, Debug)]
pub struct ObserverLocation {
    /// Its name.
    pub name: String,
    /// Whether reaching it breaks the property.
    pub error: bool,
}

/// An edge of an observer.
#[derive(Clone, Debug)]
pub struct ObserverEdge {
    /// The location it leaves.
    pub from: LocationId,
    /// The location it enters.
    pub to: LocationId,
    /// The transitions that it follows, sorted; `None` for all.
    pub on: Option<Vec<TransitionId>>,
    /// The predicate on the state reached.
    pub when: Expr,
    /// Where it is declared.
    pub span: Option<Span>,
}
