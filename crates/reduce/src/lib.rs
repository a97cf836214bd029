//! Structural reductions of Petri nets: smaller nets with the same answers, and the way back from their runs.
//!
//! [`reduce`] takes a net and goals and gives a net, the goals in its terms, and [`Reduced::lift`], which turns a run
//! that reaches a goal in the reduced net into one that reaches it in the original net. Each rule is a file of
//! [`rules`] and says as a type which [`Class`] of questions it preserves; a [`Scheduler`] takes no others.
#![forbid(unsafe_code)]

mod arcs;
mod class;
mod components;
mod dirty;
mod goals;
mod reduced;
pub mod rules;
mod scheduler;
#[cfg(test)]
mod tests;
mod way;
mod work;

pub use class::{Class, Deadlocks, Everything, Observations, Prefixes, Preserves, Runs, Stuttering};
pub use reduced::{MAX_RUN, Reduced, Steps, reduce, reduce_for_runs, unreduced};
pub use scheduler::{Global, Local, Rule, Scheduler, Stop, Uses};
pub use way::Unliftable;
pub use work::Work;
