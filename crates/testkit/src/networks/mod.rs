//! Networks for tests: an obviously correct oracle, all networks of a tiny world, random ones, and ones with structure.

mod mutate;
mod oracle;
mod random;
mod sketch;
mod structured;
mod tiny;

pub use mutate::mutated;
pub use oracle::Oracle;
pub use random::random;
pub use sketch::{Sketch, SketchedRule, network};
pub use structured::{philosophers, resources, ring, schedule, scheduler};
pub use tiny::tiny;
