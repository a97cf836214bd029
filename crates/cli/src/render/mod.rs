//! Results for people and for programs.

mod beside;
pub(crate) mod dead_code;
pub(crate) mod dot;
pub(crate) mod failure;
pub(crate) mod junit;
pub(crate) mod occurrence;
pub(crate) mod paper;
pub(crate) mod report;
mod xml;
