//! Invariants first, then exactly: what an inductive invariant leaves of the suspects is decided by a search inside it.

pub mod rings;
