//! Smaller automata for the same words.

pub(crate) mod marks;
pub(crate) mod recurrence;
pub(crate) mod simulation;
pub(crate) mod weak;
