//! What is learned about all reachable states: boxes of local states in which none of them is.

use evidence::Inequality;
use model::views::{ComponentId, RuleId, StateId};

/// No reachable state of the network has each of these components in one of these states.
#[derive(Clone, Debug)]
pub struct Lemma {
    /// The components, in increasing order, each with states in increasing order.
    pub confined: Vec<(ComponentId, Vec<StateId>)>,
    /// Why that is so.
    pub because: Because,
}

/// Why no reachable state is in a box.
#[derive(Clone, Debug)]
pub enum Because {
    /// A pair of components, by its number, does not get there even if all others are ignored.
    Pair(usize),
    /// Some components do not get there even if all others are ignored: the joint states that they reach, one after the
    /// other, in increasing order.
    Group {
        /// The components, in increasing order.
        members: Vec<ComponentId>,
        /// One state for each member, for each joint state.
        table: Vec<StateId>,
    },
    /// An inequality that holds in all reachable states does not hold there.
    Inequality(Inequality),
    /// A trap that is always marked is not marked there.
    Trap(Vec<(ComponentId, StateId)>),
}

/// A run of the network: rules, with the state after each.
pub type Run = Vec<(RuleId, Vec<StateId>)>;

/// What became of a candidate that was looked at closely.
#[derive(Clone, Debug)]
pub enum Refined {
    /// It is not reachable, and what was learned.
    Refuted(Lemma),
    /// A run to what the goal describes.
    Reached(Run),
    /// Neither.
    Unknown,
}
