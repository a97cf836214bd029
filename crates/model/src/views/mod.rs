//! Views of a [`System`]: the same behaviour in the shape that an engine reasons about, with the way back.
//!
//! - [`Network`]: components and synchronisation rules, for pairs of components and for invariants.
//! - [`Net`]: places and transitions, for unfoldings and structural reasoning.
//!
//! A view has exactly the runs of its system. Where a step of the system is a *model error* (a fault), the view has a
//! rule or transition marked `fault` that changes nothing: such a state is neither a deadlock nor silently passed over,
//! and an engine that claims `Holds` must have shown that no marked one can become enabled. Whatever cannot be viewed
//! exactly is refused with a [`ViewError`].

mod asked;
mod cases;
mod closure;
mod csr;
mod cubes;
mod demand;
mod derive;
mod expand;
mod ids;
mod intervals;
mod net;
mod net_builder;
mod net_system;
mod network;
mod network_system;
mod probe;
mod product;
mod rules;
mod tokens;
mod values;

use std::fmt;

use crate::Span;

pub use asked::{AskedNetwork, is_tester};
pub use ids::{ComponentId, EventId, NetTransitionId, PlaceId, RuleId, StateId};
pub use net::{ArcSet, Marking, Net, NetTransition, Place, PlaceMeaning};
pub use net_builder::NetBuilder;
pub use network::{Automaton, Component, LocalMove, LocalState, Network, Origin, Rule};

#[cfg(doc)]
use crate::System;

/// How large a view may become before it is refused, and when to give up.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The most values of one object.
    pub values: usize,
    /// The most joint valuations of objects that one transition uses together.
    pub valuations: usize,
    /// The most rules of a network, or transitions of a net.
    pub rules: usize,
    /// The most local states of all components together.
    pub states: usize,
    /// Whether nobody waits for it any more; asked every now and then.
    pub stop: &'a dyn Fn() -> bool,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Self { values: 1 << 12, valuations: 1 << 18, rules: 1 << 20, states: 1 << 20, stop: &|| false }
    }
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { values, valuations, rules, states, stop: _ } = self;
        write!(f, "{values} values, {valuations} valuations, {rules} rules, {states} states")
    }
}

/// After so many parts of a view it is asked whether to go on.
const PARTS: usize = 64;

impl Limits<'_> {
    /// Whether to go on after so many parts.
    fn goes_on(&self, parts: usize) -> Result<(), ViewError> {
        match parts.is_multiple_of(PARTS) && (self.stop)() {
            true => Err(ViewError::new("it is too large for the time that there is")),
            false => Ok(()),
        }
    }
}

/// Why a view cannot be built, in terms of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewError {
    /// The reason.
    pub message: String,
    /// The part of the model that stands in the way, if it is known where that is written.
    pub span: Option<Span>,
}

impl ViewError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), span: None }
    }

    /// The same as the reason for something else.
    pub(crate) fn because(self, what: &str) -> Self {
        Self { message: format!("{what}: {}", self.message), ..self }
    }

    pub(crate) fn at(self, span: Option<Span>) -> Self {
        Self { span, ..self }
    }
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ViewError {}
