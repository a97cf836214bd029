//! What scripts of CSPm mean.

mod libcspm;
