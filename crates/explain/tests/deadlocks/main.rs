//! Deadlocks of small systems, explained.

mod alone;
mod before;
mod crowds;
mod joint;
mod justified;
mod long;
mod partial;
mod prospects;
mod random;
mod support;
