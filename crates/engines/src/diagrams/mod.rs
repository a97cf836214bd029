//! Sets of states of a network as decision diagrams, below the engines that use them.
//!
//! The state of a component is a binary number. A set of states is a diagram over the bits of all components; the
//! order of the components decides how large it gets. Rules are a partitioned relation: a rule is never one diagram, but
//! its participants move one after the other, each by what its own event does, and nobody else is touched.

mod codes;
mod moves;
pub mod order;
pub mod rings;
mod saturation;
mod space;
mod sweep;

use evidence::Reason;
use solve::bdd::Full;

pub use solve::bdd::{Bdd, deep};
pub use space::{Setting, Space};

/// Why a computation ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop(pub Reason);

impl From<Full> for Stop {
    fn from(_: Full) -> Self {
        Self(Reason::Memory)
    }
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Self {
        Self(reason)
    }
}
