//! What scripts of CSPm mean.

mod errors;
mod examples;
mod fuzz;
mod libcspm;
mod processes;
mod specifications;
mod support;
mod values;
