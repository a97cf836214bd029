//! What is learned about all reachable states: boxes of local states in which none of them is.
//!
//! A lemma says why it is true in a form that a certificate can repeat, so that whoever takes it over from another engine
//! can still prove what it concludes. Nobody outside this crate can make one.

use std::sync::Arc;

use evidence::Inequality;
use model::views::{ComponentId, StateId};

use crate::structure::traps::Trap;
use crate::structure::wiring::Wiring;

/// No reachable state of the network has each of these components in one of these states.
#[derive(Clone, Debug)]
pub struct Lemma {
    /// The components, in increasing order, each with states in increasing order.
    pub(crate) confined: Vec<(ComponentId, Vec<StateId>)>,
    /// Why that is so.
    pub(crate) because: Because,
}

/// Why no reachable state is in a box.
#[derive(Clone, Debug)]
pub(crate) enum Because {
    /// A pair of components, by its number in a survey, does not get there even if all others are ignored.
    Pair(usize),
    /// Some components do not get there even if all others are ignored.
    Group(Arc<JointStates>),
    /// An inequality that holds in all reachable states does not hold there.
    Inequality(Inequality),
    /// A trap that is always marked is not marked there.
    Trap(Vec<(ComponentId, StateId)>),
    /// An engine proved it whose proofs certificates about networks cannot repeat.
    Elsewhere,
}

/// The joint states that some components reach if all others are ignored.
#[derive(Clone, Debug)]
pub(crate) struct JointStates {
    /// The components, in increasing order.
    pub(crate) members: Vec<ComponentId>,
    /// One state for each member, for each joint state; the joint states in increasing order.
    pub(crate) table: Vec<StateId>,
}

impl JointStates {
    /// The joint states, one after the other.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[StateId]> {
        self.table.chunks_exact(self.members.len())
    }
}

impl Lemma {
    /// Some component is in the trap, which is marked in every initial state: not all are outside.
    pub(crate) fn marked(wiring: &Wiring<'_>, trap: &Trap) -> Self {
        let states: Vec<(ComponentId, StateId)> = trap.iter().map(|&s| wiring.local(s)).collect();
        let outside = |inside: &[(ComponentId, StateId)]| {
            let c = inside[0].0;
            let all = (0..wiring.network().component(c).states().len()).map(StateId::new);
            (c, all.filter(|s| inside.binary_search(&(c, *s)).is_err()).collect())
        };
        let confined = states.chunk_by(|a, b| a.0 == b.0).map(outside).collect();
        Self { confined, because: Because::Trap(states) }
    }

    /// Whether a state is in the box, and so not reachable.
    pub(crate) fn excludes(&self, state: &[StateId]) -> bool {
        self.confined.iter().all(|(c, states)| states.binary_search(&state[c.index()]).is_ok())
    }
}
