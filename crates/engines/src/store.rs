//! States.
