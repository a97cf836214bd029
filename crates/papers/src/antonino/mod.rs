//! Antonino, Gibson-Robinson and Roscoe: what Pair and SDD prove, and in what time.

mod models;
mod parts;
mod random;

pub use models::Family;
pub use random::Topology;
