//! Results for people and for programs.

mod beside;
pub(crate) mod dot;
pub(crate) mod failure;
pub(crate) mod layers;
pub(crate) mod occurrence;
pub(crate) mod paper;
