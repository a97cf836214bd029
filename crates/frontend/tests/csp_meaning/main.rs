//! What scripts of CSPm mean.

mod errors;
mod examples;
mod libcspm;
mod processes;
mod specifications;
mod support;
mod values;
