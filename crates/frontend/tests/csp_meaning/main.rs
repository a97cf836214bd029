//! What scripts of CSPm mean.

mod examples;
mod libcspm;
mod support;
