//! Ranks as a certificate that no run is one that was looked for.
//!
//! A *node* is a state of the system with the place of a reader that has read it: of the claim's automaton, or of its
//! formula, to be made false (`automata::Reader`). No step leads to a higher rank, so that every run ends among nodes of
//! one rank; and there it lacks something for ever: a mark of the reader, or fairness.

use serde::{Deserialize, Serialize};

use crate::ClosedSet;

/// The certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankedRuns {
    /// All reachable states, where model errors are possible: readers do not follow every run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<ClosedSet>,
    /// The nodes.
    pub nodes: Vec<RankedNode>,
    /// What is lacking, by rank; steps between nodes of a rank that is not listed are not possible.
    pub classes: Vec<RankedClass>,
}

/// A node and its ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankedNode {
    /// The state as what differs from that of the node before: the number of a word, and the word. The first one differs
    /// from the initial state.
    pub state: Vec<(u32, u64)>,
    /// The place of the reader.
    pub place: Vec<u32>,
    /// The rank; then, for each rank that lacks strong fairness, the rank among the nodes from which nobody moves whom it
    /// is owed to.
    pub ranks: Vec<u32>,
}

/// What is lacking on every run that stays among nodes of a rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankedClass {
    /// The rank, after those that it is a part of.
    pub ranks: Vec<u32>,
    /// What is lacking.
    pub lacks: Lack,
}

/// What a run lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lack {
    /// No step between the nodes has this mark of the reader.
    Mark(u32),
    /// The fairness with this number is weak: every step between the nodes is possible where it is offered, and does not
    /// take it.
    Weak(usize),
    /// The fairness with this number is strong: no step between the nodes takes it. So a fair run comes to where it is
    /// offered only finitely often, and the steps from elsewhere are ranked further.
    Strong(usize),
}
