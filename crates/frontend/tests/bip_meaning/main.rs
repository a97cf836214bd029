//! The meaning of BIP models: state counts and deadlocks that were counted by hand or by BIP's own engine.

mod dataset;
mod support;
