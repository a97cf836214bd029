//! Bensalem, Griesmayer, Legay, Nguyen and Peled: invariants first, then the exact set of deadlocks.

pub mod models;
