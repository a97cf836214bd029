//! Machine-readable CSP (CSPm), as FDR reads it (`docs/csp.md`).

pub mod ast;
mod code;
mod eval;
mod includes;
mod interner;
mod limits;
mod parse;
mod process;
mod resolve;
mod script;
mod token;
mod value;

pub use crate::sources::Reader;
pub use parse::{Script as Parsed, parse};
pub use process::{Limits, Specification};
pub use script::{Assertion, AssertionKind, ProcessRef, Script};
