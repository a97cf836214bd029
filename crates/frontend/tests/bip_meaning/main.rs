//! The meaning of BIP models: state counts and deadlocks that were counted by hand or by BIP's own engine.

mod atoms;
mod compounds;
mod connectors;
mod corpus;
mod dataset;
mod limits;
mod random;
mod support;
mod unknown;
