//! Machine-readable CSP (CSPm), as FDR reads it (`docs/csp.md`).

pub mod ast;
mod process;
pub mod sources;
