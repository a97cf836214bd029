//! Decides anew, from the model alone, whether evidence shows what it claims. No engine is used here.
#![forbid(unsafe_code)]

mod replay;

pub use replay::{CheckedTrace, Finding, ReplayError, replay};
