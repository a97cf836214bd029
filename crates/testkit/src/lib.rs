//! What keeps the rest right: an obviously correct oracle, the systems on which everything meets it, and planted bugs
//! that prove that such a meeting can fail.
//!
//! - [`naive`]: the meaning of a system by interpretation of its expressions and commands, and its whole state graph;
//! - [`joint`]: the meaning of edges before they are joined into transitions;
//! - [`random`] and [`tiny`]: random systems of every kind of object, and all systems of a tiny world;
//! - [`brief`]: formulas and runs by hand;
//! - [`compare`]: what an engine, or another semantics, must have in common with the oracle;
//! - [`planted`]: subtly wrong semantics and engines, which the comparisons must catch;
//! - [`misjudged`]: the same for claims about whole runs;
//! - [`nets`]: the oracle, random nets and the tiny world once more, for Petri nets;
//! - [`networks`]: the same for networks of components;
//! - [`corpus`]: every engine with every switch on all models of a folder;
//! - [`spin`]: SPIN as a peer and a second opinion, where it is installed;
//! - [`promela`]: random programs for it.
#![forbid(unsafe_code)]

mod blueprint;
pub mod brief;
pub mod compare;
pub mod corpus;
mod describe;
pub mod joint;
pub mod misjudged;
pub mod naive;
pub mod nets;
pub mod networks;
pub mod packed;
pub mod planted;
pub mod promela;
pub mod random;
mod rng;
mod search;
pub mod spin;
pub mod tiny;

pub use blueprint::Blueprint;
pub use describe::describe;
pub use rng::Rng;
pub use search::search;
