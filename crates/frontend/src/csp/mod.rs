//! Machine-readable CSP (CSPm), as FDR reads it (`docs/csp.md`).

pub mod ast;
mod code;
mod eval;
mod includes;
mod limits;
mod parse;
mod process;
mod resolve;
mod script;
pub mod sources;
mod token;
mod value;

pub use includes::Reader;
pub use parse::{Script as Parsed, parse};
pub use process::{Limits, Specification};
pub use script::{Assertion, AssertionKind, ProcessRef, Script};
