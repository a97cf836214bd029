//! Machine-readable CSP (CSPm), as FDR reads it (`docs/csp.md`).

pub mod ast;
mod includes;
mod limits;
mod parse;
mod process;
pub mod sources;
mod token;

pub use includes::Reader;
pub use parse::{Script, parse};
