//! Questions about Petri nets: what is asked of the reachable markings.

mod asked;
mod goal;
mod linear;
mod predicate;

pub use asked::AskedNet;
pub use linear::Linear;
pub use predicate::Predicate;

use crate::views::PlaceId;

/// What is searched for among the reachable markings of a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A marking that enables no transition.
    Dead,
    /// A marking that satisfies a predicate.
    Satisfies(Predicate),
    /// The greatest value of an expression.
    Maximum(Linear),
}

impl Goal {
    /// The places whose tokens the goal looks at, in increasing order. A dead marking is recognised by all of the net.
    pub fn observed(&self) -> Vec<PlaceId> {
        match self {
            Goal::Dead => Vec::new(),
            Goal::Satisfies(predicate) => predicate.places(),
            Goal::Maximum(expression) => expression.terms().iter().map(|&(p, _)| p).collect(),
        }
    }
}
