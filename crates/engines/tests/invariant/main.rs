//! Invariants of networks against the definitions.

mod naive;
mod random;
