//! What is learned about all reachable states: boxes of local states in which none of them is.

use std::sync::Arc;

use evidence::Inequality;
use model::views::{ComponentId, StateId};

/// No reachable state of the network has each of these components in one of these states.
#[derive(Clone, Debug)]
pub(super) struct Lemma {
    /// The components, in increasing order, each with states in increasing order.
    pub(super) confined: Vec<(ComponentId, Vec<StateId>)>,
    /// Why that is so.
    pub(super) because: Because,
}

/// Why no reachable state is in a box.
#[derive(Clone, Debug)]
pub(super) enum Because {
    /// A pair of components, by its number, does not get there even if all others are ignored.
    Pair(usize),
    /// Some components do not get there even if all others are ignored.
    Group(Arc<JointStates>),
    /// An inequality that holds in all reachable states does not hold there.
    Inequality(Inequality),
    /// A trap that is always marked is not marked there.
    Trap(Vec<(ComponentId, StateId)>),
}

/// The joint states that some components reach if all others are ignored.
#[derive(Clone, Debug)]
pub(super) struct JointStates {
    /// The components, in increasing order.
    pub(super) members: Vec<ComponentId>,
    /// One state for each member, for each joint state; the joint states in increasing order.
    pub(super) table: Vec<StateId>,
}

impl JointStates {
    /// The joint states, one after the other.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[StateId]> {
        self.table.chunks_exact(self.members.len())
    }
}
